"""The tools of an episode as MCP lists them."""

from typing import Any
from weakref import WeakKeyDictionary

from agent_env_schemas import RESPOND, USER_STOP
from env_server.api.mcp.results import STRUCTURE
from env_server.api.respond import ARGUMENTS
from env_server.domains.kit import ToolKind
from env_server.domains.pack import Toolkit
from env_server.episodes.episode import Episode
from env_server.episodes.packs.library import LivePack
from env_server.providers.spec import ServerTool, ToolSpec

_SPEAK = {
    "name": RESPOND,
    "inputSchema": ARGUMENTS,
    "annotations": {"readOnlyHint": False, "destructiveHint": False, "idempotentHint": False, "openWorldHint": False},
}

_WITH_USER = (
    "Say something to the user. This is the only way to talk: what you write outside of this tool reaches nobody. "
    f"The user's answer is the result; `{USER_STOP}` in it means that they have left and the work is over."
)
_WITH_SLOW_USER = (
    f"{_WITH_USER} If the result begins with `awaiting_user`, they have not answered yet: call again with an empty "
    "message to go on waiting. Anything else is dropped until they have answered."
)
_ALONE = (
    "Report something. No user takes part: nobody reads it and nobody answers, but what the task asks to be told has "
    "to be told here, since what you write outside of this tool is not kept. When the work is finished, call `done`."
)


def speaking(*, solo: bool) -> str:
    """Return the instructions for speaking, for a client that has not read the list of tools yet."""
    if solo:
        return (
            "You work by calling tools alone; no user takes part. Plain text that you write reaches nobody and is not "
            f"kept: what the task asks to be told goes through the tool `{RESPOND}`."
        )
    return (
        f"You speak to the user through the tool `{RESPOND}` alone: its result is their answer. Plain text that you "
        "write outside of it reaches nobody."
    )


class Listing:
    """Lists of tools. Each list is made once per pack and kind of user."""

    def __init__(self) -> None:
        """Start with no lists."""
        self._made: WeakKeyDictionary[LivePack, dict[tuple[str, Toolkit], list[dict[str, Any]]]] = WeakKeyDictionary()

    def of(self, episode: Episode) -> list[dict[str, Any]]:
        """Return the tools of `episode` in the order of `/reset`, followed by `respond`."""
        live, solo = episode.live, episode.solo
        slow = episode.user.awaits or episode.user.remote
        told = _ALONE if solo else _WITH_SLOW_USER if slow else _WITH_USER
        made = self._made.setdefault(live, {})
        key = told, episode.toolkit
        if key not in made:
            listed = map(_listed, episode.side.tools.values(), live.schemas(episode.toolkit))
            made[key] = [*listed, {**_SPEAK, "description": told}]
        return made[key]


def has_structure(tool: ToolSpec | None) -> bool:
    """Return whether a tool's results have a structure beside their text."""
    return isinstance(tool, ServerTool) and tool.listing.result is not None


def _listed(tool: ToolSpec, schema: dict[str, Any]) -> dict[str, Any]:
    function, reads, structured = schema["function"], tool.kind is ToolKind.READ, has_structure(tool)
    return {
        "name": function["name"],
        "description": function["description"],
        "inputSchema": function["parameters"],
        **({"outputSchema": STRUCTURE} if structured else {}),
        "annotations": {"readOnlyHint": reads, "destructiveHint": not reads, "openWorldHint": False},
    }
