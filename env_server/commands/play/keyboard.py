"""Reads lines from a person, with a history and Tab completion."""

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
"""Maps (the line before the word, the typed part of the word) to the possible completions."""


class Interrupted(Exception):
    """The person pressed Ctrl-C at a question."""


class Keyboard:
    """Reads a person's input.

    It reads in the main thread and blocks everything else meanwhile. Only in the main thread can Ctrl-C interrupt a
    question, and nothing has to happen before the person decides.
    """

    def __init__(self, console: Console) -> None:
        """Ask on `console` if stdin or stdout is no terminal."""
        self._console = console
        self._complete: Complete = lambda _before, _word: []
        with suppress(ImportError):
            import readline  # noqa: PLC0415 -- missing on some systems; it gives `input` history and editing

            readline.set_completer(self._completion)
            readline.parse_and_bind("tab: complete")

    def ask(self, prompt: str, colour: int, complete: Complete) -> str | None:
        """Return the line typed at `prompt`, or None at the end of input. `colour` is an ANSI colour code.

        A line from a pipe or a file is printed too, since no terminal echoes it.

        Raises:
            Interrupted: after Ctrl-C.
        """
        self._complete = complete
        try:
            with _interruptible():
                if sys.stdin.isatty() and sys.stdout.isatty():
                    # `input` needs the colour codes marked as zero-width, so that it knows the prompt's width.
                    line = input(f"\x01\x1b[1;{colour}m\x02{prompt}\x01\x1b[0m\x02")
                else:
                    self._console.print(prompt, end="")
                    line = input()
        except EOFError:
            self._console.print()
            return None
        except KeyboardInterrupt as e:
            self._console.print()
            raise Interrupted from e
        line = line.encode("utf-8", "replace").decode()  # bytes that are not UTF-8 arrive as lone surrogates
        if not sys.stdin.isatty():
            self._console.print(Text(plain(line)), soft_wrap=True)
        return line

    def _completion(self, word: str, state: int) -> str | None:
        import readline  # noqa: PLC0415 -- only readline calls this, so it exists

        before = readline.get_line_buffer()[: readline.get_begidx()]
        return next(iter(self._complete(before, word)[state:]), None)


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let Ctrl-C interrupt a question at once. At other times the event loop handles the signal."""
    GUARD.rest()  # `input` may fail if two signals arrive at the same moment
    before = signal.signal(signal.SIGINT, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _interrupt(_signal: int, _frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt
