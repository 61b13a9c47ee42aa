"""A server that does not answer at the start: its tasks wait, other tasks are played, and it is added later."""

import asyncio
import hashlib
from pathlib import Path
from typing import Any

import pytest

from agent_env_schemas import ErrorCode, StepReply, StepRequest
from env_server.episodes import Episodes
from env_server.errors import ProblemError
from env_server.providers.live.manager import ToolManager
from env_server.providers.live.provider import LiveProvider
from env_server.records import LISTING
from tests.episodes.own_servers import begin, files, opened
from tests.providers.live.blocks import odd

ANSWER: dict[str, Any] = {"kind": "text", "value": "x"}
TASKS = (
    {"task_id": "any", "instruction": "?", "answer": ANSWER},
    {"task_id": "there", "instruction": "?", "answer": ANSWER, "allow_list": ["say"]},
    {"task_id": "late", "instruction": "?", "answer": ANSWER, "allow_list": ["notes", "say"]},
    {"task_id": "of_server", "instruction": "?", "answer": ANSWER, "servers": ["late"]},
)


def waiting_for(mark: Path, **more: Any) -> dict[str, Any]:
    """The block of a server that ends at once until this file exists."""
    block = odd(**more)
    script = f'[ -e "{mark}" ] || {{ echo not yet >&2; exit 1; }}; exec "$0" "$@"'
    return block | {"command": "sh", "args": ["-c", script, block["command"], *block["args"]]}


def manager_of(episodes: Episodes) -> ToolManager:
    """The servers of the domain."""
    outside = episodes.library.sources["mcp"].domain.outside
    assert isinstance(outside, LiveProvider)
    return outside.manager


async def listed(episodes: Episodes, server: str) -> None:
    """Wait until a server has listed its tools."""
    for _ in range(1200):
        if server in manager_of(episodes).listings():
            return
        await asyncio.sleep(0.05)
    raise AssertionError(manager_of(episodes).problems())


async def called(episodes: Episodes, episode: str, name: str, **arguments: Any) -> StepReply:
    """Make one call."""
    action = {"tool_calls": [{"name": name, "arguments": arguments}]}
    request = StepRequest.model_validate({"episode_id": episode, "action": action})
    return StepReply.model_validate_json(await episodes.step(request))


def names(begun: dict[str, Any]) -> set[str]:
    """The tools of an episode."""
    return {tool["function"]["name"] for tool in begun["tools"]}


async def refused(episodes: Episodes, **options: Any) -> ProblemError:
    """The problem of a reset."""
    with pytest.raises(ProblemError) as caught:
        await begin(episodes, index=None, **options)
    return caught.value


async def test_a_server_that_answers_late_is_added(tmp_path: Path) -> None:
    """Tasks of a missing server get 503 with its name and the reason; only episodes begun later have its tools."""
    mark = tmp_path / "up"
    servers = {"there": odd(allowTools=["say"]), "late": waiting_for(mark, allowTools=["notes", "note", "say"])}
    given = files(tmp_path, *TASKS, servers=servers)
    async with opened(tmp_path, **given) as episodes:
        before = await begin(episodes, task_id="any", index=None)
        assert names(before) == {"say", "submit_answer"}
        assert names(await begin(episodes, task_id="there", index=None)) == {"say", "submit_answer"}
        for task in ("late", "of_server"):
            problem = await refused(episodes, task_id=task)
            assert (problem.code, problem.retryable) == (ErrorCode.TOOLS_UNAVAILABLE, True)
            assert "late: " in problem.detail
            assert "there" not in problem.detail
            assert (problem.retry_after or 0) > 0
        problem = await refused(episodes, task_id="any", tools={"allow_list": ["late__say"]})
        assert problem.code is ErrorCode.TOOLS_UNAVAILABLE
        mark.touch()
        await listed(episodes, "late")
        after = await begin(episodes, task_id="any", index=None)
        assert names(after) == {"there__say", "late__say", "note", "notes", "submit_answer"}
        assert after["info"]["pack_version"] != before["info"]["pack_version"]
        assert names(await begin(episodes, task_id="of_server", index=None)) >= {"notes", "late__say"}
        assert (await called(episodes, before["episode_id"], "say", text="hi")).observation[0].content == "hi"
        noted = await called(episodes, after["episode_id"], "note", text="kept")
        assert noted.observation[0].content == "noted"
    async with opened(tmp_path, **given) as episodes:  # after a restart each episode has the tools with which it began
        await episodes.library.current("mcp", "builtin")
        assert (await called(episodes, before["episode_id"], "say", text="hi")).observation[0].content == "hi"
        assert (await called(episodes, after["episode_id"], "there__say", text="hi")).observation[0].content == "hi"
        assert (await called(episodes, after["episode_id"], "note", text="y")).stop_reason == "external_state_lost"


