"""The keys of TRL's `GRPOConfig` whose settings depend on their values or on each other.

Keys that other trainers share are in `keys`, and those that need no setting here are in `trl_aside`. Source of their
meaning: `GRPOConfig` and `GRPOTrainer` of TRL 1.16, https://huggingface.co/docs/trl/grpo_trainer.
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
    "num_generations_eval": ("generator.eval_n_samples_per_prompt",),
    "eval_on_start": ("trainer.eval_before_train",),
    "mask_truncated_completions": ("generator.apply_overlong_filtering",),
    "min_p": (f"{SAMPLING}min_p",),
    "gradient_checkpointing_kwargs.use_reentrant": ("trainer.gradient_checkpointing_use_reentrant",),
    "sapo_temperature_pos": (f"{ALGORITHM}sapo.tau_pos",),
    "sapo_temperature_neg": (f"{ALGORITHM}sapo.tau_neg",),
    "vllm_gpu_memory_utilization": (f"{ENGINE}gpu_memory_utilization",),
    "vllm_tensor_parallel_size": (f"{ENGINE}tensor_parallel_size",),
    "vllm_max_model_length": (f"{ENGINE}engine_init_kwargs.max_model_len",),
}

_BATCHES = (
    "an update has trainer.train_batch_size prompts x generator.n_samples_per_prompt episodes; "
    "trainer.policy_mini_batch_size divides it"
)
_SERVER = f"engines that run elsewhere are {ENGINE}external_server_urls, with external_proxy_url"
_RATIOS = f"{ALGORITHM}off_policy_correction"
_CORRECTION = (
    f"it is below {_RATIOS}: for sequence_mask, sequence_mask_metric=product and product_mask_high; "
    "for token_truncate, tis_ratio_type=token and token_tis_ratio_clip_high"
)
_STEPS = f"it is a number of steps: {OPTIMIZER}num_warmup_steps"

REFUSED: Mapping[str, str] = {
    "delta": f"it is {ALGORITHM}clip_ratio_c, with {ALGORITHM}policy_loss_type=dual_clip",
    "generation_batch_size": _BATCHES,
    "steps_per_generation": _BATCHES,
    "per_device_eval_batch_size": "it is trainer.eval_batch_size, for all devices together",
    "reward_weights": "the server computes the reward: docs/rewards.md has its parts",
    "max_tool_calling_iterations": "generator.max_turns limits all turns of an episode",
    "vllm_server_base_url": _SERVER,
    "vllm_importance_sampling_correction": _CORRECTION,
    "chat_template_kwargs": "they are settings of their own: generator.chat_template_kwargs.NAME",
}

MIXTURE = 0.6
"""TRL's default of `ref_model_mixup_alpha`: the part of the policy in the reference when it moves."""
INTERVAL = 512
"""TRL's default of `ref_model_sync_steps`, in optimiser steps."""
COMPLETION = 512
"""TRL's default of `max_completion_length`, in tokens."""

_REDUCTIONS = {"grpo": "sequence_mean", "bnpo": "token_mean_legacy", "dapo": "token_mean"}
"""TRL's loss -> how SkyRL averages the losses of tokens. `bnpo` divides by the tokens of a micro-batch, `dapo` by those
of the whole batch.
"""

_OTHER_LOSSES = {
    "cispo": f"it is {ALGORITHM}policy_loss_type=cispo, with cispo.cispo_eps_clip_high, which is added to 1",
    "sapo": f"it is {ALGORITHM}policy_loss_type=sapo, with sapo.tau_pos and sapo.tau_neg",
}

_LEVELS = {"token": "regular", "sequence": "gspo"}
"""Whether a ratio belongs to a token or to a sequence -> SkyRL's loss."""


def _beta(value: Any, _: Mapping[str, Any]) -> Told:
    """TRL loads no reference where it is 0."""
    used = {f"{ALGORITHM}use_kl_loss": bool(value)}
    return {**used, f"{ALGORITHM}kl_loss_coef": value} if value else used


