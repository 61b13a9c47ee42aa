"""Asking a person for a line, with a history, completion by Tab and a way out by Ctrl-C or the end of input."""

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import NoReturn

from rich.console import Console
from rich.text import Text

from env_server.commands.output import plain
from env_server.tools import GUARD

Complete = Callable[[str, str], list[str]]
"""(the line before the word, the word as far as it is typed) -> what it may become."""


class Keyboard:
    """Where a person types.

    It asks in the main thread and lets nothing else go on meanwhile: only there does Ctrl-C reach a question, and
    nothing has to happen before the person has decided.
    """

    def __init__(self, console: Console) -> None:
        """Ask on `console` where there is no terminal that can do better."""
        self._console = console
        self._complete: Complete = lambda _before, _word: []
        with suppress(ImportError):
            import readline  # noqa: PLC0415 -- not everywhere; importing it gives `input` a history and editing

            readline.set_completer(self._completion)
            readline.parse_and_bind("tab: complete")

    def ask(self, prompt: str, colour: int, complete: Complete) -> str | None:
        """The line that is typed at `prompt`, in a `colour` as terminals number them; None for Ctrl-C or the end.

        A line that no terminal shows, because it comes from a pipe or a file, is shown here.
        """
        self._complete = complete
        try:
            with _interruptible():
                if sys.stdin.isatty() and sys.stdout.isatty():
                    # `input` must be given the codes of the colour itself, marked, to know the prompt's width.
                    line = input(f"\x01\x1b[1;{colour}m\x02{prompt}\x01\x1b[0m\x02")
                else:
                    self._console.print(prompt, end="")
                    line = input()
        except (EOFError, KeyboardInterrupt):
            self._console.print()
            return None
        line = line.encode("utf-8", "replace").decode()  # bytes that are no text arrive as lone surrogates
        if not sys.stdin.isatty():
            self._console.print(Text(plain(line)), soft_wrap=True)
        return line

    def _completion(self, word: str, state: int) -> str | None:
        import readline  # noqa: PLC0415 -- it is there, or nobody would call this

        before = readline.get_line_buffer()[: readline.get_begidx()]
        return next(iter(self._complete(before, word)[state:]), None)


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let Ctrl-C end a question at once; at other times the event loop decides what it ends."""
    GUARD.rest()  # `input` may fail where two signals come at one moment
    before = signal.signal(signal.SIGINT, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _interrupt(_signal: int, _frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt
