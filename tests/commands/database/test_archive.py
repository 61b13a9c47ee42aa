"""`env-server archive` and `trajectory`: refusals and output. tests/e2e/test_upkeep.py tests them beside a server."""

import sys
from pathlib import Path

import pytest

from env_server.records.engine import make_engine
from env_server.records.migrations import upgrade
from tests.commands.conftest import Run

ARCHIVE = ("archive", "--older-than", "30d")


@pytest.fixture(autouse=True)
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The configured database, empty, of the newest schema."""
    url = f"sqlite:///{tmp_path / 'records.db'}"
    monkeypatch.setenv("ENV_SERVER_DATABASE_URL", url)
    upgrade(make_engine(url))


def test_the_folder_must_be_named_and_be_one(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder comes from an option or a setting; if a file has its name, one line says so."""
    none = run(*ARCHIVE)
    assert (none.status, "name the folder with --to, or set ENV_SERVER_ARCHIVE_DIR" in none.err) == (2, True)
    (tmp_path / "file").write_text("mine")
    for done in (run(*ARCHIVE, "--to", "file"), run(*ARCHIVE, "--to", "file/below")):
        assert (done.status, done.err.count("\n")) == (2, 1)
        assert "file" in done.err
    monkeypatch.setenv("ENV_SERVER_ARCHIVE_DIR", "kept")
    done = run(*ARCHIVE, "--prune")
    assert (done.status, (tmp_path / "kept").is_dir()) == (0, True)
    assert "0 episodes archived in" in done.out
    assert "deleted: 0 episodes, 0 parts of turns" in done.out


@pytest.mark.parametrize(
    ("arguments", "what"),
    [((*ARCHIVE, "--to", "kept"), "archive"), (("verify", "--all"), "ENV_SERVER_ARCHIVE_DIR")],
    ids=["archive", "a server's setting"],
)
def test_without_pyarrow(run: Run, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], what: str) -> None:
    """The command and the setting name the missing package and how to install it."""
    monkeypatch.setenv("ENV_SERVER_ARCHIVE_DIR", "kept")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    done = run(*arguments)
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert f"{what} needs pyarrow: pip install '.[data]' in a checkout" in done.err


def test_a_trajectory_of_nobody(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """For an unknown episode, and for a database that does not exist, one line says so."""
    unknown = run("trajectory", "ep_nobody", "--archive", "kept")
    assert (unknown.status, "no episode 'ep_nobody'" in unknown.err) == (2, True)
    monkeypatch.setenv("ENV_SERVER_DATABASE_URL", "sqlite:///none.db")
    missing = run("trajectory", "ep_nobody")
    assert (missing.status, "there is no database at" in missing.err) == (2, True)
    assert not Path("none.db").exists()
