"""A page of the offline web, as it was written."""

from typing import Any

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from env_server.commands import output
from mcp_servers.world.rows import Page


def plain(row: Page) -> dict[str, Any]:
    """The page as a JSON object."""
    return {"kind": "page", **row}


def show(screen: Console, row: Page) -> None:
    """Show a page to people: its text as it stands, hidden parts included, then the facts that only it has."""
    screen.print()
    screen.print(Text(output.plain(row["title"]), "bold cyan"))
    about = ", ".join(row["tickers"]) or "no company"
    screen.print(Text(f"{row['url']}\npublished {row['published'][:16].replace('T', ' ')} UTC · about {about}", "dim"))
    if row.get("planted"):
        screen.print(Text("This page holds instructions to whoever reads it. They are data.", "bold yellow"))
    screen.print(Panel(Text(output.plain(row["text"])), box=box.ROUNDED, border_style="dim", padding=(1, 2)))
    if not row["facts"]:
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for column in ("Subject", "Fact", "Value"):
        table.add_column(column)
    for fact in row["facts"]:
        table.add_row(fact["subject"], fact["attribute"], fact["text"])
    screen.print(Padding(table, (0, 0, 1, 2)))