async def test_a_server_that_hangs_delays_its_own_tasks_alone(tmp_path: Path) -> None:
    """While one server hangs at its start, tasks of others begin, and tasks of this one wait until it has answered."""
    mark = tmp_path / "up"
    slow = odd(allowTools=["notes", "note"])
    script = f'while [ ! -e "{mark}" ]; do sleep 0.1; done; exec "$0" "$@"'
    slow = slow | {"command": "sh", "args": ["-c", script, slow["command"], *slow["args"]]}
    given = files(tmp_path, *TASKS, servers={"there": odd(allowTools=["say"]), "late": slow})
    async with opened(tmp_path, **given) as episodes:
        there = {"task_id": "there", "index": None, "tools": {"servers": ["there"]}}
        assert names(await begin(episodes, **there)) == {"say", "submit_answer"}
        assert "late" not in manager_of(episodes).listings()
        waiting = asyncio.create_task(begin(episodes, task_id="of_server", index=None))
        assert names(await begin(episodes, **there)) == {"say", "submit_answer"}
        assert not waiting.done()
        mark.touch()
        assert names(await waiting) == {"note", "notes", "submit_answer"}


async def test_an_episode_keeps_its_tools_while_a_server_is_gone(tmp_path: Path) -> None:
    """After a restart without the server, its calls are outages; a replay needs no server."""
    mark = tmp_path / "up"
    given = files(tmp_path, *TASKS, servers={"late": waiting_for(mark, allowTools=["notes", "say"])})
    mark.touch()
    async with opened(tmp_path, **given) as episodes:
        live = await begin(episodes, task_id="of_server", index=None)
        recorded = await begin(episodes, task_id="of_server", index=None, tools={"mode": "record", "tag": "june"})
        await called(episodes, recorded["episode_id"], "say", text="once")
    mark.unlink()
    async with opened(tmp_path, **given) as episodes:
        gone = await called(episodes, live["episode_id"], "say", text="hi")
        assert (gone.info.outages, gone.info.calls[0].failure) == (1, "unavailable")
        assert (await refused(episodes, task_id="of_server")).code is ErrorCode.TOOLS_UNAVAILABLE
        again = await begin(episodes, task_id="of_server", index=None, tools={"mode": "replay", "tag": "june"})
        assert names(again) == names(recorded)
        assert again["info"]["pack_version"] == recorded["info"]["pack_version"]
        played = await called(episodes, again["episode_id"], "say", text="once")
        assert played.observation[0].content == "once"
        other = await called(episodes, again["episode_id"], "say", text="twice")
        assert other.info.calls[0].failure == "not_recorded"


