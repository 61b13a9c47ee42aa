"""The user's part of an awaited turn, supplied by an external user."""

from typing import Any

from agent_env_schemas import USER_STOP, ErrorCode, StopReason, UserRequest
from env_server.episodes.episode import Episode
from env_server.episodes.turn.agent import limit_reached, next_carry, run_own_call, tool_message
from env_server.episodes.turn.ending import next_position
from env_server.episodes.turn.events import on_user
from env_server.episodes.turn.part import TurnPart
from env_server.errors import ProblemError
from env_server.tools import parse_calls

MOST_CALLS = 100
"""Maximum number of the user's own calls in one piece of their part of a turn."""

MOST_PIECES = 100
"""Maximum number of pieces with calls in one turn."""


def play_user(episode: Episode, request: UserRequest, stored_action: str) -> TurnPart:
    """Play the user's message or calls, without a commit.

    Raises:
        ProblemError: if a tool fails; the caller must then drop the episode object.
    """
    part = TurnPart(next_position(episode), stored_action, next_carry(episode.carry))
    results = _own_calls(episode, request, part) if request.tool_calls else None
    if results is not None:
        part.info["user_observation"] = results
    if request.content is not None:
        part.carry.awaiting = False
        part.observation = [{"role": "user", "content": request.content}]
        on_user(episode, part.carry, request.content)
        if _stops(request.content, episode.live.pack.dialect.stops):
            part.stop = StopReason.USER_STOP
    part.carry.state_hash = episode.state.hash
    if part.stop is None:
        part.stop = limit_reached(episode, part)
    return part


def _stops(words: str, tokens: tuple[str, ...]) -> bool:
    return any(token in words for token in tokens) or any(line.strip() == USER_STOP for line in words.splitlines())


def _own_calls(episode: Episode, request: UserRequest, part: TurnPart) -> list[dict[str, Any]]:
    parsed = parse_calls(None, request.plain()["tool_calls"])
    turn = part.position.turn
    if len(parsed.calls) > MOST_CALLS or part.position.seq >= MOST_PIECES:
        limits = f"{MOST_CALLS} calls in one piece and {MOST_PIECES} pieces in one turn"
        raise ProblemError(ErrorCode.INVALID_REQUEST, f"the user may make at most {limits}", episode.episode_id)
    if parsed.failure is not None:
        return [tool_message(episode, f"call_{turn}_u0", "", parsed.failure)]
    results = []
    for i, call in enumerate(parsed.calls):
        outcome = run_own_call(episode, call, part.carry)
        call_id = call.id or f"call_{turn}_u{part.position.seq}_{i}"
        results.append(tool_message(episode, call_id, outcome.name, outcome.text))
    return results
