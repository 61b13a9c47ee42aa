"""Playing over MCP. Each call is a turn of its own, and takes the same path through the server as `/step`."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from time import perf_counter
from typing import Any, Final

import orjson
import structlog
from pydantic import TypeAdapter, ValidationError

from agent_env_schemas import RESPOND, ErrorCode
from agent_env_schemas.base import Label
from env_server.api.body import cleaned
from env_server.api.mcp.errors import rpc_error
from env_server.api.mcp.refusals import FINISHED, MISUSED, STILL_AWAITING, refused, words_of
from env_server.api.mcp.replies import Report, UserReplies, play
from env_server.api.mcp.results import OURS, standing, structure, tool_result
from env_server.api.mcp.tools import has_structure
from env_server.episodes import Episodes
from env_server.episodes.outages import outages_told
from env_server.episodes.quotas import PAYER
from env_server.episodes.turn.channel import Channel
from env_server.errors import ProblemError
from env_server.telemetry import metrics

KEY: Final = f"{OURS}idempotency-key"
"""The name in a call's `_meta` of the idempotency key, which the caller chooses so that a retry is safe."""

STATUS: Final = f"{OURS}status"
"""The name in a call's `_meta` that asks for the state of the episode in the result's `_meta`."""

DOOR: Final = Channel(looks=False, waits=False, misused={RESPOND: MISUSED})
"""The channel of MCP calls.

It does not look into SQL before a call, since as a rule the calls of an agent reach one process. It does not wait for
the score, which only the trainer uses.
"""

_key: TypeAdapter[str] = TypeAdapter(Label)
log = structlog.get_logger(__name__)


async def _silent(_waited: float, _most: float) -> None:
    """Report nothing."""


@asynccontextmanager
async def playing(wait_s: float) -> "AsyncIterator[Player]":
    """Open a player. A call of `respond` waits up to `wait_s` seconds for the user's answer."""
    async with UserReplies(DOOR, wait_s) as replies:
        yield Player(replies)


class Player:
    """Plays tool calls on episodes."""

    def __init__(self, replies: UserReplies) -> None:
        """Let `replies` wait for users who are slow. Its `wait_s` holds for external users, too."""
        self._replies = replies

    async def call(
        self,
        episodes: Episodes,
        episode_id: str,
        name: str,
        arguments: Mapping[str, Any] | None,
        meta: Mapping[str, Any] | None,
        report: Report = _silent,
    ) -> dict[str, Any]:
        """Play one call and return the tool result in its wire form. `report` tells the client of a long wait.

        Raises:
            MCPError: if the call could not be played; the episode is unchanged.
        """
        await episodes.quotas.pace_step(PAYER.get())
        began = perf_counter()
        try:
            result = await self._answered(episodes, episode_id, name, arguments or {}, meta, report)
            if not (meta or {}).get(STATUS):
                del result["_meta"]
            return result
        except ProblemError as e:
            raise rpc_error(e) from e
        finally:
            metrics.STEP_SECONDS.observe(perf_counter() - began)

    async def _answered(
        self,
        episodes: Episodes,
        episode_id: str,
        name: str,
        arguments: Mapping[str, Any],
        meta: Mapping[str, Any] | None,
        report: Report,
    ) -> dict[str, Any]:
        """Return the result of a played call, or a refusal that the agent must read."""
        try:
            key = _caller_key(meta)
            if name == RESPOND:
                return await self._respond(episodes, episode_id, arguments, key, report)
            episode = await episodes.episode(episode_id)
            if episode.user.remote:
                self._replies.check(episodes, episode)
            reply = await _call(episodes, episode_id, name, arguments, key)
            return shown(reply, structured=has_structure(episode.side.tools.get(name)))
        except ProblemError as e:
            with outages_told(episode_id):
                words = words_of(e.code, name)
                if words is None:
                    raise
                log.info("a call was not played", episode=episode_id, tool=name, why=e.code)
                return refused(words, episodes.reader.summary(episode_id))

    async def _respond(
        self, episodes: Episodes, episode_id: str, arguments: Mapping[str, Any], key: str | None, report: Report
    ) -> dict[str, Any]:
        message = arguments.get("message")
        if not isinstance(message, str) or len(arguments) > 1:
            return shown(await _call(episodes, episode_id, RESPOND, arguments, key))
        episode, said = await episodes.episode(episode_id), {"content": _plain(message)}
        if not message.strip() and (episode.user.awaits or episode.user.remote):
            try:
                if episode.user.awaits:
                    return await self._heard(episodes, episode_id, None)
                return self._shown(episodes, episode_id, await self._replies.fetch(episodes, episode, report))
            except ProblemError as e:
                if e.code is not ErrorCode.NOT_AWAITING_USER:
                    raise  # there is nothing to wait for, so an empty message is a turn, as with any other user
        if episode.user.remote:
            return self._shown(episodes, episode_id, await self._replies.say(episodes, episode, said, key, report))
        reply = await play(episodes, episode_id, said, DOOR, key=key)
        if not reply["info"]["awaiting_user"]:
            return shown(reply)
        return await self._heard(episodes, episode_id, reply["turn"])

    async def _heard(self, episodes: Episodes, episode_id: str, turn: int | None) -> dict[str, Any]:
        """Return the external user's answer in `turn` (default: the newest), or a result that says to wait longer."""
        heard = await episodes.heard(episode_id, turn, self._replies.wait_s)
        return self._shown(episodes, episode_id, None if heard is None else orjson.loads(heard))

    def _shown(self, episodes: Episodes, episode_id: str, reply: dict[str, Any] | None) -> dict[str, Any]:
        """Return a step's reply as a tool result. If there is no reply yet, the result says to wait longer."""
        if reply is not None:
            return shown(reply)
        with outages_told(episode_id):
            where = episodes.reader.summary(episode_id)
        return tool_result(STILL_AWAITING, standing(where["turn"], done=False, awaiting=True))


def shown(reply: dict[str, Any], *, structured: bool = False) -> dict[str, Any]:
    """Return a step's reply as a tool result, with a structure if it is `structured`. It never has the reward."""
    done, info = reply["done"], reply["info"]
    where = standing(reply["turn"], done=done, awaiting=info.get("awaiting_user", False))
    if done and not reply["observation"]:  # nothing was played: the deadline passed, or another client closed it
        return tool_result(FINISHED, where, failed=True)
    text = "\n".join(message["content"] for message in reply["observation"])
    calls = info.get("calls", ())
    failed = bool(info.get("parse_failure")) or any(call["error"] for call in calls)
    if not structured:
        return tool_result(text, where, failed=failed)
    data = calls[0].get("structured") if calls else None
    return tool_result(text, where, failed=failed, structure=structure(text, data))


async def _call(
    episodes: Episodes, episode_id: str, name: str, arguments: Mapping[str, Any], key: str | None
) -> dict[str, Any]:
    call = {"name": name, "arguments": _plain(arguments)}
    return await play(episodes, episode_id, {"tool_calls": [call]}, DOOR, key=key)


def _plain(given: Any) -> Any:
    """Return a client's arguments as they can be stored; see `body.read` for text that strict JSON cannot hold."""
    try:
        orjson.dumps(given)
    except TypeError:
        return cleaned(given)
    return given


def _caller_key(meta: Mapping[str, Any] | None) -> str | None:
    given = (meta or {}).get(KEY)
    try:
        return None if given is None else _key.validate_python(given)
    except ValidationError as e:
        raise ProblemError(
            ErrorCode.INVALID_REQUEST, f"`_meta` {KEY!r} must be a text of at most 200 characters without NUL"
        ) from e
