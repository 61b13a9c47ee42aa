"""The time that a whole call of a tool or a resource may take."""

from collections.abc import Iterator
from contextlib import contextmanager

import anyio

from mcp_servers.kit.errors import Kind, UpstreamError


@contextmanager
def deadline(seconds: float, late: Kind = Kind.TIMED_OUT) -> Iterator[None]:
    """End the body after some seconds.

    Args:
        seconds: How many.
        late: What the end means: `OUTCOME_UNKNOWN` where the body may have changed something outside.

    Raises:
        UpstreamError: The time is over.
    """
    with anyio.move_on_after(seconds) as scope:
        yield
    if scope.cancelled_caught:
        raise UpstreamError(late, f"the call was ended after {seconds:g} s, as it had not finished")
