"""Reads news and web pages that were published until now."""

from collections.abc import Iterable
from datetime import datetime

from mcp_servers.world import calendar
from mcp_servers.world.read.common import months_back
from mcp_servers.world.rows import ARTICLES, PAGES, Article, Page
from mcp_servers.world.store import Store

FIRST_MONTH = calendar.START[:7]


def news(
    store: Store, now: datetime, *, ticker: str | None = None, since: str = "", limit: int | None = None
) -> list[Article]:
    """Return articles, newest first.

    Args:
        store: The world.
        now: The current time. Later articles are invisible.
        ticker: Return only articles about this ticker.
        since: Return only articles from this time (ISO, or a date) on.
        limit: Maximum number of articles.
    """
    at = calendar.stamp(now)
    if ticker is not None:
        found = sorted(store.rows(ARTICLES).find("ticker", ticker), key=_published, reverse=True)
        return [row for row in found if since <= row["at"] <= at][:limit]
    newest: list[Article] = []
    for month in months_back(min(at, calendar.END), max(since, FIRST_MONTH)):
        found = sorted(store.rows(ARTICLES).find("month", month), key=_published, reverse=True)
        newest += [row for row in found if since <= row["at"] <= at]
        if limit is not None and len(newest) >= limit:
            break
    return newest[:limit]


def _published(row: Article) -> tuple[str, str]:
    return row["at"], row["id"]


def article(store: Store, article_id: str, now: datetime) -> Article | None:
    """Return an article by its id."""
    row = store.rows(ARTICLES).get(article_id)
    return row if row is not None and row["at"] <= calendar.stamp(now) else None


def page(store: Store, url: str, now: datetime) -> Page | None:
    """Return the page at an address, or the article there as a page.

    The address may end with a slash or not.
    """
    at = calendar.stamp(now)
    for each in dict.fromkeys((url, url.rstrip("/"), url + "/")):
        row = store.rows(PAGES).get(each)
        if row is not None:
            return row if row["published"] <= at else None
        for found in store.rows(ARTICLES).find("url", each):
            return as_page(found) if found["at"] <= at else None
    return None


def pages(store: Store, now: datetime, *, site: str | None = None) -> list[Page]:
    """Return the pages of a site, or all pages, in the order in which they were stored. Articles are not included."""
    at = calendar.stamp(now)
    found: Iterable[Page] = store.rows(PAGES) if site is None else store.rows(PAGES).find("site", site)
    return [row for row in found if row["published"] <= at]


def as_page(row: Article) -> Page:
    """Return an article as a web page."""
    return {
        "url": row["url"],
        "site": row["url"].split("/")[2],
        "title": row["title"],
        "published": row["at"],
        "text": f"# {row['title']}\n\nBy {row['author']}, {row['publisher']}\n\n{row['text']}",
        "links": [],
        "tickers": row["tickers"],
        "facts": [],
    }
