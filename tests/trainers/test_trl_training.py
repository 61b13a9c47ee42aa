"""TRL's `GRPOTrainer` takes two steps on a CPU over episodes of a real server; its rewards are the server's."""

import inspect
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from transformers import PreTrainedTokenizerFast, Qwen2ForCausalLM, TrainerCallback
from transformers.utils import get_json_schema
from trl import GRPOConfig, GRPOTrainer
from trl.chat_template_utils import qwen3_chat_template

from tests.adapters.examples import example
from tests.integrations import record
from tests.skyrl import tiny
from trainer_client import Client
from trainer_client.integrations.trl.environment import environment
from trainer_client.integrations.trl.tools import TAKEN

STEPS = 2
LINE = 'GRPOTrainer(environment_factory=environment(client, "retail"), ...)'
PROMPTS, SAMPLES, TASKS = 4, 4, 16
TAUGHT_STEPS = 60
"""Training steps after which some rollouts are right and some are not, so that there is something to learn from."""
Task = tuple[str, list[dict[str, Any]], list[dict[str, Any]]]
"""The line that solves a task, the conversation with which it begins, and the tools."""


def answer(line: str) -> str:
    """The turn that solves a task, as the chat template writes it."""
    return f'<tool_call>\n{{"name": "connect", "arguments": {{"line": "{line}"}}}}\n</tool_call>'


def by_environments(client: Client) -> Iterator[Task]:
    """The tasks as `environment_factory` shows them."""
    kind = environment(client, "desk")
    agent: Any = kind()
    methods = inspect.getmembers(kind, inspect.isfunction)
    tools = [get_json_schema(method) for name, method in methods if name not in TAKEN and not name.startswith("_")]
    prompt = example("TRL")["PROMPT"]
    for i, line in enumerate(tiny.NAMES):
        said = agent.reset(prompt=prompt, split="train", index=i)
        yield line, [{**prompt[0], "content": said}], tools
    agent.get_reward()


def by_rollouts(client: Client) -> Iterator[Task]:
    """The tasks as `rollout_func` shows them."""
    for i, line in enumerate(tiny.NAMES):
        with client.reset("desk", split="train", index=i) as episode:
            yield line, episode.messages, episode.tools


def taught(folder: Path, tasks: list[Task]) -> Path:
    """A tiny model that is made here, and taught a little of what it will be shown."""
    tiny.make(folder, [json.dumps([conversation, tools]) + answer(line) for line, conversation, tools in tasks])
    tokenizer = loaded(folder)
    pairs = [
        (
            tokenizer.apply_chat_template(conversation, tools=tools, add_generation_prompt=True, return_dict=False),
            [*tokenizer.encode(answer(line), add_special_tokens=False), tokenizer.eos_token_id],
        )
        for line, conversation, tools in tasks
    ]
    tiny.teach(folder, pairs, TAUGHT_STEPS)
    return folder


def loaded(folder: Path) -> Any:
    """The tokenizer, with a chat template that TRL knows."""
    tokenizer = PreTrainedTokenizerFast.from_pretrained(folder)
    tokenizer.chat_template = qwen3_chat_template
    return tokenizer


class Kept(TrainerCallback):
    """Keeps the rewards that the trainer computed with; the trainer itself keeps those of its last step."""

    def __init__(self, trainer: GRPOTrainer) -> None:
        self.trainer = trainer
        self.rewards: list[float] = []

    def on_step_end(self, *_: Any, **__: Any) -> None:
        """Keep those of this step."""
        (rewards,) = self.trainer._logs["rewards"].values()
        self.rewards += rewards


def trained(folder: Path, way: str) -> list[float]:
    """The rewards with which a trainer of docs/integrations.md has taken two steps, which changed the model."""
    torch.manual_seed(0)
    config = GRPOConfig(
        output_dir=str(folder / "output"),
        per_device_train_batch_size=PROMPTS * SAMPLES,
        num_generations=SAMPLES,
        max_steps=STEPS,
        learning_rate=1e-3,
        max_completion_length=160,
        beta=0.0,
        logging_steps=1,
        save_strategy="no",
        report_to=[],
        use_cpu=True,
        bf16=False,
        disable_tqdm=True,
    )
    policy = Qwen2ForCausalLM.from_pretrained(folder, dtype=torch.float32)
    before = {k: v.clone() for k, v in policy.state_dict().items()}
    trainer = example("TRL")[way]("desk", TASKS, model=policy, args=config, processing_class=loaded(folder))
    kept = Kept(trainer)
    trainer.add_callback(kept)
    trainer.train()
    assert trainer.state.global_step == STEPS
    assert any(not torch.equal(before[k], v) for k, v in policy.state_dict().items())
    return kept.rewards


def stored(client: Client, run: str) -> list[float]:
    """The rewards that the server gave to the scored episodes of a run."""
    found = client.episodes(run=run, done=True, limit=200).episodes
    return [e.reward for e in found if e.reward is not None]


def test_an_environment_factory(client: Client, tmp_path: Path) -> None:
    """Each rollout is an episode; what the trainer learns from is what the server stored."""
    rewards = trained(taught(tmp_path, [*by_environments(client)]), "with_environments")
    assert len(rewards) == STEPS * PROMPTS * SAMPLES
    assert sorted(rewards) == sorted(stored(client, "environments"))
    assert {*rewards} == {0.0, 1.0}
    record("TRL", "trl", LINE, max(rewards), min(rewards))


def test_a_rollout_func(client: Client, tmp_path: Path) -> None:
    """The trainer learns from the stored rewards, with rollouts that end with their episodes and hear the user."""
    rewards = trained(taught(tmp_path, [*by_rollouts(client)]), "with_rollouts")
    assert len(rewards) == STEPS * PROMPTS * SAMPLES
    assert sorted(rewards) == sorted(stored(client, "rollouts"))
    assert {*rewards} == {0.0, 1.0}
