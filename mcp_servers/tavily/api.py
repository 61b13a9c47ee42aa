"""Tavily's REST API, typed: settings, calls and errors."""

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import AliasChoices, BaseModel, Field, SecretStr

from mcp_servers.kit.errors import ErrorKind
from mcp_servers.kit.settings import ApiSettings
from mcp_servers.kit.upstream.http import Service, Upstream, in_process
from mcp_servers.kit.upstream.replies import shaped
from mcp_servers.kit.upstream.wire import Wire
from mcp_servers.tavily.stand_in import stand_in
from mcp_servers.tavily.wire import (
    CrawlRequest,
    CrawlResponse,
    ExtractRequest,
    ExtractResponse,
    MapRequest,
    MapResponse,
    SearchRequest,
    SearchResponse,
)

R = TypeVar("R", bound=BaseModel)

NAME = "Tavily"
OFFLINE_URL = "http://tavily.invalid"

_KINDS = {
    432: ErrorKind.PLAN,
    433: ErrorKind.PLAN,
    403: ErrorKind.PLAN,
    401: ErrorKind.UNAUTHORIZED,
    429: ErrorKind.RATE_LIMITED,
}


class Settings(ApiSettings):
    """Where Tavily is, and the key for it."""

    api_key: SecretStr | None = Field(default=None, validation_alias=AliasChoices("TAVILY_API_KEY"))
    """The key; without one, the tools answer from the offline world."""
    base_url: str = Field(default="https://api.tavily.com", validation_alias="TAVILY_BASE_URL")
    """Where the API is."""


class Tavily:
    """A client of Tavily, or of its stand-in if there is no key. Every method raises `UpstreamError`."""

    def __init__(self, settings: Settings, wire: Wire | None = None) -> None:
        """Make a client with these settings. With a key, `wire` replaces the default transport."""
        key = {"Authorization": f"Bearer {settings.key()}"}
        url = OFFLINE_URL if settings.offline else settings.base_url
        service = Service(NAME, url, key, explain=explain, **settings.limits())
        self._upstream = Upstream(service, in_process(stand_in(settings.home())) if settings.offline else wire)

    async def search(self, request: SearchRequest) -> SearchResponse:
        """Return pages that match a query."""
        return await self._post("search", request, SearchResponse)

    async def extract(self, request: ExtractRequest) -> ExtractResponse:
        """Return the texts of pages."""
        return await self._post("extract", request, ExtractResponse)

    async def crawl(self, request: CrawlRequest) -> CrawlResponse:
        """Return the texts of a page and of the pages that it links to."""
        return await self._post("crawl", request, CrawlResponse)

    async def map(self, request: MapRequest) -> MapResponse:
        """Return the addresses of a page and of the pages that it links to."""
        return await self._post("map", request, MapResponse)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._upstream.aclose()

    async def _post(self, path: str, request: BaseModel, shape: type[R]) -> R:
        body = await self._upstream.post(path, json=request.model_dump(exclude_defaults=True))
        return shaped(NAME, shape, body)


def explain(status: int, body: Any) -> tuple[ErrorKind, str] | None:
    """Return the kind and text of a Tavily error, or None.

    An error is `{"detail": {"error": ...}}`, or the envelope of a call without a key.
    """
    if status < 400:
        return None
    detail = body.get("detail", body) if isinstance(body, Mapping) else None
    error = detail.get("error") if isinstance(detail, Mapping) else detail
    text = error.get("message") if isinstance(error, Mapping) else error
    if not isinstance(text, str) or not text:
        return None if status not in _KINDS else (_KINDS[status], f"status {status}")
    return _KINDS.get(status, ErrorKind.BAD_REQUEST if status < 500 else ErrorKind.UNAVAILABLE), text
