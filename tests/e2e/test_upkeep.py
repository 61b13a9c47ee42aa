"""Commands that look after a database, beside servers that use it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from sqlalchemy import text
from typer.testing import CliRunner

from env_server.cli import app
from env_server.records.engine import make_engine
from env_server.records.tables import metadata
from tests.commands.conftest import Ran
from tests.e2e.conftest import Start
from tests.e2e.server import PATIENCE_S, Server

DAY_S = 86_400.0
THINK = {"tool_calls": [{"name": "think", "arguments": {"thought": "hm"}}]}
Upkeep = Callable[..., Ran]


@pytest.fixture
def upkeep(monkeypatch: pytest.MonkeyPatch) -> Upkeep:
    """Run a command on a server's database; its status must be 0 unless another one is named."""

    def run(server: Server, *arguments: str, status: int = 0) -> Ran:
        with monkeypatch.context() as patch:
            for name, value in server.environment.items():
                if name.startswith("ENV_SERVER_"):
                    patch.setenv(name, value)
            patch.chdir(server.database.parent)
            done = CliRunner().invoke(app, list(arguments))
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        assert done.exit_code == status, done.output
        return Ran(done.exit_code, done.stdout, done.stderr)

    return run


def begin(server: Server, index: int = 0, **more: Any) -> str:
    """Begin an episode and play two turns; its id."""
    episode = str(server.post("/reset", domain="retail", split="test", index=index, **more)["episode_id"])
    for turn in (1, 2):
        server.post("/step", episode_id=episode, turn=turn, action=THINK)
    return episode


def closed(server: Server, days: float, index: int = 0, **more: Any) -> str:
    """Play an episode that ended some days ago."""
    episode = begin(server, index, **more)
    server.post(f"/episodes/{episode}/close")
    age(server, episode, days)
    return episode


def age(server: Server, episode: str, days: float) -> None:
    """Make everything that is stored about an episode some days older."""
    values = {"id": episode, "s": days * DAY_S}
    with make_engine(server.environment["ENV_SERVER_DATABASE_URL"]).begin() as connection:
        key = "(SELECT id FROM episodes WHERE episode_id = :id)"
        for statement in (
            f"UPDATE endings SET at = at - :s WHERE episode = {key}",
            f"UPDATE turns SET at = at - :s WHERE episode = {key}",
            "UPDATE episodes SET created_at = created_at - :s WHERE episode_id = :id",
            "UPDATE keys SET at = at - :s WHERE reply LIKE '%' || :id || '%'",
        ):
            connection.execute(text(statement), values)


def status(server: Server, path: str) -> int:
    """The status of a GET."""
    return server.call("GET", path).status_code


def test_prune_beside_a_server(start: Start, upkeep: Upkeep) -> None:
    """Old closed episodes are gone; live and recent ones go on; a fork outlives its parent; old keys begin anew."""
    server = start()
    old = [closed(server, 31, index, idempotency_key=f"old-{index}") for index in range(3)]
    parent = begin(server)
    fork = server.post(f"/episodes/{parent}/fork", turn=1)["episode_id"]
    server.post(f"/episodes/{parent}/close")
    age(server, parent, 31)
    recent, live = closed(server, 29), begin(server, idempotency_key="live")
    age(server, live, 60)
    would = upkeep(server, "prune", "--older-than", "30d", "--dry-run", "--json").result
    assert (would.pop("dry_run"), would["episodes"], would["keys"]) == (True, 4, 3)
    assert [status(server, f"/episodes/{id}") for id in (*old, parent)] == [200] * 4
    done = upkeep(server, "prune", "--older-than", "30d", "--json").result
    assert done == {"dry_run": False, **would}
    assert [status(server, f"/episodes/{id}/trajectory") for id in (*old, parent)] == [404] * 4
    assert [status(server, f"/episodes/{id}/trajectory") for id in (recent, live, fork)] == [200] * 3
    assert server.get(f"/episodes/{fork}")["parent"] == {"episode_id": None, "turn": 1}
    assert [server.post("/step", episode_id=id, action=THINK)["turn"] for id in (live, fork)] == [3, 2]
    again = {"domain": "retail", "split": "test", "index": 0}
    assert server.post("/reset", **again, idempotency_key="live")["episode_id"] == live
    assert server.post("/reset", **again, idempotency_key="old-0")["episode_id"] not in old
    assert upkeep(server, "verify", "--all", "--json").result["episodes"] == 4


