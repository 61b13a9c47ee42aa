"""The application with one episode more: what the official suite asks for, behind the same gate and endpoint.

It is a module of the tests, so that no server that anybody runs has it.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI
from mcp import MCPError
from mcp.server.lowlevel import Server
from mcp.types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    GetPromptRequestParams,
    PaginatedRequestParams,
    ReadResourceRequestParams,
)

from env_server.api.mcp.endpoint import Endpoint, anybody
from env_server.api.mcp.episode import Answer, Context, bare_server
from env_server.api.mcp.results import complete
from env_server.app import create_app
from env_server.episodes.address import mcp_path
from env_server.settings import Settings
from tests.conformance import fixtures

EPISODE = "conformance"
MISSING_CAPABILITY = -32021


def app() -> FastAPI:
    """The application with the suite's episode; settings come from the environment, as a server's do."""
    settings = Settings()
    made = create_app(settings)
    endpoint = Endpoint(suite_server(), anybody, streams=settings.mcp_streams)
    made.state.mcp[mcp_path(EPISODE)] = endpoint
    inner = made.router.lifespan_context

    @asynccontextmanager
    async def lifespan(given: FastAPI) -> AsyncIterator[None]:
        async with inner(given), endpoint.run():
            yield

    made.router.lifespan_context = lifespan
    return made


def suite_server() -> Server[Any]:
    """A server made as an episode's is, with the suite's tools, prompts and resources."""

    async def list_tools(_ctx: Context, _params: PaginatedRequestParams) -> Answer:
        return complete(tools=fixtures.TOOLS)

    async def list_prompts(_ctx: Context, _params: PaginatedRequestParams) -> Answer:
        return complete(prompts=fixtures.PROMPTS)

    async def list_resources(_ctx: Context, _params: PaginatedRequestParams) -> Answer:
        return complete(resources=fixtures.RESOURCES)

    async def list_templates(_ctx: Context, _params: PaginatedRequestParams) -> Answer:
        return complete(resourceTemplates=fixtures.TEMPLATES)

    server = bare_server("agent-env-server", "For the conformance suite.")
    server.get_tool_input_schema = fixtures.schema
    server.add_request_handler("tools/list", PaginatedRequestParams, list_tools)
    server.add_request_handler("tools/call", CallToolRequestParams, call_tool)
    server.add_request_handler("prompts/list", PaginatedRequestParams, list_prompts)
    server.add_request_handler("prompts/get", GetPromptRequestParams, get_prompt)
    server.add_request_handler("resources/list", PaginatedRequestParams, list_resources)
    server.add_request_handler("resources/templates/list", PaginatedRequestParams, list_templates)
    server.add_request_handler("resources/read", ReadResourceRequestParams, read_resource)
    return server


async def call_tool(ctx: Context, params: CallToolRequestParams) -> Answer:
    """Answer as the suite expects of each tool."""
    if params.name not in fixtures.CONTENTS:
        raise MCPError(INVALID_PARAMS, f"Unknown tool: {params.name}")
    if params.name == "test_tool_with_progress":
        for done in (0, 50, 100):
            await ctx.session.report_progress(done, 100, f"Completed step {done} of 100")
            await asyncio.sleep(0.05)
    if params.name == "test_missing_capability":
        offered = ctx.session.client_capabilities
        if offered is None or offered.sampling is None:
            needed: Answer = {"requiredCapabilities": {"sampling": {}}}
            raise MCPError(MISSING_CAPABILITY, "This tool requires the client's sampling capability", needed)
    return complete(content=fixtures.CONTENTS[params.name], isError=params.name == "test_error_handling")


async def get_prompt(_ctx: Context, params: GetPromptRequestParams) -> Answer:
    """One of the suite's prompts."""
    return complete(messages=fixtures.messages(params.name, params.arguments or {}))


async def read_resource(_ctx: Context, params: ReadResourceRequestParams) -> Answer:
    """One of the suite's resources."""
    uri = str(params.uri)
    if uri not in fixtures.READ:
        raise MCPError(INVALID_PARAMS, "Resource not found", {"uri": uri})
    return complete(contents=[{"uri": uri, **fixtures.READ[uri]}])
