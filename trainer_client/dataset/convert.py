"""Rows of tasks from a file: each task is audited, carried in its row, and put into one of two splits."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from agent_env_schemas import DEFAULT_TURNS, UserStrategy, WrittenFormat
from trainer_client.client import Client
from trainer_client.dataset.audit import Auditor, Drop, Reason, Sound, Verdict, drop
from trainer_client.dataset.errors import DataError
from trainer_client.dataset.order import Division, divided, shuffled
from trainer_client.dataset.row_files import Row, Setting, row
from trainer_client.dataset.server import check_named, having, read_prompt
from trainer_client.dataset.source import read_tasks
from trainer_client.skyrl.own_task import SourceTask, truth


@dataclass(frozen=True, kw_only=True)
class Conversion:
    """The options of `trainer data convert`."""

    domain: str | None = None
    """The domain of tasks that name none."""

    pack: str = "builtin"
    """The pack whose world the tasks use."""

    train_ratio: float = 0.9
    """The part of each domain's tasks that is for training."""

    limit: int | None = None
    """The maximum number of tasks of each domain."""

    limits: Mapping[str, int] = field(default_factory=dict)
    """Domain -> the maximum number of its tasks, in place of `limit`."""

    seed: int = 0
    """Chooses which tasks are taken, and which are for training."""

    tool_prompt: WrittenFormat = "hermes"
    user: dict[str, Any] | None = field(default_factory=lambda: {"strategy": UserStrategy.LLM.value})
    """The user, as in `/reset`: these tasks have no script."""

    max_turns: int = DEFAULT_TURNS
    """The limit of an episode whose task has no limit of its own and whose domain has none in `turns`."""

    turns: Mapping[str, int] = field(default_factory=dict)
    """Domain -> the limit of its episodes, in place of `max_turns`."""

    tools: dict[str, Any] | None = None
    """Which tools of MCP servers the episodes have, and how they are called, as in `/reset`."""

    reward_shaping: str | dict[str, Any] | None = None
    """The shaped reward, as in `/reset`."""

    allow_failing_calls: bool = False
    keep_told: bool = False


@dataclass(frozen=True, slots=True)
class Converted:
    """The rows for training and for validation, and a report of every task."""

    train: list[Row]
    val: list[Row]
    report: dict[str, Any]


def convert(client: Client, listed: Sequence[Any], wanted: Conversion) -> Converted:
    """Make rows of the tasks in `listed`, which is plain data as a file holds it.

    The report has `tasks` (listed), `sound` (of these), `dropped` (reason -> number), `domains` (for each, `sound`,
    `over_limit`, `train`, `val`, `missed` and `dropped`), and `drops`: position, domain, reason and detail of each.
    `missed` is how many tasks more or fewer are for training than the ratio asks for.

    Raises:
        DataError: if a setting makes no sense.
        ServerError: if the server fails, or refuses anything but a task.
    """
    if not 0 <= wanted.train_ratio <= 1:
        raise DataError("the ratio of training tasks is between 0 and 1")
    if wanted.limit == 0 and not any(wanted.limits.values()):
        raise DataError("the limit is 0, so no task would be taken")
    tasks, unreadable = read_tasks(listed, wanted.domain, wanted.pack)
    domains = {t.domain for t in tasks} | {u.domain for u in unreadable if u.domain is not None}
    for option, given in (("--limit", wanted.limits), ("--max-turns", wanted.turns)):
        check_named(option, given, domains)
    drops = [Drop(u.position, u.domain, Reason.UNREADABLE, u.why) for u in unreadable]
    sound: dict[str, list[Sound]] = {}
    for verdict in _without_copies(_audited(client, tasks, wanted)):
        if isinstance(verdict, Drop):
            drops.append(verdict)
        else:
            sound.setdefault(verdict.task.domain, []).append(verdict)
    rows: dict[str, list[Row]] = {"train": [], "val": []}
    kept: dict[str, dict[str, int]] = {}
    for domain, found in sorted(sound.items()):
        parts = divided(_limited(found, wanted), wanted.train_ratio, wanted.seed, _solution)
        setting = _setting(client, found[0], wanted)
        rows["train"] += [_row(setting, each, "train") for each in parts.first]
        rows["val"] += [_row(setting, each, "val") for each in parts.second]
        kept[domain] = _numbers(len(found), parts)
    mixed = {name: shuffled(part, wanted.seed, _name) for name, part in rows.items()}
    return Converted(mixed["train"], mixed["val"], _report(len(listed), kept, drops))


