"""Results of the tools: texts of the web, cut and marked as data, with their addresses."""

from collections.abc import Sequence
from typing import Self
from urllib.parse import quote

from pydantic import BaseModel

from mcp_servers.kit.text import LONG, clip, outside
from mcp_servers.tavily.wire import CrawlResponse, ExtractResponse, Found, MapResponse, Read, SearchResponse

_ROOM = 20_000
"""Maximum characters of outside text in the prose of a result."""


class Result(BaseModel):
    """A page that a search found."""

    title: str
    url: str
    content: str
    """The passages that match the query."""
    score: float | None
    """How well the page matches the query, from 0 to 1."""
    published: str | None
    text: str | None = None
    """The text of the page, if it was requested."""

    @classmethod
    def of(cls, found: Found) -> Self:
        """Return the page as a result of a tool."""
        return cls(
            title=found.title,
            url=found.url,
            content=clip(found.content, LONG),
            score=found.score,
            published=found.published_date,
            text=None if found.raw_content is None else clip(found.raw_content, LONG),
        )


class SearchResults(BaseModel):
    """Pages that fit a query, the best first."""

    query: str
    answer: str | None
    """An answer to the query, if one was requested and found."""
    results: list[Result]

    @classmethod
    def of(cls, query: str, response: SearchResponse) -> Self:
        """Return the result of a query."""
        answer = clip(response.answer, LONG) if response.answer else None
        return cls(query=query, answer=answer, results=[Result.of(found) for found in response.results])

    def prose(self) -> str:
        """Return the answer, then each page with its passages."""
        parts = [f"Answer:\n{outside(self.answer)}"] if self.answer else []
        if not self.results:
            return "\n\n".join([*parts, "No page was found. Other or fewer words, or fewer filters, may find one."])
        room = _ROOM // len(self.results)
        return "\n\n".join([*parts, *(_entry(at, one, room) for at, one in enumerate(self.results, 1))])


class Answer(BaseModel):
    """An answer to a question, and the pages that it may rest on."""

    question: str
    answer: str | None
    """None if no page answers the question."""
    sources: list[Result]

    @classmethod
    def of(cls, question: str, response: SearchResponse) -> Self:
        """Return the result of a question."""
        answer = clip(response.answer, LONG) if response.answer else None
        return cls(question=question, answer=answer, sources=[Result.of(found) for found in response.results])

    def prose(self) -> str:
        """Return the answer and the addresses of the pages."""
        said = f"Answer:\n{outside(self.answer)}" if self.answer else "No page was found that answers this."
        sources = "\n".join(f"- {one.title} ({one.url})" for one in self.sources)
        heading = "Pages with these words" if self.answer is None else "Sources"
        return f"{said}\n\n{heading}:\n{sources}" if sources else said


class Document(BaseModel):
    """The text of a page."""

    url: str
    title: str | None
    text: str
    characters: int
    """The length of the complete text, in characters."""

    @classmethod
    def of(cls, read: Read) -> Self:
        """Return the page as a result of a tool."""
        text = read.raw_content
        return cls(url=read.url, title=read.title, text=clip(text, LONG), characters=len(text))


class Failed(BaseModel):
    """A page that could not be fetched."""

    url: str
    error: str


class Documents(BaseModel):
    """The texts of pages, and what could not be fetched."""

    documents: list[Document]
    failed: list[Failed]

    @classmethod
    def extracted(cls, response: ExtractResponse) -> Self:
        """Return the result of an extraction."""
        failed = [Failed(url=one.url, error=one.error) for one in response.failed_results]
        return cls(documents=[Document.of(read) for read in response.results], failed=failed)

    @classmethod
    def crawled(cls, response: CrawlResponse) -> Self:
        """Return the result of a crawl."""
        return cls(documents=[Document.of(read) for read in response.results], failed=[])

    def prose(self) -> str:
        """Return each text under its address, then the failures."""
        room = _ROOM // max(len(self.documents), 1)
        parts = [_document(document, room) for document in self.documents]
        parts += [f"Not fetched: {one.url}: {one.error}" for one in self.failed]
        return "\n\n".join(parts) or "No page was found."


class SiteMap(BaseModel):
    """The addresses that the links of a page lead to."""

    url: str
    urls: list[str]

    @classmethod
    def of(cls, response: MapResponse) -> Self:
        """Return the result of a map."""
        return cls(url=response.base_url, urls=response.results)

    def prose(self) -> str:
        """Return the addresses, one per line."""
        return "\n".join(_lines(self.url, self.urls))


def resource_of(url: str) -> str:
    """Return the address of the resource that holds the complete text of a page."""
    return f"tavily://page/{quote(url, safe='')}"


def _lines(url: str, urls: Sequence[str]) -> list[str]:
    if not urls:
        return [f"No page was found under {url}."]
    return [f"{len(urls)} pages from {url}:", *(f"- {found}" for found in urls)]


def _entry(at: int, one: Result, room: int) -> str:
    said = [f"{at}. {one.title}", f"   {one.url}" + (f" ({one.published})" if one.published else "")]
    return "\n".join([*said, outside(one.text or one.content, room)])


def _document(document: Document, room: int) -> str:
    shown = min(room, LONG)
    heading = f"{document.url}" + (f": {document.title}" if document.title else "")
    more = f"\nThe whole text: resource {resource_of(document.url)}" if document.characters > shown else ""
    return f"{heading}\n{outside(document.text, shown)}{more}"
