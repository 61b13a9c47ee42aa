"""`python -m mcp_servers.slack`."""

from mcp_servers.kit.main import main as run
from mcp_servers.slack import build
from mcp_servers.slack.settings import SlackSettings


def main() -> None:
    """Run the server; see `--help`."""
    run("slack", build, SlackSettings)


if __name__ == "__main__":
    main()
