"""The result of a piece of code, and the protocols that both backends implement."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Protocol


@dataclass(frozen=True)
class Result:
    """The result of one call.

    Attributes:
        stdout: The text of standard output.
        stderr: The text of standard error.
        value: `repr` of the last expression. None if there is none, or if its value is None.
        error: The traceback of an exception that the code did not catch.
        killed: Why the worker was ended, as a clause about the code. Variables and files are lost then.
        timed_out: Whether the worker was ended because of a timeout.
        files: The files that the call wrote, as paths in the scratch folder.
    """

    stdout: str = ""
    stderr: str = ""
    value: str | None = None
    error: str | None = None
    killed: str | None = None
    timed_out: bool = False
    files: tuple[str, ...] = ()


CLOSED: Final = Result(killed="its session was closed")
"""The result of a call whose conversation is closed while the call waits or runs."""


class Busy(Exception):
    """The maximum number of conversations is open."""


class Unusable(Exception):
    """This machine cannot offer the backend. The text states what it lacks."""


class Conversation(Protocol):
    """One namespace and one scratch folder, which outlive a call."""

    @property
    def alive(self) -> bool:
        """Return whether it has a worker, which holds variables and files."""
        ...

    @property
    def folder(self) -> str | None:
        """Return the path of its scratch folder. None if there is none yet, or none any more."""
        ...

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
            code: The Python code.
            now: The time at which the clock stands still, with an offset. None lets the clock run.
            inputs: JSON values to bind to names before the code runs.
            keep: A name to bind the value of the last expression to, if the value exists and is not None.
        """
        ...

    async def close(self) -> None:
        """Close the conversation and end a running call.

        Variables and files are lost. No later call runs.
        """
        ...


class Backend(Protocol):
    """A component that runs code outside this process."""

    @property
    def name(self) -> str:
        """Return `process` or `monty`."""
        ...

    @property
    def offers(self) -> str:
        """Return what code may use, in one or two sentences for the author of the code."""
        ...

    def open(self) -> Conversation:
        """Begin a conversation. It takes a worker at its first call."""
        ...

    async def close(self) -> None:
        """Close all conversations and end all processes."""
        ...
