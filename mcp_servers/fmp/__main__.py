"""`python -m mcp_servers.fmp`."""

from mcp_servers.fmp import Settings, build
from mcp_servers.kit.serving.main import main as run


def main() -> None:
    """Run the server; see `--help`."""
    run("fmp", build, Settings)


if __name__ == "__main__":
    main()
