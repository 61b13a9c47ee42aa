"""`env-server recordings`: recorded results leave one database and enter another."""

import asyncio
import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from env_server.providers.live.stored_listing import dump_listings
from env_server.providers.spec import ServerListing
from env_server.records import LISTING, RecordingRow, Store, Unit
from tests.commands.conftest import Run

URL = "ENV_SERVER_DATABASE_URL"
NOTHING = sha256(b"[]").hexdigest()


def recording(given: str, at: float) -> RecordingRow:
    """A recorded call of `look`."""
    result = '{"text":"look: a"}'
    return RecordingRow(
        "may", "post", "look", sha256(given.encode()).hexdigest(), NOTHING, 0, given, result, False, "v1", 0.25, at
    )


ROWS = [recording('{"text":"a"}', 1_000.0), recording('{"text":"b"}', 2_000_000_000.0)]
TOOL = ServerListing("post", "look", "Looks.", {"type": "object"})


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A database with two recordings."""
    path = tmp_path / "recorded.db"

    async def record() -> None:
        store = Store.open(f"sqlite:///{path}")
        await store.commit(Unit(recordings=ROWS))
        await store.close()

    asyncio.run(record())
    monkeypatch.setenv(URL, f"sqlite:///{path}")
    return path


def test_recordings_are_listed_by_tag_and_server(database: Path, run: Run) -> None:
    """The list is a table for people, and one JSON object for programs."""
    assert "may" in run("recordings", "list").out
    (found,) = run("recordings", "list", "--json").result["recordings"]
    assert (found["tag"], found["server"], found["results"]) == ("may", "post", 2)


def test_recordings_move_between_databases(
    database: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exported recordings are imported unchanged; a second import changes nothing."""
    refused = run("recordings", "export", "may", "--out", "may.jsonl")
    assert refused.status == 2
    assert "--vendor-data" in refused.err
    assert run("recordings", "export", "may", "--out", "may.jsonl", "--vendor-data", "--json").result == {"exported": 2}
    monkeypatch.setenv(URL, f"sqlite:///{tmp_path}/other.db")
    for counts in ({"imported": 2, "present": 0}, {"imported": 0, "present": 2}):
        assert run("recordings", "import", "may.jsonl", "--json").result == counts
    assert "0 recordings imported. 2 were there already." in run("recordings", "import", "may.jsonl").out
    again = run("recordings", "export", "may", "--vendor-data").out
    assert again == Path("may.jsonl").read_text(encoding="utf-8")


def test_old_recordings_are_pruned(database: Path, run: Run) -> None:
    """Only recordings of the tag, older than the given days, are deleted; without days, all of the tag."""
    assert run("recordings", "prune", "may", "--older-than", "3650", "--json").result == {"deleted": 1}
    assert run("recordings", "prune", "june", "--json").result == {"deleted": 0}
    assert run("recordings", "prune", "may", "--json").result["deleted"] in (0, 1)


def test_a_file_that_holds_no_recordings_is_named_with_its_line(database: Path, run: Run) -> None:
    """Half a line, or another object, is an error with its line, and nothing is stored."""
    Path("bad.jsonl").write_text('{"tag": "x"}\n', encoding="utf-8")
    failed = run("recordings", "import", "bad.jsonl")
    assert failed.status == 2
    assert "bad.jsonl: line 1 is no recording" in failed.err
    assert run("recordings", "export", "none", "--vendor-data").status == 2


def listing(result: str) -> dict[str, Any]:
    """The fields in which a recorded listing differs from a recorded call."""
    digest = sha256(result.encode()).hexdigest()
    return {"tool": LISTING, "arguments": digest, "after": "", "given": "{}", "result": result, "tool_version": digest}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"result": "not json"}, "result: Invalid JSON"),
        ({"result": '{"text": 5}'}, "result: text: "),
        ({"result": '{"text": "a", "failure": "bogus"}'}, "result: failure: "),
        ({"result": '{"text": "a", "more": 1}'}, "result: more: "),
        ({"is_error": True}, "is_error: does not agree with the result"),
        ({"given": '{"text":"lie"}'}, "arguments: is not the digest of `given`"),
        ({"given": "[]", "arguments": sha256(b"[]").hexdigest()}, "given: is no JSON object"),
        ({"given": "\0\ud800"}, "given: has NUL or half a surrogate pair"),
        ({"after": "then"}, "after: is no digest"),
        ({"tool": "(tools)"}, "tool: is no name of a tool"),
        ({"seq": 2**70}, "seq: "),
        ({"seq": -1}, "seq: is not between"),
        ({"at": float("nan")}, "at: is not between"),
        ({"at": 1e300}, "at: is not between"),
        ({"latency_s": float("inf")}, "latency_s: is not between"),
        ({"at": "1"}, "at: "),
        ({"tag": ""}, "tag: "),
        (listing("garbage"), "listing: "),
        (listing('[["x",{"foo":1}]]'), "listing: "),
        (listing(dump_listings([("look", ServerListing("other", "look", "", {}))])), "listing: 'other' has no tool"),
        (listing(dump_listings([("look", ServerListing("post", "look", "", {"type": 5}))])), "listing: the schema"),
        ({**listing(dump_listings([("look", TOOL)])), "arguments": NOTHING}, "arguments: is not the digest"),
    ],
)
def test_what_no_server_recorded_is_refused_with_its_line(
    database: Path, run: Run, change: dict[str, Any], words: str
) -> None:
    """Each field is checked, digests are recomputed, and one wrong line keeps the whole file out."""
    whole = ROWS[0]._replace(tag="june")._asdict()
    lines = [json.dumps(row) for row in (whole, {**whole, **change})]
    Path("bad.jsonl").write_text("\n".join(lines), encoding="utf-8")
    done = run("recordings", "import", "bad.jsonl")
    assert done.status == 2
    assert f"bad.jsonl: line 2 is no recording: {words}" in " ".join(done.err.split())
    assert done.err.count("\n") == 1
    assert [found["tag"] for found in run("recordings", "list", "--json").result["recordings"]] == ["may"]


def test_a_listing_is_imported(database: Path, run: Run) -> None:
    """A recorded listing of a server is imported beside calls, and is not taken for a result."""
    row = {**ROWS[0]._asdict(), **listing(dump_listings([("look", TOOL)])), "tag": "june"}
    Path("listing.jsonl").write_text(json.dumps(row), encoding="utf-8")
    assert run("recordings", "import", "listing.jsonl", "--json").result == {"imported": 1, "present": 0}
    assert [found["tag"] for found in run("recordings", "list", "--json").result["recordings"]] == ["may"]
