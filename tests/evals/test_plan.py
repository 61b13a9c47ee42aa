"""What an evaluation plays, and what names it."""

from dataclasses import replace

import pytest

from env_server.evals.plan import Planned, Spec, plain_name, plan
from env_server.local import thrown_away
from env_server.settings import Settings
from schemas import TaskSummary

SPEC = Spec("retail", "builtin", "v1", "test", "openai:a/b", trials=2, seed=5)
TASK = TaskSummary(task_id="t-1", split="test", template=None, difficulty=1)


def test_equal_options_are_the_same_run() -> None:
    """The name comes from all options together, and may stand in the name of a folder."""
    assert replace(SPEC).name == SPEC.name
    assert SPEC.name.startswith("retail-builtin-test-openai-a-b-")
    others = [replace(SPEC, pack_version="v2"), replace(SPEC, limit=1), replace(SPEC, user="llm")]
    assert len({spec.name for spec in [SPEC, *others]}) == 4


def test_what_differs_is_named() -> None:
    """Every option that another run of the same name had otherwise, and no other."""
    other = replace(SPEC, trials=3, user_model="m")
    assert other.differences(SPEC.text()) == ["trials was 2, now 3", "user-model was not set, now m"]
    assert SPEC.differences(SPEC.text()) == []


def test_a_reset_is_the_same_whenever_it_is_sent() -> None:
    """Its key belongs to the run, its options, the task and the trial; each trial has a seed of its own."""
    request = Planned(TASK, 1).request("r", SPEC)
    assert request == Planned(TASK, 1).request("r", SPEC)
    assert (request.seed, request.trial, request.run, request.purpose) == (6, 1, "r", "eval")
    assert request.expect is not None
    assert request.expect.pack_version == "v1"
    others = [
        Planned(TASK, 0).request("r", SPEC),
        Planned(TASK, 1).request("s", SPEC),
        Planned(TASK, 1).request("r", replace(SPEC, limit=9)),
    ]
    assert len({other.idempotency_key for other in [request, *others]}) == 4


@pytest.mark.parametrize("written", ["hermes", "json"])
def test_a_model_that_writes_is_told_how(written: str) -> None:
    """The system message describes the tools, and results come as messages of the user."""
    request = Planned(TASK, 0).request("r", replace(SPEC, format=written))  # type: ignore[arg-type]
    assert (request.tool_prompt, request.observation_role) == (written, "user")


async def test_every_task_is_played_in_every_trial() -> None:
    """Tasks are listed page by page; no episode is planned twice."""
    async with thrown_away(Settings(_env_file=None)) as local:
        for limit in (3, 1001):
            planned = await plan(local, replace(SPEC, split="train", limit=limit))
            assert len(planned) == len({episode.key for episode in planned}) == limit * 2


@pytest.mark.parametrize(
    ("name", "folder"), [("a/b c", "a-b-c"), ("../..", "run"), ("ok_1.2", "ok_1.2"), ("\N{SNOWMAN}", "run")]
)
def test_names_of_folders(name: str, folder: str) -> None:
    """Nothing in a name leads out of the folder."""
    assert plain_name(name) == folder
