"""A model plays one episode through the episode's MCP server: it knows a URL, a token and nothing else.

    OPENAI_API_KEY=... OPENAI_MODEL=gpt-5-mini .venv/bin/python examples/mcp_agent.py

OPENAI_BASE_URL names another endpoint. `make serve` starts the server.
"""

import asyncio
import json
import os
import sys
from collections.abc import Iterable
from typing import Any

import httpx2
from mcp import Client, Tool
from mcp.client.streamable_http import streamable_http_client
from mcp.types import TextContent
from openai import AsyncOpenAI, OpenAIError

from trainer_client import AsyncClient, Unreachable

MODEL = os.environ.get("OPENAI_MODEL", "gpt-5-mini")
STATUS: Any = {"agent-env-server/status": True}
"""The `_meta` of a call that asks for the state of the episode in the `_meta` of the result."""


def function(tool: Tool) -> dict[str, Any]:
    """Return a tool of MCP as a function of the chat protocol."""
    described = {"name": tool.name, "description": tool.description, "parameters": tool.input_schema}
    return {"type": "function", "function": described}


def text_of(content: Iterable[Any]) -> str:
    """Return the words of a message or a result."""
    return "\n".join(part.text for part in content if isinstance(part, TextContent))


async def used(client: Client, name: str, arguments: str) -> tuple[str, bool]:
    """Call a tool. Return its result, and whether the episode has ended."""
    try:
        given = json.loads(arguments)
    except ValueError:
        given = None
    if not isinstance(given, dict):
        given = {"arguments": arguments}  # no object is a mistake of the model: the server's answer says so
    result = await client.call_tool(name, given, meta=STATUS)
    return text_of(result.content), bool((result.meta or {})["agent-env-server/done"])


async def agent(mcp_url: str, agent_token: str) -> None:
    """Play until the episode has ended. The agent speaks to the customer by the tool `respond`."""
    headers = {"Authorization": f"Bearer {agent_token}"}
    async with (
        AsyncOpenAI() as model,
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(mcp_url, http_client=http)) as client,
    ):
        prompt = await client.get_prompt("start")  # the policy, how to speak, and what the customer said first
        messages: list[Any] = [{"role": part.role, "content": text_of([part.content])} for part in prompt.messages]
        tools: list[Any] = [function(tool) for tool in (await client.list_tools()).tools]
        done = False
        while not done:
            asked = await model.chat.completions.create(model=MODEL, messages=messages, tools=tools)
            message = asked.choices[0].message.model_dump(exclude_none=True)
            messages.append(message)
            if "tool_calls" not in message:
                return  # plain text reaches nobody, so the agent has given up
            for call in message["tool_calls"]:
                name, arguments = call["function"]["name"], call["function"]["arguments"]
                text, done = await used(client, name, arguments)
                print(f"{name}({arguments})\n  {text}")
                messages.append({"role": "tool", "tool_call_id": call["id"], "content": text})


async def main() -> None:
    """Play the trainer's part: begin an episode, hand its URL and token to the agent, and read the reward."""
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
