"""A row of a training set: the episode that it describes, and how it opens the conversation."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from agent_env_schemas import UserStrategy, WrittenFormat
from trainer_client.skyrl.original import about, difficulty_of, is_original, messages, task_of
from trainer_client.skyrl.own_task import body, read_turns, truth, whole

ENV_CLASS = "agent_env"
"""The environment id of every domain: the value of the column `env_class`."""

TOOL_PROMPT: WrittenFormat = "hermes"
"""How the system message describes the tools, unless a format is named."""

METHOD = "env_server"
"""The reward method of a row: the server that plays the episode computes the reward."""

BUILTIN = "builtin"

_TOLD = ("split", "template")
"""What a row of the original format may tell about its task beside the task itself."""

_CHOOSES = ("split", "index", "difficulty")
"""The fields that choose a task where none is named; otherwise they are information only."""

_LIMITS = ("max_errors", "max_calls", "deadline_s", "max_observation_chars")
_PLAIN = ("pack", "task_id", *_CHOOSES, "seed", "tool_prompt", "conduct", *_LIMITS)
_NESTED = ("user", "task", "tools")
"""Objects, or their JSON text: a column has one type, and these objects differ from row to row."""

FIELDS = frozenset({"domain", "pack_version", "max_turns", "reward_shaping", *_PLAIN, *_NESTED})
"""The fields of `extra_info` that are read."""

_CARRIED = ("seed", "conduct", "reward_shaping", "pack_version", *_LIMITS)
"""Fields of `/reset` that mean the same in a row of the original format."""

_READ = frozenset({"instruction", "outputs", "ground_truth_outputs", "actions", "complexity"})
"""Fields of `extra_info` that become the task of a row of the original format."""

_ORIGIN = frozenset({"domain", "max_turns", "task_id", "index", "task", "user"})
"""Columns of the original format that are not copied: the row carries the task that they describe or come from."""

_CLOSERS = ("<|im_end|>", "<|endoftext|>", "<|eot_id|>", "<|eom_id|>", "<|end_of_text|>", "<end_of_turn>", "</s>")


def normal(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row with our columns, and its prompt, if it has one, as a list of messages.

    A row of the original format gets an inline task with its gold. A language model plays its user, unless the row
    names another user as `/reset` does; a `user` that is text is a person's id in this format and is ignored. The
    prompt is left out: the episode's own system message has the policy and the tools, which the original environment
    adds to the row's prompt, and the user speaks in the episode. Fields of `/reset` in `extra_info` stay, and so do
    unknown fields.

    Raises:
        ValueError: if a field cannot be read; the message begins with its name.
    """
    prompt = [] if row.get("prompt") is None else messages(row["prompt"])
    if not is_original(row):
        return {**row, **({"prompt": prompt} if "prompt" in row else {})}
    task, info = task_of(row), about(row)
    pack = info.get("pack") or BUILTIN
    options = {name: _options(info.get(name)) for name in ("user", "tools")}
    episode = {
        **{name: value for name, value in info.items() if name not in FIELDS | _READ},
        **{name: info[name] for name in _CARRIED if info.get(name) is not None},
        **{name: info.get(name) for name in _TOLD},
        "difficulty": difficulty_of(info),
        "domain": task.domain,
        "pack": pack,
        "task": body(task, pack),
        "user": {"strategy": UserStrategy.LLM.value, **(options["user"] or {})},
        **({"tools": options["tools"]} if options["tools"] else {}),
        "tool_prompt": info.get("tool_prompt") or TOOL_PROMPT,
        "max_turns": task.max_turns,
    }
    return {
        **{name: row[name] for name in FIELDS - _ORIGIN if row.get(name) is not None},
        "data_source": row.get("data_source") or f"{task.domain}/{pack}/own",
        "prompt": [],
        "env_class": ENV_CLASS,
        "reward_spec": {"method": METHOD, "ground_truth": truth(task)},
        "extra_info": episode,
    }


