"""Tavily's REST API, typed."""

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel

from mcp_servers.kit.errors import Kind
from mcp_servers.kit.http import Upstream
from mcp_servers.kit.replies import shaped
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

_KINDS = {432: Kind.PLAN, 433: Kind.PLAN, 403: Kind.PLAN, 401: Kind.UNAUTHORIZED, 429: Kind.RATE_LIMITED}


class Tavily:
    """The service behind `upstream`. Every method raises `UpstreamError`."""

    def __init__(self, upstream: Upstream) -> None:
        """Ask the service with this client."""
        self._upstream = upstream

    async def search(self, request: SearchRequest) -> SearchResponse:
        """Pages that fit a query."""
        return await self._post("search", request, SearchResponse)

    async def extract(self, request: ExtractRequest) -> ExtractResponse:
        """The texts of pages."""
        return await self._post("extract", request, ExtractResponse)

    async def crawl(self, request: CrawlRequest) -> CrawlResponse:
        """The texts of a page and of those that it links to."""
        return await self._post("crawl", request, CrawlResponse)

    async def map(self, request: MapRequest) -> MapResponse:
        """The addresses of a page and of those that it links to."""
        return await self._post("map", request, MapResponse)

    async def aclose(self) -> None:
        """Let go of connections."""
        await self._upstream.aclose()

    async def _post(self, path: str, request: BaseModel, shape: type[R]) -> R:
        body = await self._upstream.post(path, json=request.model_dump(exclude_defaults=True))
        return shaped("Tavily", shape, body)


def explain(status: int, body: Any) -> tuple[Kind, str] | None:
    """What an error of Tavily's means: `{"detail": {"error": ...}}`, or the envelope of its calls without a key."""
    if status < 400:
        return None
    detail = body.get("detail", body) if isinstance(body, Mapping) else None
    error = detail.get("error") if isinstance(detail, Mapping) else detail
    text = error.get("message") if isinstance(error, Mapping) else error
    if not isinstance(text, str) or not text:
        return None if status not in _KINDS else (_KINDS[status], f"status {status}")
    return _KINDS.get(status, Kind.BAD_REQUEST if status < 500 else Kind.UNAVAILABLE), text
