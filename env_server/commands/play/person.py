"""The person at the terminal as a player."""

import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, NoReturn

from rich.console import Console

from env_server.commands.play.screen import Screen
from env_server.commands.play.typed import Command, TypingError, understand
from env_server.policies.rollout import STOP
from schemas import Action

GREEN, CYAN = 32, 36
"""Colours of prompts, as terminals number them; `input` must be given the codes itself to know the prompt's width."""

HELP = (
    ("words", "say them to the user"),
    ('tool_name {"argument": "value"}', "call a tool"),
    ("tool_name argument=value other=1,2", "the same, with less typing"),
    (":tools", "the tools and their arguments"),
    (":policy", "what the agent must obey"),
    (":last", "the last result in full"),
    (":help", "this list"),
    (":quit", "close the episode and see how it would have been scored"),
)


BOTH_SIDES = f"At `user >`, type what the customer says; {STOP} there ends the episode, :quit closes it."


class Person:
    """The player who types."""

    def __init__(self, console: Console, screen: Screen) -> None:
        """Ask on `console`; what is asked for is shown on `screen`."""
        self._console = console
        self._screen = screen

    def act(self) -> Action | None:
        """The agent's next message as typed; None to leave."""
        while True:
            line = self._asked("agent", GREEN)
            if line is None:
                return None
            try:
                meant = understand(line, self._screen.parameters)
            except TypingError as e:
                self._screen.hint(str(e))
                continue
            if isinstance(meant, Action):
                return meant
            if meant is not None and self._obeyed(meant):
                return None

    def speak(self) -> str | None:
        """The user's words as typed; None to leave."""
        while True:
            line = self._asked("user", CYAN)
            if line is None or line.strip() == ":quit":
                return None
            if line.strip().startswith(":"):
                self._screen.hint(BOTH_SIDES)
            elif line.strip():
                return line.strip()

    def _asked(self, who: str, colour: int) -> str | None:
        prompt = f"{who} > "
        try:
            if sys.stdin.isatty() and sys.stdout.isatty():
                line = input(f"\x01\x1b[1;{colour}m\x02{prompt}\x01\x1b[0m\x02")
            else:
                self._console.print(prompt, end="")
                line = input()
        except (EOFError, KeyboardInterrupt):
            self._console.print()
            return None
        return line.encode("utf-8", "replace").decode()  # bytes that are no text arrive as lone surrogates

    def _obeyed(self, command: Command) -> bool:
        """Do what was asked; whether the person leaves."""
        shown = {"tools": self._screen.tools, "policy": self._screen.policy, "last": self._screen.last}
        if command.name in ("quit", "q", "exit"):
            return True
        if command.name in shown:
            shown[command.name]()
        elif command.name in ("help", "h", ""):
            self._screen.commands(HELP)
        else:
            self._screen.hint(f"there is no command :{command.name}; :help lists them")
        return False


@contextmanager
def at_the_keyboard(tools: Mapping[str, Any]) -> Iterator[None]:
    """Let Ctrl-C reach a question that is being asked, and Tab complete the names of tools."""
    before = signal.signal(signal.SIGINT, _interrupt)
    with suppress(ImportError):
        import readline  # noqa: PLC0415 -- not everywhere; importing it gives `input` a history and editing

        names = sorted(tools)

        def complete(text: str, state: int) -> str | None:
            return next(iter([f"{name} " for name in names if name.startswith(text)][state:]), None)

        readline.set_completer(complete)
        readline.parse_and_bind("tab: complete")
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _interrupt(_signal: int, _frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt
