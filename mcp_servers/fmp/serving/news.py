"""News in FMP's format."""

from datetime import datetime
from typing import Any

from mcp_servers.world import read
from mcp_servers.world.rows import Article
from mcp_servers.world.store import Store

Json = dict[str, Any]


def about(store: Store, symbols: list[str], start: str, end: str, now: datetime) -> list[Json]:
    """Return the rows of `/news/stock`: articles about any of `symbols`, newest first, without repeats."""
    found: dict[str, Json] = {}
    for symbol in symbols:
        for row in read.news(store, now, ticker=symbol, since=start):
            found.setdefault(row["id"], _article(row, symbol))
    rows = [row for row in found.values() if row["publishedDate"][:10] <= end]
    return sorted(rows, key=lambda row: str(row["publishedDate"]), reverse=True)


def latest(store: Store, start: str, end: str, now: datetime, enough: int) -> list[Json]:
    """Return the rows of `/news/stock-latest`: the newest articles about companies.

    Return at least `enough` articles, if there are that many.
    """
    limit = 2 * enough
    while True:
        rows = read.news(store, now, since=start, limit=limit)
        found = [_article(row, row["tickers"][0]) for row in rows if row["tickers"] and row["at"][:10] <= end]
        if len(found) >= enough or len(rows) < limit:
            return found
        limit *= 4


def _article(row: Article, symbol: str) -> Json:
    return {
        "symbol": symbol.removeprefix("X:"),
        "publishedDate": row["at"][:19].replace("T", " "),
        "publisher": row["publisher"],
        "title": row["title"],
        "image": "",
        "site": row["url"].split("/")[2],
        "text": row["text"],
        "url": row["url"],
    }
