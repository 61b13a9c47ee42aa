"""`python -m mcp_servers.polygon`."""

from mcp_servers.kit.serving.main import main as run
from mcp_servers.polygon import Settings, build


def main() -> None:
    """Run the server."""
    run("polygon", build, Settings)


if __name__ == "__main__":
    main()
