"""The data set of a job: the rows that it has, and what SkyRL gets of each."""

import json
from pathlib import Path
from typing import Any

import pytest
from skyrl.train.dataset import PromptDataset

from tests.e2e.server import Server
from tests.skyrl import tiny
from tests.skyrl.playing import Game, scores
from tests.skyrl.standin.experiment import CpuExp
from tests.skyrl.test_presets import DEAF, row
from trainer_client import Client
from trainer_client.dataset import write
from trainer_client.recipes.grpo.config import skyrl_config
from trainer_client.recipes.grpo.rows.dataset import JobRows
from trainer_client.recipes.grpo.settings import BadSettings, read
from trainer_client.skyrl.shared_client import ServerSettings

ORIGINAL: dict[str, Any] = {
    "data_source": "tau_bench",
    "prompt": {"messages": [{"role": "system", "content": "desk"}, {"role": "user", "content": "red please"}]},
    "env_class": "tau_bench",
    "reward_spec": {
        "method": "tau_bench_reward",
        "ground_truth_actions": [{"name": "connect", "arguments": {"line": "red"}}],
    },
    "extra_info": {"domain": "desk", "instruction": "red please"},
}


def written(path: Path, *rows: Any) -> str:
    """A file with these rows."""
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return str(path)


def test_rows_of_ours_are_what_skyrl_reads_itself(tokenizer: Any, tmp_path: Path) -> None:
    """Lines and parquet give the same rows, in the same order, without those that are too long."""
    rows = [row(0), row(1, "desk " * 80), row(2)]
    for place, each in enumerate(rows):
        each["extra_info"] = {"domain": "desk", "task_id": f"desk:builtin:train:{place}", "user": None}
    for name in ("rows.jsonl", "rows.parquet"):
        path = str(tmp_path / name)
        write(Path(path), rows)
        ours, theirs = JobRows(path, tokenizer, 40), PromptDataset(path, tokenizer, 40, num_workers=1)
        assert len(ours) == len(theirs) == 2
        for place in range(2):
            assert ours[place] == theirs[place]
            assert ours[place] == ours[place], "reading a row takes nothing away"
    assert ours.collate_fn([ours[0]])[0].keys() == {"prompt", "env_class", "env_extras", "uid"}


def test_rows_of_the_original_format_are_read(tokenizer: Any, tmp_path: Path) -> None:
    """They get our environment class and no prompt, because the episode has the policy and the tools."""
    path = written(tmp_path / "rows.jsonl", ORIGINAL)
    prompt, env_class, extras, uid = JobRows(path, tokenizer, 40)[0]
    assert (prompt, env_class, uid) == ([], "agent_env", "0")
    assert extras["extra_info"]["task"]["gold"]["actions"][0]["name"] == "connect"


def test_a_folder_that_datasets_reads(tokenizer: Any, tmp_path: Path) -> None:
    """A source that is no file is read as SkyRL reads it, with a split behind a colon."""
    folder = tmp_path / "hub"
    folder.mkdir()
    written(folder / "train.jsonl", row(0))
    written(folder / "test.jsonl", row(20), row(21))
    assert (len(JobRows(str(folder), tokenizer, 40)), len(JobRows(f"{folder}:test", tokenizer, 40))) == (1, 2)


def test_rows_are_chosen_by_difficulty(tokenizer: Any, tmp_path: Path) -> None:
    """Rows of the wanted difficulty are kept; the trainer gets the difficulty of each."""
    rows = [row(place) for place in range(6)]
    for place, each in enumerate(rows):
        each["extra_info"]["difficulty"] = place // 2 + 1
    path = written(tmp_path / "rows.jsonl", *rows)
    assert JobRows(path, tokenizer, 40, ServerSettings(difficulty="2-3")).grades == [2, 2, 3, 3]
    assert len(JobRows(path, tokenizer, 40)) == 6


def test_an_experiment_trains_on_what_the_settings_ask_for(model: Path, tmp_path: Path) -> None:
    """Difficulty applies only to the rows to train on; too few for a batch are an error before anything begins."""
    rows = [row(place) for place in range(8)]
    for place, each in enumerate(rows):
        each["extra_info"]["difficulty"] = place % 2 + 1
    path = written(tmp_path / "rows.jsonl", *rows)
    job = [f"data.train_data={path}", f"data.val_data=['{path}']", "trainer.run_name=mine"]
    job += [f"trainer.policy.model.path={model}", f"generator.inference_engine.external_proxy_url={DEAF}"]
    job += ["environment.skyrl_gym.agent_env.difficulty=2", "trainer.train_batch_size=4"]
    job += ["trainer.policy_mini_batch_size=4"]
    experiment = CpuExp(skyrl_config(read(["cpu-tiny"], [], job)))
    assert (experiment.train_dataset.grades, len(experiment.eval_dataset or ())) == ([2] * 4, 8)
    with pytest.raises(BadSettings, match="4 rows do not make a batch of 8"):
        CpuExp(skyrl_config(read(["cpu-tiny"], [], [*job, "trainer.train_batch_size=8"])))


class Original(Game):
    """A batch of rows of the original format, as SkyRL's own data set would give them."""

    def rows(self) -> list[dict[str, Any]]:
        """The batch, without our data set."""
        extras = {name: ORIGINAL[name] for name in ("data_source", "reward_spec", "extra_info")}
        given = {"prompt": ORIGINAL["prompt"]["messages"], "env_class": "tau_bench", "env_extras": extras}
        return [{**given, "uid": str(i)} for i in range(self.prompts)]


def test_rows_of_the_original_format_are_played(server: Server, tokenizer: Any) -> None:
    """Gold goes to the server as an inline task: its call earns 1 and another nothing, and nothing is lost."""
    settings: dict[str, Any] = {"environment.skyrl_gym.agent_env.reset": {"user": {"strategy": "none"}}}
    settings["generator.max_input_length"] = 4096  # the episode's own system message has the tools
    done = '{"name": "done", "arguments": {}}'

    def say(rollout: str, turn: int) -> str:
        return done if turn else tiny.call("red" if rollout.endswith("0") else "blue")

    game = Original(server.url, tokenizer, say, prompts=1, samples=2, settings=settings, run="original")
    output = game.play()
    assert scores(output) == [1.0, 0.0], output["rollout_metrics"]
    assert output["rollout_metrics"]["environment/lost_rollouts"] == 0
    with Client(server.url, "secret") as client:
        assert {episode.domain for episode in client.episodes(run="original").episodes} == {"desk"}
