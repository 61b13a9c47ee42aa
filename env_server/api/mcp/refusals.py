"""What an agent does wrong with the episode rather than with a tool: it is told so, and no turn is played."""

from collections.abc import Mapping
from typing import Any, Final

from agent_env_schemas import ErrorCode
from env_server.api.mcp.results import standing, tool_result
from env_server.api.mcp.tools import RESPOND

FINISHED: Final = "the episode is finished"
STILL_AWAITING: Final = "awaiting_user: no answer yet; call `respond` with an empty message to go on waiting"
MISUSED: Final = f"Error: `{RESPOND}` takes one argument, `message`, which is text. Nothing was said."
"""The one mistake with `respond` that is a turn: a failed call, like any other tool's."""

_FIRST: Final = "the user's answer comes first; call `respond` with an empty message to wait for it"
_WORDS_DROPPED: Final = f"awaiting_user: your words were dropped and nobody will read them: {_FIRST}"
_CALL_DROPPED: Final = f"awaiting_user: the call was dropped and nothing was done: {_FIRST}"


def words_of(code: ErrorCode, tool: str) -> str | None:
    """What the agent is told where its call of `tool` is refused with `code`; None where that is not its business."""
    if code is ErrorCode.EPISODE_OVER:
        return FINISHED
    if code is ErrorCode.AWAITING_USER:
        return _WORDS_DROPPED if tool == RESPOND else _CALL_DROPPED
    return None


def refused(words: str, summary: Mapping[str, Any]) -> dict[str, Any]:
    """The refusal as a result; `summary` is where the episode stands."""
    done = words == FINISHED or summary["done"]  # over, too, is an episode whose judge has not answered yet
    return tool_result(words, standing(summary["turn"], done=done, awaiting=summary["awaiting_user"]), failed=True)
