"""Tavily's requests and responses. The client and the stand-in share these models."""

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from mcp_servers.kit.text import Short, clean, clip, inline

Depth = Literal["basic", "advanced", "fast", "ultra-fast"]
Topic = Literal["general", "news", "finance"]
Period = Literal["day", "week", "month", "year", "d", "w", "m", "y"]
Markup = Literal["markdown", "text"]


def _said(query: str) -> str:
    if not query.strip():
        raise ValueError("Query is missing.")
    return query


def _listed(urls: object) -> object:
    return [urls] if isinstance(urls, str) and not urls.startswith("[") else urls


def _address(url: object) -> object:
    return inline(url, 2_000) if isinstance(url, str) else url


def _whole(text: object) -> object:
    return clip(clean(text), WHOLE) if isinstance(text, str) else text


WHOLE = 100_000
"""Maximum characters of a text that are read from a response."""

Address = Annotated[str, BeforeValidator(_address)]
Whole = Annotated[str, BeforeValidator(_whole)]
Words = Annotated[str, Field(min_length=1, max_length=400), AfterValidator(_said)]
Date = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$")]
Urls = Annotated[list[str], BeforeValidator(_listed), Field(min_length=1, max_length=20)]


Patterns = Annotated[list[str], Field(max_length=10)]


class _Request(BaseModel):
    """A request. Unknown fields are ignored, as by the service."""

    model_config = ConfigDict(extra="ignore")
    include_usage: bool = False


class SearchRequest(_Request):
    """The body of `POST /search`."""

    query: Words
    search_depth: Depth = "basic"
    topic: Topic = "general"
    time_range: Period | None = None
    start_date: Date | None = None
    end_date: Date | None = None
    days: int | None = Field(default=None, ge=1)
    max_results: int = Field(default=5, ge=0, le=20)
    chunks_per_source: int = Field(default=3, ge=1, le=3)
    include_answer: bool | Literal["basic", "advanced"] = False
    include_raw_content: bool | Markup = False
    include_images: bool = False
    include_favicon: bool = False
    include_domains: list[str] = Field(default=[], max_length=300)
    exclude_domains: list[str] = Field(default=[], max_length=150)
    exact_match: bool = False


class ExtractRequest(_Request):
    """The body of `POST /extract`."""

    urls: Urls
    extract_depth: Literal["basic", "advanced"] = "basic"
    format: Markup = "markdown"
    include_images: bool = False
    include_favicon: bool = False
    query: str | None = Field(default=None, max_length=400)
    chunks_per_source: int = Field(default=3, ge=1, le=5)


class MapRequest(_Request):
    """The body of `POST /map`."""

    url: str = Field(min_length=1)
    max_depth: int = Field(default=1, ge=1, le=5)
    max_breadth: int = Field(default=20, ge=1, le=500)
    limit: int = Field(default=50, ge=1)
    instructions: str | None = None
    select_paths: Patterns = []
    exclude_paths: Patterns = []
    select_domains: Patterns = []
    exclude_domains: Patterns = []
    allow_external: bool = True


class CrawlRequest(MapRequest):
    """The body of `POST /crawl`."""

    extract_depth: Literal["basic", "advanced"] = "basic"
    format: Markup = "markdown"
    include_images: bool = False
    include_favicon: bool = False
    chunks_per_source: int = Field(default=3, ge=1, le=5)


class _Response(BaseModel):
    """A response. Unknown fields are dropped."""

    model_config = ConfigDict(extra="ignore")


class Found(_Response):
    """One result of a search."""

    url: Address
    title: Short = ""
    content: Whole = ""
    score: float | None = None
    published_date: Short | None = None
    raw_content: Whole | None = None


class SearchResponse(_Response):
    """The response of `POST /search`."""

    query: Short = ""
    answer: Whole | None = None
    results: list[Found]


class Read(_Response):
    """A page that was fetched."""

    url: Address
    title: Short | None = None
    raw_content: Whole = ""


class Unread(_Response):
    """A page that could not be fetched."""

    url: Address
    error: Short = ""


class ExtractResponse(_Response):
    """The response of `POST /extract`."""

    results: list[Read]
    failed_results: list[Unread] = []


class CrawlResponse(_Response):
    """The response of `POST /crawl`."""

    base_url: Address
    results: list[Read]


class MapResponse(_Response):
    """The response of `POST /map`."""

    base_url: Address
    results: list[Address]
