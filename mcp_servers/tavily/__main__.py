"""`python -m mcp_servers.tavily`."""

from mcp_servers.kit.main import main as run
from mcp_servers.tavily import build
from mcp_servers.tavily.settings import TavilySettings


def main() -> None:
    """Run the server; see `--help`."""
    run("tavily", build, TavilySettings)


if __name__ == "__main__":
    main()
