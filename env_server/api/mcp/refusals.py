"""Refusals of calls that do not fit the state of the episode. The agent gets a message, and no turn is played."""

from collections.abc import Mapping
from typing import Any, Final

from agent_env_schemas import RESPOND, ErrorCode
from env_server.api.mcp.results import standing, tool_result

FINISHED: Final = "the episode is finished"
STILL_AWAITING: Final = "awaiting_user: no answer yet; call `respond` with an empty message to go on waiting"
MISUSED: Final = f"Error: `{RESPOND}` takes one argument, `message`, which is text. Nothing was said."
"""The only misuse of `respond` that is a turn: a failed call, like that of any other tool."""

_FIRST: Final = "the user's answer comes first; call `respond` with an empty message to wait for it"
_WORDS_DROPPED: Final = f"awaiting_user: your words were dropped and nobody will read them: {_FIRST}"
_CALL_DROPPED: Final = f"awaiting_user: the call was dropped and nothing was done: {_FIRST}"


def words_of(code: ErrorCode, tool: str) -> str | None:
    """Return the agent's message for a call of `tool` refused with `code`; None if the agent cannot act on `code`."""
    if code is ErrorCode.EPISODE_OVER:
        return FINISHED
    if code is ErrorCode.AWAITING_USER:
        return _WORDS_DROPPED if tool == RESPOND else _CALL_DROPPED
    return None


def refused(words: str, summary: Mapping[str, Any]) -> dict[str, Any]:
    """Return the refusal as a tool result; `summary` is the state of the episode."""
    done = words == FINISHED or summary["done"]  # an episode whose judge has not answered yet is over, too
    return tool_result(words, standing(summary["turn"], done=done, awaiting=not done), failed=True)
