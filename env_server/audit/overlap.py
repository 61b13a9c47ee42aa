"""Finds content that tasks of different splits share."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import combinations
from typing import Any

from env_server.audit.findings import AuditFinding, FindingKind
from env_server.domains.kit import GeneratedTasks, Task
from env_server.domains.pack import Pack
from env_server.episodes.begin.choice import DEFAULT_SPLIT

_WORD = re.compile(r"\w+")

Placed = tuple[str, Task]
"""A task and the split that it is in."""


def overlaps(pack: Pack, tasks: Sequence[Placed]) -> Iterator[AuditFinding]:
    """Yield the content that `tasks` share with tasks of other splits, at most one finding per task.

    Shared content is the id, the template and slots, the user or the instruction. If customers are assigned to splits,
    a value that a customer of another split owns counts, too.

    A split that is a union of other splits is not compared with any split: it necessarily shares its tasks with its
    parts. One note names its parts.
    """
    first: dict[tuple[str, str], Placed] = {}
    made = _made_of_others(pack, tasks)
    for split, parts in made.items():
        detail = f"split {split!r} holds the whole of {', '.join(parts)}"
        yield AuditFinding(FindingKind.SPLITS_OVERLAP, split, "", detail, fault=False)
    owned = _Owned.of(pack, {split for split, _ in tasks})
    for split, task in tasks:
        if split in made:
            continue
        traits = list(_traits(task))
        found = next((_shared(first[t], t) for t in traits if t in first and first[t][0] != split), "")
        detail = found or owned.elsewhere(split, task)
        if detail:
            yield AuditFinding(FindingKind.SPLITS_OVERLAP, split, task.task_id, detail)
        for trait in traits:
            first.setdefault(trait, (split, task))


def _made_of_others(pack: Pack, tasks: Sequence[Placed]) -> dict[str, list[str]]:
    """Return the splits of `tasks` that are unions of others, with the names of these others.

    Such a split contains at least two other splits that have no task in common. A split that contains only one other
    split is no union but a leak. The default training split is never a union: it must share nothing, whatever its
    origin.
    """
    chosen = dict.fromkeys(split for split, _ in tasks)
    if len({task.task_id for _, task in tasks}) == len(tasks):
        return {}
    ids = {split: _ids(pack, split) for split in pack.splits}
    made = {}
    for split in chosen:
        parts = [other for other, theirs in ids.items() if theirs and theirs < ids[split]]
        if split != DEFAULT_SPLIT and any(ids[a].isdisjoint(ids[b]) for a, b in combinations(parts, 2)):
            made[split] = parts
    return made


def _ids(pack: Pack, split: str) -> set[str]:
    found = set()
    for index in range(pack.splits[split]):
        with suppress(Exception):  # a task that cannot be made is another finding
            found.add(pack.task_at(split, index).task_id)
    return found


def _traits(task: Task) -> Iterator[tuple[str, str]]:
    yield "task", task.task_id
    if task.template is not None:
        yield "template and slots", json.dumps([task.template, task.slots], sort_keys=True)
    if "user" in task.slots:
        yield "user", json.dumps(task.slots["user"])
    yield "instruction", task.instruction


def _shared(other: Placed, trait: tuple[str, str]) -> str:
    name, value = trait
    where, task = other
    if name == "task":
        return f"it is also in split {where!r}"
    shown = f" {value}" if name == "user" else ""
    return f"its {name}{shown} is also that of {task.task_id} in split {where!r}"


class _Owned:
    """The values that customers own, by split. A value is searched for in texts by its rarest word."""

    def __init__(self, owners: Mapping[str, set[str]]) -> None:
        words = Counter(word for word in _words_of(owners))
        self._by_word: dict[str, list[tuple[str, str]]] = {}
        for value, splits in sorted(owners.items()):
            rarest = min(_WORD.findall(value), key=lambda word: (words[word], word), default=None)
            if rarest is not None:
                self._by_word.setdefault(rarest, []).extend((split, value) for split in sorted(splits))

    @classmethod
    def of(cls, pack: Pack, splits: Iterable[str]) -> "_Owned":
        """Return the values owned in `splits`; none if the pack's tasks do not assign customers to splits."""
        owners: dict[str, set[str]] = {}
        source = pack.tasks
        if isinstance(source, GeneratedTasks):
            world: Any = source.opened(pack.snapshot)
            for split in splits:
                for customer in source.customers(pack.snapshot, split):
                    for value in world.owned(world.customers[customer]):
                        owners.setdefault(str(value), set()).add(split)
        return cls(owners)

    def elsewhere(self, split: str, task: Task) -> str:
        """Return the finding that `task` of `split` names a value of another split's customer, or an empty text."""
        text = json.dumps(task.model_dump(mode="json"), ensure_ascii=False)
        for word in dict.fromkeys(_WORD.findall(text)):
            for other, value in self._by_word.get(word, ()):
                if other != split and _whole(value, text):
                    return f"it names {value!r}, which belongs to a customer of split {other!r}"
        return ""


def _words_of(values: Iterable[str]) -> Iterator[str]:
    for value in values:
        yield from _WORD.findall(value)


def _whole(value: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text) is not None
