"""Servers that are child processes: one for each episode, or one for all."""

import asyncio
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import generate_latest

from env_server.providers.live.connection.mcp_connection import TRUST
from env_server.providers.live.substitute import SHOWN_DIR
from env_server.providers.spec import FailureKind
from env_server.telemetry.metrics import REGISTRY
from tests.providers.live.blocks import PATIENCE_S, ask, odd, ours, running

EPISODES = [f"e{number}" for number in range(8)]


def exists(process: object) -> bool:
    """Whether a process runs. A process that has ended may stay until its parent notices."""
    assert isinstance(process, dict)
    try:
        return Path(f"/proc/{process['result']}/stat").read_text(encoding="utf-8").split(")")[-1].split()[0] != "Z"
    except OSError:
        return False


async def ended(process: object) -> None:
    """Wait until a process has ended: after a signal that takes a moment."""
    async with asyncio.timeout(PATIENCE_S):
        while exists(process):
            await asyncio.sleep(0.02)


async def test_episodes_see_nothing_of_each_other() -> None:
    """Eight concurrent episodes each read only their own notes, in a process and a directory of their own."""
    async with running(odd=odd(env={"PLACE": "${EPISODE_DIR}"})) as manager:

        async def play(episode: str) -> tuple[object, str]:
            await ask(manager, "note", episode=episode, text=episode)
            place = (await ask(manager, "place", episode=episode)).text[::-1]
            assert Path(place).is_dir()
            shown = (await ask(manager, "environment", episode=episode)).structured["PLACE"]
            assert shown == SHOWN_DIR
            assert (await ask(manager, "is_folder", episode=episode, path=f"{shown}/.")).text == "True"
            assert manager.has_episode(episode, "odd")
            return (await ask(manager, "notes", episode=episode)).structured, place

        played = await asyncio.gather(*map(play, EPISODES))
        assert [notes for notes, _ in played] == [{"result": [episode]} for episode in EPISODES]
        assert len({place for _, place in played}) == len(EPISODES)
        await manager.close_episode(EPISODES[0])
        assert [Path(place).exists() for _, place in played] == [False] + [True] * 7
        assert not manager.has_episode(EPISODES[0], "odd")
        process = (await ask(manager, "process", episode=EPISODES[1])).structured
        assert exists(process)
    assert not exists(process)
    assert not any(Path(place).exists() for _, place in played)


@pytest.mark.parametrize("stubborn", [False, True])
async def test_what_a_child_leaves_running_ends_with_it(stubborn: bool) -> None:
    """A process that a tool leaves running ends with its episode or its server, even if it ignores signals.

    Processes of other episodes go on.
    """
    async with running(odd=odd()) as manager:
        closed, dies, stays = [
            (await ask(manager, "leave_running", episode=episode, stubborn=stubborn)).structured
            for episode in ("closed", "dies", "stays")
        ]
        await manager.close_episode("closed")
        await ask(manager, "leave_writing", episode="dies")
        await ended(closed)
        await ended(dies)
        assert exists(stays)
    await ended(stays)


