"""`python -m mcp_servers.slack`."""

from mcp_servers.kit.serving.main import main as run
from mcp_servers.slack import Settings, build


def main() -> None:
    """Run the server; see `--help`."""
    run("slack", build, Settings)


if __name__ == "__main__":
    main()
