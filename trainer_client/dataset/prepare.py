"""Rows of the tasks that a server lists."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from agent_env_schemas import DEFAULT_TURNS, EASIEST, TaskOrder, TaskSummary, WrittenFormat
from trainer_client.client import Client
from trainer_client.dataset.demonstration import Stage
from trainer_client.dataset.errors import DataError
from trainer_client.dataset.examples import CANDIDATES, Example, examples, with_examples
from trainer_client.dataset.order import shuffled
from trainer_client.dataset.row_files import Row, Setting, row
from trainer_client.dataset.server import AT_HAND, check_named, having, read_prompt, strategy_of

TRAIN, TEST = "train", "test"

PAGE = 1000
"""Tasks that the server lists at once."""


@dataclass(frozen=True, kw_only=True)
class Preparation:
    """The options of `trainer data prepare`."""

    domains: Sequence[str] = ()
    """The domains; all that have the pack if none is named."""

    pack: str = "builtin"
    split: str = TRAIN
    difficulty: int | str | None = None
    """Take only tasks of this difficulty: a level such as 2, or a range such as '1-3'."""

    order: TaskOrder = "id"
    """`difficulty` puts easy tasks first and keeps the order within a level. It sorts the tasks of each domain before
    the limit applies, and all rows in the end."""

    offset: int = 0
    """Tasks of each domain to leave out at the beginning, after shuffling and ordering."""

    limit: int | None = None
    """The most tasks of each domain."""

    seed: int | None = None
    """Shuffles the tasks; without it they come domain by domain, in the order of the split."""

    few_shot: int = 0
    """The number of examples in each domain's prompt; their tasks get no rows."""

    tool_prompt: WrittenFormat = "hermes"
    user: dict[str, Any] | None = None
    """The user, as in `/reset`; None for the tasks' script."""

    max_turns: int = DEFAULT_TURNS
    """The limit of each episode; tasks that a server lists have no limit of their own."""

    turns: Mapping[str, int] = field(default_factory=dict)
    """Domain -> the limit of its episodes, in place of `max_turns`."""

    tools: dict[str, Any] | None = None
    """Which tools of MCP servers the episodes have, and how they are called, as in `/reset`."""

    reward_shaping: str | dict[str, Any] | None = None
    """The shaped reward, as in `/reset`: a preset, or its weights."""

    allow_eval: bool = False
    """Whether tasks of the test split may be written at all."""


def prepare(client: Client, wanted: Preparation) -> tuple[list[Row], dict[str, Any]]:
    """Make the rows and a report: `rows`, and for each domain its version, numbers, examples and length of prompt.

    Raises:
        DataError: if there are no tasks, or they are not allowed.
        ServerError: if the server refuses.
    """
    if wanted.split == TEST and not wanted.allow_eval:
        raise DataError("test tasks are for evaluation alone: add --allow-eval if the rows are for evaluation")
    if wanted.limit == 0:
        raise DataError("the limit is 0, so no task would be taken")
    rows: list[Row] = []
    sources = []
    domains = _domains(client, wanted)
    check_named("--max-turns", wanted.turns, domains)
    for domain in domains:
        made, source = _of_domain(client, domain, wanted)
        rows += made
        sources.append(source)
    if wanted.seed is not None:
        rows = shuffled(rows, wanted.seed, lambda r: f"{r['data_source']}/{r['extra_info']['task_id']}")
    if wanted.order == "difficulty":
        rows.sort(key=lambda r: r["extra_info"]["difficulty"] or EASIEST)
    return rows, {"rows": len(rows), "domains": sources}


def _domains(client: Client, wanted: Preparation) -> list[str]:
    """The domains to take, each of which has pack and split."""
    listed = client.domains()
    offered = {d.name: {p.name: p for p in d.packs} for d in listed.domains}
    names = list(dict.fromkeys(wanted.domains)) or having(listed, wanted.pack)
    for name in names:
        if name not in offered:
            raise DataError(f"there is no domain {name!r}; there are: {', '.join(offered)}")
        pack = offered[name].get(wanted.pack)
        if pack is None:
            raise DataError(f"{name} has no pack {wanted.pack!r}; it has: {', '.join(offered[name])}")
        if pack.error is not None:
            raise DataError(f"{name}'s pack {wanted.pack!r} cannot be played: {pack.error}")
        if wanted.split not in pack.splits:
            raise DataError(f"{name} has no split {wanted.split!r}; it has: {', '.join(pack.splits)}")
    return names


