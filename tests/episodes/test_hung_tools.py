"""Tools that hang, without HTTP: the call is cut off, its turn did not happen, and it may be retried once."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from time import monotonic
from typing import Any

import orjson
import pytest

from agent_env_schemas import CloseRequest, ErrorCode, ResetRequest, StepReply, StepRequest, UserRequest
from env_server.app import open_episodes
from env_server.domains.kit import Tool
from env_server.episodes import Episodes
from env_server.episodes.expiry import Housekeeper
from env_server.episodes.packs.gold import GIVEN_UP_S
from env_server.errors import ProblemError
from env_server.settings import Settings
from env_server.users.strategy import Strategy
from tests.episodes.test_user_failure import Failing

LOOK = {"tool_calls": [{"name": "check_network_status", "arguments": {}}]}


@pytest.fixture
async def episodes(tmp_path: Path) -> AsyncIterator[Episodes]:
    """Episodes of telecom, whose users have tools of their own."""
    url = f"sqlite:///{tmp_path}/episodes.db"
    limits: dict[str, Any] = {"tool_timeout_s": 0.2, "user_attempts": 1}
    async with open_episodes(Settings(_env_file=None, database_url=url, domains="telecom", **limits)) as opened:
        yield opened


@contextmanager
def hanging(tool: Tool) -> Iterator[list[str]]:
    """Make a tool hang. Yields a list that gets the tool's name at each call."""
    function, runs = tool.fn, list[str]()

    @wraps(function)
    def hang(*_: object, **__: object) -> None:
        runs.append(tool.name)
        time.sleep(60)

    object.__setattr__(tool, "fn", hang)
    try:
        yield runs
    finally:
        object.__setattr__(tool, "fn", function)


async def begin(episodes: Episodes, **user: Any) -> str:
    """An episode of the first test task."""
    request = ResetRequest.model_validate({"domain": "telecom", "split": "test", "index": 0, "user": user})
    return str(orjson.loads(await episodes.reset(request, "tester"))["episode_id"])


def find(name: str, turn: int | None = None, phone_number: str = "?") -> StepRequest:
    """The step in which the agent looks for a customer."""
    call = {"name": "get_customer_by_phone", "arguments": {"phone_number": phone_number}}
    return StepRequest.model_validate({"episode_id": name, "turn": turn, "action": {"tool_calls": [call]}})


async def agent_tool(episodes: Episodes) -> Tool:
    """The tool that `find` calls."""
    return (await episodes.library.current("telecom", "builtin")).pack.local_tools["get_customer_by_phone"]


async def gold_tool(episodes: Episodes, name: str) -> Tool:
    """The tool that gold of the episode's task calls first."""
    episode = await episodes.episode(name)
    call = episode.task.gold.actions[0]
    pack = episode.live.pack
    return {**pack.local_tools, **pack.user_tools}[call.name]


async def refused(answer: Any) -> ProblemError:
    """The problem with which a request ends."""
    with pytest.raises(ProblemError) as found:
        await answer
    return found.value


async def test_a_users_own_call_that_hangs(episodes: Episodes) -> None:
    """After the cut the user's part of the turn is still awaited, and the state is unchanged."""
    name = await begin(episodes, strategy="external", first_message="Hi.")
    await episodes.step(StepRequest(episode_id=name, turn=1, action="Look at your phone."))
    before = episodes.reader.summary(name)
    call = UserRequest.model_validate({"turn": 1, **LOOK})
    tools = (await episodes.library.current("telecom", "builtin")).pack.user_tools
    with hanging(tools["check_network_status"]):
        problem = await refused(episodes.user(name, call))
    assert (problem.code, problem.status, problem.retryable) == (ErrorCode.STEP_TIMEOUT, 504, True)
    assert "check_network_status" in problem.detail
    assert episodes.reader.summary(name) == before
    assert orjson.loads(await episodes.user(name, call))["info"]["user_observation"]


async def test_a_tool_that_hangs_is_no_failure_of_the_user(episodes: Episodes) -> None:
    """A hanging tool of the agent never counts as a failure of the user: the episode goes on after many tries."""
    episodes.users.strategies["failing"] = Strategy("failing", lambda _: Failing())
    name = await begin(episodes, strategy="failing")
    with hanging(await agent_tool(episodes)):
        for _ in range(episodes.limits.user_attempts + 1):
            assert (await refused(episodes.step(find(name)))).code in (ErrorCode.STEP_TIMEOUT, ErrorCode.TOOL_CRASHED)
    step = find(name, phone_number="555-000-0000")
    assert StepReply.model_validate_json(await episodes.step(step)).stop_reason is None


