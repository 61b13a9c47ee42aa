"""Finds pages and articles of the offline web by address."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple
from urllib.parse import urlsplit, urlunsplit

from mcp_servers.world import read
from mcp_servers.world.rows import Page
from mcp_servers.world.store import Store


class Document(NamedTuple):
    """A page or an article."""

    url: str
    title: str
    markdown: str
    """The whole text, with a heading at its beginning."""
    links: Sequence[str]

    @property
    def site(self) -> str:
        """Return the host without `www.`."""
        return site_of(self.url)

    @property
    def text(self) -> str:
        """Return the text without its first heading."""
        return self.markdown.partition("\n")[2].lstrip("\n")


def find(store: Store, url: str, now: datetime) -> Document | None:
    """Return the document under any spelling of an address. Return None if there is none by `now`."""
    for spelling in spellings(url):
        if (page := read.page(store, spelling, now)) is not None:
            return _document(page)
    return None


def linked(store: Store, document: Document, now: datetime) -> Iterator[Document]:
    """Yield the documents that a document links to, in the order of the links."""
    for link in document.links:
        if (found := find(store, link, now)) is not None:
            yield found


def on_site(store: Store, host: str, now: datetime) -> list[Document]:
    """Return the pages of a host by `now`, in the order of their addresses."""
    pages = [*read.pages(store, now, site=host), *read.pages(store, now, site=f"www.{host}")]
    return sorted(map(_document, pages))


def site_of(url: str) -> str:
    """Return the host of an address in lower case and without `www.`. Return "" if it has none."""
    try:
        return (urlsplit(url if "://" in url else f"https://{url}").hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def spellings(url: str) -> Iterator[str]:
    """Yield the addresses that `url` may mean: with a scheme, without a fragment, with and without `www.`."""
    try:
        parts = urlsplit(url.strip() if "://" in url else f"https://{url.strip()}")
    except ValueError:
        return
    host = parts.netloc.lower()
    for scheme in ("https", "http"):
        for name in (host, host.removeprefix("www.") if host.startswith("www.") else f"www.{host}"):
            yield urlunsplit((scheme, name, parts.path, parts.query, ""))


def _document(page: Page) -> Document:
    text = page["text"]
    whole = text if text.startswith("# ") else f"# {page['title']}\n\n{text}"
    return Document(page["url"], page["title"], whole, page["links"])