async def test_a_broken_recording_is_its_own_error_alone(tmp_path: Path) -> None:
    """Neither a listing nor a result that cannot be read stops a reset; the call that needs it is `not_recorded`.

    A tool of a server may be called `tools/list`, and its recorded result is no listing.
    """
    given = files(tmp_path, *TASKS, servers={"late": odd(allowTools=["notes", "say"])})
    broken: dict[str, Any] = {"tool": LISTING, "arguments": "x", "after": "", "result": "garbage", "at": 2e9}
    async with opened(tmp_path, **given) as episodes:
        begun = await begin(episodes, task_id="of_server", index=None, tools={"mode": "record", "tag": "june"})
        await called(episodes, begun["episode_id"], "say", text="once")
        (call,) = (row for row in episodes.store.recordings.rows("june") if row.tool == "say")
        digest = hashlib.sha256(b'{"text":"twice"}').hexdigest()
        twice = call._replace(arguments=digest, given='{"text":"twice"}', result='{"text":5}')
        named = call._replace(tool="tools/list")
        await episodes.store.recordings.put([twice, named, call._replace(**broken)])
    async with opened(tmp_path, **given) as episodes:
        assert (await begin(episodes, domain="retail"))["turn"] == 0
        again = await begin(episodes, task_id="of_server", index=None, tools={"mode": "replay", "tag": "june"})
        assert (await called(episodes, again["episode_id"], "say", text="once")).observation[0].content == "once"
        failed = await called(episodes, again["episode_id"], "say", text="twice")
        assert failed.info.calls[0].failure == "not_recorded"
        assert "cannot be read" in failed.observation[0].content


@pytest.mark.parametrize(
    "tools", [{"mode": "record"}, {"mode": "replay"}, {"tag": "june"}, {"timeout_s": 1.0}, {"retries": 0}]
)
async def test_options_without_effect_are_refused(tmp_path: Path, tools: dict[str, Any]) -> None:
    """If no tool reaches the outside, the options to record, to replay and to wait are refused."""
    async with opened(tmp_path) as episodes:
        problem = await refused(episodes, domain="retail", task_id=None, tools=tools)
        assert problem.code is ErrorCode.INVALID_REQUEST
        assert f"tools.{next(iter(tools))} has no effect" in problem.detail
        assert (await begin(episodes, domain="retail", tools={"mode": "live"}))["turn"] == 0


async def test_a_tag_needs_a_mode(tmp_path: Path) -> None:
    """A reset that has a tag but no mode for recordings is refused, and does not call the servers unexpectedly."""
    given = files(tmp_path, *TASKS, servers={"late": odd(allowTools=["notes", "say"])})
    async with opened(tmp_path, **given) as episodes:
        for tools in ({"tag": "june"}, {"tag": "june", "mode": "live"}):
            problem = await refused(episodes, task_id="there", tools=tools)
            assert (problem.code, problem.detail) == (
                ErrorCode.INVALID_REQUEST,
                "tools.tag has no effect without a `mode`: say what to do with the recordings of 'june'",
            )
        recorded = {"tag": "june", "mode": "record"}
        assert (await begin(episodes, task_id="there", index=None, tools=recorded))["turn"] == 0


async def test_a_server_that_lists_a_tool_otherwise_changes_the_pack(tmp_path: Path) -> None:
    """If a server changes a tool, stored episodes with it are `pack_changed`; episodes without it go on."""
    given = files(tmp_path, *TASKS, servers={"late": odd(allowTools=["notes", "say"])})
    async with opened(tmp_path, **given) as episodes:
        both = await begin(episodes, task_id="late", index=None)
        one = await begin(episodes, task_id="there", index=None)
    given = files(tmp_path, *TASKS, servers={"late": odd(allowTools=["notes", "say"], effects={"notes": "write"})})
    async with opened(tmp_path, **given) as episodes:
        await episodes.library.current("mcp", "builtin")
        with pytest.raises(ProblemError, match="tools have changed") as caught:
            await called(episodes, both["episode_id"], "say", text="hi")
        assert caught.value.code is ErrorCode.PACK_CHANGED
        assert (await called(episodes, one["episode_id"], "say", text="hi")).observation[0].content == "hi"
