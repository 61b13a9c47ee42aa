"""What splits have in common."""

import pytest

from env_server.audit.overlap import overlaps
from env_server.domains.discovery import domains, packs
from env_server.domains.kit import Task
from env_server.domains.pack import Pack

LIMIT = 60


@pytest.fixture(scope="module")
def retail() -> Pack:
    """A pack whose customers are dealt out to splits."""
    return packs(domains()["retail"], {})["builtin"]


def details(pack: Pack, *placed: tuple[str, Task]) -> list[str]:
    """What is found of `placed`."""
    return [finding.detail for finding in overlaps(pack, placed)]


def bare(task: Task, name: str) -> Task:
    """The same task under another name, without what else identifies it."""
    return task.model_copy(update={"task_id": name, "slots": {}, "template": None})


@pytest.mark.parametrize("name", list(domains()))
def test_builtin_splits_share_nothing(name: str) -> None:
    """Tasks of the builtin splits have nothing in common, nor anything of each other's customers."""
    pack = packs(domains()[name], {})["builtin"]
    placed = [(split, pack.task_at(split, i)) for split in pack.splits for i in range(LIMIT)]
    assert details(pack, *placed) == []


def test_each_way_to_overlap_is_seen(retail: Pack) -> None:
    """The same task, template with slots, user or instruction in two splits: each is told apart."""
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
