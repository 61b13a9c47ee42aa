"""All checks of the doctor, in their order."""

from collections.abc import Callable, Collection, Mapping

from trainer_client.recipes.doctor.engine import engine_samples
from trainer_client.recipes.doctor.machine import gpus_are_enough, keys_are_there, memory_is_enough, versions_fit
from trainer_client.recipes.doctor.rollout import a_rollout_is_played, calls_are_read
from trainer_client.recipes.doctor.step import a_step_is_taken
from trainer_client.recipes.doctor.tracker import tracker_takes_numbers
from trainer_client.recipes.grpo.dry_run.checks import (
    data_is_readable,
    presets_agree,
    server_answers,
    settings_are_known,
)
from trainer_client.recipes.grpo.dry_run.job import Job
from trainer_client.recipes.grpo.dry_run.lengths import context_is_enough, prompts_fit
from trainer_client.recipes.grpo.dry_run.skyrl_config import skyrl_agrees

Check = Callable[[Job], str]

READ: Mapping[str, Check] = {"settings": settings_are_known, "rows": data_is_readable}
"""The checks whose results the smoke tests need."""

ALL: Mapping[str, Check] = {
    "versions": versions_fit,
    "presets": presets_agree,
    **READ,
    "SkyRL's settings": skyrl_agrees,
    "GPUs": gpus_are_enough,
    "memory": memory_is_enough,
    "keys": keys_are_there,
    "server": server_answers,
}

SMOKE: Mapping[str, Check] = {
    "env": a_rollout_is_played,
    "tools": calls_are_read,
    "vllm": engine_samples,
    "lora": a_step_is_taken,
    "wandb": tracker_takes_numbers,
}

TOKENS: Mapping[str, Check] = {"tokens": prompts_fit, "context": context_is_enough}
"""The checks that need the episodes which `env` has begun."""


def checks(smokes: Collection[str]) -> Mapping[str, Check]:
    """The checks to make: all, or the smoke tests that are named and what they need."""
    if smokes:
        return {**READ, **{name: check for name, check in SMOKE.items() if name in smokes}}
    rest = {name: check for name, check in SMOKE.items() if name != "env"}
    return {**ALL, "env": SMOKE["env"], **TOKENS, **rest}
