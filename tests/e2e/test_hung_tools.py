"""A tool that hangs in a server process is cut off. Its changes are undone, and all other episodes go on."""

import json
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from mcp import MCPError

from tests.api.mcp.table import ERAS, KEY, Table, text
from tests.e2e.installed import installed
from tests.e2e.server import Server

LIMIT_S = 0.5
STUCK = "stuck"
"""The file that makes the tool hang while it exists."""

TOOL = '''

@tool(kind=WRITE)
def mend_book(db: Db[Dialect], book_id: str, how: str) -> Book:
    """Mend a book.

    Args:
        book_id: The copy, such as 'b1'.
        how: By which means.
    """
    import re, time
    from pathlib import Path

    book = _book(db, book_id)
    book["title"] += " (mended)"
    db[BOOKS].put(book)
    try:
        if Path("stuck").exists():
            while how == "loop":
                pass
            re.match(r"(a+)+$", "a" * 64 + "b") if how == "pattern" else time.sleep(60)
    except Exception:
        return book
    return book
'''
MEND = {"book_id": "b1", "how": "loop"}


@pytest.fixture(scope="module", params=["uvloop", pytest.param("asyncio", marks=pytest.mark.slow)])
def table(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """A server of the village library, which now mends its books, on either event loop."""
    folder = tmp_path_factory.mktemp("hung")
    tree = installed(Path(__file__).parent / "lending", folder / "site")
    tools = tree / "lending" / "tools.py"
    tools.write_text(tools.read_text(encoding="utf-8") + TOOL, encoding="utf-8")
    settings = {"DOMAINS": "lending", "TOOL_TIMEOUT_S": str(LIMIT_S), "API_KEYS": f"trainer:{KEY}"}
    server = Server(folder / "episodes.db", settings, tree)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("UVICORN_LOOP", request.param)
        server.start()
    yield Table([server])
    server.kill()


def begin(table: Table, **body: Any) -> dict[str, Any]:
    """An episode at the library."""
    return table.begin(domain="lending", split="test", index=0, **body)


def mend(**arguments: str) -> dict[str, Any]:
    """The action that calls the tool."""
    return {"tool_calls": [{"name": "mend_book", "arguments": MEND | arguments}]}


def stuck(table: Table) -> Path:
    """Make the file that lets the server's tool hang, and return it."""
    path = table.servers[0].database.parent / STUCK
    path.touch()
    return path


def assert_sound(server: Server) -> None:
    """What is stored can be computed again, and the log names the tool."""
    assert server.verified()["mismatches"] == []
    log = server.log.read_text(encoding="utf-8")
    assert "unexpected error" in log
    assert "mend_book: took too long" in log


def test_a_step_whose_tool_hangs(table: Table) -> None:
    """The step is answered 504, and its changes are undone. Other episodes go on, and the same turn can be played.

    A call that hung twice is refused without being run.
    """
    episode, other = begin(table), begin(table)
    name = episode["episode_id"]
    before = table.ask("GET", f"/episodes/{name}/state")["state_hash"]
    path = stuck(table)
    for how in ("pattern", "sleep"):
        began = monotonic()
        answer = table.send("POST", "/step", {"episode_id": name, "turn": 1, "action": mend(how=how)}, credential=KEY)
        assert monotonic() - began >= LIMIT_S
        problem = answer.json()
        assert (answer.status_code, problem["code"], problem["retryable"]) == (504, "step_timeout", True)
        assert "mend_book" in problem["detail"]
        assert table.step(other, {"tool_calls": [{"name": "find_book", "arguments": {"title": "?"}}]})["turn"]
        assert table.ask("GET", f"/episodes/{name}/state")["state_hash"] == before
    sleep = {"episode_id": name, "turn": 1, "action": mend(how="sleep")}
    cut_off = []
    for _ in range(2):
        problem = table.send("POST", "/step", sleep, credential=KEY).json()
        assert (problem["status"], problem["code"], problem["retryable"]) == (500, "tool_crashed", False)
        cut_off.append(table.servers[0].log.read_text(encoding="utf-8").count("mend_book: took too long"))
    assert cut_off[0] == cut_off[1] > 0, "the second time it was not even run"
    path.unlink()
    assert table.turns(episode) == []
    reply = table.step(episode, mend())
    assert (reply["turn"], reply["info"]["calls"][0]["error"]) == (1, None)
    assert reply["state_hash"] != before
    assert_sound(table.servers[0])


@pytest.mark.parametrize("era", ERAS)
async def test_a_call_over_mcp_that_hangs(table: Table, era: str) -> None:
    """A call that hangs is a protocol error, no turn, and may be retried once. Another episode's agent goes on."""
    episode, other = begin(table), begin(table)
    path = stuck(table)
    async with table.client(episode, era) as client, table.client(other, era) as neighbour:
        told = []
        for how in ("loop", "sleep", "sleep", "sleep"):
            with pytest.raises(MCPError) as given_up:
                await client.call_tool("mend_book", MEND | {"how": how})
            told.append(given_up.value.error.data["code"])
        assert told == ["step_timeout", "step_timeout", "tool_crashed", "tool_crashed"]
        assert "no book is called" in text(await neighbour.call_tool("find_book", {"title": "?"}))
        assert table.turns(episode) == []
        path.unlink()
        mended = await client.call_tool("mend_book", MEND)
    assert (mended.meta or {})["agent-env-server/turn"] == 1
    assert text(mended).count("(mended)") == 1
    assert_sound(table.servers[0])


def test_a_reset_whose_gold_hangs(table: Table) -> None:
    """A reset begins no episode while its gold hangs, and succeeds once the gold can be computed."""
    task = {"instruction": "Have b1 mended.", "gold": {"actions": [{"name": "mend_book", "arguments": MEND}]}}
    body = {"domain": "lending", "task": task, "user": {"strategy": "none"}}
    path = stuck(table)
    answer = table.send("POST", "/reset", body, credential=KEY)
    assert (answer.status_code, answer.json()["code"]) == (504, "step_timeout"), answer.text
    path.unlink()
    begun = table.ask("POST", "/reset", body)
    assert json.loads(table.step(begun, mend())["observation"][0]["content"])["title"].endswith("(mended)")
    assert table.step(begun, {"tool_calls": [{"name": "done", "arguments": {}}]})["reward"] == 1.0
