"""The robust generator over real HTTP, with SkyRL's real client, a scripted engine and a real server."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from skyrl.backends.skyrl_train.inference_servers.engine_utils import get_sampling_params_for_backend
from skyrl.backends.skyrl_train.inference_servers.remote_inference_client import RemoteInferenceClient
from skyrl.train.generators.base import GeneratorInput
from skyrl.train.generators.utils import prepare_generator_input
from skyrl.train.utils import validate_cfg
from skyrl.train.utils.trainer_utils import validate_generator_output

from tests.skyrl import tiny
from tests.skyrl.standin.engine import Sampled, Sampler, serving
from trainer_client import Client
from trainer_client.recipes.grpo.config import skyrl_config
from trainer_client.skyrl.generator import RobustGenerator
from trainer_client.skyrl.row import ENV_CLASS

Say = Callable[[str, int], str]
"""What a scripted policy says: from the rollout's id (`prompt_sample`) and its turn, 0 for the first."""

MODES: Mapping[str, Mapping[str, Any]] = {
    "appended": {},
    "one-message": {"generator.use_conversation_multi_turn": False},
    "step-wise": {"generator.step_wise_trajectories": True},
    "re-rendered": {
        "generator.chat_template.source": "name",
        "generator.chat_template.name_or_path": "qwen3_without_thinking",
        "generator.sampling_params.logprobs": None,
    },
}
"""The ways in which SkyRL keeps a conversation."""


@dataclass
class Game:
    """A batch: `prompts` rows of `samples` rollouts, played by `say`; `settings` are SkyRL's own."""

    url: str
    tokenizer: Any
    say: Say
    prompts: int = 4
    samples: int = 4
    settings: Mapping[str, Any] = field(default_factory=dict)
    info: Mapping[str, Any] = field(default_factory=dict)
    run: str | None = None
    model: str = "tiny"
    """The engine's name of the model."""
    limit_s: float | None = None
    """The seconds after which the batch is cancelled."""

    def play(self) -> dict[str, Any]:
        """The output that the generator gives SkyRL's trainer."""
        with serving(self.sampler()) as engine:
            return self.play_with(engine)

    def play_with(self, engine: str) -> dict[str, Any]:
        """The output of an engine that serves `sampler` already."""
        return asyncio.run(self._generated(engine))

    def sampler(self) -> Sampler:
        """The sampler that the engine serves: `say`, as tokens."""
        turns: Counter[str] = Counter()

        def sample(rollout: str, _: list[int], __: dict[str, Any]) -> Sampled:
            text = self.say(rollout, turns[rollout])
            turns[rollout] += 1
            ids = [*self.tokenizer.encode(text, add_special_tokens=False), self.tokenizer.eos_token_id]
            return ids, [-0.5] * len(ids), "stop"

        return sample

    async def _generated(self, engine: str) -> dict[str, Any]:
        async with self.generating(engine) as (config, generator):
            batch = self.batch(config)
            output = await asyncio.wait_for(generator.generate(batch, disable_tqdm=True), self.limit_s)
        validate_generator_output(len(batch["prompts"]), output, step_wise=config.generator.step_wise_trajectories)
        return dict(output)

    @asynccontextmanager
    async def generating(self, engine: str) -> AsyncIterator[tuple[Any, RobustGenerator]]:
        """SkyRL's configuration, and the generator made from it."""
        config = skyrl_config(
            {
                "trainer.logger": "console",
                "trainer.policy.model.path": self.tokenizer.name_or_path,
                "trainer.max_prompt_length": 128,
                "trainer.train_batch_size": self.prompts,
                "trainer.policy_mini_batch_size": self.prompts,
                "generator.max_turns": 4,
                "generator.max_input_length": 1024,
                "generator.n_samples_per_prompt": self.samples,
                "environment.env_class": ENV_CLASS,
                "environment.skyrl_gym.agent_env.url": self.url,
                "environment.skyrl_gym.agent_env.key": "secret",
                **self.settings,
            }
        )
        validate_cfg(config)
        client = RemoteInferenceClient(
            proxy_url=engine,
            server_urls=[engine],
            data_parallel_size=1,
            model_name=self.model,
            tokenizer=self.tokenizer,
        )
        generator = RobustGenerator(
            config.generator, config.environment.skyrl_gym, client, self.tokenizer, run=self.run
        )
        try:
            yield config, generator
        finally:
            await client.aclose()

    def batch(self, config: Any) -> GeneratorInput:
        """The batch that SkyRL's trainer makes from the rows in its first step."""
        params = get_sampling_params_for_backend("vllm", config.generator.sampling_params)
        batch: GeneratorInput
        batch, _ = prepare_generator_input(self.rows(), self.samples, params, ENV_CLASS, "train", 1)
        return batch

    def rows(self) -> list[dict[str, Any]]:
        """The rows as SkyRL's dataset gives them."""
        return [
            {"prompt": tiny.SYSTEM, "env_class": None, "uid": str(i), "env_extras": {"extra_info": self._info(i)}}
            for i in range(self.prompts)
        ]

    def _info(self, place: int) -> dict[str, Any]:
        return {"domain": "desk", "split": "train", "index": place, **self.info}


def right(rollout: str) -> str:
    """The call that solves the rollout's task."""
    return tiny.call(tiny.NAMES[int(rollout.partition("_")[0]) % len(tiny.NAMES)])


def after_talk(rollout: str, turn: int) -> str:
    """Ask first, then make the right call."""
    return right(rollout) if turn else "Which line?"


def scores(output: Mapping[str, Any]) -> list[float]:
    """The reward of each rollout."""
    last = output.get("is_last_step") or [True] * len(output["rewards"])
    kept = [reward for reward, end in zip(output["rewards"], last, strict=True) if end]
    return [sum(r) if isinstance(r, list) else r for r in kept]


def conversation(client: Client, episode: str) -> list[dict[str, Any]]:
    """The messages of an episode, as the server has them."""
    record = client.trajectory(episode)
    found = [message.model_dump(exclude_none=True) for message in record.observation if message.role != "system"]
    for part in (part for turn in record.turns for part in turn.parts):
        found.append({"role": "assistant", "content": part.action})
        found += [message.model_dump(exclude_none=True) for message in part.observation]
    return found
