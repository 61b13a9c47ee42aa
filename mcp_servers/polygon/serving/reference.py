"""Tickers, news, splits, dividends and the status of the markets."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from mcp_servers.kit.stand_in import Answer, Ask, StandIn
from mcp_servers.polygon.serving.envelope import Json, day_of, missing, next_url, ok, opened, paged, whole, wrong
from mcp_servers.world import calendar, read
from mcp_servers.world.rows import COMPANIES, PAIRS, Article, Company, Pair

EARLY, LATE = time(4), time(20)
"""Stocks trade outside of the session between these times in New York."""


def add(app: StandIn) -> None:
    """Register the routes."""
    app.route("GET", "/v3/reference/tickers")(tickers)
    app.route("GET", "/v3/reference/tickers/{ticker}")(details)
    app.route("GET", "/v2/reference/news")(news)
    app.route("GET", "/v3/reference/splits")(splits)
    app.route("GET", "/v3/reference/dividends")(dividends)
    app.route("GET", "/v1/marketstatus/now")(status)
    app.route("GET", "/v1/marketstatus/upcoming")(upcoming)


def tickers(ask: Ask) -> Answer:
    """Return all tickers that match the filters."""
    query, _ = opened(ask)
    store = ask.scope.store
    rows = [_stock(row) for row in store.rows(COMPANIES)] + [_crypto(row) for row in store.rows(PAIRS)]
    text = query.get("search", "").lower()
    if text:
        rows = [row for row in rows if text in row["ticker"].lower() or text in row["name"].lower()]
    filters = ("ticker", "type", "market", "primary_exchange", "cik", "active")
    if "exchange" in query:
        rows = [row for row in rows if row.get("primary_exchange") == query["exchange"]]
    return paged(ask, rows, filters=filters, sort="ticker", order="asc", limit=100)


def details(ask: Ask) -> Answer:
    """Return the details of a ticker."""
    store, now = ask.scope.store, ask.scope.now
    given = ask.query.get("date")
    if given:
        now = min(now, calendar.new_york(day_of(ask, "date", given), time(23, 59, 59)))
    ticker = ask.path["ticker"]
    pair = read.pair(store, ticker) if ticker.isupper() else None
    if pair is not None:
        return ok(ask, {"results": _crypto(pair)})
    row = read.company(store, ticker, now) if ticker.isupper() else None
    if row is None:
        raise missing(ask, "Ticker not found.")
    return ok(ask, {"results": _stock(row) | _more(row, read.market_cap(store, ticker, now))})


def news(ask: Ask) -> Answer:
    """Return articles. The default order is newest first."""
    query, skip = opened(ask)
    order = query.get("order") or "desc"
    if order not in ("asc", "desc") or query.get("sort", "published_utc") != "published_utc":
        raise wrong(ask, "'sort' must be published_utc and 'order' asc or desc")
    size = whole(ask, "limit", query.get("limit"), 10, 1000)
    since = query.get("published_utc.gte") or query.get("published_utc.gt") or query.get("published_utc") or ""
    filtered = any(name.startswith(("published_utc", "ticker.")) for name in query)
    newest = order == "desc" and not filtered
    found = read.news(
        ask.scope.store, ask.scope.now, ticker=query.get("ticker") or None, since=since[:10],
        limit=skip + size + 1 if newest else None,
    )  # fmt: skip
    if filtered:
        found = [row for row in found if _published(row["at"], query) and _about(row["tickers"], query)]
    if order == "asc":
        found.reverse()
    page = found[skip : skip + size]
    body: Json = {"results": [_article(row) for row in page], "count": len(page)}
    if skip + size < len(found):
        body["next_url"] = next_url(ask, query, skip + size)
    return ok(ask, body)


def splits(ask: Ask) -> Answer:
    """Return splits, the newest first."""
    rows: list[Json] = [
        {
            "id": row["id"], "ticker": row["ticker"], "execution_date": row["date"],
            "split_from": row["before"], "split_to": row["after"],
        }
        for ticker in _asked(ask)
        for row in read.splits(ask.scope.store, ticker, ask.scope.now)
    ]  # fmt: skip
    query, _ = opened(ask)
    if "reverse_split" in query:
        reverse = query["reverse_split"].lower() == "true"
        rows = [row for row in rows if (row["split_from"] > row["split_to"]) == reverse]
    return paged(ask, rows, filters=("ticker", "execution_date"), sort="execution_date", order="desc")


def dividends(ask: Ask) -> Answer:
    """Return cash dividends, the newest first."""
    rows = [
        {
            "id": row["id"], "ticker": row["ticker"], "cash_amount": row["cash"], "currency": "USD",
            "dividend_type": "CD", "frequency": row["frequency"], "declaration_date": row["declared"],
            "ex_dividend_date": row["ex"], "record_date": row["record"], "pay_date": row["pay"],
        }
        for ticker in _asked(ask)
        for row in read.dividends(ask.scope.store, ticker, ask.scope.now)
    ]  # fmt: skip
    filters = (
        "ticker", "ex_dividend_date", "record_date", "declaration_date", "pay_date", "frequency", "cash_amount",
        "dividend_type",
    )  # fmt: skip
    return paged(ask, rows, filters=filters, sort="ex_dividend_date", order="desc")


def status(ask: Ask) -> Answer:
    """Return whether the markets are open now."""
    now = ask.scope.now
    local = calendar.local(now)
    day = local.date().isoformat()
    trades = calendar.trades_on(local.date())
    in_session = trades and calendar.opens(day) <= now < calendar.closes(day)
    early = trades and local.time() >= EARLY and now < calendar.opens(day)
    late = trades and calendar.closes(day) <= now and local.time() < LATE
    market = "open" if in_session else "extended-hours" if early or late else "closed"
    offset = int((local - now.astimezone(UTC).replace(tzinfo=None)) / timedelta(hours=1))
    return Answer(
        {
            "market": market,
            "earlyHours": early,
            "afterHours": late,
            "exchanges": dict.fromkeys(("nasdaq", "nyse", "otc"), market),
            "currencies": {"crypto": "open", "fx": "closed" if local.weekday() >= 5 else "open"},
            "serverTime": f"{local.replace(microsecond=0).isoformat()}{offset:+03d}:00",
        }
    )


def upcoming(ask: Ask) -> Answer:
    """Return the holidays and early closes of the next twelve months."""
    today = calendar.local(ask.scope.now).date()
    found = []
    for year in (today.year, today.year + 1):
        days = {day: ("closed", name) for day, name in calendar.holidays(year).items()}
        days |= {day: ("early-close", name) for day, name in calendar.early_closes(year).items()}
        for day, (kind, name) in sorted(days.items()):
            if today <= day < today + timedelta(days=365):
                hours = _hours(day) if kind == "early-close" else {}
                found += [
                    {"date": day.isoformat(), "exchange": exchange, "name": name, "status": kind} | hours
                    for exchange in ("NYSE", "NASDAQ")
                ]
    return Answer(found)


def _asked(ask: Ask) -> list[str]:
    query, _ = opened(ask)
    given = query.get("ticker")
    return [given] if given else [row["ticker"] for row in ask.scope.store.rows(COMPANIES)]


def _stock(row: Company) -> Json:
    return {
        "ticker": row["ticker"], "name": row["name"], "market": "stocks", "locale": "us", "type": "CS", "active": True,
        "primary_exchange": row["exchange"], "currency_name": "usd", "cik": row["cik"],
    }  # fmt: skip


def _crypto(row: Pair) -> Json:
    return {
        "ticker": row["ticker"], "name": row["name"], "market": "crypto", "locale": "global", "active": True,
        "currency_symbol": row["quote"], "currency_name": "United States Dollar",
        "base_currency_symbol": row["base"], "base_currency_name": row["name"].partition(" - ")[0],
    }  # fmt: skip


def _more(row: Company, market_cap: float | None) -> Json:
    found: dict[str, Any] = {
        "description": row["description"],
        "homepage_url": row["website"],
        "list_date": row["listed"],
        "phone_number": row["phone"],
        "address": {"address1": row["address"].upper(), "city": row["city"].upper(), "state": row["state"]},
        "sic_description": row["industry"].upper(),
        "ticker_root": row["ticker"],
        "total_employees": row["employees"],
        "share_class_shares_outstanding": row["shares"],
        "weighted_shares_outstanding": row["shares"],
        "round_lot": 100,
    }
    return found if market_cap is None else {**found, "market_cap": market_cap}


def _article(row: Article) -> Json:
    publisher = row["url"].split("/")[2]
    return {
        "id": row["id"],
        "publisher": {"name": row["publisher"], "homepage_url": f"https://{publisher}/"},
        "title": row["title"],
        "author": row["author"],
        "published_utc": row["at"],
        "article_url": row["url"],
        "tickers": row["tickers"],
        "description": summary(row["text"]),
        "insights": [{"ticker": ticker, "sentiment": row["sentiment"]} for ticker in row["tickers"]],
    }


def summary(text: str, limit: int = 600) -> str:
    """Return the first paragraph, or as many of its sentences as fit; at least one."""
    first = text.strip().partition("\n\n")[0]
    if len(first) <= limit:
        return first
    end = first.rfind(". ", 0, limit)
    return first[: end + 1] if end > 0 else first[:limit]


def _published(at: str, query: dict[str, str]) -> bool:
    day = query.get("published_utc")
    bounds = {name: query.get(f"published_utc.{name}") for name in ("gt", "gte", "lt", "lte")}
    return not (
        (day and not at.startswith(day[:10]))
        or (bounds["gt"] and at <= bounds["gt"])
        or (bounds["gte"] and at < bounds["gte"])
        or (bounds["lt"] and at >= bounds["lt"])
        or (bounds["lte"] and at > bounds["lte"])
    )


def _about(tickers: list[str], query: dict[str, str]) -> bool:
    for ticker in tickers or [""]:
        if (
            ticker >= query.get("ticker.gte", "")
            and ticker > query.get("ticker.gt", "")
            and ticker <= query.get("ticker.lte", "~")
            and ticker < query.get("ticker.lt", "~")
        ):
            return True
    return False


def _hours(day: date) -> Json:
    text = day.isoformat()
    return {"open": _utc(calendar.opens(text)), "close": _utc(calendar.closes(text))}


def _utc(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z")
