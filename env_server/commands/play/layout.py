"""Layout of results and tools for the terminal."""

import json
from collections.abc import Mapping
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.highlighter import JSONHighlighter
from rich.table import Table
from rich.text import Text

from env_server.commands.output import plain

MOST_LINES = 24
"""Maximum number of lines of a result that are shown at once."""

LINE = 74
"""Width of a result's line in characters. It fits into a frame on a terminal of 80 columns."""


def readable(content: str) -> Text:
    """Return a result as text; JSON is indented and coloured."""
    try:
        value = json.loads(content)
    except ValueError:
        return Text(plain(content))
    if not isinstance(value, dict | list):
        return Text(plain(content))
    return JSONHighlighter()(plain(laid_out(value)))


def cut(whole: Text) -> RenderableType:
    """Return the first lines of a result and the number of the remaining ones."""
    lines = whole.plain.count("\n") + 1
    if lines <= MOST_LINES:
        return whole
    left = Text(f"… {lines - MOST_LINES} more lines", "dim italic")
    return Group(Text("\n").join(whole.split("\n")[:MOST_LINES]), left)


def laid_out(value: Any, indent: str = "") -> str:
    """Return indented JSON. A value that fits on a line of `LINE` characters stays on one line."""
    flat = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or len(indent) + len(flat) <= LINE:
        return flat
    deeper = indent + "  "
    if isinstance(value, dict):
        parts = [f"{json.dumps(k, ensure_ascii=False)}: {laid_out(v, deeper)}" for k, v in value.items()]
    else:
        parts = [laid_out(v, deeper) for v in value]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return f"{opening}\n{deeper}" + f",\n{deeper}".join(parts) + f"\n{indent}{closing}"


def call_line(name: Any, arguments: Any, note: str, who: str = "") -> Text:
    """Return a call on one line: its tool, its arguments, and a `note`. `who` is the caller if it is not the agent."""
    given = _object(arguments)
    text = Text.assemble((f"{who} → " if who else "→ ", "yellow"), (plain(str(name)), "bold yellow"), " ")
    pairs = [(f"{n}=", json.dumps(value, ensure_ascii=False)) for n, value in given.items()]
    text.append_text(Text(" ").join(Text.assemble((plain(n), "dim"), plain(value)) for n, value in pairs))
    return text.append(f"  {note}", "dim italic")


def _object(arguments: Any) -> dict[str, Any]:
    """Return arguments as a dict. Models may write them as JSON text."""
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except ValueError:
            return {"": arguments}
    return arguments if isinstance(arguments, dict) else {}


def tool_table(functions: Mapping[str, Mapping[str, Any]]) -> Table:
    """Return a table of tools with their arguments."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_lines=True)
    table.add_column("Tool", style="bold yellow", no_wrap=True)
    table.add_column("Arguments")
    table.add_column("What it does", style="dim")
    for name, function in functions.items():
        table.add_row(name, _arguments(function["parameters"]), plain(function["description"]))
    return table


def _arguments(parameters: Mapping[str, Any]) -> Text:
    required = parameters.get("required", ())
    named = [
        Text.assemble(name, (f" {_kind(schema)}", "dim"), ("" if name in required else " optional", "dim italic"))
        for name, schema in parameters.get("properties", {}).items()
    ]
    return Text("\n").join(named)


def _kind(schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    if schema.get("type") == "array":
        return f"{_kind(schema.get('items', {}))}s"
    return str(schema.get("type", "value"))
