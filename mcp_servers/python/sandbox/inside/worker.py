"""A worker process: it restricts itself, then answers requests until its socket closes."""

import json
import os
import sys
import tempfile
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn, TypedDict

from mcp_servers.python.sandbox.inside import frames, loops, output, steady
from mcp_servers.python.sandbox.inside.limits import kernel, landlock, privileges, seccomp
from mcp_servers.python.sandbox.inside.runner import Runner

_SOCKET = 3


class Terms(TypedDict):
    """The server's parameters for a worker. Sizes are in bytes."""

    folder: str
    memory: int
    file_size: int
    cpu_s: int
    descriptors: int
    output: int
    seed: int


def _arrange_descriptors(connection: int) -> int:
    """Keep only the connection and new standard streams. Return the new descriptor of the connection."""
    output.descriptors()
    os.dup2(connection, _SOCKET, inheritable=False)
    kernel.close_from(_SOCKET + 1)
    return _SOCKET


def _stay_in(folder: str, readable: Iterable[landlock.Rule]) -> None:
    """Restrict file access to the scratch folder and the readable paths."""
    scratch = landlock.rule(folder, landlock.WRITE)
    if scratch is None:
        raise FileNotFoundError(folder)
    landlock.restrict([*readable, scratch])


def _limit(terms: Terms, used: int) -> None:
    """Set resource limits. The address space of the template, `used`, is added to the memory limit of the code."""
    privileges.limit(
        {
            "AS": used + terms["memory"],
            "DATA": used + terms["memory"],
            "FSIZE": terms["file_size"],
            "CPU": terms["cpu_s"],
            "NOFILE": terms["descriptors"],
        }
    )


def _answer(runner: Runner, request: dict[str, Any]) -> bytes:
    steady.freeze(request["now"])
    outcome = runner.run(request["code"], request["inputs"], request["keep"])
    return json.dumps({key: _clean(text) for key, text in outcome.items()}, ensure_ascii=False).encode()


def _clean(text: object) -> str | None:
    return text.encode("utf-8", "replace").decode() if isinstance(text, str) else None


def _serve(runner: Runner) -> None:
    while True:
        identity, body = frames.read(_SOCKET)
        frames.write(_SOCKET, frames.pack(identity, _answer(runner, json.loads(body))))


def main(
    connection: int, terms: Terms, readable: list[landlock.Rule], used: int, parent: int, shown_as: Mapping[str, str]
) -> NoReturn:
    """Run a worker in this freshly forked process. Never return."""
    status = 1
    try:
        os.setsid()
        privileges.die_with(parent)
        os.umask(0o077)
        os.nice(5)  # The server has priority over workers.
        os.chdir(terms["folder"])
        _stay_in(terms["folder"], readable)
        connection = _arrange_descriptors(connection)
        _limit(terms, used)
        sys.argv = [""]
        tempfile.tempdir = terms["folder"]
        runner = Runner(terms["output"], shown_as)
        loops.wake_by_pipe()
        steady.take_over_clock()
        steady.seed(terms["seed"])
        seccomp.restrict()
        frames.write(_SOCKET, frames.pack(frames.READY, b"{}"))
        _serve(runner)
    except EOFError:
        status = 0
    except Exception as error:
        frames.write(connection, frames.pack(frames.READY, json.dumps({"error": str(error)}).encode()))
    finally:
        os._exit(status)
