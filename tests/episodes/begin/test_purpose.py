"""What runs are for: training never meets the tasks of evaluations."""

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
    """The reset is refused for this reason."""
    with pytest.raises(ProblemError) as error:
        await reset(episodes, **options)
    assert error.value.code is code


async def test_a_train_run_plays_no_test_task(pair: Pair) -> None:
    """Whether the purpose comes with the reset or from the run's first one, in any process; other tasks are played."""
    one, two = pair
    await refused(one, ErrorCode.TEST_TASK, purpose="train")
    await refused(one, ErrorCode.TEST_TASK, purpose="train", run="grpo")
    await refused(one, ErrorCode.TEST_TASK, purpose="train", n=4)
    await reset(one, purpose="train", run="grpo", split="train", index=None)
    await refused(two, ErrorCode.TEST_TASK, run="grpo")
    await reset(two, run="grpo", split="train", index=None)
    await reset(two, run="other", split="train", index=None)


async def test_a_run_keeps_its_purpose(pair: Pair) -> None:
    """What the first reset says holds; a refused reset says nothing; its episodes are listed with it."""
    one, two = pair
    await refused(one, ErrorCode.TEST_TASK, purpose="train", run="check")
    await reset(one, purpose="eval", run="check")
    await refused(two, ErrorCode.PURPOSE_CONFLICT, purpose="train", run="check", split="train")
    begun = await reset(two, run="check")
    assert two.reader.summary(begun["episode_id"])["purpose"] == "eval"


async def test_a_run_that_has_met_test_tasks_never_trains(pair: Pair) -> None:
    """Who plays a test task without a word evaluates, and what goes on in that run is no training."""
    one, two = pair
    begun = await reset(one, run="silent")
    assert one.reader.summary(begun["episode_id"])["purpose"] == "eval"
    await refused(two, ErrorCode.PURPOSE_CONFLICT, run="silent", purpose="train", split="train")


async def test_a_test_task_in_disguise(pair: Pair) -> None:
    """Given inline, without its id, a test task is known by what its user wants."""
    one, _ = pair
    found = await one.catalogue.task("retail", "builtin", (await reset(one))["info"]["task_id"], gold=True)
    inline = {"instruction": found["instruction"], "gold": found["gold"]}
    await refused(one, ErrorCode.TEST_TASK, task=inline, split=None, index=None, purpose="train")
    loud = inline | {"instruction": f"  {found['instruction'].upper()}\n"}
    await refused(one, ErrorCode.TEST_TASK, task=loud, split=None, index=None, purpose="train")
    await reset(one, task=inline, split=None, index=None, purpose="eval")
    other = inline | {"instruction": "Cancel it."}
    await reset(one, task=other, split=None, index=None, purpose="train")
