"""Builds all pages, and the links between them."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from mcp_servers.world.accounts.figures import Market
from mcp_servers.world.calendar import END
from mcp_servers.world.companies.company import Firm
from mcp_servers.world.pages import company, local, others, people, trade
from mcp_servers.world.pages.draft import BEFORE, Draft, Pen
from mcp_servers.world.rows import Article, Event, Page

LAST = f"{END}T23:59:59Z"
READING = ("## See also", "## Links", "---\n\nMore:", "## Further reading")
MENTIONED = 2
"""Maximum links from a page of the trade or local press to articles."""


def pages(market: Market, articles: Sequence[Article]) -> list[Page]:
    """Return all pages of the world, in the order of their creation."""
    drafts = [draft for draft in _drafts(market) if draft.published <= LAST]
    published = {article["url"]: article["at"] for article in articles}
    published.update((draft.url, draft.published) for draft in drafts)
    _link_news(drafts, articles)
    pen = Pen(market.seed, "links")
    return [_page(draft, published, pen) for draft in drafts]


def _drafts(market: Market) -> Iterator[Draft]:
    seed, firms = market.seed, {firm.ticker: firm for firm in market.firms}
    events: dict[str, list[Event]] = {ticker: [] for ticker in market.bars}
    for event in market.events:
        events[event["ticker"]].append(event)
    figures = {ticker: found.specifications for ticker, found in market.dossiers.items()}
    pens = {kind: Pen(seed, "pen", kind) for kind in ("company", "people", "local", "trade", "others")}
    for ticker, firm in firms.items():
        yield from _about(seed, firm, market, events[ticker], pens)
    for event in market.events:
        if event["kind"] == "contract":
            yield trade.contract_page(seed, event, firms, pens["trade"])
    yield from others.coin_pages(seed, pens["others"])
    yield from others.guide_pages(seed)
    yield from others.forum_pages(seed, market.firms, figures, pens["others"])


def _about(seed: int, firm: Firm, market: Market, events: list[Event], pens: dict[str, Pen]) -> Iterator[Draft]:
    """Yield the pages about one company."""
    found = market.dossiers[firm.ticker]
    yield from company.company_pages(seed, firm, found, events, pens["company"])
    yield people.founder_page(seed, firm, pens["people"])
    yield people.interview_page(seed, firm, pens["people"])
    for chief in firm.chiefs[1:]:
        yield people.portrait_page(seed, firm, chief, pens["people"])
    yield from local.local_pages(seed, firm, found, events, pens["local"])
    yield from trade.review_pages(seed, firm, found.specifications, events, pens["trade"])


def _link_news(drafts: Sequence[Draft], articles: Sequence[Article]) -> None:
    """Add links from pages written during the world to earlier news about the same companies."""
    recent: dict[str, list[Article]] = {}
    for article in articles:
        if len(article["tickers"]) == 1:
            recent.setdefault(article["tickers"][0], []).append(article)
    for draft in drafts:
        if len(draft.tickers) != 1 or draft.published < "2023-07":
            continue
        rows = recent.get(draft.tickers[0], [])
        number = bisect_left(rows, draft.published, key=lambda row: row["at"])
        draft.wishes += [(row["title"], row["url"]) for row in rows[max(number - MENTIONED, 0) : number]]


def _page(draft: Draft, known: dict[str, str], pen: Pen) -> Page:
    seen = max(draft.published, BEFORE)
    links = {url: label for label, url in draft.wishes if known.get(url, seen + "~") <= seen and url != draft.url}
    paragraphs = list(draft.paragraphs)
    if links:
        listed = "\n".join(f"- [{label}]({url})" for url, label in links.items())
        paragraphs.append(f"{pen.write(READING)}\n\n{listed}")
    row: Page = {
        "url": draft.url,
        "site": draft.site,
        "title": draft.title,
        "published": draft.published,
        "text": "\n\n".join(paragraphs),
        "links": list(links),
        "tickers": draft.tickers,
        "facts": draft.facts,
    }
    if draft.planted:
        row["planted"] = True
    return row