async def test_a_program_beside_python_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that is not on the path may be in the folder of the running Python, as `uvx` in a virtual environment.

    The child gets the files with certificates that this process trusts, and nothing else of its environment.
    """
    python = tmp_path / "python"
    python.symlink_to(sys.executable)
    (tmp_path / "odd-beside").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', encoding="utf-8")
    (tmp_path / "odd-beside").chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    monkeypatch.setenv("SSL_CERT_FILE", "/certificates.pem")
    monkeypatch.setenv("OPERATORS_KEY", "sesame")
    async with running(odd={**odd(), "command": "odd-beside"}) as manager:
        found = (await ask(manager, "environment")).structured
    assert found["SSL_CERT_FILE"] == "/certificates.pem"
    assert "OPERATORS_KEY" not in found


async def test_a_shared_process_serves_all_episodes() -> None:
    """With `shared`, an episode reads what another one noted."""
    async with running(odd=odd(shared=True)) as manager:
        await ask(manager, "note", episode="e1", text="hello")
        assert (await ask(manager, "notes", episode="e2")).structured == {"result": ["hello"]}
        await manager.close_episode("e1")
        assert (await ask(manager, "notes", episode="e2")).structured == {"result": ["hello"]}


async def test_our_own_server_is_a_block_like_any_other() -> None:
    """`python -m mcp_servers.polygon` is listed and called by its block alone; its tools are marked as reads."""
    async with running(polygon=ours("polygon")) as manager:
        listed = {tool.name: tool for tool in manager.listings()["polygon"]}
        bars = listed["polygon_get_aggs"]
        assert bars.read_only
        assert bars.arguments["type"] == "object"
        assert set(bars.aliases).isdisjoint(listed)
        asked: dict[str, Any] = {"ticker": "ORCA", "start_date": "2026-06-01", "end_date": "2026-06-30"}
        found = await ask(manager, bars.name, server="polygon", **asked)
        assert manager.problems() == {}
        assert (found.is_error, found.failure) == (False, None)
        assert found.structured["ticker"] == "ORCA"


async def test_a_read_is_made_again_in_a_new_process(tmp_path: Path) -> None:
    """A process that ends during a read is started again, and the read gets its answer."""
    async with running(odd=odd()) as manager:
        found = await ask(manager, "leave", mark=str(tmp_path / "mark"))
        assert (found.text, found.failure, found.metrics["retries"]) == ("stayed", None, 1.0)


async def test_a_write_is_made_once() -> None:
    """If a process ends during a write, the outcome is unknown, and the episode is told that the state is lost."""
    async with running(odd=odd()) as manager:
        assert not manager.lost("e1", "odd")
        found = await ask(manager, "leave_writing")
        assert found.failure is FailureKind.OUTCOME_UNKNOWN
        assert found.metrics["retries"] == 0
        assert manager.lost("e1", "odd")
        assert not manager.has_episode("e1", "odd")
        assert (await ask(manager, "notes")).failure is FailureKind.UNAVAILABLE
        assert (await ask(manager, "notes", episode="e2")).failure is None
        await manager.close_episode("e1")
        assert (await ask(manager, "notes")).structured == {"result": []}


async def test_a_deadline_ends_a_call_and_nothing_else() -> None:
    """A read that hangs is timed out, a write that hangs has an unknown outcome, and the process goes on."""
    async with running(odd=odd(), start_s=PATIENCE_S) as manager:
        process = (await ask(manager, "process")).structured
        assert (await ask(manager, "hang", limit_s=0.5)).failure is FailureKind.TIMED_OUT
        assert (await ask(manager, "hang_writing", limit_s=0.5)).failure is FailureKind.OUTCOME_UNKNOWN
        assert (await ask(manager, "process")).structured == process


async def test_a_shared_process_that_is_silent_is_started_again() -> None:
    """After three calls in a row without an answer, the next one goes to a new process."""
    async with running(odd=odd(shared=True)) as manager:
        first = (await ask(manager, "process")).structured
        for _ in range(3):
            assert (await ask(manager, "hang", limit_s=0.3)).failure is FailureKind.TIMED_OUT
        assert (await ask(manager, "process")).structured != first


async def test_a_silent_process_of_an_episode_is_started_again_unless_it_may_hold_something() -> None:
    """After three reads without an answer an episode gets a new process; after a write it keeps the process."""
    async with running(odd=odd()) as manager:
        first = (await ask(manager, "process")).structured
        for _ in range(3):
            assert (await ask(manager, "hang", limit_s=0.3)).failure is FailureKind.TIMED_OUT
        assert (await ask(manager, "process")).structured != first
        await ask(manager, "note", text="kept")
        for _ in range(3):
            assert (await ask(manager, "hang", limit_s=0.3)).failure is FailureKind.TIMED_OUT
        assert (await ask(manager, "notes")).structured == {"result": ["kept"]}
        assert not manager.lost("e1", "odd")


async def test_no_more_calls_at_a_time_than_allowed() -> None:
    """Calls beyond `concurrency` wait for their turn, whichever episode they belong to."""
    async with running(odd=odd(shared=True, concurrency=3)) as manager:
        calls = (ask(manager, "busy", episode=f"e{number}", seconds=0.05) for number in range(12))
        assert max(found.structured["result"] for found in await asyncio.gather(*calls)) == 3
        waiting = asyncio.gather(*(ask(manager, "busy", seconds=30) for _ in range(3)))
        await asyncio.sleep(0.1)
        late = await ask(manager, "note", limit_s=0.3, text="x")
        assert late.failure is FailureKind.TIMED_OUT  # the write never began, so its outcome is known
        waiting.cancel()


async def test_a_dead_server_takes_no_other_one_with_it(tmp_path: Path) -> None:
    """Servers that cannot start, end at once, or never speak do not fail the start or the other servers."""
    silent = {"command": "sleep", "args": ["600"]}
    ends = {"command": "sh", "args": ["-c", "echo no such licence >&2; exit 1"]}
    begun = asyncio.get_running_loop().time()
    async with running(
        start_s=8, odd=odd(), none={"command": str(tmp_path / "x")}, ends=ends, silent=silent
    ) as manager:
        assert set(manager.problems()) >= {"none", "ends", "silent"}
        assert "no such licence" in manager.problems()["ends"]
        assert "No such file" in manager.problems()["none"]
        for _ in range(600):
            if "odd" in manager.listings():
                break
            await asyncio.sleep(0.1)
        assert (await ask(manager, "say", text="hi")).text == "hi"
        gone = await ask(manager, "say", server="none", text="hi")
        assert gone.failure is FailureKind.UNAVAILABLE
        assert "none" not in manager.listings()
    assert asyncio.get_running_loop().time() > begun


async def test_a_server_that_fails_at_first_is_listed_later(tmp_path: Path) -> None:
    """A server that fails at first is started again after pauses, until it answers."""
    mark = tmp_path / "mark"
    script = f'if [ ! -e "{mark}" ]; then touch "{mark}"; exit 1; fi; exec "$0" "$@"'
    block = odd()
    block["args"] = ["-c", script, block["command"], *block["args"]]
    async with running(odd=block | {"command": "sh"}) as manager:
        assert "odd" in manager.problems()
        for _ in range(600):
            if "odd" in manager.listings():
                break
            await asyncio.sleep(0.1)
        assert manager.problems() == {}
        assert (await ask(manager, "say", text="hi")).text == "hi"


async def test_what_a_server_lists_later_is_seen(tmp_path: Path) -> None:
    """The listing comes from the newest process."""
    async with running(odd=odd("--late", str(tmp_path / "mark"))) as manager:
        assert "late_tool" not in {tool.name for tool in manager.listings()["odd"]}
        assert (await ask(manager, "late_tool")).failure is FailureKind.UNAVAILABLE
        await ask(manager, "say", text="hi")
        assert "late_tool" in {tool.name for tool in manager.listings()["odd"]}


async def test_credentials_stay_with_their_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """A child has the variables of its own block and a few harmless ones, but no other variable of this process."""
    monkeypatch.setenv("ENV_SERVER_KEY", "of-the-operator")
    monkeypatch.setenv("FIRST_KEY", "first-credential")
    async with running(
        one=odd(env={"ODD_KEY": "${ENV:FIRST_KEY}"}), two=odd(env={"OTHER_KEY": "second-credential"})
    ) as manager:
        one = (await ask(manager, "environment", server="one")).structured
        two = (await ask(manager, "environment", server="two")).structured
        harmless = {"HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "LC_CTYPE", *TRUST}
        assert one.keys() - harmless == {"ODD_KEY"}
        assert two.keys() - harmless == {"OTHER_KEY"}
        assert one["PATH"] == os.environ["PATH"]


async def test_credentials_are_masked(tmp_path: Path) -> None:
    """The values of `env` are in no result, structure or error, even if the server prints them as it ends."""
    async with running(odd=odd(env={"ODD_KEY": "s3cret/key", "ODD_LEVEL": "info"}, retries=0)) as manager:
        told = await ask(manager, "environment")
        assert told.structured["ODD_KEY"] == "[secret]"
        assert told.structured["ODD_LEVEL"] == "info"
        assert "s3cret" not in told.text
        assert (await ask(manager, "say", text="a=s3cret%2Fkey")).text == "a=[secret]"
        left = await ask(manager, "leave", mark=str(tmp_path / "mark"))
        assert left.failure is FailureKind.UNAVAILABLE
        assert "leaving now, key [secret]" in left.text


async def test_only_allowed_tools_are_there() -> None:
    """`allowTools` limits listing and calls, `effects` says what a tool does, and a wrong name is reported."""
    block = odd(allowTools=["say", "notes", "nope"], effects={"say": "write", "nothing": "read"})
    async with running(odd=block) as manager:
        assert [(tool.name, tool.read_only) for tool in manager.listings()["odd"]] == [("notes", True), ("say", False)]
        assert (await ask(manager, "process")).failure is FailureKind.UNAVAILABLE
        assert (await ask(manager, "say", text="hi")).text == "hi"
        remarks = " ".join(manager.remarks()["odd"])
        assert re.search("allowTools: .*'nope'.*effects: .*'nothing'", remarks)


async def test_what_a_result_holds() -> None:
    """Text stays, an image becomes a line with a digest, structure is kept, and a tool's error is no outage."""
    async with running(odd=odd()) as manager:
        seen = await ask(manager, "picture")
        assert seen.structured == {"seen": True}
        assert seen.text.split("\n") == [
            "look",
            "[image, image/png, 6 bytes, sha256 6ec9c2b0eb14010746c8bce8939303b382344b296206612eb8a907a37b2b2f37]",
            "[link, file:///a.csv, text/csv, a.csv]",
        ]
        wrong = await ask(manager, "say")
        assert (wrong.is_error, wrong.failure) == (True, None)
        limited = await ask(manager, "limited")
        assert (limited.is_error, limited.failure) == (True, FailureKind.RATE_LIMITED)
        unknown = await ask(manager, "say", server="nobody", text="hi")
        assert unknown.failure is FailureKind.REFUSED


