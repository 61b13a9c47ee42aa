"""Polygon's REST API, now called Massive: settings, errors and calls."""

from collections.abc import Mapping
from typing import Any

from pydantic import AliasChoices, BaseModel, Field, SecretStr

from mcp_servers.kit.errors import ErrorKind
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
    """The ticker of the rows, if the API states it."""
    adjusted: bool | None = None
    """Whether prices are adjusted for splits, if the API states it."""


class Polygon:
    """A client of the API. It returns untyped JSON, and the tools' models read what they need.

    All methods raise `UpstreamError`.
    """

    def __init__(self, settings: Settings, wire: Wire | None = None) -> None:
        """Make a client of the API, or of the stand-in if the settings have no key.

        `wire` replaces the default transport.
        """
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
        """Return bars between two dates or times in milliseconds.

        A cursor returns the next page of the same ticker and bar size.
        """
        path = ("v2", "aggs", "ticker", ticker, "range", str(multiplier), timespan)
        if cursor:
            return self._page(await self.upstream.follow(cursor, *path, more=2))
        return self._page(await self.upstream.get(*path, start, end, params=params))

    async def previous(self, ticker: str, *, adjusted: bool) -> Page:
        """Return the bar of the last complete day."""
        return self._page(
            await self.upstream.get("v2", "aggs", "ticker", ticker, "prev", params={"adjusted": adjusted})
        )

    async def open_close(self, ticker: str, day: str, *, adjusted: bool) -> Any:
        """Return the prices of one day."""
        return await self.upstream.get("v1", "open-close", ticker, day, params={"adjusted": adjusted})

    async def grouped(self, day: str, locale: str, market: str, *, adjusted: bool) -> Page:
        """Return the bars of all tickers of a market on one day."""
        path = ("v2", "aggs", "grouped", "locale", locale, "market", market, day)
        return self._page(await self.upstream.get(*path, params={"adjusted": adjusted}))

    async def snapshots(self, market: str, *more: str, tickers: str | None = None) -> Any:
        """Return current snapshots of a market's tickers.

        `more` is `tickers`, `tickers` and one ticker, `gainers` or `losers`.
        """
        locale = "us" if market == "stocks" else "global"
        path = ("v2", "snapshot", "locale", locale, "markets", market, *more)
        return await self.upstream.get(*path, params={"tickers": tickers})

    async def last_trade(self, ticker: str) -> Any:
        """Return the last trade of a stock."""
        return await self.upstream.get("v2", "last", "trade", ticker)

    async def last_crypto_trade(self, base: str, quote: str) -> Any:
        """Return the last trade of a crypto pair."""
        return await self.upstream.get("v1", "last", "crypto", base, quote)

    async def ticker(self, ticker: str, day: str | None) -> Any:
        """Return the details of a ticker."""
        return await self.upstream.get("v3", "reference", "tickers", ticker, params={"date": day})

    async def listed(self, *path: str, cursor: str | None = None, params: Mapping[str, Any] | None = None) -> Page:
        """Return a page of a list: the first page for `params`, or the page of a cursor from this method."""
        if cursor:
            return self._page(await self.upstream.follow(cursor, *path, more=0))
        return self._page(await self.upstream.get(*path, params=params))

    async def indicator(self, name: str, ticker: str, params: Mapping[str, Any]) -> Any:
        """Return the values of an indicator."""
        return await self.upstream.get("v1", "indicators", name, ticker, params=params)

    async def market_status(self) -> Any:
        """Return whether the markets are open."""
        return await self.upstream.get("v1", "marketstatus", "now")

    async def market_holidays(self) -> Any:
        """Return the next days on which the markets are closed or close early."""
        return await self.upstream.get("v1", "marketstatus", "upcoming")

    async def aclose(self) -> None:
        """Close the connections."""
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


def explain(status: int, body: Any) -> tuple[ErrorKind, str] | None:
    """Return the kind and text of an API error, or None.

    An error is `{"status": "ERROR", "error": ...}`, or has `message` instead of `error`.
    """
    if not isinstance(body, dict) or (status < 400 and body.get("status") not in ("ERROR", "NOT_AUTHORIZED")):
        return None
    said = body.get("error") or body.get("message")
    if not isinstance(said, str) or status >= 500:
        return None
    return STATUSES.get(
        status, ErrorKind.PLAN if body.get("status") == "NOT_AUTHORIZED" else ErrorKind.BAD_REQUEST
    ), said
