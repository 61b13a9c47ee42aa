"""Composition of a task from a caller and their wishes."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, TypeVar

from env_server.domains.kit.generate import prose
from env_server.domains.kit.generate.asking import Voice
from env_server.domains.kit.generate.persona import persona
from env_server.domains.kit.generate.template import Template
from env_server.domains.kit.generate.wish import Caller, Patch, Refusal, Wish
from env_server.domains.kit.task import Component, Due, EnvAssertion, Gold, GoldCall, Task, UserScript, Value
from env_server.reading.words.said_values import said
from env_server.state import Snapshot, merged

M = TypeVar("M", GoldCall, EnvAssertion)


def strict(wishes: list[Wish]) -> bool:
    """Return whether gold's calls are compared; the caller must then be identifiable in one way only.

    They are compared if a wish needs a look-up or a transfer, or has assertions on the final state, as for callers with
    tools of their own. Without the comparison, one message that asks a stranger to do everything at once could solve
    such a task.
    """
    return any(wish.proof or wish.handover or wish.assertions for wish in wishes)


def compose(base: Snapshot, template: Template, who: str, caller: Caller, wishes: list[Wish], voice: Voice) -> Task:
    """Return the task in which `caller`, the customer with id `who`, brings `wishes`; it has no id and split yet."""
    outputs = _outputs(wishes)
    assertions = tuple(_once(a for wish in wishes for a in wish.assertions))
    who_they_are = persona(voice)
    actions = _gold(caller, wishes)
    goals = " ".join(wish.goal if i == 0 else prose.after(voice, wish.goal) for i, wish in enumerate(wishes))
    return Task(
        task_id="unnamed",
        domain="unnamed",
        template=template.name,
        difficulty=difficulty(caller, wishes, actions),
        instruction=f"{caller.introduction} {goals} {who_they_are.line}",
        user=UserScript(
            facts=caller.facts,
            unknown=caller.unknown,
            requests=tuple(request for wish in wishes for request in wish.requests),
            style=who_they_are.style,
            at_once=who_they_are.at_once and sum(not r.instead for wish in wishes for r in wish.requests) > 1,
            aside=who_they_are.aside,
        ),
        initial=_initial(base, [caller.initial, *(wish.initial for wish in wishes)]),
        gold=Gold(actions=actions, outputs=outputs),
        dues=tuple(_dues(wishes, actions)),
        basis=_basis(wishes, outputs=bool(outputs), assertions=bool(assertions)),
        env_assertions=assertions,
        slots={"user": who, "wishes": [wish.slots for wish in wishes]},
    )


LEVELS = (9, 13, 18, 24)
"""The greatest efforts of difficulties 1, 2, 3 and 4; a greater effort is difficulty 5."""


def difficulty(caller: Caller, wishes: list[Wish], actions: tuple[GoldCall, ...]) -> int:
    """Return the difficulty of a task, 1 to 5, from the effort of an agent that makes no mistake.

    The effort is the number of calls and of messages that the agent needs (one for each requested detail, proposed
    change, refusal, transfer and told value), plus two for each refusal, whose rule has to be known.
    """
    requests = [request for wish in wishes for request in wish.requests]
    details = sum(len(request.details) for request in requests) + len(caller.sign_in)
    changes = sum(len(request.changes) for request in requests)
    told = sum(len(wish.tells) + 3 * len(wish.refusals) + (wish.reason is not None) for wish in wishes)
    effort = len(actions) + details + changes + told
    return 1 + sum(effort > level for level in LEVELS)


def gives_away(task: Task) -> bool:
    """Return whether the user says a value that the agent has to tell them."""
    outputs = task.gold.outputs
    return bool(outputs) and any(any(said(outputs, text)) for text in task.spoken())


def named(task: Task, domain: str, split: str, index: int) -> Task:
    """Return `task` with its domain, split and id. The id holds a digest of the content, so that it never changes its
    meaning.
    """
    placed = task.model_copy(update={"domain": domain, "split": split})
    content = json.dumps(placed.model_dump(mode="json", exclude={"task_id"}), sort_keys=True)
    name = f"{split}-{index}-{hashlib.sha256(content.encode()).hexdigest()[:8]}"
    return placed.model_copy(update={"task_id": name})


def _outputs(wishes: list[Wish]) -> tuple[str, ...]:
    """Return the values that gold tells after its calls; none if a transfer ends the conversation before that.

    Values that have to be told before a transfer are still among the dues.
    """
    if any(wish.handover for wish in wishes):
        return ()
    return tuple(tell.value for wish in wishes for tell in wish.tells)


def _dues(wishes: list[Wish], actions: tuple[GoldCall, ...]) -> Iterator[Due]:
    """Yield the dues of the caller, with the look-ups that show them, by their indices in gold."""
    first = 0
    for wish in wishes:
        after = tuple(actions.index(look) for look in wish.proof)
        for refusal in wish.refusals:
            yield _reasoned("refuse", first, refusal, after)
        for tell in wish.tells:
            at = first + tell.wish
            yield Due(wish=at, kind="tell", says=tell.says, about=tell.of, value=tell.value, after=after)
        if wish.reason is not None:
            yield _reasoned("transfer", first, wish.reason, after)
        first += len(wish.requests)


def _reasoned(kind: Literal["refuse", "transfer"], first: int, reason: Refusal, after: tuple[int, ...]) -> Due:
    because = Value(says=reason.because, others=reason.others)
    at = first + reason.wish
    return Due(wish=at, kind=kind, says=reason.says, about=reason.about, because=because, after=after)


def _basis(wishes: list[Wish], *, outputs: bool, assertions: bool) -> tuple[Component, ...]:
    counted = {
        Component.STATE: True,
        Component.COMMUNICATE: outputs,
        Component.ACTIONS: strict(wishes),
        Component.ENV_ASSERTIONS: assertions,
    }
    return tuple(component for component, counts in counted.items() if counts)


def _gold(caller: Caller, wishes: list[Wish]) -> tuple[GoldCall, ...]:
    """Return the calls in order, each look-up once. If calls are compared, only those that every honest agent needs."""
    compared = strict(wishes)
    looks = [*caller.sign_in, *(() if compared else caller.opens)]
    calls: list[GoldCall] = []
    for wish in wishes:
        looks += wish.proof if compared else (*wish.proof, *wish.reads)
        calls += [look for look in _once(looks) if look not in calls]
        calls += wish.writes
        looks = []
    return (*calls, *_once(call for wish in wishes for call in wish.handover))


def _once(items: Iterable[M]) -> list[M]:
    """Return the items without repetitions, in order of first occurrence (they hold dicts, which cannot be hashed)."""
    found: list[M] = []
    found.extend(item for item in items if item not in found)
    return found


def _initial(base: Snapshot, patches: list[Patch]) -> dict[str, dict[str, dict[str, Any] | None]]:
    """Return the rows after all patches, applied in order."""
    initial: dict[str, dict[str, dict[str, Any] | None]] = {}
    for patch in patches:
        for table, rows in patch.items():
            changed = initial.setdefault(table, {})
            for key, fields in rows.items():
                before: Mapping[str, Any] = changed.get(key) or base.tables[table].rows.get(key) or {}
                changed[key] = None if fields is None else merged(before, fields)
    return initial
