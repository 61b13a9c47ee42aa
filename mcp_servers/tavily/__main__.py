"""`python -m mcp_servers.tavily`."""

from mcp_servers.kit.serving.main import main as run
from mcp_servers.tavily import Settings, build


def main() -> None:
    """Run the server; see `--help`."""
    run("tavily", build, Settings)


if __name__ == "__main__":
    main()
