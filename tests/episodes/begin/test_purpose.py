"""The purpose of a run: training never plays the tasks of evaluations."""

from typing import Any

import orjson
import pytest

from agent_env_schemas import ErrorCode, ResetRequest
from env_server.episodes import Episodes
from env_server.errors import ProblemError

Pair = tuple[Episodes, Episodes]


async def reset(episodes: Episodes, **options: Any) -> dict[str, Any]:
    """Begin an episode, by default of the first test task."""
    given = {"domain": "retail", "split": "test", "index": 0} | options
    found: dict[str, Any] = orjson.loads(await episodes.reset(ResetRequest.model_validate(given), "tester"))
    return found


async def refused(episodes: Episodes, code: ErrorCode, **options: Any) -> None:
    """Begin an episode, which must be refused for this reason."""
    with pytest.raises(ProblemError) as error:
        await reset(episodes, **options)
    assert error.value.code is code


async def test_a_train_run_plays_no_test_task(pair: Pair) -> None:
    """The purpose may come with the reset or from the run's first reset, in any process; other tasks are played."""
    one, two = pair
    await refused(one, ErrorCode.TEST_TASK, purpose="train")
    await refused(one, ErrorCode.TEST_TASK, purpose="train", run="grpo")
    await refused(one, ErrorCode.TEST_TASK, purpose="train", n=4)
    await reset(one, purpose="train", run="grpo", split="train", index=None)
    await refused(two, ErrorCode.TEST_TASK, run="grpo")
    await reset(two, run="grpo", split="train", index=None)
    await reset(two, run="other", split="train", index=None)


async def test_a_run_keeps_its_purpose(pair: Pair) -> None:
    """A run has the purpose of its first successful reset, which its episodes show; a refused reset sets none."""
    one, two = pair
    await refused(one, ErrorCode.TEST_TASK, purpose="train", run="check")
    await reset(one, purpose="eval", run="check")
    await refused(two, ErrorCode.PURPOSE_CONFLICT, purpose="train", run="check", split="train")
    begun = await reset(two, run="check")
    assert two.reader.summary(begun["episode_id"])["purpose"] == "eval"


async def test_a_run_that_has_met_test_tasks_never_trains(pair: Pair) -> None:
    """A run that plays a test task without naming a purpose is an evaluation, and is refused as training later."""
    one, two = pair
    begun = await reset(one, run="silent")
    assert one.reader.summary(begun["episode_id"])["purpose"] == "eval"
    await refused(two, ErrorCode.PURPOSE_CONFLICT, run="silent", purpose="train", split="train")


async def test_a_test_task_in_disguise(pair: Pair) -> None:
    """An inline task without an id is recognised as a test task by its instruction."""
    one, _ = pair
    found = await one.catalogue.task("retail", "builtin", (await reset(one))["info"]["task_id"], gold=True)
    inline = {"instruction": found["instruction"], "gold": found["gold"]}
    await refused(one, ErrorCode.TEST_TASK, task=inline, split=None, index=None, purpose="train")
    loud = inline | {"instruction": f"  {found['instruction'].upper()}\n"}
    await refused(one, ErrorCode.TEST_TASK, task=loud, split=None, index=None, purpose="train")
    await reset(one, task=inline, split=None, index=None, purpose="eval")
    other = inline | {"instruction": "Cancel it."}
    await reset(one, task=other, split=None, index=None, purpose="train")
