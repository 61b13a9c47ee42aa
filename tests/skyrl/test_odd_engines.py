"""Faults for which SkyRL gives up a batch: odd answers of the engine and odd conversations. And a cancelled batch."""

import asyncio
import copy
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from skyrl.backends.skyrl_train.inference_servers.engine_utils import get_sampling_params_for_backend
from skyrl.train.generators.skyrl_gym_generator import StepWiseOutput, TrajectoryOutput
from skyrl.train.generators.utils import prepare_generator_input

from tests.e2e.server import Server
from tests.skyrl import tiny
from tests.skyrl.playing import MODES, Game, after_talk, scores
from tests.skyrl.standin.engine import Sampled, Sampler, serving
from tests.skyrl.test_faults import played
from tests.skyrl.test_generator import open_episodes
from trainer_client.skyrl.engine_checks import check_rows
from trainer_client.skyrl.lost_rollouts import LOST
from trainer_client.skyrl.row import ENV_CLASS

ODD: dict[str, Callable[[Sampled], tuple[Any, Any, Any]]] = {
    "empty": lambda _: ([], [], "stop"),
    "one-missing": lambda said: (said[0], said[1][:-1], said[2]),
    "one-too-many": lambda said: (said[0], [*said[1], -1.0], said[2]),
    "no-logprobs": lambda said: (said[0], [], said[2]),
    "null": lambda said: (said[0], [None] * len(said[0]), said[2]),
}
"""How a good answer of the engine is changed into an odd one."""

CASES = [
    *((mode, "empty", 0) for mode in MODES),
    *(("appended", odd, 0) for odd in ODD if odd != "empty"),
    *((mode, "one-missing", 0) for mode in ("one-message", "step-wise")),
    *((mode, "empty", 1) for mode in ("appended", "step-wise")),
]
"""The mode, what is odd, and in which turn."""


@dataclass
class Odd(Game):
    """A game in which rollout 1_2 gets an odd answer, in the turn `when`."""

    odd: Callable[[Sampled], tuple[Any, Any, Any]] = ODD["empty"]
    when: int = 0

    def sampler(self) -> Sampler:
        """The game's sampler, but for that turn."""
        usual, turns = super().sampler(), iter(range(100))

        def sample(rollout: str, ids: list[int], params: dict[str, Any]) -> Sampled:
            said = usual(rollout, ids, params)
            return self.odd(said) if rollout == "1_2" and next(turns) == self.when else said

        return sample


@dataclass
class OneOdd(Game):
    """A game in which the conversation of prompt 1 begins with something else."""

    system: str = ""

    def rows(self) -> list[dict[str, Any]]:
        """The rows, one of them changed."""
        found = super().rows()
        found[1]["prompt"] = [{"role": "system", "content": self.system}]
        return found


def lost(output: dict[str, Any]) -> int:
    """The number of lost rollouts; each rollout here has one row."""
    return sum(reason == LOST for reason in output["stop_reasons"])


@pytest.mark.parametrize(("mode", "odd", "when"), CASES)
def test_an_odd_answer_costs_one_rollout(server: Server, tokenizer: Any, mode: str, odd: str, when: int) -> None:
    """Whatever is wrong with a turn's tokens, the rest of the batch is sound, and the episode is closed unscored."""
    run = f"odd-{mode}-{odd}-{when}"
    game = Odd(server.url, tokenizer, after_talk, settings=MODES[mode], run=run, odd=ODD[odd], when=when)
    output = game.play()  # looks at it as SkyRL's trainer does
    assert scores(output) == [1.0] * 16
    assert lost(output) == 1
    metrics = output["rollout_metrics"]
    assert (metrics["environment/lost_rollouts"], metrics["environment/rollout_failures"]) == (1, 1)
    assert [(e.stop_reason, e.turn) for e in played(server, run) if e.scored is False] == [("closed", when + 1)]
    assert open_episodes(server, run) == 0


@pytest.mark.parametrize("mode", MODES)
def test_one_prompt_that_does_not_fit(server: Server, tokenizer: Any, mode: str) -> None:
    """A prompt that is too long costs only its own rollouts, and does not end the run."""
    settings = {**MODES[mode], "generator.max_input_length": 200}
    run = f"one-long-{mode}"
    output = OneOdd(server.url, tokenizer, after_talk, settings=settings, run=run, system="desk " * 300).play()
    assert scores(output) == [1.0] * 16
    assert lost(output) == 4
    assert open_episodes(server, run) == 0


