"""Tools that hang, without HTTP: wherever an episode calls one, the turn did not happen and may be tried again."""

import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any

import orjson
import pytest

from env_server.app import open_episodes
from env_server.domains.kit import Tool
from env_server.episodes import Episodes
from env_server.errors import ProblemError
from env_server.settings import Settings
from schemas import ErrorCode, ResetRequest, StepReply, StepRequest, UserRequest
from tests.episodes.test_user_failure import Failing

LOOK = {"tool_calls": [{"name": "check_network_status", "arguments": {}}]}


@pytest.fixture
async def episodes(tmp_path: Path) -> AsyncIterator[Episodes]:
    """Episodes of telecom, whose users have tools of their own."""
    url = f"sqlite:///{tmp_path}/episodes.db"
    limits: dict[str, Any] = {"tool_timeout_s": 0.05, "user_attempts": 1}
    async with open_episodes(Settings(_env_file=None, database_url=url, domains="telecom", **limits)) as opened:
        yield opened


@contextmanager
def hanging(tool: Tool) -> Iterator[None]:
    """The tool never comes back."""
    function = tool.fn

    @wraps(function)
    def hang(*_: object, **__: object) -> None:
        time.sleep(60)

    object.__setattr__(tool, "fn", hang)
    try:
        yield
    finally:
        object.__setattr__(tool, "fn", function)


async def begin(episodes: Episodes, **user: Any) -> str:
    """An episode of the first test task."""
    request = ResetRequest.model_validate({"domain": "telecom", "split": "test", "index": 0, "user": user})
    return str(orjson.loads(await episodes.reset(request, "tester"))["episode_id"])


async def refused(answer: Any) -> ProblemError:
    """The problem that a request ends with."""
    with pytest.raises(ProblemError) as found:
        await answer
    return found.value


async def test_a_users_own_call_that_hangs(episodes: Episodes) -> None:
    """Their part of the turn is still awaited, in the state it was awaited in."""
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
    """However often it is tried, the episode goes on, also with a user on another machine."""
    episodes.users.local["failing"] = Failing()
    name = await begin(episodes, strategy="failing")
    tools = (await episodes.library.current("telecom", "builtin")).pack.agent_tools
    action = {"tool_calls": [{"name": "get_customer_by_phone", "arguments": {"phone_number": "?"}}]}
    step = StepRequest.model_validate({"episode_id": name, "turn": 1, "action": action})
    with hanging(tools["get_customer_by_phone"]):
        for _ in range(episodes.limits.user_attempts + 1):
            assert (await refused(episodes.step(step))).code is ErrorCode.STEP_TIMEOUT
    assert StepReply.model_validate_json(await episodes.step(step)).stop_reason is None
