"""What a piece of code did, and the protocol that both backends speak."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Protocol


@dataclass(frozen=True)
class Result:
    """The result of one call.

    Attributes:
        stdout: What the code printed.
        stderr: What it wrote to standard error.
        value: `repr` of its last expression; None where there is none, or where it is None.
        error: The traceback of an exception that the code did not catch.
        killed: Why the worker was ended, as a clause about the code. Variables and files are gone then.
        timed_out: Whether that was for want of time.
        files: The files that the call wrote, by their path in the scratch folder.
    """

    stdout: str = ""
    stderr: str = ""
    value: str | None = None
    error: str | None = None
    killed: str | None = None
    timed_out: bool = False
    files: tuple[str, ...] = ()


CLOSED: Final = Result(killed="its session was closed")
"""The result of a call whose conversation is closed while it waits or runs."""


class Busy(Exception):
    """As many conversations are open as the backend takes."""


class Unusable(Exception):
    """This machine cannot offer the backend; the text says what it lacks."""


class Conversation(Protocol):
    """One namespace and one scratch folder, which outlive a call."""

    async def run(
        self,
        code: str,
        *,
        now: datetime | None = None,
        inputs: Mapping[str, Any] | None = None,
        keep: str | None = None,
    ) -> Result:
        """Run code after all earlier code of this conversation.

        Args:
            code: Python.
            now: Where the clock stands, with an offset; None lets it run.
            inputs: Values, as JSON has them, to bind to names first.
            keep: A name that the value of the last expression is bound to, where there is one and it is not None.
        """
        ...

    async def close(self) -> None:
        """End it, and a call that is under way; its variables and files are gone, and no call runs any more."""
        ...


class Backend(Protocol):
    """Something that runs code away from this process."""

    @property
    def name(self) -> str:
        """`process` or `monty`."""
        ...

    @property
    def offers(self) -> str:
        """What code may use, in a sentence or two for the one who writes it."""
        ...

    def open(self) -> Conversation:
        """Begin a conversation; it takes a worker at its first call."""
        ...

    async def close(self) -> None:
        """End all conversations and processes."""
        ...
