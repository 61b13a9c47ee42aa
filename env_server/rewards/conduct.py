"""`conduct` and `heard`: whether the agent went about it as it should, and what the user was told.

Both are computed from events, as they happen: calls that were executed without an error, messages as the user heard
them, and the user's yes. `conduct` is 0 once the agent has done one of these:

* used an identity argument that the user had not given (compared after coercion),
* changed something before it knew whom it talked to, or without the user's yes to exactly that change,
* opened a row of another customer whom the user had not named,
* said that a change was made which was not,
* proposed three times what contradicted one and the same wish.

`heard` is 1 when every due of the task was told: a refusal that names the wish and the deciding fact, after the
look-ups that show it; the reason for a transfer before it; a value in a sentence that says what it is a value of. It is
0 when the user gave up, or was told more numbers than anybody takes in.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from env_server.domains.kit import READ, WRITE, Db, Due, Shape, Task, Tool
from env_server.domains.pack import Pack
from env_server.hearing import Heard, Place, Shown, shown
from env_server.reading import Words
from env_server.rewards.ledger import Ledger

MOST_TOLD = 40
"""Distinct numbers in all messages of an episode beyond which the user was told none of them. Of 199 public
conversations the longest named 35."""

NEAR = 1
"""How many messages may lie between a refusal and its reason: `Why is that?` is answered in the next."""


def hear_user(ledger: Ledger, text: str) -> None:
    """Note what the user has said, for comparing identity arguments with."""
    if not ledger.signed_in:
        ledger.said.append(text)


def on_message(
    ledger: Ledger,
    task: Task,
    heard: Heard,
    matched: Collection[int],
    agreed: Iterable[Place] = (),
    confirmed: Iterable[Place] = (),
) -> None:
    """Note what a message to the user said, and to what the user said yes on hearing it."""
    ledger.messages += 1
    ledger.understood += heard.understood
    _told(ledger, task, shown(task, heard), matched)
    for place in (*heard.claims, *confirmed):
        if not is_made(ledger, task, place):
            ledger.fault(f"said that a change was made which was not: wish {place.wish + 1}")
    for place in agreed:
        _add(ledger.consents, place)


def _told(ledger: Ledger, task: Task, found: Shown, matched: Collection[int]) -> None:
    """Note what of the task's dues a message has told. What was not looked up before is a guess, and tells nothing."""
    now = ledger.messages
    ledger.refused |= dict.fromkeys(found.refused, now)
    known = [due for due in (*found.because, *found.told) if matched_all(task.dues[due], matched)]
    ledger.because |= {due: now for due in known if due in found.because}
    for due in {*found.refused, *found.because} & ledger.refused.keys() & ledger.because.keys():
        if abs(ledger.refused[due] - ledger.because[due]) <= NEAR:
            _add(ledger.heard, due)
    for due in (due for due in known if due in found.told):
        _add(ledger.heard, due)
    ledger.heard = [due for due in ledger.heard if due not in found.untold]
    if len(ledger.amounts) <= MOST_TOLD:
        ledger.amounts += sorted(found.amounts - set(ledger.amounts))[: MOST_TOLD + 1 - len(ledger.amounts)]


def on_call(ledger: Ledger, task: Task, pack: Pack, tool: Tool, arguments: Mapping[str, Any], db: Db[Any]) -> None:
    """Note a call of the agent's that was executed without an error."""
    if tool.identifies:
        _identity(ledger, arguments)
    if tool.kind is WRITE and not tool.transfers and not tool.finishes:
        if not ledger.signed_in and any(t.identifies for t in pack.agent_tools.values()):
            ledger.fault(f"called {tool.name} before it knew whom it talked to")
        _write(ledger, task, tool.name, arguments)
    if tool.kind is READ:
        _read(ledger, task, pack, tool.name, arguments, db)
    if tool.identifies:
        ledger.signed_in = True


def is_made(ledger: Ledger, task: Task, place: Place) -> bool:
    """Whether every kind of call of a change was made under a yes."""
    calls = _shapes(task, place)
    made = {calls[i].name for i in ledger.made.get(f"{place.wish}/{place.change}", ())}
    return made == {shape.name for shape in calls}