def _audited(client: Client, tasks: Sequence[SourceTask], wanted: Conversion) -> Iterable[Verdict]:
    offered = having(client.domains(), wanted.pack)
    for task in tasks:
        if task.domain not in offered:
            detail = f"no domain {task.domain!r} has pack {wanted.pack!r}; these have: {', '.join(sorted(offered))}"
            yield drop(task, Reason.UNKNOWN_DOMAIN, detail)
    auditor = Auditor(client, wanted.pack, wanted.allow_failing_calls, wanted.keep_told)
    yield from auditor.audit([task for task in tasks if task.domain in offered])


def _without_copies(verdicts: Iterable[Verdict]) -> Iterable[Verdict]:
    """Drop sound tasks with an earlier task's instruction: none may be in both training and validation."""
    first: dict[tuple[str, str], int] = {}
    for verdict in verdicts:
        if isinstance(verdict, Sound):
            task = verdict.task
            where = first.setdefault((task.domain, " ".join(task.instruction.casefold().split())), task.position)
            if where != task.position:
                yield drop(task, Reason.DUPLICATE, f"the task at position {where} has the same instruction")
                continue
        yield verdict


def _limited(found: Sequence[Sound], wanted: Conversion) -> list[Sound]:
    limit = wanted.limits.get(found[0].task.domain, wanted.limit)
    return shuffled(found, wanted.seed, lambda each: each.task.instruction)[:limit]


def _solution(sound: Sound) -> str:
    """The task's solution; tasks that share it stay in one split, because learning one solves the other."""
    gold = [(call.requestor, call.name, call.arguments) for call in sound.task.actions]
    return json.dumps([gold, sound.task.outputs], sort_keys=True)


def _numbers(sound: int, parts: Division[Sound]) -> dict[str, int]:
    train, val = len(parts.first), len(parts.second)
    return {"sound": sound, "over_limit": sound - train - val, "train": train, "val": val, "missed": parts.missed}


def _setting(client: Client, first: Sound, wanted: Conversion) -> Setting:
    """The values that all rows of a domain share: these tasks bring no tools and no form of answer of their own."""
    domain = first.task.domain
    given, tools = first.body, wanted.tools
    prompt = read_prompt(client, domain, wanted.pack, wanted.tool_prompt, wanted.user, task=given, tools=tools)
    return Setting(
        domain=domain,
        pack=wanted.pack,
        pack_version=prompt.pack_version,
        system=prompt.system,
        user=wanted.user,
        max_turns=wanted.turns.get(domain, wanted.max_turns),
        tools=wanted.tools,
        reward_shaping=wanted.reward_shaping,
    )


def _row(setting: Setting, sound: Sound, split: Literal["train", "val"]) -> Row:
    return row(
        replace(setting, max_turns=sound.task.max_turns or setting.max_turns),
        source=f"{setting.domain}/{setting.pack}/own",
        split=split,
        purpose="train" if split == "train" else "eval",
        task=sound.body,
        difficulty=sound.task.difficulty,
        ground_truth=truth(sound.task),
    )


def _name(made: Row) -> str:
    return f"{made['extra_info']['domain']}/{made['extra_info']['task']}"


def _report(tasks: int, kept: Mapping[str, dict[str, int]], drops: Sequence[Drop]) -> dict[str, Any]:
    ordered = sorted(drops, key=lambda d: d.position)
    names = sorted({*kept, *(d.domain for d in drops if d.domain is not None)})
    nothing = _numbers(0, Division([], [], 0))
    domains = {
        name: {**kept.get(name, nothing), "dropped": Counter(d.reason.value for d in ordered if d.domain == name)}
        for name in names
    }
    return {
        "tasks": tasks,
        "sound": sum(numbers["sound"] for numbers in kept.values()),
        "dropped": Counter(d.reason.value for d in ordered),
        "domains": domains,
        "drops": [asdict(d) for d in ordered],
    }
