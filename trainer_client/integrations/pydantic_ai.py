"""Pydantic AI (`pydantic-ai-slim[mcp]`)."""

from typing import Any

from pydantic_ai.mcp import MCPToolset

from trainer_client.integrations.access import CALL_S, access
from trainer_client.progress import Progress


def toolset(episode: Progress) -> MCPToolset[Any]:
    """The episode's tools for `Agent(toolsets=[...])`. A tool's error is told to the model and does not end the run."""
    url, headers = access(episode)
    return MCPToolset(url, id=episode.id, headers=headers, tool_error_behavior="failed", read_timeout=CALL_S)
