import re
from collections import Counter
from math import ceil
from typing import Any

import pytest

from env_server.domains.airline import domain, tools
from env_server.domains.airline.invariants import invariants
from env_server.domains.airline.rules import BAG_FEE, CANCELLED_GIFT, DELAYED_GIFT, INSURANCE_FEE, LOST_GIFT
from env_server.domains.airline.scenarios import TEMPLATES
from env_server.domains.airline.tasks import TASKS
from env_server.domains.kit import Component, GoldCall, Shape, Task, shared, tools_of
from env_server.state import Db, State
from env_server.tools.dispatch import Toolset
from tests.domains import made
from tests.domains.airline.test_world import BUILTIN, base, rows

TOOLS = {t.name: t for t in (*tools_of(tools), *shared.TOOLS)}
SIDE = Toolset(TOOLS, BUILTIN)


def listed(split: str) -> tuple[Task, ...]:
    """Return all listed tasks of a split."""
    return made.listed("airline", split)


def play(one: Task, calls: list[GoldCall] | tuple[GoldCall, ...], *, faults: bool = False) -> Db[Any]:
    """Play calls from the task's beginning. An error fails the test, unless it is one of `faults`."""
    db: Db[Any] = Db(State.at(base(), one.changes()), BUILTIN)
    for call in calls:
        outcome = SIDE.call(db, call.name, call.arguments)
        assert faults or outcome.fault is None, (one.task_id, call, outcome.text)
    return db


def test_gold_looks_before_it_answers() -> None:
    """The caller's profile comes first, and no transfer is made before the reservation was looked at."""
    for one in listed("test"):
        calls = one.gold.actions
        assert calls[0] == GoldCall(name="get_user_details", arguments={"user_id": one.slots["user"]})
        if any(TOOLS[call.name].transfers for call in calls):
            assert "get_reservation_details" in {call.name for call in calls}


def test_what_is_told_is_worth_looking_up() -> None:
    """Outputs are flight numbers, or whole dollars that are not trivially small."""
    for one in listed("test"):
        assert all(re.fullmatch(r"\d+|KS\d{3}", output) for output in one.gold.outputs)
        assert all(output.startswith("KS") or int(output) >= 10 for output in one.gold.outputs), one.task_id


@pytest.mark.parametrize("split", TASKS.splits)
def test_every_template_has_room_in_every_split(split: str) -> None:
    """Each template can be filled in as often as a split needs it."""
    wanted = ceil(TASKS.splits[split] / len(TEMPLATES))
    assert [t.name for t in TEMPLATES if len(TASKS.anchors(base(), split, t)) < wanted] == []


def test_kinds_of_users() -> None:
    """There are users with two to four wishes, without a number, who revise, who need values, and who are refused."""
    tasks = listed("test")
    requests = Counter(len(t.user.requests) for t in tasks if t.user)
    assert requests[2] > 200
    assert requests[3] + requests[4] > 100
    assert sum(any("reservation_id" not in s.arguments for s in changes(t)) for t in tasks) > 60
    assert sum(any(r.revise for r in t.user.requests) for t in tasks if t.user) > 30
    assert sum(bool(t.gold.outputs) for t in tasks) > 100
    assert sum(any(due.kind == "refuse" for due in t.dues) for t in tasks) > 150
    assert sum(Component.ACTIONS in t.basis for t in tasks) > 250


def changes(one: Task) -> list[Shape]:
    """The calls by which a task's user would recognise the changes that they want."""
    requests = one.user.requests if one.user else ()
    return [shape for request in requests for change in request.changes for shape in change.calls]


@pytest.mark.parametrize("split", TASKS.splits)
def test_many_tasks_take_three_writes_or_more(split: str) -> None:
    """In about a fifth of each split's tasks, gold changes three to six things."""
    tasks = listed(split)[:640]
    writes = [sum(TOOLS[call.name].kind == "write" for call in one.gold.actions) for one in tasks]
    assert max(writes) <= 6
    assert 0.17 < sum(number >= 3 for number in writes) / len(tasks) < 0.25


def test_only_impostors_give_a_wrong_date_of_birth() -> None:
    """Callers know the user id and the date of birth in the profile; an impostor knows only the id."""
    for one in listed("test"):
        user = rows("users")[one.slots["user"]] | one.initial.get("users", {}).get(one.slots["user"], {})
        assert one.user is not None
        assert one.user.facts["user_id"] == user["user_id"]
        assert (one.user.facts["dob"] != user["dob"]) == (one.template == "impostor")


def test_the_policy_and_the_rules_name_the_same_sums() -> None:
    """Fees and compensations in the policy are those that gold uses."""
    sums = [BAG_FEE, INSURANCE_FEE, CANCELLED_GIFT, DELAYED_GIFT, LOST_GIFT]
    assert re.findall(r"(\d+)\s+dollars", domain.policy) == list(map(str, sums))


UNCHECKED = (
    "no-ground",
    "moved-instead",
    "no-insurance",
    "trip-over",
    "friends-trip-and-cancel",
    "impostor",
    "fixed-flights",
    "upgraded-instead",
    "too-many-people",
    "undeserved",
    "false-claim",
    "delay-alone",
    "begun-trip",
    "lost-bag",
)
"""Templates whose forbidden wish the tools would carry out."""


@pytest.mark.parametrize("template", UNCHECKED)
def test_a_forbidden_wish_could_be_granted(template: str) -> None:
    """The tools carry out what a rule forbids, and the state then differs: only the agent can keep the rule."""
    granted = 0
    pairs = [pair for pair in twins() if pair[0].template == template]
    for one, due in pairs:
        calls = [call for call in due.gold.actions if call not in one.gold.actions]
        before, after = play(one, []).state.hash, play(one, calls, faults=True).state.hash
        granted += before != after
        assert after != play(one, one.gold.actions).state.hash
    assert granted > len(pairs) / 3


def twins() -> tuple[tuple[Task, Task], ...]:
    """Pairs of a refused task and its twin."""
    return made.twins("airline", "test", 4)


def test_a_twin_begins_in_a_sound_world() -> None:
    """A twin's initial changes, and its gold, leave the world consistent."""
    for pair in twins()[::3]:
        for one in pair:
            assert list(invariants(play(one, ()))) == [], one.task_id
            assert list(invariants(play(one, one.gold.actions))) == [], one.task_id


def test_every_row_of_a_customer_has_its_owner() -> None:
    """Reservations and users have an owner; flights, payment methods and other rows have none."""
    db: Db[Any] = Db(State.at(base(), ()), BUILTIN)
    reservation = next(iter(rows("reservations").values()))
    user = rows("users")[reservation["user_id"]]
    assert domain.owner(db, reservation["reservation_id"]) == user["user_id"]
    assert domain.owner(db, user["user_id"]) == user["user_id"]
    for other in (next(iter(rows("flights"))), next(iter(user["payment_methods"])), "NONE00", ""):
        assert domain.owner(db, other) is None


def test_ids_never_change_their_meaning() -> None:
    """The ids of these test tasks still mean the same tasks. A failure means that stored ids would find other tasks."""
    frozen = ["test-0-97cfc3fa", "test-12-6f797269", "test-33-6a034af8", "test-100-f568e944", "test-499-2cac0567"]
    assert [listed("test")[i].task_id for i in (0, 12, 33, 100, 499)] == frozen
