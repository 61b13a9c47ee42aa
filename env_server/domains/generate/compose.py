"""From a caller and their wishes to a task."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from random import Random
from typing import Any, Literal, TypeVar

from env_server.domains.generate.part import Caller, Part, Patch
from env_server.domains.generate.template import Template
from env_server.domains.packs.rows import merged
from env_server.domains.said import said
from env_server.domains.task import Component, EnvAssertion, Gold, GoldCall, Task, UserScript
from env_server.state import Snapshot

M = TypeVar("M", GoldCall, EnvAssertion)

_STYLES: tuple[Literal["plain", "chatty", "terse"], ...] = ("plain", "plain", "chatty", "terse")
_STYLE_WORDS = {"plain": "polite", "chatty": "friendly and talkative", "terse": "short of words"}


def strict(parts: list[Part]) -> bool:
    """Whether gold's calls are compared: the caller must then be known in one way only.

    They are where something has to be looked up or handed over, and where the caller does things with tools of their
    own: all of them might else be had by one message that asks a stranger to do everything at once.
    """
    return any(part.proof or part.handover or part.assertions for part in parts)


def compose(base: Snapshot, template: Template, who: str, caller: Caller, parts: list[Part], rng: Random) -> Task:
    """The task in which `caller`, the customer with id `who`, brings `parts`; its id and split are still to come."""
    outputs = tuple(output for part in parts for output in part.outputs)
    assertions = tuple(_once(a for part in parts for a in part.assertions))
    style = rng.choice(_STYLES)
    goals = " ".join(part.goal if i == 0 else f"After that: {part.goal}" for i, part in enumerate(parts))
    return Task(
        task_id="unnamed",
        domain="unnamed",
        template=template.name,
        difficulty=template.difficulty,
        instruction=f"{caller.introduction} {goals} You are {_STYLE_WORDS[style]}.",
        user=UserScript(
            facts=caller.facts,
            unknown=caller.unknown,
            requests=tuple(request for part in parts for request in part.requests),
            style=style,
        ),
        initial=_initial(base, [caller.initial, *(part.initial for part in parts)]),
        gold=Gold(actions=_gold(caller, parts), outputs=outputs),
        basis=_basis(parts, outputs=bool(outputs), assertions=bool(assertions)),
        env_assertions=assertions,
        slots={"user": who, "wishes": [part.slots for part in parts]},
    )


def gives_away(task: Task) -> bool:
    """Whether the user says a value that the agent has to tell them."""
    outputs = task.gold.outputs
    return bool(outputs) and any(any(said(outputs, text)) for text in task.spoken())


def named(task: Task, domain: str, split: str, index: int) -> Task:
    """`task` in its place; its id holds a digest of its content, so that it never changes its meaning."""
    placed = task.model_copy(update={"domain": domain, "split": split})
    content = json.dumps(placed.model_dump(mode="json", exclude={"task_id"}), sort_keys=True)
    name = f"{split}-{index}-{hashlib.sha256(content.encode()).hexdigest()[:8]}"
    return placed.model_copy(update={"task_id": name})


def _basis(parts: list[Part], *, outputs: bool, assertions: bool) -> tuple[Component, ...]:
    counted = {
        Component.STATE: True,
        Component.COMMUNICATE: outputs,
        Component.ACTIONS: strict(parts),
        Component.ENV_ASSERTIONS: assertions,
    }
    return tuple(component for component, counts in counted.items() if counts)


def _gold(caller: Caller, parts: list[Part]) -> tuple[GoldCall, ...]:
    """The calls in order, each look-up once; where calls are compared, only those no honest agent can do without."""
    compared = strict(parts)
    looks = [*caller.sign_in, *(() if compared else caller.opens)]
    calls: list[GoldCall] = []
    for part in parts:
        looks += part.proof if compared else (*part.proof, *part.reads)
        calls += [look for look in _once(looks) if look not in calls]
        calls += part.writes
        looks = []
    return (*calls, *_once(call for part in parts for call in part.handover))


def _once(items: Iterable[M]) -> list[M]:
    """The items without repetitions, in order of their first occurrence (they hold dicts, which do not hash)."""
    found: list[M] = []
    found.extend(item for item in items if item not in found)
    return found


def _initial(base: Snapshot, patches: list[Patch]) -> dict[str, dict[str, dict[str, Any] | None]]:
    """The rows that the patches lead to, one after the other."""
    initial: dict[str, dict[str, dict[str, Any] | None]] = {}
    for patch in patches:
        for table, rows in patch.items():
            changed = initial.setdefault(table, {})
            for key, fields in rows.items():
                before: Mapping[str, Any] = changed.get(key) or base.tables[table].rows.get(key) or {}
                changed[key] = None if fields is None else merged(before, fields)
    return initial
