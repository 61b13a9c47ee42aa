"""`env-server prune`: its refusals. tests/e2e/test_upkeep.py tests the pruning."""

from pathlib import Path

import pytest

from tests.commands.conftest import Run


@pytest.mark.parametrize(
    ("age", "words"), [("30", "is no age: write 30d"), ("d", "is no age"), ("1m", "is too short: servers keep")]
)
def test_ages_that_are_refused(run: Run, age: str, words: str) -> None:
    """An age without a unit, and one within which a server may play from memory, are refused in one line."""
    done = run("prune", "--older-than", age)
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert words in done.err


def test_a_missing_database_is_not_made(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing database is an error, and no file is made."""
    monkeypatch.setenv("ENV_SERVER_DATABASE_URL", f"sqlite:///{tmp_path / 'none.db'}")
    done = run("prune", "--older-than", "30d")
    assert (done.status, list(tmp_path.iterdir())) == (2, [])
    assert "there is no database at" in done.err
