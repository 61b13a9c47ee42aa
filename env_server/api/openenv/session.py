"""One WebSocket connection that plays an episode. Frames come in and frames go out."""

import asyncio
from collections.abc import Awaitable, Mapping
from time import perf_counter
from typing import Any

import orjson
from starlette.requests import HTTPConnection

from agent_env_schemas import ErrorCode, OpenEnvAction, ResetRequest
from env_server.api.body import checked, loosely
from env_server.api.context import access, address, caller, episodes
from env_server.api.openenv import frames
from env_server.api.openenv.frames import Code, Frame
from env_server.api.openenv.names import OWN, id_of, key_of, name_of
from env_server.api.problems import problem_fields
from env_server.episodes.outages import outages_told
from env_server.errors import ProblemError
from env_server.telemetry import metrics

NO_EPISODE = "no episode on this connection: reset first, with an `episode_id` to continue an episode that has begun"

NO_DOMAIN = "domain: name a domain, in the reset or by the base URL (`.../domains/DOMAIN`)"


class OpenEnvSession:
    """Plays the messages of one connection.

    The session counts turns and sends each step with the next turn's number. A step that is sent again after a lost
    connection is answered from the record. A step is refused if another client has played that turn.
    """

    def __init__(self, connection: HTTPConnection) -> None:
        """Start without an episode.

        A `domain` in the connection's path is the default for resets that name no domain.
        """
        self._episodes, self._caller = episodes(connection), caller(connection)
        self._connection, self._request_id = connection, connection.state.request_id
        self._domain: str | None = connection.path_params.get("domain")
        self._episode_id: str | None = None
        self._turn = 0

    async def answer(self, text: str) -> Frame | None:
        """Return the frame that answers one message, or None if the client closes."""
        return await self._told(self._read(text))

    async def attach(self, named: str) -> Frame | None:
        """Continue the episode with that id or name. The frame shows the episode, or the error if that fails."""
        return await self._told(self._resume(named))

    async def _told(self, work: Awaitable[Frame | None]) -> Frame | None:
        """Return the result of `work`, or an error frame for the exception that it raises."""
        try:
            with outages_told(self._episode_id):
                return await work
        except ProblemError as e:
            return frames.failure(frames.code_of(e), problem_fields(e, self._request_id))
        except Exception as e:
            metrics.log_defect("/ws", e)
            problem = ProblemError(ErrorCode.INTERNAL, f"{type(e).__name__}; see the server's log")
            return frames.failure(Code.EXECUTION_ERROR, problem_fields(problem, self._request_id))

    async def _resume(self, named: str) -> Frame:
        """Attach to an episode that has begun. Wait first until the turn under way has ended."""
        episode_id = id_of(self._episodes, self._caller, named)
        await self._episodes.settle(episode_id)
        record = await asyncio.to_thread(self._episodes.reader.trajectory, episode_id)
        self._episode_id, self._turn = episode_id, record["episode"]["turn"]
        return frames.resumed(record, access(self._connection, episode_id))

    async def _read(self, text: str) -> Frame | None:
        try:
            message = await loosely(text.encode())
        except (ValueError, RecursionError):
            return self._failed(Code.INVALID_JSON, "this is not JSON")
        return await self._answer(message)

    async def _answer(self, message: object) -> Frame | None:
        if not isinstance(message, dict):
            return self._failed(Code.VALIDATION_ERROR, "a message is an object with a `type`")
        kind, data = message.get("type"), message.get("data", {})
        if kind == "close":
            return None
        if not isinstance(data, dict):
            return self._failed(Code.VALIDATION_ERROR, "`data` is an object")
        if kind == "reset":
            return await self._reset(data)
        if kind == "step":
            return await self._step(data)
        if kind == "state":
            return frames.standing(self._episodes.reader.summary(self._playing()))
        return self._failed(Code.UNKNOWN_TYPE, f"{kind!r} is not one of reset, step, state and close")

    async def _reset(self, data: Mapping[str, Any]) -> Frame:
        self._episode_id = None  # if this reset fails, a step must not go to the previous episode
        wanted = {name: value for name, value in data.items() if value is not None}
        name = name_of(wanted.pop("episode_id", None))
        if name is not None and name.startswith(OWN):
            return await self._resume(name)
        if name is not None:
            wanted["idempotency_key"] = key_of(name)
        if self._domain is not None:
            wanted.setdefault("domain", self._domain)
        if "domain" not in wanted:
            there = ", ".join(self._episodes.library.sources)
            raise ProblemError(ErrorCode.INVALID_REQUEST, f"{NO_DOMAIN}; there are: {there}")
        request = checked(wanted, ResetRequest)
        if request.n is not None:
            raise ProblemError(ErrorCode.INVALID_REQUEST, "n: a connection plays one episode at a time")
        reply = orjson.loads(await self._episodes.reset(request, self._caller, address(self._connection)))
        if name is not None and not self._episodes.reader.is_fresh(reply["episode_id"]):
            return await self._resume(reply["episode_id"])
        self._episode_id, self._turn = reply["episode_id"], reply["turn"]
        return frames.begun(reply)

    async def _step(self, data: Mapping[str, Any]) -> Frame:
        episode_id = self._playing()
        sent = checked(data, OpenEnvAction)
        if sent.type == "list_tools":
            record = await asyncio.to_thread(self._episodes.reader.trajectory, episode_id)
            return frames.listed(episode_id, self._turn, record["tools"])
        await self._episodes.quotas.pace_step(self._caller)
        began = perf_counter()
        reply = orjson.loads(await self._episodes.step(sent.request(episode_id, self._turn + 1)))
        metrics.STEP_SECONDS.observe(perf_counter() - began)
        self._turn = max(self._turn, reply["turn"])
        return frames.stepped(reply, sent)

    def _playing(self) -> str:
        if self._episode_id is None:
            raise ProblemError(ErrorCode.EPISODE_NOT_FOUND, NO_EPISODE)
        return self._episode_id

    def _failed(self, code: Code, detail: str) -> Frame:
        problem = ProblemError(ErrorCode.INVALID_REQUEST, detail, self._episode_id)
        return frames.failure(code, problem_fields(problem, self._request_id))
