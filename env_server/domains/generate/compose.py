"""From a caller and their wishes to a task."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, TypeVar

from env_server.domains.generate import prose
from env_server.domains.generate.asking import Voice
from env_server.domains.generate.part import Caller, Part, Patch, Refusal
from env_server.domains.generate.persona import persona
from env_server.domains.generate.template import Template
from env_server.domains.packs.rows import merged
from env_server.domains.task import Component, Due, EnvAssertion, Gold, GoldCall, Task, UserScript, Value
from env_server.reading.words.said import said
from env_server.state import Snapshot

M = TypeVar("M", GoldCall, EnvAssertion)


def strict(parts: list[Part]) -> bool:
    """Whether gold's calls are compared: the caller must then be known in one way only.

    They are where something has to be looked up or handed over, and where the caller does things with tools of their
    own: all of them might else be had by one message that asks a stranger to do everything at once.
    """
    return any(part.proof or part.handover or part.assertions for part in parts)


def compose(base: Snapshot, template: Template, who: str, caller: Caller, parts: list[Part], voice: Voice) -> Task:
    """The task in which `caller`, the customer with id `who`, brings `parts`; its id and split are still to come."""
    outputs = _outputs(parts)
    assertions = tuple(_once(a for part in parts for a in part.assertions))
    who_they_are = persona(voice)
    actions = _gold(caller, parts)
    goals = " ".join(part.goal if i == 0 else prose.after(voice, part.goal) for i, part in enumerate(parts))
    return Task(
        task_id="unnamed",
        domain="unnamed",
        template=template.name,
        difficulty=difficulty(caller, parts, actions),
        instruction=f"{caller.introduction} {goals} {who_they_are.line}",
        user=UserScript(
            facts=caller.facts,
            unknown=caller.unknown,
            requests=tuple(request for part in parts for request in part.requests),
            style=who_they_are.style,
            at_once=who_they_are.at_once and sum(not r.instead for part in parts for r in part.requests) > 1,
            aside=who_they_are.aside,
        ),
        initial=_initial(base, [caller.initial, *(part.initial for part in parts)]),
        gold=Gold(actions=actions, outputs=outputs),
        dues=tuple(_dues(parts, actions)),
        basis=_basis(parts, outputs=bool(outputs), assertions=bool(assertions)),
        env_assertions=assertions,
        slots={"user": who, "wishes": [part.slots for part in parts]},
    )


LEVELS = (9, 13, 18, 24)
"""The efforts up to which a task is of difficulty 1, 2, 3 and 4; beyond the last it is 5."""


def difficulty(caller: Caller, parts: list[Part], actions: tuple[GoldCall, ...]) -> int:
    """How hard a task is, 1 to 5, measured by what an agent that makes no mistake has to do.

    Its effort is the number of calls and of messages that it needs (one for each detail asked for, change proposed,
    refusal, transfer and told value), and two more for each refusal, whose rule has to be known.
    """
    requests = [request for part in parts for request in part.requests]
    details = sum(len(request.details) for request in requests) + len(caller.sign_in)
    changes = sum(len(request.changes) for request in requests)
    told = sum(len(part.tells) + 3 * len(part.refusals) + (part.reason is not None) for part in parts)
    effort = len(actions) + details + changes + told
    return 1 + sum(effort > level for level in LEVELS)


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


def _outputs(parts: list[Part]) -> tuple[str, ...]:
    """The values that gold tells after its calls; none where a transfer ends the conversation before it could.

    What has to be told before a transfer is among the dues all the same.
    """
    if any(part.handover for part in parts):
        return ()
    return tuple(tell.value for part in parts for tell in part.tells)


def _dues(parts: list[Part], actions: tuple[GoldCall, ...]) -> Iterator[Due]:
    """What the caller has to be told, with the look-ups that show it, by their places in gold."""
    first = 0
    for part in parts:
        after = tuple(actions.index(look) for look in part.proof)
        for refusal in part.refusals:
            yield _reasoned("refuse", first, refusal, after)
        for tell in part.tells:
            at = first + tell.wish
            yield Due(wish=at, kind="tell", says=tell.says, about=tell.of, value=tell.value, after=after)
        if part.reason is not None:
            yield _reasoned("transfer", first, part.reason, after)
        first += len(part.requests)


def _reasoned(kind: Literal["refuse", "transfer"], first: int, reason: Refusal, after: tuple[int, ...]) -> Due:
    because = Value(says=reason.because, others=reason.others)
    at = first + reason.wish
    return Due(wish=at, kind=kind, says=reason.says, about=reason.about, because=because, after=after)


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
