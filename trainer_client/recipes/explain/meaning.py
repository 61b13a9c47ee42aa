"""The meaning of each key of a file of another GRPO trainer: settings that take its value, or why there are none."""

import difflib
import json
import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from agent_env_schemas import EASIEST, HARDEST, levels
from trainer_client.recipes.explain.keys import (
    ALGORITHM,
    ALWAYS,
    ENGINE,
    LORA,
    MAPPED,
    REFUSED,
    SAMPLING,
    SECTIONS,
    TAU,
)
from trainer_client.recipes.grpo.checking import SECTIONS as OURS
from trainer_client.recipes.grpo.settings import MODEL, PREFIX, TOOLS, flat
from trainer_client.skyrl.row import ENV_CLASS
from trainer_client.skyrl.shared_client import EASY_FIRST, RENDERED, TEXT

_LEVELS = f"levels are from {EASIEST} to {HARDEST}: {PREFIX}difficulty=1-3"
LOGGERS = ("wandb", "tensorboard", "mlflow", "swanlab", "console")


@dataclass(frozen=True, slots=True)
class Meaning:
    """The meaning of a foreign key here: it has settings, or a `note` why it needs none, or a `hint`."""

    key: str
    value: Any
    settings: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""
    """Why nothing has to be set for this value."""
    hint: str = ""
    """Why there is no such setting, and what to use instead; empty if there is."""

    def __str__(self) -> str:
        """One line for people."""
        ours = " ".join(_argument(name, given) for name, given in self.settings.items())
        told = ours or (f"nothing to set: {self.note}" if self.note else f"no setting: {self.hint}")
        return f"{self.key}: {told}"


def _argument(name: str, given: Any) -> str:
    """A setting as an argument of a command line."""
    plain = f"{name}={json.dumps(given, default=str)}"
    return shlex.quote(plain) if isinstance(given, list) else plain


Told = Mapping[str, Any] | str
"""Settings; a text is a note if the value needs none, and ends the search for a meaning."""


class Refused(ValueError):
    """There is no setting for this value; the message is the hint."""


def explained(nested: Mapping[str, Any]) -> Iterator[Meaning]:
    """The meaning of each key of a foreign file of settings; every key has exactly one."""
    given = flat(nested)
    for key, value in given.items():
        try:
            told = _told(_name(key), key, value, given)
        except Refused as why:
            yield Meaning(key, value, hint=str(why))
        else:
            yield Meaning(key, value, note=told) if isinstance(told, str) else Meaning(key, value, told)


def _name(key: str) -> str:
    """The key in the words of the tables."""
    for section, meant in SECTIONS.items():
        if key.startswith(section):
            return meant + key.removeprefix(section)
    return key


def _told(name: str, key: str, value: Any, given: Mapping[str, Any]) -> Told:
    if name in READ:
        return READ[name](value, given)
    if name in MAPPED:
        return dict.fromkeys(MAPPED[name], value)
    if name in ALWAYS:
        needless, note, hint = ALWAYS[name]
        if type(value) is type(needless) and value == needless:
            return note
        raise Refused(hint)
    for section in _sections(name):
        if section in REFUSED:
            raise Refused(REFUSED[section])
    if key.partition(".")[0] in OURS and "." in key:
        return {key: value}  # a name of SkyRL's own, which the dry run checks
    close = difflib.get_close_matches(name, [*MAPPED, *REFUSED, *ALWAYS, *READ], n=1)
    raise Refused("unknown" + (f"; did you mean {close[0]}?" if close else ""))


def _sections(name: str) -> Iterator[str]:
    """The key, and the sections that it is in, from the innermost."""
    while name:
        yield name
        name = name.rpartition(".")[0]


def _backend(value: Any, _: Mapping[str, Any]) -> Told:
    if value in ("auto", "vllm"):
        return {f"{ENGINE}backend": "vllm"}
    raise Refused("rollouts always come from vLLM")


def _mode(value: Any, _: Mapping[str, Any]) -> Told:
    if value == "full":
        return {f"{LORA}rank": 0}
    if value == "lora":
        return "the presets of machines train an adapter"
    hint = f"{REFUSED['load_in_8bit']}; " if value == "qlora" else ""
    raise Refused(f"{hint}the modes are lora and full (--preset full)")


def _lora(value: Any, given: Mapping[str, Any]) -> Told:
    return _mode(("full", "lora")[value] if isinstance(value, bool) else value, given)


def _full(value: Any, given: Mapping[str, Any]) -> Told:
    return _mode(("lora", "full")[value] if isinstance(value, bool) else value, given)


