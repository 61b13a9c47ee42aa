"""Helpers of the endpoints: the episodes, the caller, the server's address, and the meaning of `latest`."""

from time import time
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, overload

from fastapi import Path, Request
from starlette.datastructures import State
from starlette.requests import HTTPConnection

from agent_env_schemas import ErrorCode, StepRequest, Wire
from env_server.episodes.codec.address import mcp_url
from env_server.errors import ProblemError

if TYPE_CHECKING:
    from env_server.episodes import Episodes

S = TypeVar("S", str, StepRequest)

EpisodeId = Annotated[str, Path(examples=["latest"], description="An episode's id, or `latest`.")]

LATEST = "latest"
"""Stands for the caller's newest episode. It is meant for people who play by hand; a trainer uses episode ids."""


class AppState(State):
    """The state of the application. Its values are ordinary attributes.

    Python looks for an attribute of Starlette's class in vain before it calls `__getattr__`. A step reads several.
    """

    def __init__(self) -> None:
        """Hold nothing yet."""
        super().__init__(vars(self))


def stopping() -> ProblemError:
    """Return the problem of a request that arrives while this server is stopping."""
    return ProblemError(ErrorCode.STORAGE_UNAVAILABLE, "this server is stopping: send the request again")


def episodes(request: HTTPConnection) -> "Episodes":
    """Return the episodes of this server. The gate has already waited until they are loaded.

    Raises:
        ProblemError: `storage_unavailable` (retryable) if the server has begun to stop since then.
    """
    found: Episodes | None = request.app.state.episodes.value
    if found is None:
        raise stopping()
    return found


def caller(request: HTTPConnection) -> str:
    """Return the name of the API key that the request carries."""
    name: str = request.scope["state"]["caller"]
    return name


def address(request: HTTPConnection) -> str:
    """Return the base URL for clients: `public_url` if the operator set it, else the URL that this request used."""
    public: str | None = request.app.state.public_url
    scheme = request.url.scheme.replace("ws", "http")
    return public or f"{scheme}://{request.headers.get('host', '')}"


def access(request: HTTPConnection, episode_id: str) -> dict[str, str]:
    """Return the data that an agent needs to play the episode over MCP: the URL, and a token signed now."""
    token = episodes(request).tokens.make(episode_id, time())
    return {"mcp_url": mcp_url(address(request), episode_id), "agent_token": token}


@overload
def resolved(request: Request, what: str) -> str: ...
@overload
def resolved(request: Request, what: StepRequest) -> StepRequest: ...
def resolved(request: Request, what: str | StepRequest) -> str | StepRequest:
    """Return an episode id, or a step, with `latest` replaced by the id of the caller's newest episode.

    Raises:
        ProblemError: `episode_not_found` if the caller has begun no episode.
    """
    named = what if isinstance(what, str) else what.episode_id
    if named != LATEST:
        request.scope["state"]["episode"] = named
        return what
    newest = episodes(request).reader.latest(caller(request))
    if newest is None:
        raise ProblemError(ErrorCode.EPISODE_NOT_FOUND, "you have begun no episode yet")
    request.scope["state"]["episode"] = newest
    return newest if isinstance(what, str) else what.model_copy(update={"episode_id": newest})


def body_schema(model: type[Wire]) -> dict[str, Any]:
    """Return the OpenAPI request body of an endpoint that parses `model` itself (see `body.read`)."""
    reference = {"$ref": f"#/components/schemas/{model.__name__}"}
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": reference}}}}