async def test_an_episode_may_ask_for_fewer_tries(tmp_path: Path) -> None:
    """`retries` of a reset can lower the configured number of retries, but not raise it."""
    async with running(odd=odd(retries=1)) as manager:
        once = await ask(manager, "leave", again=0, mark=str(tmp_path / "mark"))
        assert (once.failure, once.metrics["retries"]) == (FailureKind.UNAVAILABLE, 0)
        twice = await ask(manager, "always_leaves", episode="e2", again=10)
        assert (twice.failure, twice.metrics["retries"]) == (FailureKind.UNAVAILABLE, 1)


async def test_no_more_children_than_allowed() -> None:
    """A call beyond `maxChildren` waits for a place until its deadline and is then an outage; other calls go on."""
    async with running(odd=odd(maxChildren=2)) as manager:
        for episode in ("e1", "e2"):
            assert (await ask(manager, "note", episode=episode, text="hi")).text == "noted"
        late = await ask(manager, "note", episode="e3", limit_s=0.3, text="x")
        assert (late.is_error, late.failure) == (True, FailureKind.OVERLOADED)
        assert "all 2 episodes" in late.text
        waiting = [asyncio.create_task(ask(manager, "say", episode=f"w{i}", text="in")) for i in range(12)]
        await asyncio.sleep(0.05)
        assert (await ask(manager, "say", episode="e1", text="still")).text == "still"
        assert 'env_server_server_children{server="odd"} 2.0' in generate_latest(REGISTRY).decode()

        async def leave(number: int) -> None:
            assert (await waiting[number]).text == "in"
            await manager.close_episode(f"w{number}")

        await manager.close_episode("e1")
        await asyncio.gather(*(leave(number) for number in range(12)))
        await manager.close_episode("e2")
        assert 'env_server_server_children{server="odd"} 0.0' in generate_latest(REGISTRY).decode()


