"""Continuous integration runs what a change may break, and says what it lacks."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FAST, SLOW, SUITE, TRAINER = "test", "test-slow", "test-conformance", "test-skyrl"
CALM = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
MAKE = '#!/bin/sh\necho "$@" >> ran\n'


def git(at: Path, *command: str) -> None:
    """Run git as somebody."""
    who = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *who, *command], cwd=at, env=os.environ | CALM, check=True, capture_output=True)


def committed(at: Path, path: str) -> None:
    """Commit a change of `path`."""
    (at / path).parent.mkdir(parents=True, exist_ok=True)
    (at / path).write_text("new\n", encoding="utf-8")
    git(at, "add", path)
    git(at, "commit", "-m", path)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository with the program and one commit long ago; `make` notes in `ran` what it is asked for."""
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "run", tmp_path / ".ci" / "run")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "make").write_text(MAKE, encoding="utf-8")
    (tmp_path / "bin" / "make").chmod(0o755)
    git(tmp_path, "init")
    git(tmp_path, "commit", "--allow-empty", "-m", "first")
    return tmp_path


def chosen(at: Path, base: str | None) -> tuple[int, list[str]]:
    """The status of a run, and the targets that it made."""
    known = {"BASE": base} if base is not None else {}
    inherited = {name: value for name, value in os.environ.items() if name != "BASE"}
    env = inherited | CALM | known | {"PATH": f"{at / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(["bash", str(at / ".ci" / "run")], env=env, capture_output=True, check=False)
    return done.returncode, (at / "ran").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(
    ("path", "targets"),
    [
        ("docs/api.md", [FAST, SLOW]),
        ("env_server/api/play.py", [FAST, SLOW, SUITE, TRAINER]),
        ("env_server/episodes/once.py", [FAST, SLOW, SUITE]),
        ("tests/conformance/baseline.yml", [FAST, SLOW, SUITE]),
        ("requirements-server.lock", [FAST, SLOW, SUITE]),
        ("trainer_client/client/async_client.py", [FAST, SLOW, TRAINER]),
    ],
)
@pytest.mark.parametrize("base", ["HEAD~1", None])
def test_what_takes_long_is_run_where_it_may_break(
    checkout: Path, path: str, targets: list[str], base: str | None
) -> None:
    """The suite of MCP and the trainer are chosen by what changed, since BASE or in the last day."""
    committed(checkout, path)
    assert chosen(checkout, base) == (0, targets)


def test_a_base_that_is_not_there_is_no_excuse(checkout: Path) -> None:
    """Nothing is left out because git cannot tell what changed: the run fails."""
    status, _ = chosen(checkout, "no-such-commit")
    assert status != 0


def test_a_machine_without_npm_is_told_how_to_get_it(tmp_path: Path) -> None:
    """The suite of MCP names what is missing and where it comes from."""
    for program in ("make", "sh"):
        (tmp_path / program).symlink_to(str(shutil.which(program)))
    command = ["make", "-o", ".venv/.installed", "test-conformance"]
    env = {"PATH": str(tmp_path)}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "npm is needed" in done.stderr
    assert "https://nodejs.org" in done.stderr
