"""The tools of an episode as MCP lists them."""

from typing import Any, Final
from weakref import WeakKeyDictionary

from env_server.domains.kit import Kind, Tool
from env_server.episodes.library import LivePack

RESPOND: Final = "respond"
"""The tool with which the agent speaks."""

OUTPUT: Final = {
    "type": "object",
    "properties": {"result": {"type": "string", "description": "The observation, the very text that /step gives."}},
    "required": ["result"],
    "additionalProperties": False,
}

_SPEAK = {
    "name": RESPOND,
    "description": "Say something to the user. Their answer is the result; `###STOP###` means that they have left. If "
    "it says awaiting_user, they have not answered yet: call again with an empty message to go on waiting.",
    "inputSchema": {
        "type": "object",
        "properties": {"message": {"type": "string", "description": "What the user reads."}},
        "required": ["message"],
        "additionalProperties": False,
    },
    "outputSchema": OUTPUT,
    "annotations": {"readOnlyHint": False, "destructiveHint": False, "idempotentHint": False, "openWorldHint": False},
}

_SPEAK_ALONE = _SPEAK | {
    "description": "Say something where no user takes part. Nobody answers; what the work asked for is noted."
}


class Listing:
    """Lists of tools, each made once per pack."""

    def __init__(self) -> None:
        """Nothing is listed yet."""
        self._made: WeakKeyDictionary[LivePack, dict[bool, list[dict[str, Any]]]] = WeakKeyDictionary()

    def of(self, live: LivePack, *, solo: bool) -> list[dict[str, Any]]:
        """The tools of an episode of `live`, in the order of `/reset`, and `respond` after them."""
        made = self._made.setdefault(live, {})
        if solo not in made:
            tools = live.pack.solo_tools if solo else live.pack.agent_tools
            listed = map(_listed, tools.values(), live.schemas(solo=solo))
            made[solo] = [*listed, _SPEAK_ALONE if solo else _SPEAK]
        return made[solo]


def _listed(tool: Tool, schema: dict[str, Any]) -> dict[str, Any]:
    function, reads = schema["function"], tool.kind is Kind.READ
    return {
        "name": function["name"],
        "description": function["description"],
        "inputSchema": function["parameters"],
        "outputSchema": OUTPUT,
        "annotations": {"readOnlyHint": reads, "destructiveHint": not reads, "openWorldHint": False},
    }
