"""The program `env-server`. Where only the client's packages are installed, one line says what is missing."""

import sys


def main() -> None:
    """Run the command line."""
    try:
        from env_server.cli import app  # noqa: PLC0415 - what it imports may be absent
    except ModuleNotFoundError as e:
        if e.name != "typer":
            raise
        sys.exit("error: the server is not installed: pip install 'agent-env-server[server]'")
    app()


if __name__ == "__main__":
    main()
