"""A model plays one episode through the episode's MCP server: it knows a URL, a token and nothing else.

    OPENAI_API_KEY=... OPENAI_MODEL=gpt-5-mini .venv/bin/python examples/mcp_agent.py

OPENAI_BASE_URL names another endpoint. `make serve` starts the server.
"""

import asyncio
import json
import os
import sys
from typing import Any

import httpx2
from mcp import Client, Tool
from mcp.client.streamable_http import streamable_http_client
from mcp.types import TextContent
from openai import AsyncOpenAI, OpenAIError

from trainer_client import AsyncClient, Unreachable

MODEL = os.environ.get("OPENAI_MODEL", "gpt-5-mini")
STATUS = {"agent-env-server/status": True}
"""Asks for the state of the episode in the `_meta` of a result."""


def function(tool: Tool) -> dict[str, Any]:
    """Return a tool of MCP as a function of the chat protocol."""
    parameters = tool.input_schema
    return {"type": "function", "function": {"name": tool.name, "description": tool.description, "parameters": parameters}}


async def used(client: Client, name: str, arguments: str) -> tuple[str, bool]:
    """Call a tool; return its result, and whether the episode has ended."""
    try:
        given = json.loads(arguments)
    except ValueError as error:
        return f"Error: the arguments are no JSON: {error}", False
    result = await client.call_tool(name, given, meta=STATUS)
    text = "\n".join(part.text for part in result.content if isinstance(part, TextContent))
    return text, bool((result.meta or {})["agent-env-server/done"])


async def agent(mcp_url: str, agent_token: str) -> None:
    """Play until the episode has ended. The agent speaks to the customer by the tool `respond`."""
    headers = {"Authorization": f"Bearer {agent_token}"}
    async with (
        AsyncOpenAI() as model,
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(mcp_url, http_client=http)) as client,
    ):
        prompt = await client.get_prompt("start")  # the policy, how to speak, and what the customer said first
        messages: list[Any] = [{"role": part.role, "content": part.content.text} for part in prompt.messages]
        tools: list[Any] = [function(tool) for tool in (await client.list_tools()).tools]
        done = False
        while not done:
            asked = await model.chat.completions.create(model=MODEL, messages=messages, tools=tools)
            message = asked.choices[0].message
            messages.append(message)
            if not message.tool_calls:
                return  # the agent has given up: nobody hears it
            for call in message.tool_calls:
                text, done = await used(client, call.function.name, call.function.arguments)
                print(f"{call.function.name}({call.function.arguments})\n  {text}")
                messages.append({"role": "tool", "tool_call_id": call.id, "content": text})


async def main() -> None:
    """The trainer's part: begin an episode, hand its address and token to the agent, and read the reward."""
    async with AsyncClient() as trainer:
        async with trainer.reset("retail", split="test", index=0) as episode:
            await agent(str(episode.reply.mcp_url), episode.reply.agent_token)
        print("reward:", episode.reward)


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except Unreachable as error:
        sys.exit(f"{error}. Start a server: make serve")
    except OpenAIError as error:
        sys.exit(f"The model does not answer: {error}")
