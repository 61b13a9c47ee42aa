"""One MCP server for all episodes. The client of a request sees the tools of the request's episode and no others."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.types import CallToolRequestParams, GetPromptRequestParams, PaginatedRequestParams, ReadResourceRequestParams

from agent_env_schemas import USER_STOP
from env_server.api.mcp import resources as reading
from env_server.api.mcp.calls import Player
from env_server.api.mcp.errors import check_answers, problems_told
from env_server.api.mcp.results import complete
from env_server.api.mcp.tools import Listing
from env_server.api.openapi import VERSION
from env_server.episodes import Episodes
from env_server.episodes.episode import Episode
from env_server.telemetry import traces

INSTRUCTIONS = (
    "You work by calling tools, as a rule for a user. Read the prompt `start` (or the resource episode://policy) first "
    "and obey the policy. All talk goes through the tool `respond`, whose result is the user's answer; plain text that "
    f"you write outside of it reaches nobody. After `{USER_STOP}`, "
    "or when a call answers that the episode is finished, your work is done."
)

_FOREVER = CacheHint(ttl_ms=3_600_000, scope="private")
"""Cache hint of all lists. The lists of an episode never change, but they are private to the episode."""

Context = ServerRequestContext[Any, Any]
Answer = dict[str, Any]


@dataclass(frozen=True, slots=True)
class McpEpisode:
    """The episode that a client plays."""

    episodes: Episodes
    episode_id: str

    async def episode(self) -> Episode:
        """Return the live episode.

        Raises:
            ProblemError: if there is none.
        """
        return await self.episodes.episode(self.episode_id)


Seats = Callable[[Context], McpEpisode]
"""Returns the episode that a request is about."""


def episode_server(played_by: Seats, player: Player) -> Server[Any]:
    """Return an MCP server whose calls `player` plays. `played_by` returns the episode of a request."""
    listing = Listing()

    async def list_tools(ctx: Context, _params: PaginatedRequestParams) -> Answer:
        played = played_by(ctx)
        with problems_told(played.episode_id):
            return complete(tools=listing.of(await played.episode()))

    async def call_tool(ctx: Context, params: CallToolRequestParams) -> Answer:
        check_answers(params)
        played = played_by(ctx)
        where = played.episodes, played.episode_id
        report = ctx.session.report_progress
        return await player.call(*where, params.name, params.arguments, params.meta, report)

    async def list_resources(_ctx: Context, _params: PaginatedRequestParams) -> Answer:
        return complete(resources=reading.RESOURCES)

    async def list_templates(_ctx: Context, _params: PaginatedRequestParams) -> Answer:
        return complete(resourceTemplates=[])

    async def read_resource(ctx: Context, params: ReadResourceRequestParams) -> Answer:
        played = played_by(ctx)
        with problems_told(played.episode_id):
            return reading.read(played.episodes, await played.episode(), str(params.uri))

    async def list_prompts(_ctx: Context, _params: PaginatedRequestParams) -> Answer:
        return complete(prompts=reading.PROMPTS)

    async def get_prompt(ctx: Context, params: GetPromptRequestParams) -> Answer:
        played = played_by(ctx)
        with problems_told(played.episode_id):
            return reading.start(played.episodes, await played.episode(), params.name)

    server = bare_server("agent-env-server", INSTRUCTIONS)
    server.add_request_handler("tools/list", PaginatedRequestParams, list_tools)
    server.add_request_handler("tools/call", CallToolRequestParams, call_tool)
    server.add_request_handler("resources/list", PaginatedRequestParams, list_resources)
    server.add_request_handler("resources/templates/list", PaginatedRequestParams, list_templates)
    server.add_request_handler("resources/read", ReadResourceRequestParams, read_resource)
    server.add_request_handler("prompts/list", PaginatedRequestParams, list_prompts)
    server.add_request_handler("prompts/get", GetPromptRequestParams, get_prompt)
    return server


class _Stamped(Server[Any]):
    """A server that builds its info stamp directly. The SDK would deep-copy the two strings for each result."""

    @property
    def server_info_stamp(self) -> dict[str, Any]:
        """Return name and version."""
        return {"name": self.name, "version": self.version}


def bare_server(name: str, instructions: str) -> Server[Any]:
    """Return a server without handlers, and without middleware unless this process is traced."""
    server = _Stamped(
        name,
        version=VERSION,
        instructions=instructions,
        cache_hints={
            "tools/list": _FOREVER,
            "resources/list": _FOREVER,
            "resources/read": _FOREVER,
            "resources/templates/list": _FOREVER,
            "prompts/list": _FOREVER,
        },
        get_tool_input_schema=lambda _name: None,  # else each call would list the tools, for headers that are not used
    )
    if not traces.on():
        server.middleware.clear()  # removes OpenTelemetry's, which costs time at every request even without tracing
    return server
