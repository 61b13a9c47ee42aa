"""An episode's tools for verifiers' harnesses: a tool server that verifiers runs, which calls the episode's own."""

from contextlib import AbstractAsyncContextManager
from typing import Any, cast

from mcp import Client, MCPError
from mcp.server.mcpserver import Context, MCPServer
from mcp.types import CallToolResult, TextContent, Tool
from verifiers.v1 import State
from verifiers.v1.mcp import SharedToolsetConfig, Toolset

from agent_env_schemas import RESPOND, EpisodeReply
from trainer_client.client.connection import CONNECT_PATIENCE_S, PATIENCE_S
from trainer_client.client.progress import Progress
from trainer_client.client.retry import Retrier
from trainer_client.integrations.access import call_meta
from trainer_client.integrations.mcp_sdk import mcp_client

AWAY = "Error: the environment cannot be reached."


class EpisodeState(State):
    """How a rollout reaches its episode. verifiers keeps it out of the records of the rollout."""

    url: str = ""
    mcp_url: str = ""
    agent_token: str = ""
    failure: str = ""
    """Why a call could not be played; the rollout is then not scored."""


class EpisodeToolset(Toolset[SharedToolsetConfig, EpisodeState]):
    """The tools of each rollout's episode, but for `respond`: here the model's own messages reach the user."""

    TOOL_PREFIX = None

    def register(self, mcp: MCPServer[Any]) -> None:
        """List and call the episode's tools in the place of tools of this process."""
        server = cast(Any, mcp)
        server.list_tools = self._with_state(self.list_tools)
        server.call_tool = self._with_state(self.call_tool)

    async def list_tools(self) -> list[Tool]:
        """The tools of the calling rollout's episode."""
        async with self._agent(self._progress()) as agent:
            return [tool for tool in (await agent.list_tools()).tools if tool.name != RESPOND]

    async def call_tool(self, name: str, arguments: dict[str, Any], _context: Context | None = None) -> CallToolResult:
        """Play a call as a turn of the episode; a call that cannot be played becomes the state's `failure`."""
        progress = self._progress()
        try:
            async with self._agent(progress) as agent:
                return await agent.call_tool(name, arguments, meta=cast(Any, call_meta()))
        except MCPError as error:
            if progress.failure is None:
                raise  # the model's own mistake
            self.state.failure = str(error)
            return CallToolResult(content=[TextContent(type="text", text=AWAY)], is_error=True)

    def _agent(self, progress: Progress) -> AbstractAsyncContextManager[Client]:
        return mcp_client(progress)

    def _progress(self) -> Progress:
        """The episode, as far as a client of its MCP endpoint has to know it."""
        access: dict[str, Any] = {"mcp_url": self.state.mcp_url, "agent_token": self.state.agent_token}
        reply = EpisodeReply.model_construct(**{"episode_id": "", "turn": 0, "observation": [], **access})
        return Progress(reply, Retrier(self.state.url, PATIENCE_S, CONNECT_PATIENCE_S))


if __name__ == "__main__":
    EpisodeToolset.run()