@pytest.mark.parametrize("strategy", ["external", "failing"])
@pytest.mark.parametrize("turn", [1, None])
async def test_the_same_message_is_not_cut_off_for_ever(episodes: Episodes, strategy: str, turn: int | None) -> None:
    """After a second cut the same message is refused at once. Other messages and other episodes go on."""
    episodes.users.strategies["failing"] = Strategy("failing", lambda _: Failing())
    first = {"first_message": "Hi."} if strategy == "external" else {}
    name, other = [await begin(episodes, strategy=strategy, **first) for _ in range(2)]
    with hanging(await agent_tool(episodes)) as runs:
        problems = [await refused(episodes.step(find(name, turn))) for _ in range(4)]
        assert (await refused(episodes.step(find(other, turn)))).retryable
    assert [p.code for p in problems] == [ErrorCode.STEP_TIMEOUT] + 3 * [ErrorCode.TOOL_CRASHED]
    assert [(p.retryable, p.status) for p in problems] == [(True, 504)] + 3 * [(False, 500)]
    assert {p.episode_id for p in problems} == {name}
    assert "get_customer_by_phone" in problems[1].detail
    assert len(runs) == 2 + 1
    assert orjson.loads(await episodes.step(find(name, turn, phone_number="555-000-0000")))["turn"] == 1
    assert orjson.loads(await episodes.step(find(name)))["turn"] == 2  # the same words in another turn


async def test_a_users_own_call_is_not_cut_off_for_ever(episodes: Episodes) -> None:
    """After a second cut the user's call is refused at once, and the user may do something else."""
    name = await begin(episodes, strategy="external", first_message="Hi.")
    await episodes.step(StepRequest(episode_id=name, turn=1, action="Look at your phone."))
    call = UserRequest.model_validate({"turn": 1, **LOOK})
    tools = (await episodes.library.current("telecom", "builtin")).pack.user_tools
    with hanging(tools["check_network_status"]) as runs:
        codes = [(await refused(episodes.user(name, call))).code for _ in range(3)]
    assert codes == [ErrorCode.STEP_TIMEOUT, ErrorCode.TOOL_CRASHED, ErrorCode.TOOL_CRASHED]
    assert len(runs) == 2
    assert orjson.loads(await episodes.user(name, UserRequest(turn=1, content="I cannot.")))["turn"] == 1


async def test_gold_that_hangs_is_left_alone_for_a_while(episodes: Episodes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Gold that hung twice is not run again for the task, whoever asks for it, until some minutes later."""
    names = [await begin(episodes, strategy="external", first_message="Hi.") for _ in range(3)]
    with hanging(await gold_tool(episodes, names[0])) as runs:
        for name, code in zip(names, [ErrorCode.STEP_TIMEOUT, *2 * [ErrorCode.TOOL_CRASHED]], strict=True):
            assert (await refused(episodes.close(name, CloseRequest()))).code is code
        assert (await refused(episodes.reader.diff(names[0], "gold", None))).code is ErrorCode.TOOL_CRASHED
        assert len(runs) == 2
    later = monotonic() + GIVEN_UP_S
    monkeypatch.setattr("env_server.episodes.failures.monotonic", lambda: later)
    for name in names:
        assert StepReply.model_validate_json(await episodes.close(name, CloseRequest())).reward == 0.0


async def test_an_episode_whose_gold_hangs_can_end_unscored(episodes: Episodes) -> None:
    """An infrastructure close, and expiry, end the episode without running gold."""
    names = [await begin(episodes, strategy="external", first_message="Hi.") for _ in range(4)]
    with hanging(await gold_tool(episodes, names[0])) as runs:
        reply = await episodes.close(names[0], CloseRequest(reason="infrastructure"))
        keeper = Housekeeper(episodes, expire_after_s=0.01, evict_after_s=100)
        await episodes.store.beat("another", time.time() - 100, time.time())
        await asyncio.sleep(0.02)
        await keeper.round(time.time())
    told = StepReply.model_validate_json(reply)
    assert (told.reward, told.info.scored, told.info.reward_breakdown) == (None, False, {})
    ends = [episodes.reader.summary(name) for name in names]
    assert [(e["stop_reason"], e["scored"]) for e in ends] == [("closed", False)] + 3 * [("expired", False)]
    assert runs == []


async def test_inline_gold_that_hangs_is_run_twice(episodes: Episodes) -> None:
    """A cut does not condemn the task: gold runs a second time, and only then the task is refused. Others begin."""
    call = {"name": "get_customer_by_phone", "arguments": {"phone_number": "555-000-0000"}}
    task = {"instruction": "x", "gold": {"actions": [call]}, "basis": ["actions"]}
    request = ResetRequest.model_validate({"domain": "telecom", "task": task, "user": {"strategy": "none"}})
    with hanging(await agent_tool(episodes)) as runs:
        codes = [(await refused(episodes.reset(request, "tester"))).code for _ in range(4)]
    assert codes == [ErrorCode.STEP_TIMEOUT] + 3 * [ErrorCode.INVALID_REQUEST]
    assert len(runs) == 2
    assert await begin(episodes)