async def test_idle_children_make_room() -> None:
    """If more episodes than `maxChildren` play, the process that has been idle longest ends for the next one.

    A process with a write, or with a call in progress, stays.
    """
    async with running(odd=odd(maxChildren=3)) as manager:
        await ask(manager, "note", episode="kept", text="mine")
        busy = asyncio.create_task(ask(manager, "busy", episode="busy", seconds=2))
        for _ in range(2):
            for episode in ("a", "b"):
                assert (await ask(manager, "say", episode=episode, text="hi")).text == "hi"
        assert [manager.has_episode(episode, "odd") for episode in ("kept", "a", "b")] == [True, False, True]
        assert (await busy).failure is None
        await ask(manager, "say", episode="a", text="hi")
        await ask(manager, "say", episode="busy", text="hi")
        assert [manager.has_episode(episode, "odd") for episode in ("kept", "a", "busy")] == [True, True, True]
        assert (await ask(manager, "notes", episode="kept")).structured == {"result": ["mine"]}


async def test_many_episodes_at_a_time_share_few_children() -> None:
    """Many concurrent calls are all answered, in whatever order the processes become idle."""
    async with running(odd=odd(maxChildren=2)) as manager:
        calls = [ask(manager, "busy", episode=f"e{number % 6}", seconds=0.05) for number in range(18)]
        assert {found.failure for found in await asyncio.gather(*calls)} == {None}


