"""`python -m mcp_servers.python`."""

import sys

from mcp_servers.kit.serving.main import main as run
from mcp_servers.python import Settings, build
from mcp_servers.python.sandbox.result import Unusable


def main() -> None:
    """Run the server; see `--help`."""
    try:
        run("python", build, Settings)
    except Unusable as problem:
        sys.exit(f"mcp-python: {problem} MCP_SERVERS_PYTHON_BACKEND=monty needs none of that.")


if __name__ == "__main__":
    main()
