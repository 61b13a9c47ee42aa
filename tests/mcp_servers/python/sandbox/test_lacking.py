"""A machine that lacks something gets a sentence, never a weaker sandbox."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from mcp_servers.python.sandbox import choosing
from mcp_servers.python.sandbox.inside.limits import bpf, kernel, landlock
from mcp_servers.python.sandbox.inside.limits.syscalls import NUMBERS
from mcp_servers.python.sandbox.limits import Limits
from mcp_servers.python.sandbox.monty import MontyBackend
from mcp_servers.python.sandbox.pool import ProcessBackend
from mcp_servers.python.sandbox.result import Backend, Unusable

ROOT = Path(__file__).parents[4]
ASK = """
import anyio
from mcp_servers.python.sandbox.choosing import lacking
from mcp_servers.python.sandbox.pool import ProcessBackend
from mcp_servers.python.sandbox.result import Unusable
async def ask():
    backend = ProcessBackend(packages=())
    try:
        print(await backend.start())
    except Unusable as problem:
        print("unusable:", problem)
    finally:
        await backend.close()
print("lacking:", lacking(()))
anyio.run(ask)
"""


def without(call: str) -> Callable[[], None]:
    """A kernel that does not know a system call, for the process that this runs in."""

    def prepare() -> None:
        numbers = NUMBERS[kernel.machine()]
        missing = bpf.load(bpf.NUMBER) + bpf.when(numbers[call], bpf.end(0x50000 | 38)) + bpf.end(0x7FFF0000)
        kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
        kernel.install_filter(missing)

    return prepare


@pytest.mark.parametrize(
    ("call", "word"), [("landlock_create_ruleset", "Landlock"), ("seccomp", "CONFIG_SECCOMP_FILTER")]
)
def test_an_older_kernel(call: str, word: str) -> None:
    """Without Landlock or seccomp no code runs, and both the check and the start say what is missing."""
    done = subprocess.run(
        [sys.executable, "-c", ASK],
        preexec_fn=without(call),
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    check, start = done.stdout.splitlines()
    assert word in check
    assert start.startswith("unusable:")
    assert word in start


@pytest.mark.parametrize("version", [1, 2, 3, 4, 5, 6, 7, 99])
def test_older_landlock_is_used_as_far_as_it_goes(
    version: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the rights that an older version knows, reading and writing elsewhere is refused, and inside works."""
    if version > landlock.abi() and version != 99:
        pytest.skip(f"the kernel speaks version {landlock.abi()}")
    monkeypatch.setattr(landlock, "abi", lambda: version)
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    outside.write_text("secret")
    pid = os.fork()
    if pid == 0:
        os._exit(_confined(str(inside), str(outside)))
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def _confined(inside: str, outside: str) -> int:
    """Confine this process and return how many things it can do that it should not, or cannot and should."""
    try:
        kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
        rule = landlock.rule(inside, landlock.WRITE)
        assert rule is not None
        landlock.restrict([rule])
        with open(f"{inside}/file", "w") as file:
            file.write("x")
        for mode in ("r", "a", "w"):
            try:
                open(outside, mode).close()
            except PermissionError:
                continue
            return 1
    except BaseException:
        return 2
    return 0


@pytest.mark.parametrize(
    ("version", "files", "size"),
    [(1, 13, 8), (2, 14, 8), (3, 15, 8), (4, 15, 16), (5, 16, 16), (6, 16, 24), (9, 16, 24)],
)
def test_versions(version: int, files: int, size: int) -> None:
    """Each version handles the rights it knows, and no attribute that it does not."""
    handled, attributes = landlock._handled(version)
    assert handled == (1 << files) - 1
    assert len(attributes) == size


def chosen(choice: choosing.Choice, packages: tuple[str, ...] = ()) -> Backend:
    """The backend for a choice."""
    return choosing.choose(choice, Limits(), workers=1, seed=0, packages=packages, folder=None)


def test_choosing(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """The setting decides; `auto` falls back where something is missing and both say what, in one line."""
    assert isinstance(chosen("monty"), MontyBackend)
    assert caplog.messages == []
    assert isinstance(chosen("auto", ("no_such_package",)), MontyBackend)
    assert [("no_such_package" in line, "\n" in line) for line in caplog.messages] == [(True, False)]
    with pytest.raises(Unusable, match="no_such_package, which is not installed"):
        chosen("process", ("no_such_package",))
    monkeypatch.setattr(sys, "platform", "darwin")
    assert isinstance(chosen("auto"), MontyBackend)
    with pytest.raises(Unusable, match="needs Linux"):
        chosen("process")


def test_auto_takes_processes_where_it_can(offered: None) -> None:
    """On a machine that has all, `auto` means processes."""
    assert isinstance(chosen("auto"), ProcessBackend)
