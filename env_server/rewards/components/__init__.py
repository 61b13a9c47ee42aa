"""The components of the reward, one module each. The rest of the server uses only the `COMPONENT` of each module."""

import importlib
import pkgutil
from collections.abc import Collection, Mapping
from functools import cache, lru_cache
from typing import cast

from env_server.domains.kit import Dialect, Task
from env_server.rewards.component import RewardComponent
from env_server.rewards.judge import Inquiry
from env_server.rewards.score_inputs import MadeCall


class NoSuchComponent(ValueError):
    """A basis names a component that does not exist; the message says which exist."""


@cache
def components() -> Mapping[str, RewardComponent]:
    """Return all components by name, in their order: one from each module of this folder."""
    modules = (importlib.import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__))
    found: list[RewardComponent] = [module.COMPONENT for module in modules]
    return {one.name: one for one in sorted(found, key=lambda one: one.order)}


def in_basis(names: Collection[str]) -> list[RewardComponent]:
    """Return the components of a basis.

    Raises:
        NoSuchComponent: if no component has a name of the basis, or if it cannot be named in a basis.
    """
    return list(_named(tuple(names)))


@lru_cache(maxsize=1024)
def _named(names: tuple[str, ...]) -> tuple[RewardComponent, ...]:
    known = components()
    found = [known.get(name) for name in names]
    for name, one in zip(names, found, strict=True):
        if one is None or one.of_conduct:
            there = ", ".join(one.name for one in known.values() if not one.of_conduct)
            raise NoSuchComponent(f"the basis names a component {name!r}; there are: {there}")
    return tuple(cast("list[RewardComponent]", found))


def of_conduct() -> list[RewardComponent]:
    """Return the components that are computed from the record of conduct."""
    return [one for one in components().values() if one.of_conduct]


def needs_judge(name: str, task: Task) -> bool:
    """Return whether only a judge can say the value of a component of `task`."""
    return components()[name].needs_judge(task)


def inquiry(name: str, task: Task, record: str) -> Inquiry:
    """Return the question to a judge about a component of `task`, for the `record` of its conversation."""
    ask = components()[name].inquiry
    assert ask is not None  # a score leaves only components with an inquiry open
    return ask(task, record)


def call_found(task: Task, dialect: Dialect, call: MadeCall, found: dict[str, list[int]]) -> None:
    """Add to `found` what the components of the basis find in a call."""
    for one in _named(task.basis):
        if one.on_call is not None:
            before = found.setdefault(one.name, [])
            before += one.on_call(task, dialect, call, before)


def message_found(task: Task, dialect: Dialect, message: str, found: dict[str, list[int]]) -> None:
    """Add to `found` what the components of the basis find in a message of the agent."""
    for one in _named(task.basis):
        if one.on_message is not None:
            before = found.setdefault(one.name, [])
            before += one.on_message(task, dialect, message, before)
