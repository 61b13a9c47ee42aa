"""Settings of other GRPO trainers in ours: what each key means here, or why there is no such setting.

A key is written with its section (`lora.r`); the sections that only name an algorithm (`grpo`, `algo_grpo`,
`algorithm`) may be left out.
"""

import difflib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from trainer_client.recipes.grpo.settings import MODEL, flat

ALGORITHM = "trainer.algorithm."
LORA = "trainer.policy.model.lora."
ENGINE = "generator.inference_engine."
SAMPLING = "generator.sampling_params."
OPTIMIZER = "trainer.policy.optimizer_config."

MAPPED: Mapping[str, tuple[str, ...]] = {
    "model_name_or_path": (MODEL,),
    "model.name": (MODEL,),
    "clip_ratio": (f"{ALGORITHM}eps_clip_low", f"{ALGORITHM}eps_clip_high"),
    "kl_coef": (f"{ALGORITHM}kl_loss_coef",),
    "normalize_advantages": (f"{ALGORITHM}grpo_norm_by_std",),
    "learning_rate": (f"{OPTIMIZER}lr",),
    "optimization.learning_rate": (f"{OPTIMIZER}lr",),
    "optimization.gradient_clip": (f"{OPTIMIZER}max_grad_norm",),
    "num_train_epochs": ("trainer.epochs",),
    "training.max_epochs": ("trainer.epochs",),
    "training.save_frequency": ("trainer.ckpt_interval",),
    "train_batch_size": ("trainer.train_batch_size", "trainer.policy_mini_batch_size"),
    "num_generations": ("generator.n_samples_per_prompt",),
    "rollout.num_envs": ("environment.skyrl_gym.max_env_workers",),
    "rollout.max_steps_per_episode": ("generator.max_turns",),
    "max_turns": ("generator.max_turns",),
    "rollout.max_new_tokens": (f"{SAMPLING}max_generate_length",),
    "rollout.temperature": (f"{SAMPLING}temperature",),
    "rollout.top_p": (f"{SAMPLING}top_p",),
    "lora.r": (f"{LORA}rank",),
    "lora.alpha": (f"{LORA}alpha",),
    "lora.dropout": (f"{LORA}dropout",),
    "vllm.max_model_len": (f"{ENGINE}engine_init_kwargs.max_model_len",),
    "vllm.gpu_memory_utilization": (f"{ENGINE}gpu_memory_utilization",),
    "vllm.enforce_eager": (f"{ENGINE}enforce_eager",),
    "wandb_project": ("trainer.project_name",),
    "run_name": ("trainer.run_name",),
    "seed": ("trainer.seed",),
}
"""Key -> the settings that take its value. tests/skyrl hold them against SkyRL's schema."""

REFUSED: Mapping[str, str] = {
    "gamma": "GRPO gives every token of a rollout the same advantage; for PPO use the preset ppo",
    "lambda_gae": "GRPO has no value function; for PPO use the preset ppo",
    "value_loss_coef": "GRPO has no value function; for PPO use the preset ppo",
    "target_kl": "the KL coefficient is fixed; the health check `policy_kl` warns or halts above a threshold",
    "adaptive_kl": "the KL coefficient is fixed; with trainer.algorithm.use_kl_in_reward SkyRL has a controller for it",
    "reference_ema": "SkyRL 0.3.0 replaces the reference at most once an epoch: trainer.update_ref_every_epoch=true",
    "load_in_4bit": "SkyRL 0.3.0 has no setting for it; use a smaller model, or the preset gpu-1-lora-24gb",
    "optimization.gradient_accumulation_steps": (
        "SkyRL accumulates from trainer.micro_train_batch_size_per_gpu up to trainer.policy_mini_batch_size"
    ),
    "training.steps_per_epoch": "an epoch is all rows; trainer.max_training_steps ends a job early",
    "rollout.tools.allow_list": "the server's domain has the tools: trainer data prepare --domain",
    "rollout.tools.retry_attempts": "calls are sent again for environment.skyrl_gym.agent_env.patience_s seconds",
    "reward_shaping": "set environment.skyrl_gym.agent_env.reset.reward_shaping; docs/rewards.md has the presets",
    "lora.target_modules": "SkyRL 0.3.0 takes one text: trainer.policy.model.lora.target_modules=all-linear",
}
"""Key -> why there is no such setting, and what to use instead."""

PREFIXES = ("algo_grpo.", "grpo.", "algorithm.")


@dataclass(frozen=True, slots=True)
class Meaning:
    """The meaning of a foreign key here."""

    key: str
    value: Any
    settings: Mapping[str, Any]
    hint: str
    """Why there is no such setting; empty if there is."""

    def __str__(self) -> str:
        """One line for people."""
        ours = " ".join(f"{name}={json.dumps(given, default=str)}" for name, given in self.settings.items())
        return f"{self.key}: {self.hint or ours or 'what the presets do'}"


def explained(nested: Mapping[str, Any]) -> Iterator[Meaning]:
    """The meaning of each key of a foreign file of settings."""
    for key, given in flat(nested).items():
        yield _meaning(key, given)


def _meaning(key: str, given: Any) -> Meaning:
    name = next((key.removeprefix(prefix) for prefix in PREFIXES if key.startswith(prefix)), key)
    if name in {"enable_vllm", "vllm.enabled"}:
        hint = "" if given is True else "rollouts always come from vLLM"
        return Meaning(key, given, {} if hint else {f"{ENGINE}backend": "vllm"}, hint)
    if name in {"finetune.mode", "lora.enabled"}:
        full = given == "full" or given is False
        return Meaning(key, given, {f"{LORA}rank": 0} if full else {}, "")
    if name in MAPPED:
        return Meaning(key, given, dict.fromkeys(MAPPED[name], given), "")
    if name in REFUSED:
        return Meaning(key, given, {}, REFUSED[name])
    close = difflib.get_close_matches(name, [*MAPPED, *REFUSED], n=1)
    return Meaning(key, given, {}, "unknown" + (f"; did you mean {close[0]}?" if close else ""))
