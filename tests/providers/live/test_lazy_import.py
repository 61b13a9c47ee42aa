"""The MCP SDK is imported only when a server is called for."""

import subprocess
import sys

from tests.providers.live.blocks import ROOT

CODE = """
import asyncio, sys
from env_server.providers.live.config import parse_config
from env_server.providers.live.manager import ToolManager
from env_server.providers.live.provider import LiveProvider
async def main():
    manager = ToolManager(parse_config({"mcpServers": {}}))
    await manager.start()
    assert LiveProvider(manager).tools() == ()
    await manager.aclose()
asyncio.run(main())
assert "mcp" not in sys.modules
"""


def test_without_servers_the_sdk_is_not_imported() -> None:
    """A manager without servers starts and ends without importing the SDK, which takes long."""
    subprocess.run([sys.executable, "-c", CODE], cwd=ROOT, check=True)
