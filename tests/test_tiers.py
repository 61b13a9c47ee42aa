"""A pass is recorded for exactly the contents that passed. Contents without a pass are run as far
as the time allows.
"""

import ast
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.tiers import TIERS

ROOT = Path(__file__).parents[1]
CALM = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
ENTRIES = """
[first]
covers = ["one/**", "shared.txt"]
[second]
covers = ["two/**", "shared.txt"]
[third]
covers = ["three/**"]
"""
PLACES = {
    "adapters": ("tests/adapters",),
    "conformance": ("tests/conformance", "tests/mcp_servers/conformance"),
    "dashboards": ("tests/dashboards",),
    "deployment": ("tests/deployment",),
    "faults": ("tests/faults",),
    "jobs": ("tests/skyrl/jobs",),
    "kills": ("tests/skyrl/kills",),
    "learn": ("tests/learn",),
    "llamafactory": ("tests/llamafactory",),
    "packages": ("tests/packages",),
    "page": ("tests/browser",),
    "postgres": ("tests/e2e", "tests/postgres"),
    "servers": ("tests/servers",),
    "site": ("tests/site",),
    "skyrl": ("tests/skyrl",),
    "tokens": ("tests/tokens",),
    "ray": ("tests/ray",),
    "trainers": ("tests/trainers",),
    "vllm": ("tests/vllm",),
    "vllm-turns": ("tests/vllm/turns",),
}
"""The folders of the tiers' tests."""
OPTIONS = ROOT / "env_server" / "cli.py"
"""This file imports every command, but a server runs one of them. Its imports are not followed."""
SERVER = [path for path in (ROOT / "env_server").rglob("*.py") if not {"bench", "commands"} & {*path.parts}]
TOOLS = [*(ROOT / "mcp_servers").rglob("*.py")]
STARTED = {
    "adapters": SERVER,
    "conformance": [*SERVER, *TOOLS],
    "dashboards": SERVER,
    "deployment": SERVER,
    "faults": SERVER,
    "jobs": SERVER,
    "kills": SERVER,
    "learn": SERVER,
    "llamafactory": SERVER,
    "packages": SERVER,
    "page": SERVER,
    "postgres": SERVER,
    "servers": TOOLS,
    "site": SERVER,
    "skyrl": SERVER,
    "tokens": SERVER,
    "ray": SERVER,
    "trainers": SERVER,
    "vllm": SERVER,
    "vllm-turns": SERVER,
}
"""The sources of the programs that a tier's tests start."""


class Checkout:
    """A repository with the script and three tiers. `make` appends its targets to `ran`."""

    def __init__(self, at: Path) -> None:
        self.at = at
        self.record = at / "tests" / "tiers.json"
        for name in ("one/a.txt", "two/a.txt", "three/a.txt", "shared.txt"):
            self.write(name, "old\n")
        self.write("tests/tiers.toml", ENTRIES)
        shutil.copy(ROOT / "tests" / "tiers.py", at / "tests" / "tiers.py")
        self.write("bin/make", '#!/bin/sh\necho "$1" >> ran\n[ "$1" != "$BROKEN" ]\n').chmod(0o755)
        self.git("init")
        self.commit()

    def write(self, name: str, text: str) -> Path:
        """Write a file."""
        path = self.at / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def git(self, *command: str) -> str:
        """Run git with a test identity."""
        who = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"]
        run = ["git", *who, *command]
        return subprocess.run(
            run, cwd=self.at, env=os.environ | CALM, check=True, capture_output=True, text=True
        ).stdout

    def commit(self) -> None:
        """Commit everything."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "a change")

    def ask(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run the script without an inherited `make` in the environment."""
        path = f"{self.at / 'bin'}{os.pathsep}{os.environ['PATH']}"
        inherited = {name: value for name, value in os.environ.items() if name != "MAKE"}
        env = inherited | CALM | {"PATH": path} | environment
        command = [sys.executable, str(self.at / "tests" / "tiers.py"), *arguments]
        return subprocess.run(command, cwd=self.at, env=env, capture_output=True, text=True, check=False)

    def passes(self, name: str, test: str = "exit 0") -> subprocess.CompletedProcess[str]:
        """Run a tier whose test is a shell command."""
        return self.ask("run", name, "--", "sh", "-c", test)

    @property
    def due(self) -> list[str]:
        """The tiers without a recorded pass."""
        done = self.ask("due")
        assert done.returncode == 0, done.stderr
        return done.stdout.split()

    def spent(self, minutes: float = 20, **environment: str) -> tuple[int, str, list[str]]:
        """Return the exit status of a run of the due tiers, its output, and the targets it made."""
        done = self.ask("spend", str(minutes), **environment)
        ran = self.at / "ran"
        return done.returncode, done.stdout, ran.read_text(encoding="utf-8").split() if ran.exists() else []

    def put(self, **passes: dict[str, Any]) -> None:
        """Change the entries of recorded passes."""
        found = json.loads(self.record.read_text(encoding="utf-8")) if self.record.exists() else {}
        for name, entry in passes.items():
            found[name] = found.get(name, {}) | entry
        self.record.write_text(json.dumps(found), encoding="utf-8")


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    """A repository for one test."""
    return Checkout(tmp_path)


