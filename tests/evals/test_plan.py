"""The episodes of an evaluation, and the name of its run."""

import re
from dataclasses import replace

import pytest

from agent_env_schemas import TaskSummary
from env_server.backends.local import thrown_away
from env_server.evals.plan import PlannedEpisode, Run, Spec, folder_name, plan
from env_server.settings import Settings

SPEC = Spec("retail", "builtin", "v1", "test", "openai:a/b", trials=2, seed=5)
TASK = TaskSummary(task_id="t-1", split="test", template=None, difficulty=1)


def test_equal_options_are_the_same_run() -> None:
    """The name covers all options, and can be the name of a folder."""
    assert replace(SPEC).name == SPEC.name
    assert SPEC.name.startswith("retail-builtin-test-openai-a-b-")
    others = [replace(SPEC, pack_version="v2"), replace(SPEC, limit=1), replace(SPEC, user="llm")]
    assert len({spec.name for spec in [SPEC, *others]}) == 4


def test_what_differs_is_named() -> None:
    """The error names exactly the options that differ from the earlier run of that name."""
    other = replace(SPEC, trials=3, user_model="m")
    assert other.differences(SPEC.text()) == ["trials was 2, now 3", "user-model was not set, now m"]
    assert SPEC.differences(SPEC.text()) == []


def test_a_reset_is_the_same_whenever_it_is_sent() -> None:
    """The key of a reset covers run, options, task and trial; each trial has a seed of its own.

    A run of the same name in another database is another run.
    """
    run = Run("r", SPEC, "drawn")
    request = PlannedEpisode(TASK, 1).request(run)
    assert request == PlannedEpisode(TASK, 1).request(run)
    assert (request.seed, request.trial, request.run, request.purpose) == (6, 1, "r", "eval")
    assert request.expect is not None
    assert request.expect.pack_version == "v1"
    others = [
        PlannedEpisode(TASK, 0).request(run),
        PlannedEpisode(TASK, 1).request(replace(run, name="s")),
        PlannedEpisode(TASK, 1).request(replace(run, spec=replace(SPEC, limit=9))),
        PlannedEpisode(TASK, 1).request(replace(run, identity="other")),
    ]
    assert len({other.idempotency_key for other in [request, *others]}) == 5


def test_options_of_tools_are_part_of_the_run() -> None:
    """Options of tools are in the reset and in the run's name; a run without them is named as in older versions."""
    replayed = replace(SPEC, tools_mode="replay", tag="june")
    tools = PlannedEpisode(TASK, 0).request(Run("r", replayed, "")).tools
    assert tools is not None
    assert (tools.mode, tools.tag) == ("replay", "june")
    assert PlannedEpisode(TASK, 0).request(Run("r", SPEC, "")).tools is None
    assert replayed.name != SPEC.name
    assert "tag" not in SPEC.text()
    assert replayed.differences(SPEC.text()) == ["tools-mode was not set, now replay", "tag was not set, now june"]


@pytest.mark.parametrize("written", ["hermes", "json"])
def test_a_model_that_writes_is_told_how(written: str) -> None:
    """The system message describes the tools, and results come in the user's role."""
    request = PlannedEpisode(TASK, 0).request(Run("r", replace(SPEC, format=written), ""))
    assert (request.tool_prompt, request.observation_role) == (written, "user")


async def test_every_task_is_played_in_every_trial() -> None:
    """Tasks are listed page by page; no episode is planned twice."""
    async with thrown_away(Settings(_env_file=None)) as local:
        for limit in (3, 1001):
            planned = await plan(local, replace(SPEC, split="train", limit=limit))
            assert len(planned) == len({episode.key for episode in planned}) == limit * 2


def test_a_long_name_of_a_policy_is_cut() -> None:
    """The name of the run is short enough for every server."""
    assert len(replace(SPEC, policy="openai:" + "m" * 500).name) <= 200


@pytest.mark.parametrize("name", ["a-b", "ok_1.2"])
def test_plain_names_are_folders(name: str) -> None:
    """If no character must be replaced, the folder has the run's name."""
    assert folder_name(name) == name


def test_names_of_folders() -> None:
    """No name leads outside the folder, and no two names give the same one."""
    names = ["a/b", "a-b", "a b", "../..", "run", "\N{SNOWMAN}", "Ü", ".a", "a."]
    folders = [folder_name(name) for name in names]
    assert len(set(folders)) == len(names)
    assert all(re.fullmatch(r"\w[\w.-]*", folder, re.ASCII) for folder in folders)
