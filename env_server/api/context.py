"""What every endpoint needs of its request: the episodes, the caller, and what `latest` means."""

from time import time
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, overload

from fastapi import Path, Request
from starlette.requests import HTTPConnection

from agent_env_schemas import ErrorCode, StepRequest, Wire
from env_server.episodes.codec.address import mcp_url
from env_server.errors import ProblemError

if TYPE_CHECKING:
    from env_server.episodes import Episodes

S = TypeVar("S", str, StepRequest)

EpisodeId = Annotated[str, Path(examples=["latest"], description="An episode's id, or `latest`.")]

LATEST = "latest"
"""Stands for the caller's newest episode. For people who play by hand; a trainer names its episodes."""


def episodes(request: HTTPConnection) -> "Episodes":
    """The episodes of this server, which the gate has waited for."""
    found: Episodes = request.app.state.episodes.value
    return found


def caller(request: HTTPConnection) -> str:
    """The name of the key that the request came with."""
    name: str = request.state.caller
    return name


def address(request: HTTPConnection) -> str:
    """Where clients reach this server: as the operator says, else as this one has reached it."""
    public: str | None = request.app.state.public_url
    scheme = request.url.scheme.replace("ws", "http")
    return public or f"{scheme}://{request.headers.get('host', '')}"


def access(request: HTTPConnection, episode_id: str) -> dict[str, str]:
    """What an agent needs to play the episode over MCP: where it is, and a token that is signed now."""
    token = episodes(request).tokens.make(episode_id, time())
    return {"mcp_url": mcp_url(address(request), episode_id), "agent_token": token}


@overload
def resolved(request: Request, what: str) -> str: ...
@overload
def resolved(request: Request, what: StepRequest) -> StepRequest: ...
def resolved(request: Request, what: str | StepRequest) -> str | StepRequest:
    """An episode id, or a step, with `latest` replaced by the id of the caller's newest episode."""
    named = what if isinstance(what, str) else what.episode_id
    if named != LATEST:
        return what
    newest = episodes(request).reader.latest(caller(request))
    if newest is None:
        raise ProblemError(ErrorCode.EPISODE_NOT_FOUND, "you have begun no episode yet")
    return newest if isinstance(what, str) else what.model_copy(update={"episode_id": newest})


def body_schema(model: type[Wire]) -> dict[str, Any]:
    """The OpenAPI request body of an endpoint that reads `model` itself (see `body.read`)."""
    reference = {"$ref": f"#/components/schemas/{model.__name__}"}
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": reference}}}}
