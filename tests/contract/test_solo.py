"""An agent without a user, over HTTP, makes the user's calls too and ends by `done`."""

from collections.abc import Iterator
from typing import Any

import pytest

from env_server.domains.discovery import domains
from env_server.domains.kit import Task
from tests.api.conftest import served
from tests.api.talk import Api
from tests.domains import made

SOLO = {"strategy": "none"}
DONE = {"name": "done", "arguments": {}}
EACH = 100
"""The number of tasks searched for one of each template."""


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    """A server of its own."""
    for client in served(tmp_path_factory.mktemp("solo")):
        yield Api(client)


def one_of_each(domain: str) -> list[Task]:
    """The first test task of each template."""
    pack = made.pack(domain)
    found = [pack.task_at("test", i) for i in range(EACH)]
    return list({task.template: task for task in reversed(found)}.values())


def play(api: Api, task: Task) -> Any:
    """The last reply after gold was played alone: all calls of both sides, what must be told, `done`."""
    begun = api.begin(domain=task.domain, task_id=task.task_id, user=SOLO, max_turns=100)
    for call in task.gold.actions:
        reply = api.calls(begun.episode_id, {"name": call.name, "arguments": call.arguments})
        if reply.done:
            return reply
    if task.gold.outputs:
        assert not api.step(begun.episode_id, "; ".join(task.gold.outputs)).done
    return api.calls(begun.episode_id, DONE)


@pytest.mark.parametrize("domain", domains())
def test_gold_played_alone_scores_one(api: Api, domain: str) -> None:
    """Gold of a task of each template, with the user's part played by the agent, scores 1."""
    for task in one_of_each(domain):
        last = play(api, task)
        assert (last.reward, last.stop_reason) in ((1.0, "completed"), (1.0, "transfer")), task.task_id


@pytest.mark.parametrize("domain", domains())
def test_done_at_once_scores_nothing(api: Api, domain: str) -> None:
    """An agent that calls `done` at once gets 0."""
    for task in one_of_each(domain):
        begun = api.begin(domain=domain, task_id=task.task_id, user=SOLO)
        assert api.calls(begun.episode_id, DONE).reward == 0.0, task.task_id


@pytest.mark.parametrize("domain", domains())
def test_what_an_agent_alone_is_given(api: Api, domain: str) -> None:
    """The agent gets the task in words as the first message, and one list of tools: its own, the user's, `done`."""
    pack = made.pack(domain)
    begun = api.begin(domain=domain, user=SOLO)
    task = pack.task_at("test", 0)
    assert begun.observation[1].content == (task.ticket or task.instruction)
    names = [tool["function"]["name"] for tool in begun.tools]
    assert names == [*pack.agent_tools, *pack.user_tools, "done" if task.answer is None else "submit_answer"]
    beside = api.begin(domain=domain)
    answer = [] if task.answer is None else ["submit_answer"]
    assert [tool["function"]["name"] for tool in beside.tools] == [*pack.agent_tools, *answer]
