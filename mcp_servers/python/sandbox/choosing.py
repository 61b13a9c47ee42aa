"""Selects the backend for this machine."""

import logging
import sys
from importlib.util import find_spec
from typing import Literal

from mcp_servers.python.sandbox.inside.limits import kernel, landlock, seccomp
from mcp_servers.python.sandbox.limits import Limits
from mcp_servers.python.sandbox.monty import MontyBackend
from mcp_servers.python.sandbox.pool import ProcessBackend
from mcp_servers.python.sandbox.result import Backend, Unusable

_log = logging.getLogger(__name__)

Choice = Literal["process", "monty", "auto"]


def lacking(packages: tuple[str, ...] = ("pandas",)) -> str | None:
    """Return, as a sentence, the first thing that the machine lacks for the process backend.

    Return None if the checks that are possible in advance find nothing.
    """
    if sys.platform != "linux":
        return f"The sandbox of processes needs Linux with Landlock and seccomp, and this is {sys.platform}."
    missing = [name for name in packages if find_spec(name) is None]
    if missing:
        return f"The sandbox of processes is to offer {missing[0]}, which is not installed."
    try:
        landlock.abi()
        seccomp.check()
    except kernel.Lacking as error:
        return str(error)
    return None


def choose(
    choice: Choice, limits: Limits, *, workers: int, seed: int, packages: tuple[str, ...], folder: str | None
) -> Backend:
    """Return the chosen backend.

    `auto` selects processes if the machine supports them. Otherwise it selects monty and logs a warning.

    Raises:
        Unusable: Processes are required, and the machine cannot offer them.
    """
    problem = None if choice == "monty" else lacking(packages)
    if choice == "auto" and problem is not None:
        _log.warning("Code runs in monty, which offers less than processes: %s", problem)
        choice = "monty"
    if choice == "monty":
        return MontyBackend(limits, workers=workers, seed=seed, folder=folder)
    if problem is not None:
        raise Unusable(problem)
    return ProcessBackend(limits, packages=packages, workers=workers, seed=seed, folder=folder)
