"""The meaning of each key of a file of another GRPO trainer: settings that take its value, or why there are none."""

import json
import math
import re
import shlex
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import yaml

from agent_env_schemas import EASIEST, HARDEST, levels
from trainer_client.recipes.explain import trl, trl_aside
from trainer_client.recipes.explain.keys import ALWAYS, MAPPED, REFUSED, SECTIONS, TAU
from trainer_client.recipes.explain.told import Refused, Told
from trainer_client.recipes.grpo.checking import faults, meant
from trainer_client.recipes.grpo.schema.names import (
    LOGGERS,
    is_empty_section,
    is_setting,
    of_its_type,
    sections,
    settings,
)
from trainer_client.recipes.grpo.settings import (
    ALGORITHM,
    DECAY,
    ENGINE,
    LORA,
    MODEL,
    MOVES,
    PREFIX,
    SAMPLING,
    TOOLS,
    flat,
    is_whole,
    parsed,
)
from trainer_client.skyrl.row import ENV_CLASS
from trainer_client.skyrl.shared_client import EASY_FIRST, RENDERED, TEXT

_LEVELS = f"levels are from {EASIEST} to {HARDEST}: {PREFIX}difficulty=1-3"


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
    """A setting as an argument of a command line, from which a shell and then YAML read the same value."""
    plain = f"{name}={json.dumps(given, default=str)}"
    bare = given is None or isinstance(given, bool | int | float)
    if isinstance(given, str):
        bare = re.fullmatch(r"[\w./:@-]+", given, re.ASCII) is not None and _is_text(given)
    return plain if bare else shlex.quote(plain)


def _is_text(given: str) -> bool:
    """Whether YAML reads `given` as the same text."""
    try:
        return bool(parsed(given) == given)
    except (yaml.YAMLError, ValueError):
        return False


def explained(nested: Mapping[str, Any]) -> list[Meaning]:
    """The meaning of each key of a foreign file of settings; every key has exactly one.

    Raises:
        BadSettings: if a key is there twice, such as `lora.r` beside a section `lora` with `r`.
    """
    given = flat(nested)
    named = {_name(key): value for key, value in given.items()}
    return _together(_agreeing([_meaning(key, value, named) for key, value in given.items()]))


def _meaning(key: str, value: Any, named: Mapping[str, Any]) -> Meaning:
    try:
        told = _told(_name(key), key, value, named)
        if isinstance(told, str):
            return Meaning(key, value, note=told)
        found = {name: of_its_type(name, each) for name, each in told.items()}
        if wrong := faults(found):
            raise Refused("; ".join(wrong))
    except ValueError as why:
        return Meaning(key, value, hint=str(why))
    return Meaning(key, value, found)


def _together(found: list[Meaning]) -> list[Meaning]:
    """The same meanings, with a hint in place of settings that a job refuses together with those of other keys."""
    everything = {name: value for each in found if not each.hint for name, value in each.settings.items()}
    inner = {name: value for name, value in everything.items() if not any(f"{name}." in other for other in everything)}
    hints: dict[str, list[str]] = defaultdict(list)
    for fault in faults(inner):
        about = [each.key for each in found if any(fault.startswith(f"{name}:") for name in each.settings)]
        for key in about or [each.key for each in found if any(name in fault for name in each.settings)]:
            hints[key].append(fault)
    return [
        replace(each, settings={}, note="", hint="; ".join(hints[each.key])) if each.key in hints else each
        for each in found
    ]


def _agreeing(found: list[Meaning]) -> list[Meaning]:
    """The same meanings, with a hint for keys that give one setting, or are one key, but have different values."""
    said: dict[str, dict[str, Any]] = defaultdict(dict)
    for each in found:
        for name, value in ({_name(each.key): each.value} | dict(each.settings)).items():
            said[name][each.key] = value
    differ = {name: by for name, by in said.items() if any(value != next(iter(by.values())) for value in by.values())}
    return [_unless(each, [(name, by) for name, by in differ.items() if each.key in by]) for each in found]


def _unless(found: Meaning, differ: list[tuple[str, Mapping[str, Any]]]) -> Meaning:
    if found.hint or not differ:
        return found
    told = "; ".join(f"{name} has different values: " + _values(by) for name, by in differ)
    return replace(found, settings={}, note="", hint=f"{told}; leave one")


def _values(by: Mapping[str, Any]) -> str:
    return ", ".join(f"{value!r:.100} by {key}" for key, value in by.items())


def _name(key: str) -> str:
    """The key with its section as the tables write it."""
    for section, other in SECTIONS.items():
        if key.startswith(section):
            return other + key.removeprefix(section)
    return key


def _told(name: str, key: str, value: Any, given: Mapping[str, Any]) -> Told:
    refused = [section for section in sections(name) if section in REFUSED]
    if refused and (value is None or value is False):
        return "it is off"
    if isinstance(value, float) and not math.isfinite(value):
        raise Refused(f"expected a number, found {value}")
    if value is None and name in trl_aside.UNSET:
        return "it is not set"
    if name in READ:
        return READ[name](value, given)
    if name in MAPPED:
        return dict.fromkeys(MAPPED[name], value)
    if name in ALWAYS:
        needless, note, hint = ALWAYS[name]
        if type(value) is type(needless) and value == needless:
            return note
        raise Refused(hint)
    if refused:
        raise Refused(REFUSED[refused[0]])
    if is_setting(key):
        return {key: value}
    if is_empty_section(key, value):
        return "the section is empty"
    raise Refused("unknown" + meant(name, [*MAPPED, *REFUSED, *ALWAYS, *READ, *settings()], _ALIKE))


