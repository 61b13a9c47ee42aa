"""SkyRL's real trainer trains on turns that think, with a template that leaves out earlier thoughts as Qwen3's does."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from safetensors.torch import load_file
from skyrl.backends.skyrl_train.training_batch import TrainingInputBatch
from skyrl.utils.tok import get_tokenizer

from tests.e2e.server import Server
from tests.skyrl import tiny
from tests.skyrl.conftest import KEY
from tests.skyrl.jobs.test_short_jobs import trained
from tests.skyrl.playing import conversation
from tests.skyrl.standin.thinking import Noted, call, noted
from trainer_client import Client
from trainer_client.recipes.grpo.health import GAP
from trainer_client.skyrl.shared_client import RENDERED, TEXT

STEPS, SAMPLES, TURNS = 3, 4, 3
SETTINGS = [
    "generator.step_wise_trajectories=true",
    f"generator.max_turns={TURNS}",
    f"generator.n_samples_per_prompt={SAMPLES}",
    "generator.max_input_length=1900",
    "generator.sampling_params.max_generate_length=64",
    "trainer.max_prompt_length=1024",
    "trainer.dump_data_batch=true",
    f"trainer.hf_save_interval={STEPS}",
]


@pytest.mark.slow
@pytest.mark.parametrize("how", [TEXT, RENDERED])
def test_each_turn_is_trained_behind_the_history_of_deployment(server: Server, tmp_path: Path, how: str) -> None:
    """A sample is what the engine was given and what it sampled, and its history is the template's for that turn."""
    model, run = tmp_path / "model", f"thinking-{how}"
    with Client(server.url, KEY) as client:
        begun = client.reset("desk", split="train", index=0)
    told = [str(begun.tools), begun.messages[0]["content"]] if how == RENDERED else []
    talk = [f"{line} please Good day. system user assistant {call('connect', line=line)}" for line in tiny.NAMES]
    tiny.make(model, [*talk, *told], heads=2, thinking=True)
    before = load_file(model / "model.safetensors")
    settings = [*SETTINGS, f"environment.skyrl_gym.agent_env.tools={how}", f"trainer.run_name={run}"]
    status, log, steps = trained(server, model, tmp_path, settings, how=("thinking",))
    assert status == 0, log
    tokenizer = get_tokenizer(str(model), trust_remote_code=True, use_fast=True, padding_side="left")
    turns = [turn for turn in noted(model) if tiny.THINK in tokenizer.decode(turn.ids)]
    assert len(turns) == STEPS * 8 * SAMPLES * TURNS
    check_samples(tmp_path, turns)
    check_histories(server, run, tokenizer, turns, begun.tools if how == RENDERED else None)
    again = [tokenizer.encode(tokenizer.decode(turn.ids), add_special_tokens=False) for turn in turns]
    assert all(ids != turn.ids for ids, turn in zip(again, turns, strict=True)), "no id may be computed from text"
    print(how, [round(step["reward/avg_raw_reward"], 3) for step in steps])
    assert len(steps) == STEPS
    assert max(step[GAP] for step in steps) < 1e-3
    assert sum(step["environment/lost_rollouts"] for step in steps) == 0
    assert any(step["policy/grad_norm"] > 0 for step in steps)
    (export,) = (tmp_path / "export").rglob("*.safetensors")
    after = load_file(export)
    assert any(not weight.equal(after[name]) for name, weight in before.items() if name in after)


def check_samples(folder: Path, turns: list[Noted]) -> None:
    """What the trainer's workers got is one row for each turn, with loss on the sampled ids and on no others."""
    found: Counter[str] = Counter()
    for file in sorted((folder / "export/dumped_data").glob("*.pkl")):
        batch = TrainingInputBatch().load(str(file))
        width = batch["loss_mask"].shape[1]
        for ids, there, loss in zip(batch["sequences"], batch["attention_mask"], batch["loss_mask"], strict=True):
            said = ids[-width:][loss.bool()].tolist()
            behind = int(loss.nonzero()[-1]) + 1
            assert loss[behind - len(said) : behind].all(), "the ids with loss are no whole turn"
            begins = len(ids) - width + behind - len(said)
            found[json.dumps([ids[:begins][there[:begins].bool()].tolist(), said])] += 1
    assert found == Counter(json.dumps([turn.prompt, turn.ids]) for turn in turns)


def check_histories(server: Server, run: str, tokenizer: Any, turns: list[Noted], tools: Any) -> None:
    """The prompts are what the template writes for the conversations that the server has, without earlier thoughts."""
    expected: Counter[str] = Counter()
    with Client(server.url, KEY) as client:
        for episode in client.episodes(run=run, limit=500).episodes:
            policy = client.trajectory(episode.episode_id).observation[0].content
            system = [{"role": "system", "content": policy}] if tools else tiny.SYSTEM
            talk = [*system, *conversation(client, episode.episode_id)]
            for place in (place for place, message in enumerate(talk) if message["role"] == "assistant"):
                assert tiny.THINK in talk[place]["content"]
                expected[tokenizer.apply_chat_template(
                    talk[:place], tools=tools, add_generation_prompt=True, tokenize=False)] += 1  # fmt: skip
    assert Counter(tokenizer.decode(turn.prompt) for turn in turns) == expected
    think, header = (tokenizer.encode(text, add_special_tokens=False)[0] for text in (tiny.THINK, "<|im_start|>"))
    thoughts = {(turn.prompt.count(header), turn.prompt.count(think)) for turn in turns}
    assert [kept for _, kept in sorted(thoughts)] == [0, 1, 0], "kept behind a tool, gone behind the user"
