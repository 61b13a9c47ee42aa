"""The splits of every domain: their sizes, no overlap between them, and tasks found again by id."""

import json
import re
from itertools import combinations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.contract.acts import each_domain, stage, writes

SIZES = {"train": 2000, "val": 200, "test": 500}
WORD = re.compile(r"[^\s\"'\\,;()\[\]{}]+")


@each_domain
def test_splits_have_the_promised_sizes(domain: str) -> None:
    """There are 2,000 tasks in `train`, 200 in `val` and 500 in `test`; all ids are distinct."""
    on = stage(domain)
    assert dict(on.pack.splits) == SIZES
    listed = [task.task_id for split in SIZES for task in on.listed(split)]
    assert len(set(listed)) == len(listed) == sum(SIZES.values())


@each_domain
def test_every_write_of_the_agent_is_gold_in_every_split(domain: str) -> None:
    """Every tool that writes is in the gold of some task of each split."""
    on = stage(domain)
    for split in SIZES:
        assert writes(on.pack.local_tools) <= on.used(split, "agent"), split


@each_domain
def test_no_template_is_filled_in_twice_alike(domain: str) -> None:
    """Each pair (template, slots) occurs once in all splits together."""
    on = stage(domain)
    filled = [json.dumps([t.template, t.slots], sort_keys=True) for split in SIZES for t in on.listed(split)]
    assert len(set(filled)) == len(filled)


def words(text: str) -> set[str]:
    """The words of a text, split at spaces, quotes and brackets, without punctuation at the end."""
    return {word.strip(".:?!") for word in WORD.findall(text)}


@each_domain
def test_splits_share_no_customer_and_nothing_that_is_a_customers_own(domain: str) -> None:
    """No text in a split's tasks or initial rows belongs to a customer of another split."""
    on = stage(domain)
    world, base = on.generated.opened(on.pack.snapshot), on.pack.snapshot
    owned, said = dict[str, set[str]](), dict[str, set[str]]()
    for split, size in SIZES.items():
        customers = on.generated.customers(base, split)
        owned[split] = {value for who in customers for value in (who, *world.owned(world.customers[who]))}
        said[split] = words("\n".join(task.model_dump_json() for task in on.listed(split)))
        assert {task.slots["user"] for task in on.listed(split)} <= set(customers)
        assert all(words(value) == {value} for value in owned[split]), "not found as one word in a text"
        assert len(owned[split] & said[split]) > size / 10
    for one, two in combinations(SIZES, 2):
        assert not owned[one] & owned[two]
        assert not owned[one] & said[two], (one, two)
        assert not owned[two] & said[one], (one, two)


@each_domain
@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(index=st.integers(0, 10**9))
def test_train_never_ends(domain: str, index: int) -> None:
    """Any index in `train` gives a task, always the same, which its id finds again."""
    pack = stage(domain).pack
    task = pack.task_at("train", index)
    assert re.fullmatch(r"[a-z0-9_-]+", task.task_id)
    assert pack.find(task.task_id) == task


@each_domain
def test_a_task_id_leads_back_to_its_task(domain: str) -> None:
    """The ids of every split find their tasks."""
    on = stage(domain)
    assert all(on.pack.find(task.task_id) == task for split in SIZES for task in on.listed(split)[::37])


@each_domain
@pytest.mark.parametrize(("split", "index"), [("test", 500), ("val", 200), ("train", -1), ("dev", 0), ("test", -1)])
def test_no_task_outside_the_lists(domain: str, split: str, index: int) -> None:
    """An index beyond a closed list, a negative one or an unknown split is a LookupError."""
    with pytest.raises(LookupError):
        stage(domain).pack.task_at(split, index)


@each_domain
@pytest.mark.parametrize("task_id", ["", "test-1", "test-1-00000000", "test-01-00000000", "dev-1-00000000", "x" * 99])
def test_unknown_ids(domain: str, task_id: str) -> None:
    """An unknown id, and an id of another version, are a LookupError that says so."""
    with pytest.raises(LookupError, match=r"."):
        stage(domain).pack.find(task_id)
