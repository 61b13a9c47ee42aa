"""An MCP server on a port that writes down what it is asked to send, one line for each call.

Run as `python counting_server.py PORT FILE`.
"""

import asyncio
import sys
from pathlib import Path

from mcp.server import MCPServer

SENDS_S = 0.15
server: MCPServer[None] = MCPServer("post")


@server.tool()
async def send(text: str) -> str:
    """Send a text. It is sent in the middle of the call."""
    await asyncio.sleep(SENDS_S)
    with Path(sys.argv[2]).open("a", encoding="utf-8") as sent:
        sent.write(f"{text}\n")
    await asyncio.sleep(SENDS_S)
    return f"sent {text}"


if __name__ == "__main__":
    server.run("streamable-http", host="127.0.0.1", port=int(sys.argv[1]), stateless_http=True, json_response=True)