def _of_domain(client: Client, domain: str, wanted: Preparation) -> tuple[list[Row], dict[str, Any]]:
    shown = _examples(client, domain, wanted)
    choice = {"split": wanted.split, "difficulty": wanted.difficulty, "order": wanted.order}
    listed, total = _listed(client, domain, wanted.pack, _needed(wanted, len(shown)), choice)
    if not wanted.allow_eval and any(task.split == TEST for task in listed):
        raise DataError(
            f"split {wanted.split!r} of {domain} has test tasks: add --allow-eval if the rows are for evaluation"
        )
    chosen = _chosen(listed, {e.task_id for e in shown}, wanted)
    if not chosen:
        of = "" if wanted.difficulty is None else f" of difficulty {wanted.difficulty}"
        raise DataError(f"no task of {domain} is left: the split lists {total}{of}")
    settings = {opening: _setting(client, domain, wanted, task, shown) for opening, task in _openings(chosen).items()}
    source = {
        "domain": domain,
        "pack": wanted.pack,
        "pack_version": next(iter(settings.values())).pack_version,
        "split": wanted.split,
        "difficulty": wanted.difficulty,
        "listed": total,
        "rows": len(chosen),
        "examples": [e.task_id for e in shown],
        "prompts": len(settings),
        "prompt_chars": max(len(setting.system) for setting in settings.values()),
    }
    return [_row(settings[_opening(task)], task, wanted.split) for task in chosen], source


def _opening(task: TaskSummary) -> str:
    """The key of a task's prompt: tasks with equal keys share it. Without the server's key, each task has its own."""
    return task.opening or f"task {task.task_id}"


def _openings(tasks: Sequence[TaskSummary]) -> Mapping[str, TaskSummary]:
    """The first task of each opening."""
    return {_opening(task): task for task in reversed(tasks)}


def _setting(client: Client, domain: str, wanted: Preparation, task: TaskSummary, shown: Sequence[Example]) -> Setting:
    """The values of the rows of all tasks that begin as `task` does."""
    prompt = read_prompt(
        client, domain, wanted.pack, wanted.tool_prompt, wanted.user, task_id=task.task_id, tools=wanted.tools
    )
    return Setting(
        domain=domain,
        pack=wanted.pack,
        pack_version=prompt.pack_version,
        system=with_examples(prompt.system, shown),
        user=wanted.user,
        max_turns=wanted.turns.get(domain, wanted.max_turns),
        tools=wanted.tools,
        reward_shaping=wanted.reward_shaping,
    )


def _row(setting: Setting, task: TaskSummary, split: str) -> Row:
    return row(
        setting,
        source=f"{setting.domain}/{setting.pack}",
        split=split,
        purpose="train" if split == TRAIN else "eval",
        task_id=task.task_id,
        template=task.template,
        difficulty=task.difficulty,
    )


def _needed(wanted: Preparation, taken: int) -> int | None:
    """How many tasks of the split must be listed, if `taken` of them may be examples; None for all."""
    if wanted.seed is not None or wanted.limit is None:
        return None
    return wanted.offset + wanted.limit + taken


def _listed(
    client: Client, domain: str, pack: str, most: int | None, choice: Mapping[str, Any]
) -> tuple[list[TaskSummary], int]:
    """The first `most` tasks that fit `choice`, which goes into the request, and the total number."""
    found: list[TaskSummary] = []
    while True:
        limit = PAGE if most is None else min(PAGE, most - len(found))
        page = client.tasks(domain, pack=pack, offset=len(found), limit=max(limit, 1), **choice)
        found += page.tasks
        if not page.tasks or len(found) >= (page.total if most is None else min(most, page.total)):
            return found, page.total


def _chosen(listed: Sequence[TaskSummary], taken: set[str], wanted: Preparation) -> list[TaskSummary]:
    free = [task for task in listed if task.task_id not in taken]
    if wanted.seed is not None:
        free = shuffled(free, wanted.seed, lambda task: task.task_id)
        if wanted.order == "difficulty":
            free.sort(key=lambda task: task.difficulty or EASIEST)
    end = None if wanted.limit is None else wanted.offset + wanted.limit
    return list(islice(free, wanted.offset, end))


def _examples(client: Client, domain: str, wanted: Preparation) -> list[Example]:
    if not wanted.few_shot:
        return []
    user = wanted.user if strategy_of(wanted.user) in AT_HAND else None  # a model's words differ each time
    stage = Stage(client, domain, wanted.pack, user, wanted.tool_prompt, wanted.tools)
    candidates, _ = _listed(client, domain, wanted.pack, CANDIDATES, {"split": TRAIN})
    return examples(stage, candidates, wanted.few_shot, wanted.seed or 0)
