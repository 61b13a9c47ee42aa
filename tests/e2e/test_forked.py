"""A forked server process is like one that was started by itself."""

import os
from pathlib import Path

import pytest

from tests.e2e.databases import VARIABLE
from tests.e2e.server import PATIENCE_S, Server


def end(server: Server, ready: bool) -> tuple[int, bool]:
    """Terminate a `ready` server, or await the end of another. Return its status, and whether it found no database."""
    server.launch()
    assert server.process is not None
    if ready:
        server.await_ready()
        server.process.terminate()
    status = server.process.wait(timeout=PATIENCE_S)
    return status, "unable to open database" in server.log.read_text(encoding="utf-8")


@pytest.mark.parametrize(("path", "ready"), [("episodes.db", True), (".", False)])
def test_it_ends_as_another_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, ready: bool) -> None:
    """A forked server that is terminated, or lacks a database, ends and logs like a fresh process."""
    monkeypatch.delenv(VARIABLE, raising=False)  # a folder is no SQLite database
    ends = []
    for fresh in (False, True):
        folder = tmp_path / str(fresh)
        folder.mkdir()
        ends.append(end(Server(folder / path, {"DOMAINS": "retail"}, fresh=fresh), ready))
    forked, fresh_one = ends
    assert forked == fresh_one
    assert forked[1] is not ready


def test_it_is_a_process_with_settings_of_its_own(tmp_path: Path) -> None:
    """Two that run at the same time differ in their domains, and neither is the process of the tests."""
    servers = [Server(tmp_path / f"{name}.db", {"DOMAINS": name}).start() for name in ("retail", "airline")]
    try:
        assert [[d["name"] for d in s.get("/domains")["domains"]] for s in servers] == [["retail"], ["airline"]]
        assert len({os.getpid(), *(server.process.pid for server in servers if server.process)}) == 3
    finally:
        for server in servers:
            server.kill()
