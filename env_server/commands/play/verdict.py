"""The explanation of the reward: each component, missing words and calls, and every field that differs from gold."""

import json
from collections.abc import Mapping
from typing import Any

from rich import box
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from agent_env_schemas import StepReply
from env_server.commands.output import plain
from env_server.commands.play.reasons import reason
from env_server.state.fields import ABSENT, row_fields

MOST_FIELDS = 40
"""Maximum number of differing fields shown."""


def show_verdict(console: Console, last: StepReply, turns: int) -> None:
    """Show the reward of the last reply, its components, and the rows that differ from gold's.

    `turns` is the number of the agent's turns.
    """
    parts: list[RenderableType] = [_headline(last, turns)]
    if last.info.reward_breakdown:
        parts += [Text(), _components(last.info.reward_breakdown)]
    if last.info.row_diff:
        parts += [Text(), _rows(last.info.row_diff)]
    colour = {None: "yellow", 1.0: "green"}.get(last.reward, "red")
    console.print(Panel(Group(*parts), title="reward", title_align="left", border_style=colour, box=box.HEAVY))


def _headline(last: StepReply, turns: int) -> Text:
    reward = "not scored" if last.reward is None else f"{last.reward:g}"
    colour = {None: "yellow", 1.0: "green"}.get(last.reward, "red")
    text = Text.assemble(
        (reward, f"bold {colour}"),
        (f"   {last.stop_reason} after {turns} turn{'s' if turns != 1 else ''}", "dim"),
    )
    if last.info.would_be is not None:
        text.append(f"\nIt would have been {last.info.would_be:g}, had the episode come to its own end.", "dim")
    if last.info.partial:
        text.append("\nA component that needs a judge was left out.", "dim")
    return text


def _components(breakdown: Mapping[str, Mapping[str, Any]]) -> Table:
    table = Table.grid(padding=(0, 2))
    for name, found in breakdown.items():
        value = found.get("value")
        mark, colour = ("?", "yellow") if value is None else (("✓", "green") if value == 1 else ("✗", "red"))
        table.add_row(Text(mark, f"bold {colour}"), Text(name, "bold"), reason(name, found))
    return table


def _rows(differing: list[dict[str, Any]]) -> Group:
    """Return the differences line by line: row, field, and both values. Long names then stay whole in 80 columns."""
    lines: list[RenderableType] = []
    shown = 0
    for row in differing:
        title: Text | None = Text(plain(f"{row['table']}/{row['key']}"), "bold")
        for field, expected, actual in row_fields(row["expected"], row["actual"]):
            shown += 1
            if shown <= MOST_FIELDS:
                lines += [] if title is None else [title]
                lines += [Padding(Text(plain(field)), (0, 0, 0, 2)), Padding(_values(expected, actual), (0, 0, 0, 4))]
            title = None
    if shown > MOST_FIELDS:
        lines.append(Text(f"and {shown - MOST_FIELDS} more fields", "dim italic"))
    return Group(*lines)


def _values(expected: Any, actual: Any) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for label, value, colour in (("Expected", expected, "green"), ("Found", actual, "red")):
        cell = _cell(value)
        cell.stylize(colour)
        table.add_row(label, cell)
    return table


def _cell(value: Any) -> Text:
    if value is ABSENT:
        return Text("(none)", "dim italic")
    return Text(plain(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)))