_ALIKE = 0.75
"""How alike a suggested key is at least: other trainers have many keys, and some look like one of another meaning."""


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
    model = next((given[key] for key in given if MAPPED.get(key) == (MODEL,)), None)
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


def _bits(key: str) -> Callable[[Any, Mapping[str, Any]], Told]:
    """The meaning of an option of 4-bit weights, which has no effect if the file switches 4-bit weights off."""

    def told(_: Any, given: Mapping[str, Any]) -> Told:
        if given.get("load_in_4bit") is False:
            return "weights keep their bits"
        raise Refused(REFUSED[key])

    return told


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


def _follows(value: Any, given: Mapping[str, Any]) -> Told:
    """The switch of the moving reference. Here the reference moves if there is an interval."""
    if value is not True:
        raise Refused(f"expected true or false; {REFUSED['reference_ema']}")
    if _interval(given):
        return f"{MOVES} switches it on"
    raise Refused(f"no key says how often the reference moves: {MOVES}=100")


def _every(value: Any, given: Mapping[str, Any]) -> Told:
    return _OFF if given.get("reference_ema") is False else {MOVES: value}


def _keeps(value: Any, given: Mapping[str, Any]) -> Told:
    if given.get("reference_ema") is False:
        return _OFF
    return {DECAY: value} if _interval(given) else f"it does nothing without {MOVES}, which no key sets"


def _interval(given: Mapping[str, Any]) -> bool:
    """Whether a file says how often the reference moves."""
    return any(given.get(name) for name in (*_INTERVALS, MOVES))


_OFF = "reference_ema is off, and the reference stays"
_INTERVALS = ("ref_policy_update_frequency", "reference_update_interval")
"""The keys that say after how many steps the reference moves."""


def _normalize(value: Any, _: Mapping[str, Any]) -> Told:
    if value is None:
        return "advantages are normalised, unless another key says otherwise"
    raise Refused(f"advantages are normalised in its place: {ALGORITHM}grpo_norm_by_std, true by default, says whether")


def _clip(value: Any, _: Mapping[str, Any]) -> Told:
    """One number for both bounds, or a list of the two."""
    low, high = value if isinstance(value, list) and len(value) == 2 else (value, value)
    if not all(is_whole(each) or isinstance(each, float) for each in (low, high)):
        raise Refused(f"expected a number, or two: {ALGORITHM}eps_clip_low and {ALGORITHM}eps_clip_high")
    return {f"{ALGORITHM}eps_clip_low": low, f"{ALGORITHM}eps_clip_high": high}


def _steps(value: Any, _: Mapping[str, Any]) -> Told:
    """TRL's -1 is no limit, which is null here."""
    return {"trainer.max_training_steps": None if value == -1 else value}


def _stop(value: Any, _: Mapping[str, Any]) -> Told:
    """The stop texts. SkyRL keeps the text that ended a turn, so that an end tag such as `</tool_call>` may be one."""
    texts = [value] if isinstance(value, str) else value
    if texts is None or (isinstance(texts, list) and all(isinstance(each, str) for each in texts)):
        return {f"{SAMPLING}stop": texts}
    raise Refused(f"expected a list of texts: {SAMPLING}stop='[\"</tool_call>\"]'")


def _needless(why: str) -> Callable[[Any, Mapping[str, Any]], Told]:
    """The meaning of a key that needs no setting, whatever its value."""
    return lambda _value, _given: why


def _old_strategy(value: Any, _: Mapping[str, Any]) -> Told:
    return {"trainer.strategy": "fsdp" if value == "fsdp2" else value}


def _native(value: Any, _: Mapping[str, Any]) -> Told:
    return {TOOLS: RENDERED if value else TEXT}


def _class(value: Any, _: Mapping[str, Any]) -> Told:
    if value in (ENV_CLASS, "tau_bench", "MCPToolEnv"):
        return f"{ENV_CLASS} plays every domain, and reads rows of tau_bench as they are"
    raise Refused(f"environment.env_class is always {ENV_CLASS}")


READ: Mapping[str, Callable[[Any, Mapping[str, Any]], Told]] = {
    "clip_ratio": _clip,
    "clip_range": _clip,
    "max_steps": _steps,
    "stop_sequences": _stop,
    "stop": _stop,
    f"{SAMPLING}stop": _stop,
    "trainer.strategy": _old_strategy,
    "trainer.target_modules": _targets,
    "rollout.backend": _backend,
    "finetune.mode": _mode,
    "lora.enabled": _lora,
    "use_lora": _lora,
    "use_peft": _lora,
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
    "dtype": _dtype,
    "rollout.return_token_logprobs": _logprobs,
    "report_to": _loggers,
    **{name: _bits(name) for name in REFUSED if name.startswith("bnb_4bit_")},
    "reward_shaping": _shaping,
    "reference_ema": _follows,
    **dict.fromkeys(_INTERVALS, _every),
    "ref_policy_ema_alpha": _keeps,
    "reference_ema_decay": _keeps,
    f"{ALGORITHM}normalize_reward": _normalize,
    "curriculum_learning": _curriculum,
    "curriculum_learning.enabled": _curriculum,
    "difficulty": _difficulty,
    "min_difficulty": _range,
    "max_difficulty": _range,
    "environment.env_class": _class,
    "generator.use_native_tool_calling": _native,
    f"{TAU}use_native_tool_calling": _native,
    **trl.READ,
    **{key: _needless(why) for why, keys in trl_aside.NEEDLESS.items() for key in keys.split()},
}
"""Key -> the function for its meaning, where that depends on its value. The function gets the value and all keys of the
file, as the tables write them."""
