"""Ends what a child process has started and left behind.

The SDK starts a child in a process group of its own. It ends the group only if the child does not end by itself.
"""

import asyncio
import os
import signal
from contextlib import AbstractAsyncContextManager, suppress
from typing import Any, Final

GRACE_S: Final = 1.0
"""Seconds that the processes of a group have to end by themselves."""

POLL_S: Final = 0.02


def group_of(opened: AbstractAsyncContextManager[Any]) -> int | None:
    """Return the process group of a child that the SDK's transport has started; None if it cannot be told.

    The SDK does not offer the process id. It is a local variable of the transport's suspended generator.
    """
    frame = getattr(getattr(opened, "gen", None), "ag_frame", None)
    number = getattr(frame.f_locals.get("process"), "pid", None) if frame is not None else None
    return number if isinstance(number, int) and number > 1 else None


async def end_group(group: int) -> None:
    """End all processes of a group whose first one has ended. A process that has left the group continues."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGTERM)
        try:
            for _ in range(int(GRACE_S / POLL_S)):
                await asyncio.sleep(POLL_S)
                os.killpg(group, 0)
        finally:
            os.killpg(group, signal.SIGKILL)
