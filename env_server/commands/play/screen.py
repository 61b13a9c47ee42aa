"""The terminal view of an episode: messages, tool calls and results."""

from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import Any

from rich import box
from rich.console import Console, RenderableType
from rich.markdown import Markdown
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from agent_env_schemas import Action, EpisodeReply, Message, StepReply, UserStrategy
from env_server.commands.output import plain
from env_server.commands.play.layout import call_line, cut, readable, tool_table

_SIDES = {"user": ("user", "cyan"), "assistant": ("agent", "green"), "system": ("system", "magenta")}

AT_WORK = "· {}: the agent used its tools; :calls shows how"

UNSEATED = (UserStrategy.EXTERNAL, UserStrategy.NONE)
"""User strategies that the server does not play."""


class Screen:
    """Shows one episode on a console, either completely or as the customer sees it."""

    def __init__(self, console: Console, *, veiled: bool = False) -> None:
        """Show on `console`. If `veiled`, hide the agent's calls and their results."""
        self.console = console
        self._begun: EpisodeReply | None = None
        self._last: list[RenderableType] = []
        self._veiled = veiled
        self._kept: list[tuple[int, Action, StepReply]] = []
        self._acted: tuple[int, Action] | None = None
        self._told = 0  # number of hidden turns that the screen has mentioned
        self.turns = 0
        """Number of the agent's messages that have been played."""

    def begin(self, begun: EpisodeReply, *, typed: bool = False) -> None:
        """Show the episode's facts and opening messages. If `typed`, a person plays the agent, so mention `:policy`."""
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
        self.console.print(Panel(facts, title=title, title_align="left", box=box.HEAVY, border_style="magenta"))
        self.messages([message for message in begun.observation if message.role != "system"])

    def action(self, turn: int, action: Action) -> None:
        """Show the agent's action in `turn`.

        If veiled, wait for the reply, which says whether the action reached the user.
        """
        if self._veiled:
            self._acted = turn, action
        else:
            self._print(_done(turn, action))

    def reply(self, reply: StepReply) -> None:
        """Show the reply to a message of either side."""
        self.turns = reply.turn
        for call in reply.info.user_calls or ():
            self._print([call_line(call.name, call.arguments, call.error or "", who="user")])
        acted, self._acted = self._acted, None
        if acted is not None and not reply.info.awaiting_user and not reply.done:
            self._kept.append((*acted, reply))
            return
        self._tell_of_kept()
        self._print([] if acted is None else _done(*acted))
        self.messages([*(reply.info.user_observation or ()), *reply.observation])

    def messages(self, messages: Iterable[Message]) -> None:
        """Show messages: tool results in a frame, and words with their speaker."""
        self._last = []
        for message in messages:
            shown = self._result(message.content) if message.role == "tool" else _said(message.role, message.content)
            self._print([shown])

    def calls(self) -> None:
        """Show the hidden turns and all later ones. If nothing is hidden, hide the agent's calls from now on."""
        kept, self._kept, self._told = self._kept, [], 0
        for turn, action, reply in kept:
            self._print(_done(turn, action))
            self.messages(reply.observation)
        self._veiled = not self._veiled
        self.hint("from now on the agent's calls are " + ("not shown" if self._veiled else "shown"))

    def tools(self, functions: dict[str, Any]) -> None:
        """Show tools with their arguments."""
        self._print([tool_table(functions)] if functions else [Text("  none", "dim")])

    def policy(self) -> None:
        """Show the policy that the agent must obey."""
        found = self._begun.observation if self._begun else []
        for message in found:
            if message.role == "system":
                self.console.print(Panel(Markdown(plain(message.content)), title="policy", border_style="dim"))

    def last(self) -> None:
        """Show the last results in full."""
        self._print(self._last)

    def commands(self, known: Iterable[tuple[str, str]]) -> None:
        """Show the possible inputs."""
        table = Table.grid(padding=(0, 3))
        for typed, meaning in known:
            table.add_row(Text(typed, "bold"), Text(meaning, "dim"))
        self.console.print(Padding(table, (0, 0, 0, 2)))

    def wish(self, instruction: str) -> None:
        """Show the customer's instruction to the person who plays the customer."""
        text = Text(plain(instruction))
        self.console.print(Panel(text, title="your part as the customer", title_align="left", border_style="cyan"))

    def hint(self, text: str) -> None:
        """Show a message of this program itself, such as why an input was not sent."""
        self.console.print(Padding(Text(plain(text), "yellow"), (0, 0, 0, 2)))

    def waiting(self, who: str) -> AbstractContextManager[object]:
        """Show who is awaited while the context is open, if the console is a terminal.

        A user who is not played by the server is not awaited, so the text names the server then.
        """
        if who == "user" and self._begun is not None and self._begun.info.user in UNSEATED:
            who = "server"
        return self.console.status(Text(f"waiting for the {who}", "dim"), spinner_style="dim")

    def _tell_of_kept(self) -> None:
        """Name the turns that were hidden since the agent last spoke. Each turn is named once."""
        new, self._told = [turn for turn, _, _ in self._kept[self._told :]], len(self._kept)
        if new:
            turns = f"turn {new[0]}" if len(new) == 1 else f"turns {new[0]} to {new[-1]}"
            self.console.print(Text(AT_WORK.format(turns), "dim italic"))

    def _print(self, shown: Iterable[RenderableType]) -> None:
        for one in shown:
            self.console.print(one)

    def _result(self, content: str) -> Panel:
        whole = readable(content)
        self._last.append(whole)
        return Panel(cut(whole), border_style="red" if content.startswith("Error") else "dim", box=box.ROUNDED)


def _done(turn: int, action: Action) -> list[RenderableType]:
    """Return the agent's words and calls."""
    note, plain_action = f"turn {turn}", action.plain()
    shown: list[RenderableType] = (
        [_said("assistant", plain_action["content"], note)] if plain_action.get("content") else []
    )
    for call in plain_action.get("tool_calls", ()):
        found = call if isinstance(call, dict) else {}
        shown.append(call_line(found.get("name"), found.get("arguments"), note))
    return shown


def _said(role: str, content: str, note: str = "") -> Panel:
    name, colour = _SIDES.get(role, (role, "white"))
    title = Text.assemble((name, f"bold {colour}"), (f"  {note}" if note else "", "dim italic"))
    return Panel(Text(plain(content)), title=title, title_align="left", border_style=colour, box=box.ROUNDED)
