"""Pages of the offline web as a person sees them: rendered Markdown whose links lead only to pages of the world."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from mcp_servers.world import read
from mcp_servers.world.rows import Page
from mcp_servers.world.store import Store

LONGEST = 50_000
"""The maximum length of a page's text, in characters."""

PER_PAGE = 50


@dataclass(frozen=True, slots=True)
class WebPage:
    """A page. `body` is HTML that was made from its Markdown; `left` counts the characters that were cut."""

    url: str
    title: str
    published: str
    tickers: tuple[str, ...]
    planted: bool
    body: Markup
    left: int


def found(store: Store, now: datetime, text: str) -> list[Page]:
    """Return the newest pages whose address, title or text holds `text` in any case."""
    wanted = text.casefold()
    pages = [row for row in read.pages(store, now) if not wanted or wanted in _all(row)]
    return sorted(pages, key=lambda row: row["published"], reverse=True)[:PER_PAGE]


def web_page(store: Store, url: str, now: datetime, here: str) -> WebPage | None:
    """Return the page at an address, or None. Its links to other pages of the world begin with `here`."""
    row = read.page(store, url, now)
    if row is None:
        return None
    body = rendered(row["text"][:LONGEST], lambda link: _inside(store, link, now, here))
    left, planted = max(0, len(row["text"]) - LONGEST), bool(row.get("planted"))
    return WebPage(row["url"], row["title"], row["published"], tuple(row["tickers"]), planted, body, left)


def rendered(text: str, inside: Callable[[str], str | None]) -> Markup:
    """Return Markdown as HTML.

    HTML in it is escaped, and pictures stay text. `inside` returns the address of a link, or None for a link that stays
    text: nothing leads to another host. Headings begin at the second level, below that of the whole page.
    """
    made = MarkdownIt("js-default", {"html": False, "linkify": False}).disable("image")
    tokens = made.parse(text)
    for token in tokens:
        if token.type.startswith("heading_"):
            token.tag = f"h{min(6, int(token.tag[1:]) + 1)}"
        _relinked(token.children or [], inside)
    return Markup(made.renderer.render(tokens, made.options, {}))


def _relinked(tokens: list[Token], inside: Callable[[str], str | None]) -> None:
    is_text = False
    for token in tokens:
        if token.type == "link_open":
            address = inside(str(token.attrGet("href")))
            is_text = address is None
            token.attrs = {"title": str(token.attrGet("href"))} if address is None else {"href": address}
        if token.type in ("link_open", "link_close") and is_text:
            token.tag = "span"


def _inside(store: Store, link: str, now: datetime, here: str) -> str | None:
    return None if read.page(store, link, now) is None else f"{here}?{urlencode({'url': link})}"


def _all(row: Page) -> str:
    return f"{row['url']}\n{row['title']}\n{row['text']}".casefold()
