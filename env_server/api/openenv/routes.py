"""OpenEnv's endpoints. A client's base URL is the server, or `/domains/{domain}` of it."""

import asyncio
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Path, Request, WebSocket, WebSocketDisconnect

from agent_env_schemas import (
    ErrorCode,
    OpenEnvAction,
    OpenEnvHealth,
    OpenEnvMetadata,
    OpenEnvObservation,
    OpenEnvSchema,
    OpenEnvState,
)
from env_server.api.health import UNHEALTHY, check_storage
from env_server.api.openapi import VERSION
from env_server.api.openenv.session import OpenEnvSession
from env_server.api.problems import responses
from env_server.errors import ProblemError

router = APIRouter(tags=["openenv"])

NAME = "agent-env-server"
DESCRIPTION = "Tool-use domains with a simulated customer, a database behind tools, and rewards from its final rows."

DomainName = Annotated[str, Path(examples=["retail"])]


@router.get("/health", summary="OpenEnv: is the server healthy?", responses=responses(*UNHEALTHY))
@router.get("/domains/{domain}/health", responses=responses(*UNHEALTHY), include_in_schema=False)
async def health(request: Request) -> OpenEnvHealth:
    """Return whether episodes can be played: whether the database answers and takes commits."""
    await check_storage(request)
    return OpenEnvHealth(status="healthy")


@router.get("/schema", summary="OpenEnv: schemas of messages", responses=responses())
@router.get("/domains/{domain}/schema", responses=responses(), include_in_schema=False)
async def schema() -> OpenEnvSchema:
    """Return the JSON schemas of actions, observations and state. They are the same for all domains."""
    return OpenEnvSchema(
        action=OpenEnvAction.model_json_schema(),
        observation=OpenEnvObservation.model_json_schema(),
        state=OpenEnvState.model_json_schema(),
    )


@router.get("/metadata", summary="OpenEnv: what this server is", responses=responses())
async def metadata() -> OpenEnvMetadata:
    """Return the name, description and version of this server."""
    return OpenEnvMetadata(name=NAME, description=DESCRIPTION, version=VERSION)


@router.get("/domains/{domain}/metadata", summary="OpenEnv: what a domain is", responses=responses(ErrorCode.NOT_FOUND))
async def domain_metadata(domain: DomainName) -> OpenEnvMetadata:
    """Return the name, description and version of a domain."""
    from env_server.domains.discovery import domains  # noqa: PLC0415 - imports the code of the domains, which a server loads later

    found = await asyncio.to_thread(domains().get, domain)
    if found is None:
        raise ProblemError(ErrorCode.NOT_FOUND, f"no domain {domain!r}")
    return OpenEnvMetadata(name=domain, description=found.description, version=VERSION)


@router.websocket("/ws")
@router.websocket("/domains/{domain}/ws")
async def ws(socket: WebSocket) -> None:
    """Serve one client. Each of its messages `reset`, `step` and `state` is answered by one frame, in order.

    With `?episode_id=`, the connection continues that episode from the first message.
    """
    session = OpenEnvSession(socket)
    await socket.accept()
    named = socket.query_params.get("episode_id")
    try:
        if named is not None and not await _resumed(socket, session, named):
            return
        while (text := await _received(socket)) is not None:
            if (frame := await session.answer(text)) is None:
                await socket.close()
                return
            await _send(socket, frame)
    except WebSocketDisconnect:
        return


async def _resumed(socket: WebSocket, session: OpenEnvSession, named: str) -> bool:
    """Return whether the session has attached to episode `named`. If not, send the error and close the connection."""
    frame = await session.attach(named)
    if frame is None or frame["type"] != "error":
        return True
    await _send(socket, frame)
    await socket.close()
    return False


async def _received(socket: WebSocket) -> str | None:
    """Return the next message, or None if the client has disconnected."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        return None
    text: str | None = message.get("text")
    return text if text is not None else message["bytes"].decode("utf-8", "replace")


async def _send(socket: WebSocket, frame: dict[str, Any]) -> None:
    await socket.send_text(orjson.dumps(frame).decode())
