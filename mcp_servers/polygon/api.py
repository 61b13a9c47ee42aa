"""Polygon's REST API, which is now called Massive: settings, errors, and its calls."""

from collections.abc import Mapping
from typing import Any

from pydantic import AliasChoices, BaseModel, Field, SecretStr

from mcp_servers.kit.errors import Kind
from mcp_servers.kit.settings import ApiSettings
from mcp_servers.kit.upstream.http import Service, Upstream
from mcp_servers.kit.upstream.replies import STATUSES, shaped
from mcp_servers.kit.upstream.wire import InProcess, Wire
from mcp_servers.polygon.stand_in import stand_in

NAME = "polygon"


class Settings(ApiSettings):
    """Settings of the server; every field of `ApiSettings`, and these two variables."""

    api_key: SecretStr | None = Field(default=None, validation_alias=AliasChoices("POLYGON_API_KEY", "MASSIVE_API_KEY"))
    base_url: str = Field(
        default="https://api.massive.com",
        validation_alias=AliasChoices("POLYGON_BASE_URL", "MASSIVE_API_BASE_URL"),
    )


class Page(BaseModel):
    """A page of a list: its rows as the API gives them, and the cursor of the next page."""

    rows: list[Any]
    cursor: str | None
    ticker: str | None = None
    """The ticker that the API says the rows are of, where it says so."""
    adjusted: bool | None = None
    """Whether it says that they are adjusted for splits, likewise."""


class Polygon:
    """The calls of the API, without a shape: the tools' models read what they need. All raise `UpstreamError`."""

    def __init__(self, settings: Settings, wire: Wire | None = None) -> None:
        """Talk to the API, or to the stand-in where the settings have no key; over `wire` where one is given."""
        headers = {"Authorization": f"Bearer {settings.key()}"}
        service = Service(NAME, settings.base_url, headers, explain=explain, **settings.limits())
        if wire is None and settings.offline:
            wire = InProcess(stand_in(settings.home()))
        self.upstream = Upstream(service, wire)

    async def aggregates(
        self,
        ticker: str,
        multiplier: int,
        timespan: str,
        start: str,
        end: str,
        *,
        cursor: str | None = None,
        **params: Any,
    ) -> Page:
        """Bars between two dates or times in milliseconds, or those of a cursor of the same ticker and size."""
        path = ("v2", "aggs", "ticker", ticker, "range", str(multiplier), timespan)
        if cursor:
            return self._page(await self.upstream.follow(cursor, *path, more=2))
        return self._page(await self.upstream.get(*path, start, end, params=params))

    async def previous(self, ticker: str, *, adjusted: bool) -> Page:
        """The last complete day."""
        return self._page(
            await self.upstream.get("v2", "aggs", "ticker", ticker, "prev", params={"adjusted": adjusted})
        )

    async def open_close(self, ticker: str, day: str, *, adjusted: bool) -> Any:
        """One day."""
        return await self.upstream.get("v1", "open-close", ticker, day, params={"adjusted": adjusted})

    async def grouped(self, day: str, locale: str, market: str, *, adjusted: bool) -> Page:
        """A market's day."""
        path = ("v2", "aggs", "grouped", "locale", locale, "market", market, day)
        return self._page(await self.upstream.get(*path, params={"adjusted": adjusted}))

    async def snapshots(self, market: str, *more: str, tickers: str | None = None) -> Any:
        """A market's tickers as they stand now; `more` is `tickers`, one of those, `gainers` or `losers`."""
        locale = "us" if market == "stocks" else "global"
        path = ("v2", "snapshot", "locale", locale, "markets", market, *more)
        return await self.upstream.get(*path, params={"tickers": tickers})

    async def last_trade(self, ticker: str) -> Any:
        """A stock's last trade."""
        return await self.upstream.get("v2", "last", "trade", ticker)

    async def last_crypto_trade(self, base: str, quote: str) -> Any:
        """A pair's last trade."""
        return await self.upstream.get("v1", "last", "crypto", base, quote)

    async def ticker(self, ticker: str, day: str | None) -> Any:
        """What is known of a ticker."""
        return await self.upstream.get("v3", "reference", "tickers", ticker, params={"date": day})

    async def listed(self, *path: str, cursor: str | None = None, params: Mapping[str, Any] | None = None) -> Page:
        """A page of a list: the first one for `params`, or the one of a cursor that this method gave."""
        if cursor:
            return self._page(await self.upstream.follow(cursor, *path, more=0))
        return self._page(await self.upstream.get(*path, params=params))

    async def indicator(self, name: str, ticker: str, params: Mapping[str, Any]) -> Any:
        """An indicator's values."""
        return await self.upstream.get("v1", "indicators", name, ticker, params=params)

    async def market_status(self) -> Any:
        """Whether the markets are open."""
        return await self.upstream.get("v1", "marketstatus", "now")

    async def market_holidays(self) -> Any:
        """The days to come on which they are not."""
        return await self.upstream.get("v1", "marketstatus", "upcoming")

    async def aclose(self) -> None:
        """Let go of connections."""
        await self.upstream.aclose()

    def _page(self, body: Any) -> Page:
        found = shaped(NAME, _Listing, body)
        cursor = self.upstream.cursor(found.next_url)
        return Page.model_construct(rows=found.results, cursor=cursor, ticker=found.ticker, adjusted=found.adjusted)


class _Listing(BaseModel):
    results: list[Any] = []
    next_url: str | None = None
    ticker: str | None = None
    adjusted: bool | None = None


def explain(status: int, body: Any) -> tuple[Kind, str] | None:
    """Read the API's errors: `{"status": "ERROR", "error": ...}`, or `message` in its place."""
    if not isinstance(body, dict) or (status < 400 and body.get("status") not in ("ERROR", "NOT_AUTHORIZED")):
        return None
    said = body.get("error") or body.get("message")
    if not isinstance(said, str) or status >= 500:
        return None
    return STATUSES.get(status, Kind.PLAN if body.get("status") == "NOT_AUTHORIZED" else Kind.BAD_REQUEST), said