def test_a_pass_is_of_these_contents(checkout: Checkout) -> None:
    """A tier is due until it passes, again once a file that it covers changes, and not once the change is undone."""
    assert checkout.due == ["first", "second", "third"]
    assert checkout.passes("second").returncode == 0
    assert checkout.due == ["first", "third"]
    checkout.write("one/a.txt", "new\n")
    checkout.commit()
    assert checkout.due == ["first", "third"]
    checkout.write("shared.txt", "new\n")
    checkout.commit()
    assert checkout.due == ["first", "third", "second"]
    checkout.write("shared.txt", "old\n")
    checkout.commit()
    assert checkout.due == ["first", "third"]


@pytest.mark.parametrize("name", ["two/new.txt", "two/deep/new.txt"])
def test_a_new_file_and_a_new_definition_are_new_contents(checkout: Checkout, name: str) -> None:
    """A new file makes a tier due, and so does a change of the tier's definition."""
    checkout.passes("second")
    checkout.passes("third")
    checkout.write(name, "new\n")
    checkout.write("tests/tiers.toml", ENTRIES + 'before = ["another==1"]\n')
    checkout.commit()
    assert checkout.due == ["first", "second", "third"]


def test_the_entry_says_what_passed(checkout: Checkout) -> None:
    """An entry names the commit, the date, the digest and the duration, and others stay as they are."""
    checkout.passes("first")
    before = json.loads(checkout.record.read_text(encoding="utf-8"))
    checkout.passes("second")
    after = json.loads(checkout.record.read_text(encoding="utf-8"))
    assert after["second"].keys() == {"commit", "date", "digest", "seconds"}
    assert after["second"]["commit"] == checkout.git("rev-parse", "HEAD").strip()
    assert f"second {after['second']['digest']}" in checkout.ask("digest").stdout
    assert after["first"] == before["first"]


@pytest.mark.parametrize("path", ["two/a.txt", "two/untracked.txt"])
def test_uncommitted_contents_have_no_pass(checkout: Checkout, path: str) -> None:
    """An uncommitted change makes a tier due even if it passed, and no pass is recorded."""
    checkout.passes("second")
    recorded = checkout.record.read_bytes()
    checkout.write(path, "new\n")
    assert checkout.due == ["first", "third", "second"]
    done = checkout.passes("second")
    assert (done.returncode, checkout.record.read_bytes()) == (0, recorded)
    assert "not recorded" in done.stdout
    assert checkout.ask("record", "second").returncode != 0
    assert checkout.passes("first").returncode == 0
    assert checkout.record.read_bytes() != recorded


def test_contents_that_change_meanwhile_have_no_pass(checkout: Checkout) -> None:
    """No pass is recorded if a file changed during the tests, committed or not."""
    for commit in ("true", "git -c user.name=a -c user.email=a@example.com commit --quiet --all --message changed"):
        done = checkout.passes("first", f"echo meanwhile >> one/a.txt && {commit}")
        assert (done.returncode, checkout.record.exists()) == (0, False), done.stderr
        assert "not recorded" in done.stdout


def test_a_failure_is_no_pass(checkout: Checkout) -> None:
    """A failure of the tests is the exit status, and no pass is recorded."""
    assert checkout.passes("first", "exit 5").returncode == 5
    assert not checkout.record.exists()


