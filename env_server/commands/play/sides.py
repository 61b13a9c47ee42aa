"""The tools and commands of a person on each side of an episode."""

from collections.abc import Callable
from functools import partial
from typing import Any

from agent_env_schemas import USER_STOP, EpisodeReply
from env_server.commands.play.person import Side
from env_server.commands.play.screen import Screen

GREEN, CYAN = 32, 36

CLOSE = "close the episode and see how it would have been scored"

Commands = dict[str, tuple[str, Callable[[], None]]]


def agent_side(begun: EpisodeReply, screen: Screen) -> Side:
    """Return the agent's side of an episode."""
    functions = _functions(begun.tools)
    commands: Commands = {
        "tools": ("the tools and their arguments", partial(screen.tools, functions)),
        "policy": ("what the agent must obey", screen.policy),
        "last": ("the last result in full", screen.last),
    }
    return Side("agent", GREEN, "user", functions, commands, CLOSE)


def user_side(begun: EpisodeReply, screen: Screen, instruction: str, *, veiled: bool) -> Side:
    """Return the user's side of an episode with the task's `instruction`.

    `veiled` means the agent's calls are hidden.
    """
    functions = _functions(begun.info.user_tools or [])
    commands: Commands = {"wish": ("your part as the customer", partial(screen.wish, instruction))}
    if functions:
        commands["tools"] = ("what you can do yourself", partial(screen.tools, functions))
    if functions or veiled:
        commands["last"] = ("the last result in full", screen.last)
    if veiled:
        commands["calls"] = ("what the agent calls and is answered", screen.calls)
    words = {"stop": (f"end the conversation, as the line {USER_STOP} does", USER_STOP)}
    return Side("user", CYAN, "agent", functions, commands, CLOSE, words)


def _functions(tools: list[dict[str, Any]]) -> dict[str, Any]:
    return {tool["function"]["name"]: tool["function"] for tool in tools}