def _targets(value: Any, _: Mapping[str, Any]) -> Told:
    if isinstance(value, str) or (isinstance(value, list) and all(isinstance(each, str) for each in value)):
        return {f"{LORA}target_modules": value}
    raise Refused(f"expected the names of modules: {LORA}target_modules='[q_proj, v_proj]', or all-linear")


def _entropy(value: Any, _: Mapping[str, Any]) -> Told:
    on = {f"{ALGORITHM}use_entropy_loss": True, f"{ALGORITHM}entropy_loss_coef": value}
    return on if value else {f"{ALGORITHM}use_entropy_loss": False}


def _tokenizer(value: Any, given: Mapping[str, Any]) -> Told:
    model = next((given[key] for key in given if MAPPED.get(_name(key)) == (MODEL,)), None)
    if value == model:
        return "a model has its own tokenizer"
    raise Refused(f"SkyRL loads the tokenizer of {MODEL} alone")


def _dtype(value: Any, _: Mapping[str, Any]) -> Told:
    if value == "bfloat16":
        return {"trainer.bf16": True, f"{ENGINE}model_dtype": "bfloat16"}
    if value == "float32":
        precision = "fsdp_config.mixed_precision.param_dtype"
        both = {f"trainer.{which}.{precision}": "fp32" for which in ("policy", "ref")}
        return {"trainer.bf16": False, f"{ENGINE}model_dtype": "float32", **both}
    raise Refused(REFUSED["fp16"])


def _logprobs(value: Any, _: Mapping[str, Any]) -> Told:
    return {f"{SAMPLING}logprobs": 1 if value else None}


def _loggers(value: Any, _: Mapping[str, Any]) -> Told:
    (one,) = value if isinstance(value, list) and len(value) == 1 else (value,)
    if one in LOGGERS:
        return {"trainer.logger": one}
    if one in ("none", None, []):
        return {"trainer.logger": "console"}
    raise Refused(f"trainer.logger takes one of {', '.join(LOGGERS)}; metrics.jsonl is always written")


def _shaping(value: Any, _: Mapping[str, Any]) -> Told:
    if isinstance(value, str):
        return {f"{PREFIX}reset.reward_shaping": value}
    raise Refused(REFUSED["reward_shaping"])


def _curriculum(value: Any, _: Mapping[str, Any]) -> Told:
    if isinstance(value, bool):
        return {f"{PREFIX}order": EASY_FIRST} if value else "rows are shuffled"
    raise Refused(REFUSED["curriculum_learning"])


def _difficulty(value: Any, _: Mapping[str, Any]) -> Told:
    try:
        levels(str(value))
    except ValueError:
        raise Refused(_LEVELS) from None
    return {f"{PREFIX}difficulty": value}


def _range(_: Any, given: Mapping[str, Any]) -> Told:
    """The two bounds of a difficulty are one setting."""
    ends = (given.get("min_difficulty", EASIEST), given.get("max_difficulty", HARDEST))
    try:
        levels(difficulty := f"{ends[0]}-{ends[1]}")
    except ValueError:
        raise Refused(_LEVELS) from None
    return {f"{PREFIX}difficulty": difficulty}


def _native(value: Any, _: Mapping[str, Any]) -> Told:
    return {TOOLS: RENDERED if value else TEXT}


def _class(value: Any, _: Mapping[str, Any]) -> Told:
    if value in (ENV_CLASS, "tau_bench", "MCPToolEnv"):
        return f"{ENV_CLASS} plays every domain, and reads rows of tau_bench as they are"
    raise Refused(f"environment.env_class is always {ENV_CLASS}")


READ: Mapping[str, Callable[[Any, Mapping[str, Any]], Told]] = {
    "rollout.backend": _backend,
    "finetune.mode": _mode,
    "lora.enabled": _lora,
    "use_lora": _lora,
    "model.use_lora": _lora,
    "full_finetune_mode.enabled": _full,
    "lora.target_modules": _targets,
    "lora_target_modules": _targets,
    "entropy_coef": _entropy,
    "entropy_coefficient": _entropy,
    "tokenizer_name": _tokenizer,
    "model.tokenizer": _tokenizer,
    "model.dtype": _dtype,
    "torch_dtype": _dtype,
    "rollout.return_token_logprobs": _logprobs,
    "report_to": _loggers,
    "reward_shaping": _shaping,
    "curriculum_learning": _curriculum,
    "curriculum_learning.enabled": _curriculum,
    "difficulty": _difficulty,
    "min_difficulty": _range,
    "max_difficulty": _range,
    "environment.env_class": _class,
    "generator.use_native_tool_calling": _native,
    f"{TAU}use_native_tool_calling": _native,
}
"""Key -> its meaning, where that depends on its value; each is told all keys of the file."""