@pytest.mark.parametrize("mode", ["appended", "step-wise"])
def test_a_conversation_that_the_template_refuses(server: Server, tokenizer: Any, mode: str) -> None:
    """The chat template raises for one prompt: that costs its rollouts, and their episodes are closed unscored."""
    strict = copy.deepcopy(tokenizer)
    refusal = "{% if 'forbidden' in m.content %}{{ raise_exception('no') }}{% endif %}"
    strict.chat_template = f"{{% for m in messages %}}{refusal}{{% endfor %}}{tiny.TEMPLATE}"
    run = f"refused-{mode}"
    output = OneOdd(server.url, strict, after_talk, settings=MODES[mode], run=run, system="forbidden").play()
    assert scores(output) == [1.0] * 16
    assert lost(output) == 4
    assert sorted((e.stop_reason, e.scored) for e in played(server, run))[:4] == [("closed", False)] * 4
    assert open_episodes(server, run) == 0


async def cancelled(game: Game, engine: str, calls: list[str]) -> tuple[int, int, dict[str, Any]]:
    """Cancel a batch when it plays, and play another with the same generator.

    Returns:
        How many tasks the first left, how often the engine was called for it afterwards, and what the second gave.
    """
    async with game.generating(engine) as (config, generator):
        params = get_sampling_params_for_backend("vllm", config.generator.sampling_params)

        def batch() -> Any:
            return prepare_generator_input(game.rows(), game.samples, params, ENV_CLASS, "train", 1)[0]

        first = asyncio.create_task(generator.generate(batch(), disable_tqdm=True))
        while len(calls) < 20:  # of 16 rollouts some are in their second turn
            await asyncio.sleep(0.01)
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        left = len(asyncio.all_tasks()) - 1
        await asyncio.sleep(0.5)  # for those that the engine had begun
        before = len(calls)
        await asyncio.sleep(1)
        late = len(calls) - before
        return left, late, dict(await generator.generate(batch(), disable_tqdm=True))


def test_a_cancelled_batch_is_over_in_a_loop_that_lives_on(server: Server, tokenizer: Any) -> None:
    """Cancelling waits until every rollout has ended and is closed; the generator can then play the next batch."""
    calls: list[str] = []

    def say(rollout: str, _: int) -> str:
        calls.append(rollout)
        time.sleep(0.2)
        return "Which line?"

    game = Game(server.url, tokenizer, say, run="lives-on", settings={"generator.max_turns": 12})
    with serving(game.sampler()) as engine:
        left, late, output = asyncio.run(cancelled(game, engine, calls))
    assert (left, late) == (0, 0)
    assert output["rollout_metrics"]["environment/lost_rollouts"] == 0
    episodes = played(server, "lives-on")
    assert sorted(e.scored is False for e in episodes) == [False] * 16 + [True] * 16
    assert open_episodes(server, "lives-on") == 0


def row(**changes: Any) -> TrajectoryOutput:
    """A sound row of two tokens, but for `changes`."""
    sound = {"response_ids": [1, 2], "reward": [0.0, 1.0], "loss_mask": [1, 1], "rollout_logprobs": [-0.5, -0.5]}
    return TrajectoryOutput(**{"stop_reason": "stop", "prompt_ids": [1], "env_metrics": {}, **sound, **changes})


def test_sound_rows_pass() -> None:
    """A single reward is as good as one for each token, and log probabilities are required only if asked for."""
    check_rows(row(), logprobs=True)
    check_rows(row(reward=1.0, rollout_logprobs=None), logprobs=False)
    check_rows(StepWiseOutput([row(), row()]), logprobs=True)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"response_ids": []}, "no tokens"),
        ({"loss_mask": [1]}, "loss mask for 1"),
        ({"reward": [1.0]}, "rewards for 1"),
        ({"rollout_logprobs": [-0.5]}, "log probabilities for 1"),
        ({"rollout_logprobs": None}, "log probabilities for 0"),
    ],
)
def test_rows_that_do_not_fit(changes: dict[str, Any], reason: str) -> None:
    """A row whose lists differ is refused, and so is one turn of many."""
    for output in (row(**changes), StepWiseOutput([row(), row(**changes)])):
        with pytest.raises(ValueError, match=reason):
            check_rows(output, logprobs=True)


def test_a_rollout_without_turns() -> None:
    """No row at all is refused too."""
    with pytest.raises(ValueError, match="no turn was played"):
        check_rows(StepWiseOutput([]), logprobs=True)