def test_a_pass_seen_elsewhere(checkout: Checkout) -> None:
    """`record` stores a pass for the present contents without a run."""
    assert checkout.ask("record", "third", "--seconds", "90").returncode == 0
    assert checkout.due == ["first", "second"]
    assert json.loads(checkout.record.read_text(encoding="utf-8"))["third"]["seconds"] == 90


def test_what_is_due_is_run_the_longest_unpassed_first(checkout: Checkout) -> None:
    """Tiers that never passed come first, then the others by date; one that passed with these contents is named."""
    checkout.passes("third")
    checkout.put(
        first={"digest": "other", "date": "2026-11-20T10:00:00+00:00"},
        second={"digest": "other", "date": "2026-11-19T10:00:00+00:00"},
    )
    status, said, ran = checkout.spent()
    assert (status, ran) == (0, ["test-second", "test-first"])
    assert "test-third: passed with these contents" in said


def test_a_failure_does_not_hide_the_others(checkout: Checkout) -> None:
    """All tiers that are due are run, and the status says that one failed."""
    status, said, ran = checkout.spent(BROKEN="test-first")
    assert (status, ran) == (1, ["test-first", "test-second", "test-third"])
    assert "test-first: FAILED" in said
    assert "test-second: FAILED" not in said


def test_what_does_not_fit_is_left_out_and_named(checkout: Checkout) -> None:
    """A tier is left out if its last duration does not fit. Once the time is used up, every tier is left out."""
    checkout.put(second={"seconds": 61})
    status, said, ran = checkout.spent(minutes=1)
    assert (status, ran) == (0, ["test-first", "test-second", "test-third"][::2])
    assert "test-second: LEFT OUT: it took 61 s" in said
    status, said, _ = checkout.spent(minutes=0)
    assert said.count("LEFT OUT: the time is used up") == 3


def test_a_tier_that_runs_longer_is_stopped_and_named(checkout: Checkout) -> None:
    """When the time is used up, the running tier is stopped with all its processes. It and the rest are left out."""
    slow = "#!/bin/sh\necho $1 >> ran\nsh -c 'sleep 300; echo $1 >> late' & echo $! > child\nwait\n"
    checkout.write("bin/make", slow).chmod(0o755)
    for minutes in (0.01, 0.1, 1.0):  # a busy machine may not even begin in less than a second
        status, said, ran = checkout.spent(minutes=minutes)
        if ran:
            break
    assert (status, ran) == (0, ["test-first"])
    assert "test-first: LEFT OUT: the time was used up before it ended" in said
    assert said.count("LEFT OUT: the time is used up") == 2
    assert ended(int((checkout.at / "child").read_text(encoding="utf-8")))


def ended(pid: int) -> bool:
    """Return whether a process has ended; a zombie has."""
    status = Path(f"/proc/{pid}/stat")
    return not status.exists() or status.read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0] == "Z"


def test_the_tests_of_a_stopped_tier_clean_up(checkout: Checkout) -> None:
    """A tier is interrupted first, so that its tests stop what they started."""
    tests = "import time\ntry:\n    time.sleep(300)\nfinally:\n    open('cleaned', 'w').close()\n"
    checkout.write("tests/slow.py", tests)
    run = f"exec {sys.executable} tests/tiers.py run first -- {sys.executable} tests/slow.py"
    checkout.write("bin/make", f"#!/bin/sh\n{run}\n").chmod(0o755)
    for minutes in (0.03, 0.2, 1.0):
        _, said, _ = checkout.spent(minutes=minutes)
        if (checkout.at / "cleaned").exists():
            break
    assert "test-first: LEFT OUT: the time was used up before it ended" in said
    assert (checkout.at / "cleaned").exists()
    assert not checkout.record.exists()


def test_a_tier_whose_program_is_not_here_is_left_out(checkout: Checkout) -> None:
    """A tier that needs a missing program is skipped with a message."""
    checkout.write("tests/tiers.toml", ENTRIES + 'needs = ["sh", "no-such-program"]\n')
    status, said, ran = checkout.spent()
    assert (status, ran) == (0, ["test-first", "test-second"])
    assert "test-third: LEFT OUT: it needs no-such-program, which is not here" in said


