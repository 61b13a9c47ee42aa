"""An evaluation by SkyRL's own function: several batches, a source that loses rollouts, and scores of kept ones."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.server import Server
from tests.skyrl import tiny
from tests.skyrl.playing import MODES, Game, right
from tests.skyrl.standin.engine import serving
from trainer_client.recipes.grpo.trainer import AgentEnvTrainer
from trainer_client.skyrl.lost_rollouts import total


def say(rollout: str, turn: int) -> str:
    """Prompts 4 to 6 make the wrong call, the others the right one."""
    if rollout[0] in "456":
        return tiny.call("pink") if turn else "Which line?"
    return right(rollout)


def rows(game: Game) -> list[dict[str, Any]]:
    """The game's rows: prompts 0 to 3 of one source, 4 to 6 of another, 7 of a third; 3 and 7 cannot be played."""
    found = game.rows()
    for i, row in enumerate(found):
        row["env_extras"]["data_source"] = ("agent_env/good", "bad", "gone")[(i >= 4) + (i == 7)]
        if i in (3, 7):
            row["env_extras"]["extra_info"]["pack_version"] = "older"
    return found


async def evaluated(game: Game, engine: str, folder: Path) -> dict[str, Any]:
    """The metrics that the trainer logs of an evaluation in batches of three, three and two."""
    async with game.generating(engine) as (config, generator):
        trainer = AgentEnvTrainer.__new__(AgentEnvTrainer)  # its parts need a GPU, an evaluation does not
        trainer.cfg, trainer.generator, trainer.tokenizer = config, generator, game.tokenizer
        trainer.trajectory_logger = trainer.tracker = None
        trainer.global_step = 2
        config.trainer.export_path = str(folder)
        every = rows(game)
        trainer.eval_dataloader = [every[:3], every[3:6], every[6:]]
        await trainer.eval()
        return dict(await trainer.eval())


def dumped(path: Path) -> list[float | None]:
    """The scores in a file with a source's rows; None for rollouts that have none."""
    with path.open(encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    last = [row for i, row in enumerate(rows) if i + 1 == len(rows) or rows[i + 1]["env_extras"] != row["env_extras"]]
    return [None if row["score"] is None else total(row["score"]) for row in last]


@pytest.mark.parametrize("mode", MODES)
def test_only_what_says_something_is_scored(server: Server, tokenizer: Any, tmp_path: Path, mode: str) -> None:
    """Scores are those of kept rollouts, rates are over all batches, lost ones are counted, and the files agree."""
    settings = {
        **MODES[mode],
        "generator.eval_n_samples_per_prompt": 1,
        "generator.eval_sampling_params.logprobs": None,
    }
    game = Game(server.url, tokenizer, say, prompts=8, samples=1, settings=settings, run=f"eval-{mode}")
    with serving(game.sampler()) as engine:
        found = asyncio.run(evaluated(game, engine, tmp_path))
    for source, score, lost in (("agent_env_good", 1.0, 1), ("bad", 0.0, 0), ("all", 0.5, 2)):
        assert found[f"eval/{source}/avg_score"] == score
        assert found[f"eval/{source}/pass_at_1"] == score
        assert found[f"eval/{source}/mean_positive_reward"] == score
        assert found[f"eval/{source}/lost_rollouts"] == lost
    assert found["eval/gone/lost_rollouts"] == 1
    assert "eval/gone/avg_score" not in found
    assert found["eval/all/environment/success_rate"] == found["eval/all/environment/desk/success_rate"] == 0.5
    assert found["eval/all/environment/env_failures"] == 2
    assert "timing/eval_generate" in found
    (written,) = tmp_path.rglob("aggregated_results.jsonl")
    assert json.loads(written.read_text(encoding="utf-8")) == found
    assert {name: dumped(written.parent / f"{name}.jsonl") for name in ("agent_env_good", "bad", "gone")} == {
        "agent_env_good": [1.0, 1.0, 1.0, None],
        "bad": [0.0, 0.0, 0.0],
        "gone": [None],
    }
