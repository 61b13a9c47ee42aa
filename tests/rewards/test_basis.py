"""The components that count in an inline task."""

from typing import Any

import pytest

from env_server.domains.kit import Task
from env_server.domains.kit.task import Rubric
from env_server.rewards.basis import BasisError, with_basis
from env_server.rewards.components import NoSuchComponent


def task(**fields: Any) -> Task:
    """A task of these fields."""
    return Task.model_validate({"task_id": "t", "domain": "d", "instruction": "i", **fields})


@pytest.mark.parametrize(
    ("fields", "basis"),
    [
        ({}, ("state",)),
        ({"gold": {"outputs": ["7"]}}, ("state", "communicate")),
        ({"gold": {"actions": [{"name": "look"}]}}, ("state",)),
        ({"assertions": ["It was polite."], "rubric": Rubric()}, ("state", "nl_assertions", "rubric")),
    ],
)
def test_what_the_task_has_something_for_counts(fields: dict[str, Any], basis: tuple[str, ...]) -> None:
    """Without a basis, the state and all that has to be said or judged count, in the order of the components."""
    assert with_basis(task(**fields), vetted=True).basis == basis
    assert with_basis(task(**fields), vetted=False).basis == basis


def test_a_basis_that_is_named_stays() -> None:
    """A basis that is given stays, even if it leaves out what has to be said."""
    named = task(gold={"outputs": ["7"]}, basis=["actions"])
    assert with_basis(named, vetted=True) is named


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"basis": ["env_assertions"]}, "names env_assertions, and an inline task has none"),
        ({"basis": ["nl_assertions"]}, "names nl_assertions, and the task has no assertions"),
        ({"basis": ["state"], "assertions": ["x"]}, "what nl_assertions is to judge, and its basis does not name it"),
        ({"basis": ["state"], "rubric": Rubric()}, "what rubric is to judge, and its basis does not name it"),
    ],
)
def test_a_basis_that_does_not_fit_is_refused(fields: dict[str, Any], words: str) -> None:
    """A basis that does not fit the task is an error, except in a public benchmark, which has such tasks."""
    with pytest.raises(BasisError, match=words):
        with_basis(task(**fields), vetted=True)
    assert with_basis(task(**fields), vetted=False).basis == tuple(fields["basis"])


@pytest.mark.parametrize("name", ["charm", "heard"])
@pytest.mark.parametrize("vetted", [True, False])
def test_an_unknown_component_is_refused_by_name(name: str, vetted: bool) -> None:
    """An unknown component, and one that a basis cannot name, are errors that list the components."""
    with pytest.raises(NoSuchComponent, match=f"'{name}'; there are: state, answer, communicate"):
        with_basis(task(basis=[name]), vetted=vetted)