@pytest.mark.parametrize("text", ["", "no JSON", "[]"])
def test_a_record_that_cannot_be_read_is_none(checkout: Checkout, text: str) -> None:
    """With an unreadable record, everything is due. A new pass is recorded."""
    checkout.record.write_text(text, encoding="utf-8")
    assert checkout.due == ["first", "second", "third"]
    checkout.passes("first")
    assert checkout.due == ["second", "third"]


def test_a_record_that_cannot_be_written_costs_nothing(checkout: Checkout) -> None:
    """If the record cannot be written, the run succeeds and says that the pass is not recorded."""
    checkout.record.mkdir()
    done = checkout.passes("first")
    assert done.returncode == 0
    assert "the pass is not recorded: " in done.stdout


def test_a_shallow_clone_knows_the_passes(checkout: Checkout, tmp_path: Path) -> None:
    """A shallow clone finds the passes, because they depend on contents and not on the history."""
    checkout.passes("first")
    checkout.commit()
    checkout.write("two/a.txt", "new\n")
    checkout.commit()
    shallow = tmp_path / "shallow"
    checkout.git("clone", "--quiet", "--depth", "1", f"file://{checkout.at}", str(shallow))
    done = subprocess.run(
        [sys.executable, "tests/tiers.py", "due"], cwd=shallow, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["second", "third"]


def test_without_a_repository_everything_is_due(checkout: Checkout) -> None:
    """Where git cannot tell the contents all tiers are run, and no pass is recorded."""
    checkout.passes("first")
    shutil.rmtree(checkout.at / ".git")
    outside = str(checkout.at.parent)
    status, _, ran = checkout.spent(GIT_CEILING_DIRECTORIES=outside)
    assert (status, sorted(ran)) == (0, ["test-first", "test-second", "test-third"])
    done = checkout.ask("run", "second", "--", "true", GIT_CEILING_DIRECTORIES=outside)
    assert done.returncode == 0
    assert "not recorded" in done.stdout


@pytest.mark.parametrize("name", TIERS)
def test_every_pattern_covers_something(name: str) -> None:
    """Every pattern matches at least one file. Otherwise it is a mistake or a leftover."""
    files = {pattern: pattern.replace("**", "**/*") for pattern in TIERS[name]["covers"]}
    assert [pattern for pattern, names in files.items() if not any(map(Path.is_file, ROOT.glob(names)))] == []


@pytest.mark.parametrize("name", TIERS)
def test_a_tier_covers_its_tests_and_what_they_import(name: str) -> None:
    """A tier covers its lock file, its tests, the programs they start, and all files that these import."""
    tests = [path for place in PLACES[name] for path in sorted((ROOT / place).rglob("*.py"))]
    assert tests
    shared = {file for test in tests for file in above(test, "conftest.py")}
    needed = reached([*tests, *shared, *STARTED[name], ROOT / "tests" / "environments.py"])
    needed.add(ROOT / TIERS[name]["lock"])
    covered = {path for pattern in TIERS[name]["covers"] for path in matching(pattern)}
    assert sorted(path.relative_to(ROOT).as_posix() for path in needed - covered) == []


@cache
def matching(pattern: str) -> frozenset[Path]:
    """Return what a pattern of a tier covers."""
    return frozenset(ROOT.glob(pattern.replace("**", "**/*")))


def reached(paths: Iterable[Path]) -> set[Path]:
    """Return the files and all files of this project that they import, directly or not."""
    found: set[Path] = set()
    waiting = set(paths)
    while waiting:
        path = waiting.pop()
        found.add(path)
        waiting |= {*(imported(path) if path != OPTIONS else ()), *above(path, "__init__.py")} - found
    return found


def above(path: Path, name: str) -> frozenset[Path]:
    """Return the files of this name in the folders above a file."""
    return inside(path.parent, name)


@cache
def inside(folder: Path, name: str) -> frozenset[Path]:
    """Return the files of this name in a folder and in those above it."""
    if not folder.is_relative_to(ROOT):
        return frozenset()
    found = {folder / name} if (folder / name).is_file() else set[Path]()
    return inside(folder.parent, name) | found


@cache
def imported(path: Path) -> frozenset[Path]:
    """Return the files of this project that a file imports."""
    modules = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            modules |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    places = [base / module.replace(".", "/") for module in modules for base in (ROOT, ROOT / "schemas")]
    found = [file for place in places for file in (place.with_suffix(".py"), place / "__init__.py")]
    return frozenset(file for file in found if file.is_file())
