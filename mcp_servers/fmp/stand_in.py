"""A stand-in for FMP's REST API below `/stable`. It answers from the offline world.

Its paths, parameters, rows, errors and limits are those of FMP.

Any key is accepted, as the header `apikey` or in the query, except these:
* no key, or `bad-key`: 401;
* `free-key`, for more than five periods of a report, which the free plan lacks: 402;
* `busy-key`: 429, with Retry-After.
Some errors of FMP are bare text with the content type of JSON. The stand-in sends this text as a JSON string.
"""

from collections.abc import Callable
from datetime import date, datetime
from typing import Any

from mcp_servers.fmp.serving import companies, market, news, reports
from mcp_servers.fmp.serving.symbols import search
from mcp_servers.kit.stand_in import Answer, Ask, Home, Refusal, StandIn
from mcp_servers.world import calendar
from mcp_servers.world.store import Store

Json = dict[str, Any]
ByCompany = Callable[[Store, str, datetime], list[Json]]

BAD_KEY, FREE_KEY, BUSY_KEY = "bad-key", "free-key", "busy-key"
FREE_ROWS = 5
"""Maximum rows of a company's reports in the free plan."""
REPORT_ROWS, LIST_ROWS, SEARCH_ROWS, NEWS_ROWS, NEWS_MAX = 5, 100, 50, 20, 250
"""Default numbers of rows, and the maximum number of news rows."""

INVALID = {
    "Error Message": "Invalid API KEY. Feel free to create a Free API Key or visit "
    "https://site.financialmodelingprep.com/faqs?search=why-is-my-api-key-invalid for more information."
}
BUSY = {
    "Error Message": "Limit Reach . Please upgrade your plan or visit our documentation for more details at "
    "https://site.financialmodelingprep.com/"
}
UPGRADE = "is not available under your current subscription please visit our subscription page to upgrade your plan"


def stand_in(home: Home) -> StandIn:
    """Build the stand-in. It uses the rows and the time of `home` if no scope is set."""
    app = StandIn("fmp", home, _admit, lambda _: Answer([], status=404))
    _market(app)
    _companies(app)
    _reports(app)
    _searches(app)
    return app


def _market(app: StandIn) -> None:
    @app.route("GET", "/stable/quote")
    def _quote(ask: Ask) -> Answer:
        return _by_symbol(ask, market.quote)

    @app.route("GET", "/stable/stock-price-change")
    def _change(ask: Ask) -> Answer:
        return _by_symbol(ask, market.price_change)

    @app.route("GET", "/stable/historical-price-eod/{kind}")
    def _chart(ask: Ask) -> Answer:
        kind = ask.path["kind"]
        if kind not in ("full", "light", "dividend-adjusted", "non-split-adjusted"):
            return Answer([], status=404)
        start, end = _span(ask)
        return Answer(market.chart(ask.scope.store, _symbol(ask), start, end, ask.scope.now, kind))

    @app.route("GET", "/stable/biggest-gainers")
    def _gainers(ask: Ask) -> Answer:
        return Answer(market.movers(ask.scope.store, ask.scope.now, up=True))

    @app.route("GET", "/stable/biggest-losers")
    def _losers(ask: Ask) -> Answer:
        return Answer(market.movers(ask.scope.store, ask.scope.now, up=False))


def _companies(app: StandIn) -> None:
    @app.route("GET", "/stable/profile")
    def _profile(ask: Ask) -> Answer:
        return _by_symbol(ask, companies.profile)

    @app.route("GET", "/stable/dividends")
    def _dividends(ask: Ask) -> Answer:
        return _by_symbol(ask, companies.dividends, LIST_ROWS)

    @app.route("GET", "/stable/earnings")
    def _earnings(ask: Ask) -> Answer:
        return _by_symbol(ask, companies.earnings, LIST_ROWS)


def _reports(app: StandIn) -> None:
    def register(name: str) -> None:
        @app.route("GET", f"/stable/{name}")
        def _report(ask: Ask) -> Answer:
            symbol, limit = _symbol(ask), _limit(ask, REPORT_ROWS)
            if limit > FREE_ROWS and _key(ask) == FREE_KEY:
                return Answer(f"Premium Query Parameter: The value set for 'limit' {UPGRADE}", status=402)
            period = ask.query.get("period", "annual")
            return Answer(reports.rows(ask.scope.store, name, symbol, period, limit, ask.scope.now))

    for name in reports.REPORTS:
        register(name)


def _searches(app: StandIn) -> None:
    def find(ask: Ask, *, names: bool) -> Answer:
        query, exchange = _required(ask, "query"), ask.query.get("exchange", "")
        found = search(ask.scope.store, query, ask.scope.now, names=names, exchange=exchange)
        return Answer(found[: _limit(ask, SEARCH_ROWS)])

    @app.route("GET", "/stable/search-symbol")
    def _by_part(ask: Ask) -> Answer:
        return find(ask, names=False)

    @app.route("GET", "/stable/search-name")
    def _by_name(ask: Ask) -> Answer:
        return find(ask, names=True)

    @app.route("GET", "/stable/news/stock")
    def _news(ask: Ask) -> Answer:
        symbols = [part.strip().upper() for part in _required(ask, "symbols").split(",") if part.strip()]
        page, limit = _page(ask)
        rows = news.about(ask.scope.store, symbols, *_span(ask), ask.scope.now)
        return Answer(rows[page * limit : (page + 1) * limit])

    @app.route("GET", "/stable/news/stock-latest")
    def _latest(ask: Ask) -> Answer:
        page, limit = _page(ask)
        rows = news.latest(ask.scope.store, *_span(ask), ask.scope.now, (page + 1) * limit)
        return Answer(rows[page * limit : (page + 1) * limit])


def _key(ask: Ask) -> str:
    return ask.headers.get("apikey") or ask.query.get("apikey", "")


def _admit(ask: Ask) -> Answer | None:
    key = _key(ask)
    if key in ("", BAD_KEY):
        return Answer(INVALID, status=401)
    return Answer(BUSY, 429, {"Retry-After": "1"}) if key == BUSY_KEY else None


def _by_symbol(ask: Ask, rows: ByCompany, limit: int | None = None) -> Answer:
    found = rows(ask.scope.store, _symbol(ask), ask.scope.now)
    return Answer(found if limit is None else found[: _limit(ask, limit)])


def _required(ask: Ask, name: str) -> str:
    value = ask.query.get(name, "").strip()
    if not value:
        raise Refusal(Answer(f"Query Error: Invalid or missing query parameter - {name}", status=400))
    return value


def _symbol(ask: Ask) -> str:
    return _required(ask, "symbol").upper()


def _limit(ask: Ask, default: int) -> int:
    given = ask.query.get("limit")
    if given is None:
        return default
    if not given.isdecimal():
        raise Refusal(Answer("Query Error: Invalid or missing query parameter - limit", status=400))
    return int(given)


def _page(ask: Ask) -> tuple[int, int]:
    page = ask.query.get("page", "0")
    return int(page) if page.isdecimal() else 0, min(_limit(ask, NEWS_ROWS), NEWS_MAX)


def _span(ask: Ask) -> tuple[str, str]:
    """Return the days from `from` to `to`. The default is all days of the world."""
    return _day(ask, "from", calendar.START), _day(ask, "to", calendar.END)


def _day(ask: Ask, name: str, default: str) -> str:
    given = ask.query.get(name)
    if not given:
        return default
    try:
        return date.fromisoformat(given).isoformat()
    except ValueError:
        raise Refusal(Answer(f"Query Error: Invalid or missing query parameter - {name}", status=400)) from None
