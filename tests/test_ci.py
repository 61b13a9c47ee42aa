"""Continuous integration runs the mandatory tests, then the due tiers, and reports missing programs."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.tiers import TIERS

ROOT = Path(__file__).parents[1]
ALWAYS = ["test", "test-slow", "test-due"]
INSTALLED = ["-o", ".venv/.installed"]
"""Options that make `make` treat the installation as done."""


def make(*arguments: str, path: str = os.environ["PATH"]) -> subprocess.CompletedProcess[str]:
    """Run make on the project's Makefile, without variables inherited from a make that runs these tests."""
    env = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "ARGS", "PYTHON")}
    command = ["make", *INSTALLED, *arguments]
    return subprocess.run(command, cwd=ROOT, env=env | {"PATH": path}, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("base", ["no-such-commit", None])
@pytest.mark.parametrize("broken", [None, *ALWAYS])
def test_what_every_change_must_pass(tmp_path: Path, broken: str | None, base: str | None) -> None:
    """The tests, the slow tests and the due tiers run in this order up to the first failure, for any BASE."""
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "run", tmp_path / ".ci" / "run")
    program = tmp_path / "bin" / "make"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\necho "$@" >> ran\n[ "$1" != "{broken}" ]\n', encoding="utf-8")
    program.chmod(0o755)
    inherited = {name: value for name, value in os.environ.items() if name != "BASE"}
    env = inherited | {"PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}"} | ({"BASE": base} if base else {})
    done = subprocess.run(["bash", str(tmp_path / ".ci" / "run")], env=env, capture_output=True, check=False)
    ran = (tmp_path / "ran").read_text(encoding="utf-8").splitlines()
    expected = ALWAYS[: ALWAYS.index(broken) + 1] if broken else ALWAYS
    assert (done.returncode == 0, ran) == (broken is None, expected)


def test_what_is_due_has_fifteen_minutes() -> None:
    """The target runs the script with the documented time limit."""
    assert "tests/tiers.py spend 15" in make("-n", "test-due").stdout


@pytest.mark.parametrize("name", TIERS)
def test_every_tier_is_a_target_that_records_its_pass(name: str) -> None:
    """Each entry of tiers.toml is a target, which installs its environment; only a run of all its tests is recorded.

    Tiers with the same lock may share the environment of one of them.
    """
    whole, part = make("-n", f"test-{name}"), make("-n", f"test-{name}", "ARGS=-k some")
    alike = [other for other, tier in TIERS.items() if tier.get("lock") == TIERS[name].get("lock")]
    assert any(f"environments.py {other})" in whole.stdout for other in alike)
    assert f"tiers.py run {name} --" in whole.stdout
    assert "-k some" in part.stdout
    assert "tiers.py" not in part.stdout


def test_a_machine_without_npm_is_told_how_to_get_it(tmp_path: Path) -> None:
    """The MCP suite names the missing program and its source."""
    for program in ("make", "sh"):
        (tmp_path / program).symlink_to(str(shutil.which(program)))
    done = make("test-conformance", path=str(tmp_path))
    assert done.returncode != 0
    assert "npm 8 or newer is needed" in done.stderr
    assert "Node.js 22.19 or newer" in done.stderr
    assert "https://nodejs.org" in done.stderr


def test_the_client_for_threads_has_a_target() -> None:
    """`make unasync` runs the generator, in the project's environment."""
    assert "bin/python scripts/unasync.py" in make("-n", "unasync").stdout
