"""`env-server doctor`."""

import os
import socket
from pathlib import Path

import pytest

from tests.commands.conftest import Run, database_of


def checks(run: Run, *, status: int) -> dict[str, dict[str, object]]:
    """Run the checks; return the results by name."""
    done = run("doctor", "--json")
    assert done.status == status, done.err
    assert done.result["ok"] is (status == 0)
    return {check["name"]: check for check in done.result["checks"]}


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> int:
    """A configured port that is free."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        port: int = found.getsockname()[1]
    monkeypatch.setenv("ENV_SERVER_PORT", str(port))
    return port


def test_a_good_machine_passes(run: Run, taken: int, tmp_path: Path) -> None:
    """Every check passes, and the database is the one that `serve` would use."""
    found = checks(run, status=0)
    assert list(found) == ["versions", "database", "disk", "port", "packs", "keys", "models"]
    assert found["database"]["detail"] == str(database_of(tmp_path).resolve())
    assert "retail: builtin" in str(found["packs"]["detail"])


def test_each_fault_is_named(run: Run, taken: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A foreign database, a taken port, a missing pack, no keys and a dead endpoint: each fails its own check."""
    file = tmp_path / "diary.db"
    file.write_text("my diary\n" * 200)
    monkeypatch.setenv("ENV_SERVER_DATABASE_URL", f"sqlite:///{file}")
    monkeypatch.setenv("ENV_SERVER_HOST", "0.0.0.0")
    monkeypatch.setenv("ENV_SERVER_TAU2_DIR", str(tmp_path / "nowhere"))
    monkeypatch.setenv("ENV_SERVER_USER_MODEL", "m")
    monkeypatch.setenv("ENV_SERVER_USER_BASE_URL", "http://127.0.0.1:9/v1")
    with socket.create_server(("0.0.0.0", taken)):
        found = checks(run, status=1)
    words = {
        "database": f"{file}: file is not a database",
        "port": "Address already in use",
        "packs": "the directory of pack 'tau2' does not exist",
        "keys": "refusing to listen on 0.0.0.0 without keys",
        "models": "user at http://127.0.0.1:9/v1: Connection refused",
    }
    assert {name for name, check in found.items() if not check["ok"]} == set(words)
    assert [name for name, part in words.items() if part not in str(found[name]["detail"])] == []


def test_a_damaged_database_is_told(run: Run, taken: int, tmp_path: Path) -> None:
    """The check of the database fails if pages of it were overwritten."""
    checks(run, status=0)
    file = database_of(tmp_path)
    with file.open("r+b") as opened:
        opened.seek(4096)
        opened.write(os.urandom(8192))
    assert not checks(run, status=1)["database"]["ok"]
