"""The keys of TRL's `GRPOConfig` that no other trainer has; those that others have too are in `keys`.

Source of their meaning: https://huggingface.co/docs/trl/grpo_trainer.
"""

from collections.abc import Callable, Mapping
from typing import Any

from trainer_client.recipes.explain.told import Refused, Told
from trainer_client.recipes.grpo.settings import (
    ALGORITHM,
    DECAY,
    ENGINE,
    MOVES,
    OPTIMIZER,
    PLACEMENT,
    SAMPLING,
    is_whole,
)

MAPPED: Mapping[str, tuple[str, ...]] = {
    "num_iterations": ("trainer.update_epochs_per_batch",),
    "mask_truncated_completions": ("generator.apply_overlong_filtering",),
    "min_p": (f"{SAMPLING}min_p",),
    "vllm_gpu_memory_utilization": (f"{ENGINE}gpu_memory_utilization",),
    "vllm_tensor_parallel_size": (f"{ENGINE}tensor_parallel_size",),
    "vllm_max_model_length": (f"{ENGINE}engine_init_kwargs.max_model_len",),
}

_BATCHES = (
    "an update has trainer.train_batch_size prompts x generator.n_samples_per_prompt episodes; "
    "trainer.policy_mini_batch_size divides it"
)
_SERVER = f"engines that run elsewhere are {ENGINE}external_server_urls, with external_proxy_url"

REFUSED: Mapping[str, str] = {
    "delta": f"it is {ALGORITHM}clip_ratio_c, with {ALGORITHM}policy_loss_type=dual_clip",
    "warmup_ratio": f"it is a number of steps: {OPTIMIZER}num_warmup_steps",
    "generation_batch_size": _BATCHES,
    "steps_per_generation": _BATCHES,
    "per_device_eval_batch_size": "it is trainer.eval_batch_size, for all devices together",
    "reward_weights": "the server computes the reward: docs/rewards.md has its parts",
    "top_entropy_quantile": "SkyRL 0.3.0 has no setting for it",
    "use_liger_loss": "SkyRL 0.3.0 has no setting for it",
    "vllm_server_base_url": _SERVER,
    "vllm_server_host": _SERVER,
    "vllm_server_port": _SERVER,
    "vllm_importance_sampling_correction": f"it is {ALGORITHM}off_policy_correction.tis_ratio_type=token",
    "vllm_importance_sampling_cap": f"it is {ALGORITHM}off_policy_correction.token_tis_ratio_clip_high",
}

ALWAYS: Mapping[str, tuple[object, str, str]] = {
    "shuffle_dataset": (True, "rows are shuffled", "rows are shuffled; order=difficulty puts easy rows first"),
    "disable_dropout": (False, "dropout is that of the adapter", "trainer.policy.model.lora.dropout=0 switches it off"),
    "use_transformers_paged": (False, "rollouts come from vLLM", "rollouts always come from vLLM"),
}

_REDUCTIONS = {
    "grpo": "sequence_mean",
    "bnpo": "token_mean",
    "dapo": "token_mean",
    "dr_grpo": "seq_mean_token_sum_norm",
}
"""TRL's loss -> how SkyRL averages the loss of tokens. Both `bnpo` and `dapo` divide by the tokens of a batch. TRL
counts the tokens of one device for `bnpo`, and those of all devices for `dapo`.
"""

_LEVELS = {"token": "regular", "sequence": "gspo"}
"""Whether a ratio belongs to a token or to a sequence -> SkyRL's loss."""


def _epsilon(value: Any, given: Mapping[str, Any]) -> Told:
    """The lower bound, and also the upper one if no other key sets it."""
    low = {f"{ALGORITHM}eps_clip_low": value}
    return low if given.get("epsilon_high") is not None else {**low, f"{ALGORITHM}eps_clip_high": value}


def _upper(value: Any, _: Mapping[str, Any]) -> Told:
    return "both bounds are epsilon" if value is None else {f"{ALGORITHM}eps_clip_high": value}


def _needless(why: str) -> Callable[[Any, Mapping[str, Any]], Told]:
    """A key that changes nothing about the training, whatever its value."""
    return lambda _value, _given: why


def _loss(value: Any, _: Mapping[str, Any]) -> Told:
    if value in _REDUCTIONS:
        return {f"{ALGORITHM}loss_reduction": _REDUCTIONS[value]}
    raise Refused(f"expected one of {', '.join(_REDUCTIONS)}; {ALGORITHM}policy_loss_type names SkyRL's losses")


def _level(value: Any, _: Mapping[str, Any]) -> Told:
    if value in _LEVELS:
        return {f"{ALGORITHM}policy_loss_type": _LEVELS[value]}
    raise Refused(f"expected one of {', '.join(_LEVELS)}")


def _scaled(value: Any, _: Mapping[str, Any]) -> Told:
    """Whether an advantage is divided by the standard deviation of its group's rewards."""
    if value in (True, "group"):
        return {f"{ALGORITHM}grpo_norm_by_std": True}
    if value in (False, "none"):
        return {f"{ALGORITHM}grpo_norm_by_std": False}
    raise Refused(f"advantages are scaled within their group or not at all: {ALGORITHM}grpo_norm_by_std")


def _placed(value: Any, _: Mapping[str, Any]) -> Told:
    if value == "colocate":
        return {f"{PLACEMENT}colocate_all": True}
    raise Refused(f"{PLACEMENT}colocate_all=false gives the engines GPUs of their own; {_SERVER}")


def _follows(value: Any, given: Mapping[str, Any]) -> Told:
    if value is True and given.get("ref_model_sync_steps") is None:
        return {MOVES: 512}  # TRL's default
    return f"{MOVES} says so" if value is True else "the reference stays"


def _every(value: Any, given: Mapping[str, Any]) -> Told:
    return {MOVES: value} if given.get("sync_ref_model") is True else "sync_ref_model is off, and the reference stays"


def _mixed(value: Any, given: Mapping[str, Any]) -> Told:
    """TRL's value is the part that comes from the policy; the setting is the part that the reference keeps."""
    if given.get("sync_ref_model") is not True:
        return "sync_ref_model is off, and the reference stays"
    if isinstance(value, bool) or not (is_whole(value) or isinstance(value, float)):
        raise Refused(f"expected a number: {DECAY} is what the reference keeps of itself")
    return {DECAY: round(1 - value, 12)}


READ: Mapping[str, Callable[[Any, Mapping[str, Any]], Told]] = {
    "epsilon": _epsilon,
    "epsilon_high": _upper,
    "logging_steps": _needless("the metrics of every step are written"),
    "log_completions": _needless("the server keeps every episode"),
    "loss_type": _loss,
    "importance_sampling_level": _level,
    "scale_rewards": _scaled,
    "vllm_mode": _placed,
    "sync_ref_model": _follows,
    "ref_model_sync_steps": _every,
    "ref_model_mixup_alpha": _mixed,
}
"""Key -> its meaning, where that depends on its value or on other keys."""
