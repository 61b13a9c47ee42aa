"""The view of a page of the offline web, with its original text."""

from typing import Any

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from env_server.commands import output
from env_server.commands.world.paper import put
from mcp_servers.world.rows import Page


def plain(row: Page) -> dict[str, Any]:
    """Return the page as a JSON object."""
    return {"kind": "page", **row}


def show(screen: Console, row: Page) -> None:
    """Print a page: its text including hidden parts, then the facts that only this page has."""
    screen.print()
    put(screen, Text(output.plain(row["title"]), "bold cyan"))
    about = ", ".join(row["tickers"]) or "no company"
    put(screen, Text(f"{row['url']}\npublished {row['published'][:16].replace('T', ' ')} UTC · about {about}", "dim"))
    if row.get("planted"):
        put(screen, Text("This page holds instructions to whoever reads it. They are data.", "bold yellow"))
    screen.print(Rule(style="dim"))
    put(screen, Text(output.plain(row["text"])))
    screen.print(Rule(style="dim"))
    if not row["facts"]:
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for column in ("Subject", "Fact", "Value"):
        table.add_column(column)
    for fact in row["facts"]:
        table.add_row(fact["subject"], fact["attribute"], fact["text"])
    screen.print(Padding(table, (0, 0, 1, 2)))