def _epsilon(value: Any, given: Mapping[str, Any]) -> Told:
    """The lower bound, and the upper one where no other key tells it."""
    _clips(given)
    low = {f"{ALGORITHM}eps_clip_low": value}
    return low if given.get("epsilon_high") is not None else {**low, f"{ALGORITHM}eps_clip_high": value}


def _upper(value: Any, given: Mapping[str, Any]) -> Told:
    _clips(given)
    return "both bounds are epsilon" if value is None else {f"{ALGORITHM}eps_clip_high": value}


def _clips(given: Mapping[str, Any]) -> None:
    """Refuse bounds beside a loss for which they mean something else."""
    loss = given.get("loss_type")
    if isinstance(loss, str) and loss in _OTHER_LOSSES:
        raise Refused(f"with loss_type {loss}, {_OTHER_LOSSES[loss]}")


def _loss(value: Any, given: Mapping[str, Any]) -> Told:
    if value == "dr_grpo":  # it divides by a constant, the longest completion
        longest = given.get("max_completion_length") or COMPLETION
        return {f"{ALGORITHM}loss_reduction": "seq_mean_token_sum_norm", f"{ALGORITHM}max_seq_len": longest}
    if isinstance(value, str) and value in _REDUCTIONS:
        return {f"{ALGORITHM}loss_reduction": _REDUCTIONS[value]}
    if isinstance(value, str) and value in _OTHER_LOSSES:
        raise Refused(_OTHER_LOSSES[value])
    names = ", ".join((*_REDUCTIONS, "dr_grpo"))
    raise Refused(f"expected one of {names}; {ALGORITHM}policy_loss_type names SkyRL's losses")


def _level(value: Any, _: Mapping[str, Any]) -> Told:
    if isinstance(value, str) and value in _LEVELS:
        return {f"{ALGORITHM}policy_loss_type": _LEVELS[value]}
    raise Refused(f"expected one of {', '.join(_LEVELS)}")


def _scaled(value: Any, _: Mapping[str, Any]) -> Told:
    """Whether an advantage is divided by the standard deviation of its group's rewards."""
    if value is True or value == "group":
        return {f"{ALGORITHM}grpo_norm_by_std": True}
    if value is False or value == "none":
        return {f"{ALGORITHM}grpo_norm_by_std": False}
    raise Refused(f"advantages are scaled within their group or not at all: {ALGORITHM}grpo_norm_by_std")


def _placed(value: Any, _: Mapping[str, Any]) -> Told:
    if value == "colocate":
        return {f"{PLACEMENT}colocate_all": True}
    raise Refused(f"{PLACEMENT}colocate_all=false gives the engines GPUs of their own; {_SERVER}")


def _served(_: Any, given: Mapping[str, Any]) -> Told:
    """The address of a server, which TRL ignores where the engines share the trainer's GPUs."""
    if given.get("vllm_mode") == "colocate":
        return "the engines share the trainer's GPUs"
    raise Refused(_SERVER)


def _moves(given: Mapping[str, Any]) -> bool:
    """Whether the reference follows the policy.

    Raises:
        Refused: if the switch has another value than true or false.
    """
    value = given.get("sync_ref_model")
    if value is not None and not isinstance(value, bool):
        raise Refused("expected true or false for sync_ref_model")
    return bool(value)


_STAYS = "sync_ref_model is off, and the reference stays"


def _follows(_: Any, given: Mapping[str, Any]) -> Told:
    """The switch, with TRL's defaults of the two keys that may stand beside it."""
    if not _moves(given):
        return "the reference stays"
    defaults: dict[str, Any] = {}
    if given.get("ref_model_sync_steps") is None:
        defaults[MOVES] = INTERVAL
    if given.get("ref_model_mixup_alpha") is None:
        defaults[DECAY] = round(1 - MIXTURE, 12)
    return defaults or f"{MOVES} switches it on"


