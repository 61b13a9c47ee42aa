"""A client that plays episodes on a server over HTTP. It implements the protocol of `env_server.backends.base`."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, TypeVar
from urllib.parse import quote

import httpx2
from pydantic import ValidationError

from agent_env_schemas import (
    CloseRequest,
    DomainList,
    EpisodeReply,
    EpisodeSummary,
    ErrorCode,
    ForkRequest,
    Problem,
    ResetRequest,
    StepReply,
    StepRequest,
    TaskDetail,
    TaskList,
    Trajectory,
    UserRequest,
    Wire,
)
from env_server.errors import ProblemError

TIMEOUT_S = 90.0
"""Timeout in seconds for one reply. The server's own limit for a step is 60 s by default."""

W = TypeVar("W", bound=Wire)

_SECONDS = re.compile(r"[0-9]{1,9}")


class Unreachable(ProblemError):
    """The server did not answer.

    It may or may not have carried out the request; every request is safe to send again.
    """

    @property
    def retryable(self) -> bool:
        """Return True: the request can be retried."""
        return True


class RemoteBackend:
    """Plays on a server."""

    def __init__(self, client: httpx2.AsyncClient) -> None:
        """Play through `client`, whose base URL is the server's."""
        self._client = client

    async def reset(self, request: ResetRequest) -> EpisodeReply:
        """Begin an episode."""
        return await self._post("/reset", request, EpisodeReply)

    async def resume(self, episode_id: str) -> EpisodeReply:
        """Begin a copy of an episode after its newest turn. Its observation is the whole conversation."""
        where = f"/episodes/{quote(episode_id, safe='')}"
        turn = (await self._ask("GET", where, EpisodeSummary)).turn
        return await self._post(f"{where}/fork", ForkRequest(turn=turn), EpisodeReply)

    async def step(self, request: StepRequest) -> StepReply:
        """Play the agent's message."""
        return await self._post("/step", request, StepReply)

    async def user(self, episode_id: str, request: UserRequest) -> StepReply:
        """Send the user's part of a turn."""
        return await self._post(f"/episodes/{episode_id}/user", request, StepReply)

    async def close(self, episode_id: str, reason: str | None = None) -> StepReply:
        """End the episode and return its last reply. If it has ended already, only return the reply."""
        return await self._post(f"/episodes/{episode_id}/close", CloseRequest(reason=reason), StepReply)

    async def task(self, domain: str, pack: str, task_id: str, *, gold: bool = False) -> TaskDetail:
        """Return the task, with its reference solution if `gold`."""
        where = f"/domains/{quote(domain, safe='')}/tasks/{quote(task_id, safe='')}"
        return await self._ask("GET", where, TaskDetail, params={"pack": pack, "gold": "true" if gold else "false"})

    async def tasks(self, domain: str, pack: str, split: str | None, offset: int, limit: int) -> TaskList:
        """Return a page of the listed tasks of a split, or of all splits in order."""
        asked: dict[str, Any] = {"pack": pack, "offset": offset, "limit": limit}
        if split is not None:
            asked["split"] = split
        return await self._ask("GET", f"/domains/{quote(domain, safe='')}/tasks", TaskList, params=asked)

    async def trajectory(self, episode_id: str) -> dict[str, Any]:
        """Return the record of the episode as a JSON object."""
        found = await self._ask("GET", f"/episodes/{quote(episode_id, safe='')}/trajectory", Trajectory)
        return found.model_dump(mode="json")

    async def version(self, domain: str, pack: str) -> str:
        """Return the version of a pack."""
        there = (await self._ask("GET", "/domains", DomainList)).domains
        packs = {found.name: found for known in there if known.name == domain for found in known.packs}
        if pack not in packs:
            detail = f"{self._client.base_url} has no domain {domain!r} with a pack {pack!r}"
            raise ProblemError(ErrorCode.NOT_FOUND, detail)
        found = packs[pack]
        if found.version is None:
            raise ProblemError(ErrorCode.INTERNAL, f"pack {pack!r} of {domain} cannot be played: {found.error}")
        return found.version

    async def _post(self, path: str, request: Wire, reply: type[W]) -> W:
        return await self._ask("POST", path, reply, json=request.model_dump(mode="json", exclude_unset=True))

    async def _ask(self, method: str, path: str, reply: type[W], **sent: Any) -> W:
        try:
            response = await self._client.request(method, path, **sent)
        except httpx2.TransportError as e:
            raise Unreachable(ErrorCode.INTERNAL, f"{self._client.base_url} cannot be reached: {e}") from e
        except (httpx2.HTTPError, httpx2.InvalidURL) as e:
            raise ProblemError(ErrorCode.INTERNAL, f"{self._client.base_url} does not answer: {e}") from e
        try:
            if not response.is_success:
                problem = Problem.model_validate_json(response.content)
                after = _seconds(response.headers.get("retry-after", ""))
                raise ProblemError(problem.code, problem.detail, problem.episode_id, after)
            return reply.model_validate_json(response.content)
        except ValidationError as e:
            detail = f"{self._client.base_url} is not an agent-env-server of this version: its answer cannot be read"
            raise ProblemError(ErrorCode.INTERNAL, detail) from e


def _seconds(header: str) -> float | None:
    """Return a `Retry-After` in seconds, or None for a date or an invalid value."""
    return float(header) if _SECONDS.fullmatch(header) else None


@asynccontextmanager
async def on_server(url: str, key: str | None) -> AsyncIterator[RemoteBackend]:
    """Open a client of the server at `url`.

    Raises:
        ProblemError: if an HTTP header cannot carry the key. The HTTP library's own error would quote the key.
    """
    if key is not None and not (key and key == key.strip() and key.isascii() and key.isprintable()):
        detail = "the key is empty or has characters that no header can carry, perhaps a line end after it"
        raise ProblemError(ErrorCode.UNAUTHORIZED, detail)
    headers = {} if key is None else {"Authorization": f"Bearer {key}"}
    async with httpx2.AsyncClient(base_url=url, headers=headers, timeout=TIMEOUT_S) as client:
        yield RemoteBackend(client)