@pytest.fixture
def browser() -> Iterator[httpx2.Client]:
    """A client that keeps its session, so that the forms of a page have the same token again."""
    with httpx2.Client(timeout=PATIENCE_S) as client:
        yield client


def test_archived_episodes_are_read_by_servers(start: Start, upkeep: Upkeep, browser: httpx2.Client) -> None:
    """Records, states, pages and retries of archived episodes are as before, byte for byte; they cannot go on."""
    server = start(ARCHIVE_DIR="archive")
    one, two = closed(server, 31), closed(server, 31, 1)
    recent = closed(server, 29)
    paths = [
        path.format(id)
        for id in (one, two, recent)
        for path in ("/episodes/{}", "/episodes/{}/trajectory", "/episodes/{}/state", "/episodes/{}/state?turn=1")
    ] + [f"/page/episodes/{one}"]
    browser.get(server.url + paths[-1])
    before = [browser.get(server.url + path) for path in paths]
    assert [reply.status_code for reply in before] == [200] * len(paths)
    step = {"episode_id": one, "turn": 1, "action": THINK}
    played = server.call("POST", "/step", step).content
    kept = upkeep(server, "archive", "--older-than", "30d", "--json").result
    assert (kept["archived"], kept["pruned"]) == (2, None)
    done = upkeep(server, "archive", "--older-than", "30d", "--prune", "--json").result
    assert (done["archived"], done["files"], done["pruned"]["episodes"]) == (0, [], 2)
    assert server.get("/episodes")["total"] == 1
    for reply, path in zip(before, paths, strict=True):
        assert browser.get(server.url + path).content == reply.content, path
    assert server.call("POST", "/step", step).content == played
    told = upkeep(server, "trajectory", one).result
    assert told == server.get(f"/episodes/{one}/trajectory")
    refused = [
        server.call("POST", "/step", step | {"turn": 4}),
        server.call("POST", f"/episodes/{one}/fork", {"turn": 1}),
        start().call("GET", f"/episodes/{one}"),
    ]
    assert [reply.json()["code"] for reply in refused] == ["episode_over", "not_forkable", "episode_not_found"]
    (file,) = (server.database.parent / "archive").iterdir()
    file.unlink()
    restarted = start(ARCHIVE_DIR="archive")
    assert restarted.call("GET", f"/episodes/{one}").json()["code"] == "storage_damaged"
    assert file.name in upkeep(server, "trajectory", two, status=2).err
    assert upkeep(server, "verify", "--all", "--json").result["episodes"] == 1


def test_a_copy_goes_on_where_the_database_was(start: Start, upkeep: Upkeep, tmp_path: Path) -> None:
    """A server on the copy answers retries byte for byte, plays on, and keeps the agents' tokens and the keys.

    The rows go through a SQLite file. If POSTGRES_URL is set, they go from PostgreSQL to SQLite and back.
    """
    server = start()
    live, over = begin(server, idempotency_key="live"), closed(server, 1)
    last = {"episode_id": live, "turn": 2, "action": THINK}
    paths = [f"/episodes/{id}/{what}" for id in (live, over) for what in ("trajectory", "state")]
    shown = [server.call("GET", path).content for path in paths]
    played = server.call("POST", "/step", last).content
    server.stop()
    here = server.environment["ENV_SERVER_DATABASE_URL"]
    between = f"sqlite:///{tmp_path / 'between.db'}"
    there = start(database="there")
    there.stop()
    target = there.environment["ENV_SERVER_DATABASE_URL"]
    assert "is not empty: it has rows in" in upkeep(server, "copy", "--to", target, status=2).err
    empty(target)
    upkeep(server, "copy", "--to", between)
    counted = upkeep(server, "copy", "--from", between, "--to", target, "--json").result["rows"]
    assert (counted["episodes"], counted["endings"]) == (2, 1)
    assert "is not empty" in upkeep(server, "copy", "--from", target, "--to", here, status=2).err
    assert upkeep(there, "verify", "--all", "--json").result["episodes"] == 2
    there.start()
    assert [there.call("GET", path).content for path in paths] == shown
    assert there.call("POST", "/step", last).content == played
    assert there.post("/step", episode_id=live, turn=3, action=THINK)["turn"] == 3
    assert there.post("/reset", domain="retail", split="test", index=0, idempotency_key="live")["episode_id"] == live
    assert begin(there, 5) not in (live, over)
    assert upkeep(there, "verify", "--all", "--json").result["episodes"] == 3


def empty(url: str) -> None:
    """Delete all rows of a database."""
    with make_engine(url).begin() as connection:
        for table in metadata.sorted_tables:
            connection.execute(table.delete())
