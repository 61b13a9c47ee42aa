"""The time limit for a whole call of a tool or a resource."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

import anyio

from mcp_servers.kit.errors import ErrorKind, UpstreamError


@dataclass
class _Late:
    advice: str | None = None


_current: ContextVar[_Late | None] = ContextVar("_current", default=None)


@contextmanager
def deadline(seconds: float, late: ErrorKind = ErrorKind.TIMED_OUT) -> Iterator[None]:
    """Stop the body when it exceeds a time limit.

    Args:
        seconds: The limit, in seconds.
        late: Kind of the error that is raised at the limit. `OUTCOME_UNKNOWN` if the body can change external data.

    Raises:
        UpstreamError: The limit was reached.
    """
    found = _Late()
    before = _current.set(found)
    try:
        with anyio.move_on_after(seconds) as scope:
            yield
    finally:
        _current.reset(before)
    if scope.cancelled_caught:
        raise UpstreamError(late, f"the call was ended after {seconds:g} s, as it had not finished", found.advice)


def advise_if_late(advice: str) -> None:
    """Set the advice in the error of the limit. The stopped code calls this when it knows the effect of the stop.

    Args:
        advice: What was lost and what the model can do, as a clause.
    """
    found = _current.get()
    if found is not None:
        found.advice = advice
