"""A process that holds a sandbox and is told by lines of JSON what to run in it: `python -m ...host`.

Tests look at it from outside, as somebody who runs a server would.
"""

import json
import sys
from dataclasses import asdict, replace
from typing import Any

import anyio

from mcp_servers.python.sandbox.limits import MB, Limits
from mcp_servers.python.sandbox.pool import ProcessBackend, ProcessConversation

LIMITS = Limits(memory=256 * MB, disk=8 * MB, file=4 * MB, files=200, output=10_000, threads=16)


class Host:
    """The backend and its conversations, by name."""

    def __init__(self) -> None:
        self.backend = ProcessBackend(LIMITS, packages=("numpy",))
        self.conversations: dict[str, ProcessConversation] = {}

    async def start(self) -> dict[str, Any]:
        """Start the backend; the answer names the template's process."""
        facts = await self.backend.start()
        template = self.backend._template
        assert template is not None
        return {**facts, "template": template._process.pid, "base": template.base}

    async def run(self, name: str, code: str, seconds: float | None = None) -> dict[str, Any]:
        """Run code in a conversation; `seconds` holds where the conversation is new."""
        if name not in self.conversations:
            self.conversations[name] = self.backend.open()
        self.backend.limits = replace(LIMITS, seconds=seconds or LIMITS.seconds)
        return asdict(await self.conversations[name].run(code))

    async def where(self, name: str) -> dict[str, Any]:
        """Return the process and the folder of a conversation."""
        process = self.conversations[name]._process
        return {} if process is None else {"pid": process.pid, "folder": process.folder}

    async def end(self, name: str) -> dict[str, Any]:
        """Close a conversation."""
        await self.conversations.pop(name).close()
        return {}


async def serve() -> None:
    """Answer requests, one per line, until standard input ends."""
    host = Host()
    try:
        for line in sys.stdin:
            request = json.loads(line)
            answer = await getattr(host, request.pop("do"))(**request)
            print(json.dumps(answer), flush=True)
    finally:
        await host.backend.close()


if __name__ == "__main__":
    anyio.run(serve)
