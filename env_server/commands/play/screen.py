"""How an episode looks in the terminal: who said what, which tool was called and what it answered."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from rich import box
from rich.console import Console, Group, RenderableType
from rich.highlighter import JSONHighlighter
from rich.markdown import Markdown
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from env_server.commands.output import plain
from schemas import Action, EpisodeReply, Message, StepReply

MOST_LINES = 24
"""Lines of a result that are shown at once."""

LINE = 74
"""Characters of a result's line, so that it fits into a frame on a terminal of 80."""

_SIDES = {"user": ("user", "cyan"), "assistant": ("agent", "green"), "system": ("system", "magenta")}


class Screen:
    """Shows one episode on a console."""

    def __init__(self, console: Console) -> None:
        """Show on `console`."""
        self._console = console
        self._begun: EpisodeReply | None = None
        self._last: list[RenderableType] = []

    @property
    def parameters(self) -> dict[str, Mapping[str, Any]]:
        """The tools shown to the agent: name -> schema of its parameters."""
        return {name: function["parameters"] for name, function in self._functions().items()}

    def begin(self, begun: EpisodeReply, *, typed: bool = False) -> None:
        """Show what the episode is, how the talk opens and, if the agent's part is `typed`, where its rules are."""
        self._begun = begun
        info = begun.info
        facts = Table.grid(padding=(0, 2))
        facts.add_column(style="dim", no_wrap=True)
        facts.add_column(overflow="fold")
        facts.add_row("Task", Text.assemble((info.task_id, "bold"), f"  {info.template or ''}"))
        facts.add_row("Data", f"{info.pack}, version {info.pack_version[:12]}")
        facts.add_row("User", f"{info.user}, seed {info.seed}")
        facts.add_row("Limit", f"{info.max_turns} turns")
        facts.add_row("Episode", begun.episode_id)
        if typed:
            facts.add_row("Rules", ":policy shows the rules the agent must obey")
        title = Text(f" {info.domain} ", "bold")
        self._console.print(Panel(facts, title=title, title_align="left", box=box.HEAVY, border_style="magenta"))
        self.messages([message for message in begun.observation if message.role != "system"])

    def action(self, turn: int, action: Action) -> None:
        """Show what the agent does in `turn`."""
        if isinstance(action.content, str) and action.content:
            self._say("assistant", action.content, f"turn {turn}")
        for call in action.tool_calls or ():
            given = call.arguments if isinstance(call.arguments, dict) else {}
            pairs = [(f"{name}", json.dumps(value, ensure_ascii=False)) for name, value in given.items()]
            text = Text.assemble(("→ ", "yellow"), (plain(str(call.name)), "bold yellow"), " ")
            text.append_text(Text(" ").join(Text.assemble((f"{n}=", "dim"), plain(v)) for n, v in pairs))
            text.append(f"  turn {turn}", "dim italic")
            self._console.print(text)

    def reply(self, reply: StepReply) -> None:
        """Show what came back."""
        self.messages([*(reply.info.user_observation or ()), *reply.observation])

    def messages(self, messages: Iterable[Message]) -> None:
        """Show messages: tool results in a frame, words with who said them."""
        self._last = []
        for message in messages:
            if message.role == "tool":
                self._result(message.content)
            else:
                self._say(message.role, message.content)

    def tools(self) -> None:
        """Show the tools with their arguments."""
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_lines=True)
        table.add_column("Tool", style="bold yellow", no_wrap=True)
        table.add_column("Arguments")
        table.add_column("What it does", style="dim")
        for name, function in self._functions().items():
            table.add_row(name, _arguments(function["parameters"]), plain(function["description"]))
        self._console.print(table)

    def policy(self) -> None:
        """Show what the agent must obey."""
        found = self._begun.observation if self._begun else []
        for message in found:
            if message.role == "system":
                self._console.print(Panel(Markdown(plain(message.content)), title="policy", border_style="dim"))

    def last(self) -> None:
        """Show the last results in full."""
        for result in self._last:
            self._console.print(result)

    def commands(self, known: Iterable[tuple[str, str]]) -> None:
        """Show what may be typed."""
        table = Table.grid(padding=(0, 3))
        for typed, meaning in known:
            table.add_row(Text(f"  {typed}", "bold"), Text(meaning, "dim"))
        self._console.print(table)

    def wish(self, instruction: str) -> None:
        """Show the person who plays the customer what the customer wants."""
        text = Text(plain(instruction))
        self._console.print(Panel(text, title="your part as the customer", title_align="left", border_style="cyan"))

    def hint(self, text: str) -> None:
        """Show why something typed was not sent."""
        self._console.print(Padding(Text(plain(text), "yellow"), (0, 0, 0, 2)))

    def _functions(self) -> dict[str, Any]:
        found = self._begun.tools if self._begun else []
        return {tool["function"]["name"]: tool["function"] for tool in found}

    def _say(self, role: str, content: str, note: str = "") -> None:
        name, colour = _SIDES.get(role, (role, "white"))
        title = Text.assemble((name, f"bold {colour}"), (f"  {note}" if note else "", "dim italic"))
        self._console.print(
            Panel(Text(plain(content)), title=title, title_align="left", border_style=colour, box=box.ROUNDED)
        )

    def _result(self, content: str) -> None:
        whole = _readable(content)
        self._last.append(whole)
        lines = whole.plain.count("\n") + 1
        shown: RenderableType = whole
        if lines > MOST_LINES:
            left = Text(f"… {lines - MOST_LINES} more lines", "dim italic")
            shown = Group(Text("\n").join(whole.split("\n")[:MOST_LINES]), left)
        failed = content.startswith("Error")
        self._console.print(Panel(shown, border_style="red" if failed else "dim", box=box.ROUNDED))


def _readable(content: str) -> Text:
    """A result, laid out and coloured where it is JSON."""
    try:
        value = json.loads(content)
    except ValueError:
        return Text(plain(content))
    if not isinstance(value, dict | list):
        return Text(plain(content))
    return JSONHighlighter()(plain(laid_out(value)))


def laid_out(value: Any, indent: str = "") -> str:
    """JSON in which whatever fits on a line of `LINE` characters is on one line."""
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
