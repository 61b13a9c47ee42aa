"""Playing over MCP: each call is a turn of its own, through the same channel as `/step`."""

from collections.abc import Mapping
from time import perf_counter
from typing import Any, Final

import orjson
import structlog
from pydantic import TypeAdapter, ValidationError

from agent_env_schemas import Action, ErrorCode, StepRequest
from agent_env_schemas.base import Label
from env_server.api.body import cleaned
from env_server.api.mcp.errors import rpc_error
from env_server.api.mcp.refusals import FINISHED, MISUSED, STILL_AWAITING, refused, words_of
from env_server.api.mcp.results import OURS, standing, tool_result
from env_server.api.mcp.tools import RESPOND
from env_server.episodes import Episodes
from env_server.episodes.outages import outages_told
from env_server.episodes.turn.channel import Channel
from env_server.errors import ProblemError
from env_server.telemetry import metrics

KEY: Final = f"{OURS}idempotency-key"
"""The name in a call's `_meta` under which a caller puts a key of its own making, so that a retry is safe."""

DOOR: Final = Channel(looks=False, waits=False, misused={RESPOND: MISUSED})
"""Agents' calls come to one process as a rule; and the score is the trainer's business, for which no agent waits."""

_key: TypeAdapter[str] = TypeAdapter(Label)
log = structlog.get_logger(__name__)


class Player:
    """Plays calls on episodes."""

    def __init__(self, wait_s: float) -> None:
        """`wait_s` is how long a call of `respond` waits for a user who answers from outside, in seconds."""
        self._wait_s = wait_s

    async def call(
        self,
        episodes: Episodes,
        episode_id: str,
        name: str,
        arguments: Mapping[str, Any] | None,
        meta: Mapping[str, Any] | None,
    ) -> dict[str, Any]:
        """Play one call and give the tool result, as it goes on the wire.

        Raises:
            MCPError: if the call could not be played; nothing happened.
        """
        began = perf_counter()
        try:
            return await self._answered(episodes, episode_id, name, arguments or {}, meta)
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
    ) -> dict[str, Any]:
        """The result of a call that was played, or of one whose refusal the agent has to read."""
        try:
            key = _caller_key(meta)
            if name == RESPOND:
                return await self._respond(episodes, episode_id, arguments, key)
            return shown(await _call(episodes, episode_id, name, arguments, key))
        except ProblemError as e:
            with outages_told(episode_id):
                words = words_of(e.code, name)
                if words is None:
                    raise
                log.info("a call was not played", episode=episode_id, tool=name, why=e.code)
                return refused(words, episodes.reader.summary(episode_id))

    async def _respond(
        self, episodes: Episodes, episode_id: str, arguments: Mapping[str, Any], key: str | None
    ) -> dict[str, Any]:
        message = arguments.get("message")
        if not isinstance(message, str) or len(arguments) > 1:
            return shown(await _call(episodes, episode_id, RESPOND, arguments, key))
        if not message.strip() and (await episodes.episode(episode_id)).user.awaits:
            try:
                return await self._heard(episodes, episode_id, None)
            except ProblemError as e:
                if e.code is not ErrorCode.NOT_AWAITING_USER:
                    raise  # with nothing to wait for, saying nothing is a turn, as it is with any other user
        reply = await _step(episodes, episode_id, {"content": _plain(message)}, key)
        if not reply["info"]["awaiting_user"]:
            return shown(reply)
        return await self._heard(episodes, episode_id, reply["turn"])

    async def _heard(self, episodes: Episodes, episode_id: str, turn: int | None) -> dict[str, Any]:
        """What an external user has answered in `turn`, by default the newest; or that they have not, yet."""
        heard = await episodes.heard(episode_id, turn, self._wait_s)
        if heard is not None:
            return shown(orjson.loads(heard))
        with outages_told(episode_id):
            where = episodes.reader.summary(episode_id)
        return tool_result(STILL_AWAITING, standing(where["turn"], done=False, awaiting=True))


def shown(reply: dict[str, Any]) -> dict[str, Any]:
    """A step's reply as a tool result: the observation, and nothing of the reward."""
    done, info = reply["done"], reply["info"]
    where = standing(reply["turn"], done=done, awaiting=info.get("awaiting_user", False))
    if done and not reply["observation"]:  # nothing was played: the deadline passed, or somebody closed the episode
        return tool_result(FINISHED, where, failed=True)
    text = "\n".join(message["content"] for message in reply["observation"])
    failed = bool(info.get("parse_failure")) or any(call["error"] for call in info.get("calls", ()))
    return tool_result(text, where, failed=failed)


async def _call(
    episodes: Episodes, episode_id: str, name: str, arguments: Mapping[str, Any], key: str | None
) -> dict[str, Any]:
    call = {"name": name, "arguments": _plain(arguments)}
    return await _step(episodes, episode_id, {"tool_calls": [call]}, key)


async def _step(episodes: Episodes, episode_id: str, action: dict[str, Any], key: str | None) -> dict[str, Any]:
    # Not validated: the id is the path's, and what an action may hold is the parser's to say.
    request = StepRequest.model_construct(episode_id=episode_id, action=Action.model_construct(**action))
    reply: dict[str, Any] = orjson.loads(await episodes.step(request, key, DOOR))
    return reply


def _plain(given: Any) -> Any:
    """What a client sent, fit to be stored: see `body.read` for text that strict JSON cannot hold."""
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
        raise ProblemError(ErrorCode.INVALID_REQUEST, f"`_meta` {KEY!r}: up to 200 characters of text, no NUL") from e
