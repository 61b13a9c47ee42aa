import re
from collections import Counter
from functools import cache
from math import ceil
from typing import Any

import pytest

from env_server.domains import shared
from env_server.domains.airline import domain, tools
from env_server.domains.airline.rules import BAG_FEE, CANCELLED_GIFT, DELAYED_GIFT, INSURANCE_FEE
from env_server.domains.airline.scenarios import TEMPLATES
from env_server.domains.airline.tasks import TASKS
from env_server.domains.kit import Component, GoldCall, Task, tools_of
from env_server.state import Db, State
from env_server.tools.dispatch import Toolset
from tests.domains.airline.test_world import BUILTIN, base, rows

TOOLS = {t.name: t for t in (*tools_of(tools), *shared.TOOLS)}
SIDE = Toolset(TOOLS, BUILTIN)


@cache
def task(index: int, split: str = "test") -> Task:
    """Return a builtin task, made once."""
    return TASKS.task(base(), split, index)


@cache
def listed(split: str) -> tuple[Task, ...]:
    """Return all listed tasks of a split."""
    return tuple(TASKS.task(base(), split, i) for i in range(TASKS.splits[split]))


def play(one: Task, calls: list[GoldCall] | tuple[GoldCall, ...], *, faults: bool = False) -> Db[Any]:
    """Play calls from the task's beginning; any error fails the test unless `faults`."""
    db: Db[Any] = Db(State.at(base(), one.changes()), BUILTIN)
    for call in calls:
        outcome = SIDE.call(db, call.name, call.arguments)
        assert faults or outcome.fault is None, (one.task_id, call, outcome.text)
    return db


def test_gold_looks_before_it_answers() -> None:
    """The caller's profile comes first, and nobody is handed over unless the reservation was looked at."""
    for one in listed("test"):
        calls = one.gold.actions
        assert calls[0] == GoldCall(name="get_user_details", arguments={"user_id": one.slots["user"]})
        if any(TOOLS[call.name].transfers for call in calls):
            assert "get_reservation_details" in {call.name for call in calls}


def test_what_is_told_is_worth_looking_up() -> None:
    """Outputs are whole dollars, not trivially small, or flight numbers."""
    for one in listed("test"):
        assert all(re.fullmatch(r"\d+|KS\d{3}", output) for output in one.gold.outputs)
        assert all(output.startswith("KS") or int(output) >= 10 for output in one.gold.outputs), one.task_id


@pytest.mark.parametrize("split", TASKS.splits)
def test_every_template_has_room_in_every_split(split: str) -> None:
    """Each template can be filled in as many ways as a split asks of it."""
    world, customers = TASKS.opened(base()), TASKS.customers(base(), split)
    wanted = ceil(TASKS.splits[split] / len(TEMPLATES))
    assert [t.name for t in TEMPLATES if len(t.anchors(world, customers)) < wanted] == []


def test_kinds_of_users() -> None:
    """There are two- and three-request talks, users without a number, users who revise, values to tell, refusals."""
    tasks = listed("test")
    requests = Counter(len(t.user.requests) for t in tasks if t.user)
    assert requests[2] > 100
    assert requests[3] > 15
    assert sum("do not have the number" in t.instruction for t in tasks) > 60
    assert sum(any(r.revise for r in t.user.requests) for t in tasks if t.user) > 40
    assert sum(bool(t.gold.outputs) for t in tasks) > 80
    assert sum(Component.ACTIONS in t.basis for t in tasks) > 250


def test_only_impostors_give_a_wrong_date_of_birth() -> None:
    """Callers know the user id and the date of birth of the profile; an impostor knows the id alone."""
    for one in listed("test"):
        user = rows("users")[one.slots["user"]]
        assert one.user is not None
        assert one.user.facts["user_id"] == user["user_id"]
        assert (one.user.facts["dob"] != user["dob"]) == (one.template == "impostor")


def test_the_policy_and_the_rules_name_the_same_sums() -> None:
    """Fees and compensations in the policy are those that gold is made with."""
    sums = [BAG_FEE, INSURANCE_FEE, CANCELLED_GIFT, DELAYED_GIFT]
    assert re.findall(r"(\d+)\s+dollars", domain.policy) == list(map(str, sums))


def forbidden(one: Task) -> GoldCall:
    """Return what a careless agent would do for the first wish of a task whose wish a rule forbids."""
    wish, user = one.slots["wishes"][0], one.slots["user"]
    row = rows("reservations").get(wish.get("reservation", ""), {})
    bags = {"total_baggages": row.get("total_baggages", 1) - 1, "nonfree_baggages": row.get("nonfree_baggages", 0)}
    card = next(iter(rows("users")[user]["payment_methods"]))
    arguments: dict[str, dict[str, Any]] = {
        "cancel_reservation": {"reservation_id": wish.get("reservation")},
        "send_certificate": {"user_id": user, "amount": CANCELLED_GIFT * len(row.get("passengers", ()))},
        "update_reservation_baggages": {"reservation_id": wish.get("reservation"), **bags, "payment_id": card},
    }
    name = FORBIDDEN[one.template or ""]
    return GoldCall(name=name, arguments=arguments[name])


FORBIDDEN = {
    "no-ground": "cancel_reservation",
    "moved-instead": "cancel_reservation",
    "trip-over": "cancel_reservation",
    "begun-trip": "cancel_reservation",
    "friends-trip-and-cancel": "cancel_reservation",
    "impostor": "cancel_reservation",
    "undeserved": "send_certificate",
    "false-claim": "send_certificate",
    "delay-alone": "send_certificate",
    "fewer-bags": "update_reservation_baggages",
}
"""Template -> the tool that grants what the policy forbids."""


@pytest.mark.parametrize("template", FORBIDDEN)
def test_a_forbidden_wish_could_be_granted(template: str) -> None:
    """The tools do what a rule forbids, and the state tells: so the rule is the agent's to keep."""
    tasks = [one for one in listed("test") if one.template == template]
    granted = [one for one in tasks if play(one, [forbidden(one)], faults=True).state.hash != play(one, []).state.hash]
    assert len(granted) > len(tasks) / 3
    for one in granted:
        assert play(one, [forbidden(one)]).state.hash != play(one, one.gold.actions).state.hash


def test_ids_never_change_their_meaning() -> None:
    """These test tasks are the ones they were: a change here means that stored ids no longer resolve."""
    frozen = ["test-0-36a8e501", "test-12-ea462b83", "test-33-a8831809", "test-100-9b02bfc8", "test-499-5a9be723"]
    assert [task(i).task_id for i in (0, 12, 33, 100, 499)] == frozen
