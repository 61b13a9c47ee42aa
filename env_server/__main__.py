"""The program `env-server`. If only the client's packages are installed, it exits with one line that says so."""

import sys


def main() -> None:
    """Run the command line."""
    try:
        from env_server.cli import app  # noqa: PLC0415 - its dependencies may not be installed
    except ModuleNotFoundError as e:
        if e.name != "typer":
            raise
        sys.exit("error: the server is not installed: pip install '.[server]' in a checkout")
    app()


if __name__ == "__main__":
    main()