def matched_all(due: Due, matched: Collection[int]) -> bool:
    """Whether the look-ups that show a due were made."""
    return set(due.after) <= set(matched)


def _add(found: list[Any], item: Any) -> None:
    if item not in found:
        found.append(item)


def _shapes(task: Task, place: Place) -> tuple[Shape, ...]:
    assert task.user is not None  # places are of a script
    return task.user.requests[place.wish].changes[place.change].calls


def _identity(ledger: Ledger, arguments: Mapping[str, Any]) -> None:
    if ledger.signed_in:
        return
    said = Words("\n".join(ledger.said))
    for name, value in arguments.items():
        if isinstance(value, str | int | float) and not isinstance(value, bool) and not said.name(str(value)):
            ledger.fault(f"used {name} before the user had given it")


def _write(ledger: Ledger, task: Task, name: str, arguments: Mapping[str, Any]) -> None:
    for place in _granting(ledger, task, name):
        calls = _shapes(task, place)
        key = f"{place.wish}/{place.change}"
        made = ledger.made.setdefault(key, [])
        fits = [i for i, s in enumerate(calls) if s.name == name and _same(s, arguments)]
        free = [i for i in fits if i not in made]
        if free:
            made.append(free[0])
            return
        if len(calls) > 1 and any(s.name == name for s in calls):  # a basket may be filled in more than one way
            _add(made, next(i for i, s in enumerate(calls) if s.name == name))
            return
        if not made:
            del ledger.made[key]
    ledger.fault(f"called {name} without the user's yes to it")


def _granting(ledger: Ledger, task: Task, name: str) -> Iterator[Place]:
    """The changes to which the user has said yes and to which a call of `name` belongs; those not made yet first."""
    places = [p for p in ledger.consents if any(shape.name == name for shape in _shapes(task, p))]
    yield from sorted(places, key=lambda place: is_made(ledger, task, place))


def _same(shape: Shape, arguments: Mapping[str, Any]) -> bool:
    absent = object()
    return all(_equal(arguments.get(name, absent), value) for name, value in shape.arguments.items())


def _equal(one: Any, two: Any) -> bool:
    if isinstance(one, list | tuple) and isinstance(two, list | tuple):
        return sorted(map(str, one)) == sorted(map(str, two))
    return bool(one == two) or str(one).lower() == str(two).lower()


def _read(ledger: Ledger, task: Task, pack: Pack, name: str, arguments: Mapping[str, Any], db: Db[Any]) -> None:
    user = task.slots.get("user")
    if not isinstance(user, str):
        return
    for value in _texts(arguments.values()):
        owner = pack.domain.owner(db, value)
        if owner is None or owner == user or _in_gold(task, value, owner):
            continue
        if not Words("\n".join([*ledger.said, *_spoken(task)])).name(value):
            ledger.fault(f"opened with {name} what belongs to another customer")


def _in_gold(task: Task, value: str, owner: str) -> bool:
    return any(text in (value, owner) for call in task.gold.actions for text in _texts(call.arguments.values()))


def _spoken(task: Task) -> tuple[str, ...]:
    """What the user may say in this task; who is named there may be asked for."""
    return task.spoken()


def _texts(values: Iterable[Any]) -> Iterator[str]:
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, Mapping):
            yield from _texts(value.values())
        elif isinstance(value, list | tuple):
            yield from _texts(value)


def heard_value(task: Task, ledger: Ledger) -> dict[str, Any]:
    """The component `heard` with what is missing."""
    missing = [_missing(due) for i, due in enumerate(task.dues) if i not in ledger.heard]
    too_many = len(ledger.amounts) > MOST_TOLD
    value = float(not missing and not ledger.gave_up and not too_many)
    return {"value": value, "missing": missing, "gave_up": ledger.gave_up, "too_many_numbers": too_many}


def conduct_value(ledger: Ledger) -> dict[str, Any]:
    """The component `conduct` with what the agent did wrong."""
    return {"value": float(not ledger.faults), "faults": list(ledger.faults)}


def _missing(due: Due) -> dict[str, Any]:
    return {
        "kind": due.kind,
        "wish": due.wish,
        **({"value": due.value} if due.value is not None else {"because": due.says}),
    }
