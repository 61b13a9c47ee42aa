"""The command line."""

import typer

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Host episodes of tool-use domains.")