def _every(value: Any, given: Mapping[str, Any]) -> Told:
    if value is None or not _moves(given):
        return f"TRL's default is {INTERVAL}" if value is None else _STAYS
    if not is_whole(value) or value < 1:
        raise Refused(f"expected a whole number of at least 1: {MOVES}, in steps of the trainer")
    return {MOVES: value}


def _mixed(value: Any, given: Mapping[str, Any]) -> Told:
    """TRL tells the part that comes from the policy; here it is the part that the reference keeps."""
    if value is None or not _moves(given):
        return f"TRL's default is {MIXTURE}" if value is None else _STAYS
    if isinstance(value, bool) or not (is_whole(value) or isinstance(value, float)):
        raise Refused(f"expected a number: {DECAY} is what the reference keeps of itself")
    return {DECAY: round(1 - value, 12)}


def _warmup(value: Any, _: Mapping[str, Any]) -> Told:
    """Steps; since transformers 5 a number below 1 is a share of them."""
    if isinstance(value, float) and 0 < value < 1:
        raise Refused(_STEPS)
    return {f"{OPTIMIZER}num_warmup_steps": value}


def _warmup_share(value: Any, _: Mapping[str, Any]) -> Told:
    if value in (0, None):
        return "there is no warm-up by shares"
    raise Refused(_STEPS)


def _optimizer(value: Any, _: Mapping[str, Any]) -> Told:
    if isinstance(value, str) and value.startswith(("adamw_torch", "adamw_hf")) and "bit" not in value:
        return "SkyRL trains with AdamW"
    raise Refused("SkyRL 0.3.0 trains with AdamW, with states of 32 bits")


def _when(setting: str, every: str) -> Callable[[Any, Mapping[str, Any]], Told]:
    """The meaning of a strategy of evaluations or checkpoints: `no`, or after so many steps, as another key says."""

    def told(value: Any, _: Mapping[str, Any]) -> Told:
        if value is False or value == "no":  # YAML reads a bare `no` as false
            return {setting: -1}
        if value == "steps":
            return f"{every} says how often"
        raise Refused(f"it is a number of steps: {setting}")

    return told


def _resumed(value: Any, _: Mapping[str, Any]) -> Told:
    if isinstance(value, str):
        return {"trainer.resume_mode": "from_path", "trainer.resume_path": value}
    return {"trainer.resume_mode": "latest"} if value is True else "a job resumes by its name"


def _attention(value: Any, _: Mapping[str, Any]) -> Told:
    return {"trainer.flash_attn": isinstance(value, str) and value.startswith("flash_attention")}


def _entropy_share(value: Any, _: Mapping[str, Any]) -> Told:
    if value == 1:
        return "all tokens are trained"
    raise Refused("SkyRL 0.3.0 has no setting for it")


READ: Mapping[str, Callable[[Any, Mapping[str, Any]], Told]] = {
    "beta": _beta,
    "epsilon": _epsilon,
    "epsilon_high": _upper,
    "loss_type": _loss,
    "importance_sampling_level": _level,
    "scale_rewards": _scaled,
    "top_entropy_quantile": _entropy_share,
    "vllm_mode": _placed,
    "vllm_server_host": _served,
    "vllm_server_port": _served,
    "sync_ref_model": _follows,
    "ref_model_sync_steps": _every,
    "ref_model_mixup_alpha": _mixed,
    "warmup_steps": _warmup,
    "warmup_ratio": _warmup_share,
    "optim": _optimizer,
    "eval_strategy": _when("trainer.eval_interval", "eval_steps"),
    "save_strategy": _when("trainer.ckpt_interval", "save_steps"),
    "resume_from_checkpoint": _resumed,
    "attn_implementation": _attention,
}
"""Key -> its meaning, where that depends on its value or on other keys."""