async def test_calls_are_measured() -> None:
    """Each call is counted with outcome, time, retries and cost; an unknown tool name adds no label."""

    def value(name: str, **labels: str) -> float:
        return REGISTRY.get_sample_value(f"env_server_server_{name}", {"server": "metered", **labels}) or 0.0

    async with running(metered=odd(costs={"say": 2.5}, allowTools=["say", "limited", "always_leaves"])) as manager:
        for text in ("a", "b"):
            await ask(manager, "say", server="metered", text=text)
        for tool in ("say", "limited"):
            await ask(manager, tool, server="metered")
        await ask(manager, "always_leaves", server="metered", again=1)
        await ask(manager, "invented", server="metered")
    assert value("calls_total", tool="say", outcome="ok") == 2
    assert value("calls_total", tool="say", outcome="tool_error") == 1
    assert value("calls_total", tool="limited", outcome="rate_limited") == 1
    assert value("calls_total", tool="always_leaves", outcome="unavailable") == 1
    assert value("calls_total", tool="(any)", outcome="unavailable") == 1
    assert value("retries_total", tool="always_leaves") == 1
    assert value("cost_units_total", tool="say") == 7.5
    assert value("call_seconds_count", tool="say") == 3
    assert value("call_seconds_bucket", tool="say", le="+Inf") == 3
    assert "invented" not in generate_latest(REGISTRY).decode()


async def test_an_episode_that_nobody_plays_gives_its_place_back() -> None:
    """The process of an idle episode ends, unless a call may have left state in it."""
    async with running(odd=odd(maxChildren=1)) as manager:
        await ask(manager, "process", episode="e1")
        await manager.rest_episode("e1")
        assert not manager.has_episode("e1", "odd")
        await ask(manager, "note", episode="e2", text="kept")
        await manager.rest_episode("e2")
        assert (await ask(manager, "notes", episode="e2")).structured == {"result": ["kept"]}
