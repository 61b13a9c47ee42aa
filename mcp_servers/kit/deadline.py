"""The time limit for a whole call of a tool or a resource."""

from collections.abc import Iterator
from contextlib import contextmanager

import anyio

from mcp_servers.kit.errors import Kind, UpstreamError


@contextmanager
def deadline(seconds: float, late: Kind = Kind.TIMED_OUT) -> Iterator[None]:
    """Stop the body when it exceeds a time limit.

    Args:
        seconds: The limit, in seconds.
        late: Kind of the error that is raised at the limit. `OUTCOME_UNKNOWN` if the body can change external data.

    Raises:
        UpstreamError: The limit was reached.
    """
    with anyio.move_on_after(seconds) as scope:
        yield
    if scope.cancelled_caught:
        raise UpstreamError(late, f"the call was ended after {seconds:g} s, as it had not finished")
