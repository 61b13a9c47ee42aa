"""Playing over MCP: each call is a turn of its own, through the same door as `/step`."""

from collections.abc import Mapping
from time import perf_counter
from typing import Any, Final

import orjson
import structlog
from pydantic import TypeAdapter, ValidationError

from env_server.api.body import cleaned
from env_server.api.mcp.errors import rpc_error
from env_server.api.mcp.results import tool_result
from env_server.api.mcp.tools import RESPOND
from env_server.episodes import Episodes
from env_server.errors import ProblemError
from env_server.telemetry import metrics
from schemas import Action, ErrorCode, StepRequest
from schemas.base import Label

OURS: Final = "agent-env-server/"
KEY: Final = f"{OURS}idempotency-key"
"""The name in a call's `_meta` under which a caller puts a key of its own making, so that a retry is safe."""

FINISHED: Final = "the episode is finished"
AWAITING: Final = "awaiting_user: no answer yet; call `respond` with an empty message to go on waiting"
_SAID: Final = {
    ErrorCode.EPISODE_OVER: FINISHED,
    ErrorCode.AWAITING_USER: AWAITING,
    ErrorCode.NOT_AWAITING_USER: "the message was empty, and there is no answer to wait for",
}
"""What an agent does wrong with the episode rather than with a tool: it is told, and no turn is played."""

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
            key = _caller_key(meta)
            if name == RESPOND:
                return await self._respond(episodes, episode_id, arguments or {}, key)
            call = {"name": name, "arguments": _plain(arguments or {})}
            return shown(await _step(episodes, episode_id, {"tool_calls": [call]}, key))
        except ProblemError as e:
            if e.code not in _SAID:
                raise rpc_error(e) from e
            log.info("a call was not played", episode=episode_id, tool=name, why=e.code)
            return refused(_SAID[e.code], done=e.code is ErrorCode.EPISODE_OVER)
        finally:
            metrics.STEP_SECONDS.observe(perf_counter() - began)

    async def _respond(
        self, episodes: Episodes, episode_id: str, arguments: Mapping[str, Any], key: str | None
    ) -> dict[str, Any]:
        message = arguments.get("message")
        if not isinstance(message, str) or len(arguments) > 1:
            return refused(f"{RESPOND} takes one argument, `message`, which is text")
        turn = None
        if message.strip() or not (await episodes.episode(episode_id)).user.awaits:
            reply = await _step(episodes, episode_id, {"content": _plain(message)}, key)
            if not reply["info"]["awaiting_user"]:
                return shown(reply)
            turn = reply["turn"]
        heard = await episodes.heard(episode_id, turn, self._wait_s)
        if heard is None:
            return refused(AWAITING, awaiting=True)
        return shown(orjson.loads(heard))


def shown(reply: dict[str, Any]) -> dict[str, Any]:
    """A step's reply as a tool result: the observation, and nothing of the reward."""
    done, info = reply["done"], reply["info"]
    if done and not reply["observation"]:  # nothing was played: the deadline passed, or somebody closed the episode
        return refused(FINISHED, done=True)
    text = "\n".join(message["content"] for message in reply["observation"])
    failed = bool(info.get("parse_failure")) or any(call["error"] for call in info.get("calls", ()))
    where = {f"{OURS}turn": reply["turn"], f"{OURS}done": done}
    return tool_result(text, where, failed=failed)


def refused(text: str, *, done: bool = False, awaiting: bool = False) -> dict[str, Any]:
    """A result that is no turn; an error, unless it only asks for patience."""
    return tool_result(text, {f"{OURS}done": done, f"{OURS}awaiting_user": awaiting}, failed=not awaiting)


async def _step(episodes: Episodes, episode_id: str, action: dict[str, Any], key: str | None) -> dict[str, Any]:
    # Not validated: the id is the path's, and what an action may hold is the parser's to say.
    request = StepRequest.model_construct(episode_id=episode_id, action=Action.model_construct(**action))
    reply: dict[str, Any] = orjson.loads(await episodes.step(request, key, look=False))
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
