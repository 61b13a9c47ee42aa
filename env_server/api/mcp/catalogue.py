"""The catalogue: an MCP server for trainers, who find tasks with it, begin episodes, play them and read them.

Agents cannot reach the catalogue. The gate accepts an agent token for the tools of its own episode only. So an agent
cannot begin another episode, read a reward, or read gold.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

import orjson
from fastapi import Request
from mcp import MCPError
from mcp.server.lowlevel import Server
from mcp.types import INVALID_PARAMS, CallToolRequestParams, PaginatedRequestParams
from pydantic import ConfigDict, Field, ValidationError

from agent_env_schemas import (
    Difficulty,
    DomainList,
    ErrorCode,
    ResetRequest,
    StepReply,
    StepRequest,
    TaskList,
    TaskOrder,
    Trajectory,
    Wire,
)
from agent_env_schemas.base import EpisodeId, Label
from env_server.api.body import cleaned
from env_server.api.context import address, caller, episodes, resolved
from env_server.api.mcp.episode import Answer, Context, bare_server
from env_server.api.mcp.errors import check_answers, rpc_error
from env_server.api.mcp.results import complete
from env_server.api.problems import from_validation, problem_fields
from env_server.episodes.codec.text import dumps
from env_server.episodes.outages import outages_told
from env_server.episodes.packs.task_filter import TaskFilter
from env_server.errors import ProblemError

INSTRUCTIONS = (
    "Find a task with `domains` and `tasks`, begin an episode with `reset`, play it with `step`; the last reply has "
    "the reward. Hand its `mcp_url` and `agent_token` to the agent that is to play it over MCP instead."
)


class Nothing(Wire):
    """No arguments."""


class TasksAsked(Wire):
    """Which page of the listed tasks."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    domain: Label
    pack: Label = "builtin"
    split: Label | None = None
    difficulty: Difficulty | None = None
    """A level from 1 to 5 or a range, such as `"1-3"`. The default is all levels."""
    order: TaskOrder = "id"
    """`id`: as in the splits, with ascending ids. `difficulty`: from easy to hard, and by id within a level."""
    offset: Annotated[int, Field(ge=0, le=10**9)] = 0
    limit: Annotated[int, Field(ge=1, le=1000)] = 50


class EpisodeAsked(Wire):
    """Which episode; `latest` is the one you began last."""

    episode_id: EpisodeId


W = TypeVar("W", bound=Wire)
Run = Callable[[Request, Any], Awaitable[bytes]]


@dataclass(frozen=True, slots=True)
class CatalogueTool:
    """A tool of the catalogue: its argument model, its result model (None if there are several), and its function."""

    takes: type[Wire]
    gives: type[Wire] | None
    run: Run
    reads: bool = True

    def listed(self, name: str) -> Answer:
        """Return the entry of `tools/list`. The description is the docstring of the function."""
        found = {
            "name": name,
            "description": self.run.__doc__,
            "inputSchema": {"type": "object", **self.takes.model_json_schema()},
            "annotations": {"readOnlyHint": self.reads, "destructiveHint": False, "openWorldHint": False},
        }
        if self.gives is not None:
            found["outputSchema"] = self.gives.model_json_schema()
        return found


async def _domains(request: Request, _asked: Nothing) -> bytes:
    """The domains this server hosts, with their packs, splits and tools."""
    found = await episodes(request).catalogue.domains()
    return DomainList.model_validate(found).model_dump_json().encode()


async def _tasks(request: Request, asked: TasksAsked) -> bytes:
    """A page of the listed tasks of a domain."""
    wanted = TaskFilter(asked.split, asked.difficulty, asked.order)
    page = await episodes(request).catalogue.tasks(asked.domain, asked.pack, wanted, asked.offset, asked.limit)
    return TaskList.model_validate(page).model_dump_json().encode()


async def _reset(request: Request, asked: ResetRequest) -> bytes:
    """Begin an episode, or with `n` a group of episodes of one task."""
    return await episodes(request).reset(asked, caller(request), address(request))


async def _step(request: Request, asked: StepRequest) -> bytes:
    """Play one turn: one message of the agent and the environment's whole reply to it, with its reward."""
    await episodes(request).quotas.pace_step(caller(request))
    return await episodes(request).step(resolved(request, asked))


async def _trajectory(request: Request, asked: EpisodeAsked) -> bytes:
    """The whole record of an episode."""
    reader = episodes(request).reader
    return dumps(await asyncio.to_thread(reader.trajectory, resolved(request, asked.episode_id))).encode()


OFFERS = {
    "domains": CatalogueTool(Nothing, DomainList, _domains),
    "tasks": CatalogueTool(TasksAsked, TaskList, _tasks),
    "reset": CatalogueTool(ResetRequest, None, _reset, reads=False),
    "step": CatalogueTool(StepRequest, StepReply, _step, reads=False),
    "trajectory": CatalogueTool(EpisodeAsked, Trajectory, _trajectory),
}


def catalogue_server() -> Server[Any]:
    """Return the MCP server of the catalogue."""
    listed = [offer.listed(name) for name, offer in OFFERS.items()]

    async def list_tools(_ctx: Context, _params: PaginatedRequestParams) -> Answer:
        return complete(tools=listed)

    async def call_tool(ctx: Context, params: CallToolRequestParams) -> Answer:
        check_answers(params)
        offer = OFFERS.get(params.name)
        if offer is None:
            raise MCPError(INVALID_PARAMS, f"Unknown tool: {params.name}")
        request: Any = ctx.request
        try:
            with outages_told():
                reply = await offer.run(request, _read(offer.takes, params.arguments))
        except ProblemError as e:
            if e.code is ErrorCode.STORAGE_UNAVAILABLE:
                raise rpc_error(e) from e
            return _said(orjson.dumps(problem_fields(e, request.state.request_id)), None, failed=True)
        return _said(reply, orjson.loads(reply), failed=False)

    server = bare_server("agent-env-server", INSTRUCTIONS)
    server.add_request_handler("tools/list", PaginatedRequestParams, list_tools)
    server.add_request_handler("tools/call", CallToolRequestParams, call_tool)
    return server


def _read(model: type[W], arguments: dict[str, Any] | None) -> W:
    try:
        return model.model_validate(cleaned(arguments or {}))
    except ValidationError as e:
        raise from_validation(e) from e


def _said(text: bytes, structure: Any, *, failed: bool) -> Answer:
    """Return a tool result with `text` as content. A reply has `structure` too; a problem has text only."""
    content = [{"type": "text", "text": text.decode()}]
    return complete(content=content, structuredContent=structure, isError=failed)
