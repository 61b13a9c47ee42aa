"""FMP's REST API (`/stable`), typed."""

from collections.abc import Mapping
from functools import cache
from typing import Any, Literal, TypeVar

from pydantic import AliasChoices, Field, SecretStr, TypeAdapter, ValidationError

from mcp_servers.fmp.rows import Article, Bar, Change, Dividend, Earnings, Figures, Match, Mover, Profile, Quote, Row
from mcp_servers.fmp.stand_in import stand_in
from mcp_servers.kit.errors import ErrorKind, UpstreamError
from mcp_servers.kit.settings import ApiSettings
from mcp_servers.kit.upstream.http import Service, Upstream, in_process
from mcp_servers.kit.upstream.wire import Wire

R = TypeVar("R", bound=Row)

Period = Literal["annual", "quarter", "FY", "Q1", "Q2", "Q3", "Q4"]
"""The fiscal periods of a request: whole years (`annual` or `FY`), all quarters, or one quarter of each year."""

Report = Literal["income-statement", "balance-sheet-statement", "cash-flow-statement", "ratios", "key-metrics"]
"""The endpoints whose rows hold the figures of a fiscal period."""

Adjustment = Literal["splits", "dividends", "none"]
"""The adjustment of older prices: for splits, for splits and dividends, or none."""

_CHARTS: dict[Adjustment, str] = {"splits": "full", "dividends": "dividend-adjusted", "none": "non-split-adjusted"}
_ADJUSTED = {"adjOpen": "open", "adjHigh": "high", "adjLow": "low", "adjClose": "close"}


OFFLINE_URL = "http://fmp.invalid/stable"


class Settings(ApiSettings):
    """Where FMP is, and the key for it."""

    api_key: SecretStr | None = Field(default=None, validation_alias=AliasChoices("FMP_API_KEY", "FMP_ACCESS_TOKEN"))
    """The key; without one, the tools answer from the offline world."""
    base_url: str = Field(default="https://financialmodelingprep.com/stable", validation_alias="FMP_BASE_URL")
    """Where the API is, up to and with `/stable`."""


class Fmp:
    """A client of FMP, or of its stand-in if there is no key.

    Every method raises `UpstreamError`. Lists are newest first.
    """

    def __init__(self, settings: Settings, wire: Wire | None = None) -> None:
        """Make a client with these settings. `wire` replaces the default transport."""
        url = OFFLINE_URL if settings.offline else settings.base_url
        service = Service("FMP", url, {"apikey": settings.key()}, explain=explain, **settings.limits())
        if wire is None and settings.offline:
            wire = in_process(stand_in(settings.home()))
        self._upstream = Upstream(service, wire)

    async def quote(self, symbol: str) -> Quote | None:
        """Return the newest price. Return None if FMP does not know the symbol."""
        return _first(await self._rows(Quote, "quote", symbol=symbol))

    async def profile(self, symbol: str) -> Profile | None:
        """Return the company's profile. Return None if FMP does not know the symbol."""
        return _first(await self._rows(Profile, "profile", symbol=symbol))

    async def change(self, symbol: str) -> Change | None:
        """Return the price changes. Return None if FMP does not know the symbol."""
        return _first(await self._rows(Change, "stock-price-change", symbol=symbol))

    async def figures(self, report: Report, symbol: str, period: Period, limit: int) -> list[Figures]:
        """Return a statement, the ratios or the key metrics of the last `limit` fiscal periods."""
        return await self._rows(Figures, report, symbol=symbol, period=period, limit=limit)

    async def prices(self, symbol: str, start: str | None, end: str | None, adjustment: Adjustment) -> list[Bar]:
        """Return daily bars from `start` to `end` (ISO dates, both included). None uses FMP's default range."""
        name = _CHARTS[adjustment]
        found = await self._list(f"historical-price-eod/{name}", {"symbol": symbol, "from": start, "to": end})
        return _read(Bar, name, [_plain(row) for row in found])

    async def earnings(self, symbol: str, limit: int) -> list[Earnings]:
        """Return reports on quarters. FMP may put expected reports first."""
        return await self._rows(Earnings, "earnings", symbol=symbol, limit=limit)

    async def dividends(self, symbol: str, limit: int) -> list[Dividend]:
        """Return declared dividends."""
        return await self._rows(Dividend, "dividends", symbol=symbol, limit=limit)

    async def search_symbol(self, query: str, limit: int) -> list[Match]:
        """Return symbols that resemble `query`, best first."""
        return await self._rows(Match, "search-symbol", query=query, limit=limit)

    async def search_name(self, query: str, limit: int) -> list[Match]:
        """Return symbols of companies whose name resembles `query`, best first."""
        return await self._rows(Match, "search-name", query=query, limit=limit)

    async def gainers(self) -> list[Mover]:
        """Return the shares that rose most, in descending order of the rise."""
        return await self._rows(Mover, "biggest-gainers")

    async def losers(self) -> list[Mover]:
        """Return the shares that fell most, in descending order of the fall."""
        return await self._rows(Mover, "biggest-losers")

    async def news(self, symbols: list[str], limit: int) -> list[Article]:
        """Return news about any of `symbols`. Return news about all shares if `symbols` is empty."""
        if symbols:
            return await self._rows(Article, "news/stock", symbols=",".join(symbols), limit=limit)
        return await self._rows(Article, "news/stock-latest", limit=limit)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._upstream.aclose()

    async def _rows(self, shape: type[R], path: str, **params: Any) -> list[R]:
        return _read(shape, path, await self._list(path, params))

    async def _list(self, path: str, params: Mapping[str, Any]) -> list[Any]:
        body = await self._upstream.get(*path.split("/"), params=params)
        if not isinstance(body, list):
            raise _unreadable(path)
        return body


def explain(status: int, body: Any) -> tuple[ErrorKind, str] | None:
    """Return the kind and text of an FMP error, or None.

    An error is `{"Error Message": ...}` or bare text. The error for an exhausted quota may have status 200.
    """
    text = body.get("Error Message", body.get("message")) if isinstance(body, Mapping) else body
    if not isinstance(text, str) or not text:
        return None
    said = text.lower()
    if status == 429 or "limit reach" in said:
        return ErrorKind.RATE_LIMITED, text
    if status == 401 or "invalid api key" in said:
        return ErrorKind.UNAUTHORIZED, text
    if status in (402, 403) or "subscription" in said or "premium query" in said:
        return ErrorKind.PLAN, text
    if status == 404:
        return ErrorKind.NOT_FOUND, text
    return ErrorKind.BAD_REQUEST if status < 500 else ErrorKind.UNAVAILABLE, text


def _first(rows: list[R]) -> R | None:
    return rows[0] if rows else None


def _plain(row: Any) -> Any:
    """Return a row of prices with the field names of the split-adjusted chart."""
    return {_ADJUSTED.get(name, name): value for name, value in row.items()} if isinstance(row, dict) else row


def _read(shape: type[R], path: str, rows: list[Any]) -> list[R]:
    try:
        found: list[R] = _adapter(shape).validate_python(rows)
    except ValidationError:
        raise _unreadable(path) from None
    return found


@cache
def _adapter(shape: type[R]) -> TypeAdapter[list[R]]:
    return TypeAdapter(list[shape])  # type: ignore[valid-type]


def _unreadable(path: str) -> UpstreamError:
    return UpstreamError(ErrorKind.MALFORMED, f"the answer to {path} is not what FMP documents")
