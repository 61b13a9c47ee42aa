"""Overlap between splits."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from env_server.audit.overlap import overlaps
from env_server.domains.discovery import domains
from env_server.domains.kit import Task
from env_server.domains.pack import Pack
from env_server.domains.packs.task_lists import ListedTasks
from env_server.state import Snapshot
from tests.domains import made

LIMIT = 60


@pytest.fixture(scope="module")
def retail() -> Pack:
    """A pack whose customers are dealt out to splits."""
    return made.pack("retail")


def details(pack: Pack, *placed: tuple[str, Task]) -> list[str]:
    """Return the findings for `placed`."""
    return [finding.detail for finding in overlaps(pack, placed)]


def bare(task: Task, name: str) -> Task:
    """Return the same task under another name, without its other identifiers."""
    return task.model_copy(update={"task_id": name, "slots": {}, "template": None})


@pytest.mark.parametrize("name", list(domains()))
def test_builtin_splits_share_nothing(name: str) -> None:
    """Tasks of the builtin splits share neither content nor customers."""
    pack = made.pack(name)
    placed = [(split, pack.task_at(split, i)) for split in pack.splits for i in range(LIMIT)]
    assert details(pack, *placed) == []


def test_each_way_to_overlap_is_seen(retail: Pack) -> None:
    """The same task, template with slots, user or instruction in two splits: each has its own finding."""
    task, other = retail.task_at("train", 0), retail.task_at("val", 0)
    assert details(retail, ("train", task), ("val", task)) == ["it is also in split 'train'"]
    same_slots = other.model_copy(update={"slots": task.slots, "template": task.template})
    assert "its template and slots is also that of" in details(retail, ("train", task), ("val", same_slots))[0]
    same_user = other.model_copy(update={"slots": {"user": task.slots["user"]}})
    assert "its user " in details(retail, ("train", task), ("val", same_user))[0]
    same_words = bare(other, "renamed").model_copy(update={"instruction": task.instruction})
    assert "its instruction is also that of" in details(retail, ("train", task), ("val", same_words))[0]
    assert details(retail, ("train", task), ("train", bare(task, "renamed"))) == []


def test_a_foreign_customers_belongings_are_seen(retail: Pack) -> None:
    """A task that names an order of another split's customer is found, wherever it names it."""
    own, foreign = retail.task_at("train", 0), retail.task_at("val", 0)
    reaching = bare(own, "reaching").model_copy(update={"gold": foreign.gold})
    (detail,) = details(retail, ("train", reaching), ("val", foreign))
    assert "belongs to a customer of split 'val'" in detail


def shelf(retail: Pack, **members: Sequence[int]) -> Pack:
    """Tasks of retail, by their index in `val`, in splits as public files list them."""
    made = {str(i): retail.task_at("val", i) for i in range(6)}
    listed = {split: [str(i) for i in places] for split, places in members.items()}

    def convert(found: Mapping[str, Any], _base: Snapshot) -> Task:
        return made[found["id"]]

    return replace(retail, tasks=ListedTasks({i: {"id": i} for i in made}, listed, convert), _found={})


def found(pack: Pack, limit: int) -> list[tuple[str, str, bool]]:
    """The findings for the first `limit` tasks of each split: place, task, and whether it is a fault."""
    placed = [(split, pack.task_at(split, i)) for split, size in pack.splits.items() for i in range(min(size, limit))]
    return [(f.split, f.task_id, f.fault) for f in overlaps(pack, placed)]


@pytest.mark.parametrize("limit", [2, 6])
@pytest.mark.parametrize("extra", [[], [4, 5]])
def test_a_split_that_others_make_up_is_a_note(retail: Pack, extra: list[int], limit: int) -> None:
    """A split composed of other splits is a note, with or without tasks of its own, in any order and with any limit."""
    whole, parts = [0, 1, 2, 3, *extra], {"train": [0, 1], "test": [2, 3]}
    assert found(shelf(retail, base=whole, **parts), limit) == [("base", "", False)]
    assert found(shelf(retail, **parts, base=whole), limit) == [("base", "", False)]


def test_a_split_that_only_holds_another_leaks(retail: Pack) -> None:
    """A split that contains another leaks. So does one that shares a part or a twin, or that
    contains training tasks.
    """
    shared = [retail.task_at("val", i).task_id for i in range(3)]
    assert found(shelf(retail, train=[0, 1, 2], test=[0, 1]), 6) == [("test", name, True) for name in shared[:2]]
    assert found(shelf(retail, train=[0, 1], test=[1, 2]), 6) == [("test", shared[1], True)]
    assert found(shelf(retail, one=[0], two=[0]), 6) == [("two", shared[0], True)]
    assert found(shelf(retail, train=[0, 1, 2], val=[0], test=[1, 2]), 6) == [
        ("val", shared[0], True),
        *(("test", name, True) for name in shared[1:]),
    ]


def test_parts_of_a_split_that_share_a_task_are_seen(retail: Pack) -> None:
    """A composed split does not hide tasks shared by its parts."""
    pack = shelf(retail, base=[0, 1, 2, 3], train=[0, 1], val=[1, 2], test=[2, 3])
    second, third = (retail.task_at("val", i).task_id for i in (1, 2))
    assert found(pack, 6) == [("base", "", False), ("val", second, True), ("test", third, True)]
