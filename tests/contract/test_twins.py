"""Twins: a task with a refusal or a transfer, and a task with the same words whose rows allow the wish."""

import pytest

from env_server.domains.kit import GeneratedTasks, Task
from tests.contract.acts import each_domain, stage
from tests.domains import made

EACH = 3
"""The number of pairs of each template that are compared."""


def pairs(domain: str, split: str) -> tuple[tuple[Task, Task], ...]:
    """Pairs of a refused task and its twin."""
    return made.twins(domain, split, EACH)


@each_domain
@pytest.mark.parametrize("split", ["train", "test"])
def test_twins_are_told_apart_by_rows_alone(domain: str, split: str) -> None:
    """The user's script and the instruction are byte for byte the same; gold and what must be told differ."""
    found = pairs(domain, split)
    assert found
    for refused, due in found:
        assert refused.user is not None
        assert due.user is not None
        assert refused.user.model_dump_json() == due.user.model_dump_json(), refused.template
        assert refused.instruction == due.instruction, refused.template
        assert refused.gold != due.gold, refused.template
        assert refused.initial != due.initial, refused.template


@each_domain
def test_every_refusal_and_transfer_has_a_twin(domain: str) -> None:
    """Each template with a refusal or a transfer has a twin in which the wish is granted."""
    source = stage(domain).pack.tasks
    assert isinstance(source, GeneratedTasks)
    twinned = {(t.kinds, t.chain) for t in source.templates if t.due}
    by_name = {t.name: t for t in source.templates}
    refusing = {task.template for task in stage(domain).tasks() if any(due.kind != "tell" for due in task.dues)}
    lone = [name for name in refusing if name and (by_name[name].kinds, by_name[name].chain) not in twinned]
    assert not lone


@each_domain
def test_in_a_twin_something_is_written(domain: str) -> None:
    """Gold of a twin changes rows."""
    on = stage(domain)
    for _, due in pairs(domain, "train"):
        assert any(on.writes(call) for call in due.gold.actions), due.template