def reset_options(row: Mapping[str, Any], max_turns: int) -> dict[str, Any]:
    """The fields of `/reset` for a row's episode.

    They stand in the column `extra_info`: `domain`, and any of `pack, task_id, split, index, difficulty, seed,
    user, task, tools, tool_prompt, reward_shaping, max_turns, max_errors, max_calls, deadline_s,
    max_observation_chars, conduct, pack_version`. Null counts as absent. If the prompt has no system message, the
    episode's own is used. It describes the tools in the format `hermes`, unless the row names another.

    Args:
        row: The row's columns, as `normal` gives them.
        max_turns: The trainer's limit, which a row's own may lower.

    Raises:
        ValueError: if the row names no domain or no task, or a field has a value that cannot be read.
    """
    info = _object("extra_info", row.get("extra_info"))
    found = {name: info[name] for name in _PLAIN if info.get(name) is not None}
    found |= {"difficulty": whole(found["difficulty"])} if "difficulty" in found else {}
    found |= {name: _object(f"extra_info.{name}", info[name]) for name in _NESTED if info.get(name) is not None}
    if not any(message["role"] == "system" for message in row.get("prompt", [{"role": "system"}])):
        found.setdefault("tool_prompt", TOOL_PROMPT)
    if info.get("reward_shaping") is not None:
        found["reward_shaping"] = _shaping(info["reward_shaping"])
    if not info.get("domain"):
        raise ValueError("the row's extra_info names no domain")
    if not found.keys() & {"task_id", "index", "task"}:
        raise ValueError("the row's extra_info names no task")
    if found.keys() & {"task_id", "task"}:
        found = {name: value for name, value in found.items() if name not in _CHOOSES}
    if info.get("pack_version"):
        found["expect"] = {"pack_version": info["pack_version"]}
    own = read_turns(info.get("max_turns"), "extra_info.max_turns") or max_turns
    return {**found, "domain": info["domain"], "max_turns": min(max_turns, own)}


def overridden(
    options: Mapping[str, Any], fields: Mapping[str, Any], purpose: str | None, *, native: bool = False
) -> dict[str, Any]:
    """The fields of a row's `/reset` with those that a job sets for all rows.

    The lower of two limits of turns counts. An evaluation gets no shaped rewards: it measures the verified one.
    If the tools are `native`, the chat template describes them, and the row does not ask for another description.
    """
    options = {name: value for name, value in options.items() if not (native and name == "tool_prompt")}
    found = {**options, **fields}
    if "max_turns" in fields and "max_turns" in options:
        found["max_turns"] = min(fields["max_turns"], options["max_turns"])
    if purpose == "eval":
        found.pop("reward_shaping", None)
    return found


def domain_of(row: Mapping[str, Any]) -> str:
    """The row's domain, for metrics; `unknown` where it cannot be read."""
    try:
        return str(_object("extra_info", normal(row).get("extra_info")).get("domain") or "unknown")
    except ValueError:
        return "unknown"


def opening(
    prompt: Sequence[Mapping[str, Any]], begun: Sequence[Mapping[str, Any]], *, native: bool = False
) -> list[dict[str, Any]]:
    """The conversation that the policy begins with.

    It consists of the row's prompt, whose system message has the policy and the tools, and of the messages with which
    the episode began. The episode's own system message is left out where the prompt has one, and else comes first. If
    the tools are `native` it is the other way round, because the chat template adds the tools to the episode's own,
    which has none.
    """
    kept = [message for message in prompt if not (native and message["role"] == "system")]
    given = any(message["role"] == "system" for message in kept)
    own = [message for message in begun if message["role"] == "system" and not given]
    return [dict(m) for m in (*own, *kept, *(message for message in begun if message["role"] != "system"))]


def without_closers(text: str, closers: Sequence[str] = ()) -> str:
    """`text` without the special tokens at its end, which SkyRL passes on and which are no part of the message."""
    every = (*_CLOSERS, *filter(None, closers))
    stripped = text.rstrip()
    while stripped.endswith(every):
        closer = max((c for c in every if stripped.endswith(c)), key=len)
        text = stripped = stripped.removesuffix(closer).rstrip()
    return text


def _options(value: Any) -> dict[str, Any] | None:
    """An object of `/reset` in a row of the original format, without nulls; None for what is no object."""
    try:
        found = _object("it", value)
    except ValueError:
        return None
    return {name: each for name, each in found.items() if each is not None}


def _shaping(value: Any) -> Any:
    """The name of a preset as it is; weights as an object, which may be given as JSON text."""
    named = isinstance(value, str) and not value.lstrip().startswith("{")
    return value if named else _object("extra_info.reward_shaping", value)


def _object(name: str, value: Any) -> dict[str, Any]:
    """An object that may be given as JSON text."""
    try:
        found = json.loads(value) if isinstance(value, str) else value
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, Mapping):
        raise ValueError(f"{name}: expected an object, or its JSON text, found {value!r:.100}")
    return dict(found)
