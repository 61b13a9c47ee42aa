"""A stand-in for Tavily's REST API over the offline web.

These keys have a meaning: `bad-key` gets 401, `busy-key` gets 429, `spent-key` gets 432 (the plan's limit) and
`unpaid-key` gets 433 (the pay-as-you-go limit). Every other key is accepted.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any, TypeVar
from uuid import NAMESPACE_URL, uuid5

from pydantic import BaseModel, ValidationError

from mcp_servers.kit.stand_in import Answer, Ask, Home, Refusal, StandIn
from mcp_servers.tavily.serving.service import crawled, extract, mapped, search
from mcp_servers.tavily.wire import CrawlRequest, ExtractRequest, MapRequest, SearchRequest
from mcp_servers.world.store import Store

R = TypeVar("R", bound=BaseModel)

_TURNED_AWAY = {
    "bad-key": (401, "Unauthorized: missing or invalid API key."),
    "busy-key": (429, "Your request has been blocked due to excessive requests. Please reduce rate of requests."),
    "spent-key": (432, "This request exceeds your plan's set usage limit. Please upgrade your plan."),
    "unpaid-key": (433, "This request exceeds the pay-as-you-go limit."),
}
_RETRY_AFTER_S = "2"


def stand_in(home: Home) -> StandIn:
    """Build the stand-in. It uses the world of `home` if no scope is set."""
    app = StandIn("tavily", home, _admit, lambda _: _error(404, "Not Found"))
    app.route("POST", "/search")(_handler(SearchRequest, search))
    app.route("POST", "/extract")(_handler(ExtractRequest, extract))
    app.route("POST", "/crawl")(_handler(CrawlRequest, crawled))
    app.route("POST", "/map")(_handler(MapRequest, mapped))
    return app


def _handler(shape: type[R], answer: Callable[[Store, R, datetime], dict[str, Any]]) -> Callable[[Ask], Answer]:
    def handle(ask: Ask) -> Answer:
        try:
            body = answer(ask.scope.store, _request(shape, ask), ask.scope.now)
        except ValueError as e:
            return _error(400, str(e))
        return Answer({**body, "response_time": 0.0, "request_id": str(uuid5(NAMESPACE_URL, ask.raw.hex()))})

    return handle


def _request(shape: type[R], ask: Ask) -> R:
    try:
        return shape.model_validate(ask.body)
    except ValidationError as e:
        first = e.errors()[0]
        raise Refusal(_error(400, f"{'.'.join(map(str, first['loc']))}: {first['msg']}")) from e


def _admit(ask: Ask) -> Answer | None:
    status, error = _TURNED_AWAY.get(ask.bearer or "bad-key", (0, ""))
    return _error(status, error) if status else None


def _error(status: int, error: str) -> Answer:
    headers = {"retry-after": _RETRY_AFTER_S} if status == 429 else {}
    return Answer({"detail": {"error": error}}, status, headers)
