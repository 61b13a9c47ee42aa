"""What tasks of different splits have in common."""

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
"""A split and a task that stands in it."""


def overlaps(pack: Pack, tasks: Sequence[Placed]) -> Iterator[AuditFinding]:
    """What each of `tasks` shares with one of another split, one finding for a task.

    That is its id, its template and slots, its user or its instruction; or, where customers are dealt out to splits,
    something that a customer of another split owns. A split that is made of others is held against none of them: what
    it shares they share, and one note says what it holds.
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
    """The splits among those of `tasks` that are others put together -> these others.

    Such a split holds at least two others whole that have no task in common. One that holds a single other split is
    not put together, but leaks; and what is trained on by default has to share nothing, however it came about.
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
        with suppress(Exception):  # what cannot be made is a finding of its own
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
    """The values that the customers of each split have to themselves, found in texts by their rarest word."""

    def __init__(self, owners: Mapping[str, set[str]]) -> None:
        words = Counter(word for word in _words_of(owners))
        self._by_word: dict[str, list[tuple[str, str]]] = {}
        for value, splits in sorted(owners.items()):
            rarest = min(_WORD.findall(value), key=lambda word: (words[word], word), default=None)
            if rarest is not None:
                self._by_word.setdefault(rarest, []).extend((split, value) for split in sorted(splits))

    @classmethod
    def of(cls, pack: Pack, splits: Iterable[str]) -> "_Owned":
        """What is owned in `splits`; nothing where a pack's tasks do not deal customers out."""
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
        """What `task` of `split` names that a customer of another split owns; empty if nothing."""
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
