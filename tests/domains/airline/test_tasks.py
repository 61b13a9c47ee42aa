import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from math import ceil
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from env_server.domains import shared
from env_server.domains.airline import domain, tools
from env_server.domains.airline.rules import BAG_FEE, CANCELLED_GIFT, DELAYED_GIFT, INSURANCE_FEE
from env_server.domains.airline.scenarios import TEMPLATES
from env_server.domains.airline.tasks import RULES, TASKS
from env_server.domains.kit import Component, GoldCall, Task, tools_of
from env_server.rewards.said import newly_said
from env_server.state import Db, State
from env_server.tools.dispatch import Toolset
from tests.domains.airline.test_world import BUILTIN, base, rows

TOOLS = {t.name: t for t in (*tools_of(tools), *shared.TOOLS)}
WRITES = {name for name, t in TOOLS.items() if t.kind == "write"}
SIDE = Toolset(TOOLS, BUILTIN)
SAMPLE = range(2 * len(TEMPLATES))
CALLERS_OWN = re.compile(r"\b(?:credit_card|gift_card|certificate)_\d{7}\b|\b[a-z]+_[a-z]+_\d{4}\b|\b[A-Z2-9]{5}\d\b")


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


def altered(call: GoldCall) -> Iterator[GoldCall]:
    """Yield the call with each of its arguments changed in turn, to another valid value where there is one."""
    properties = TOOLS[call.name].schema["function"]["parameters"]["properties"]
    for name, value in call.arguments.items():
        new: Any = f"{value}1"
        if isinstance(value, int):
            new = value + 1
        elif "enum" in properties[name]:
            new = next(choice for choice in properties[name]["enum"] if choice != value)
        elif name == "payment_id":
            new = _another_card(call.arguments["reservation_id"], value)
        elif isinstance(value, list):
            new = value[1:] if len(value) > 1 else [{k: v if k != "dob" else "1999-12-31" for k, v in value[0].items()}]
        if new != value:
            yield call.model_copy(update={"arguments": {**call.arguments, name: new}})


def _another_card(reservation_id: str, payment_id: str) -> str:
    """Return another payment method of the reservation's user."""
    user = rows("users")[rows("reservations")[reservation_id]["user_id"]]
    return next((key for key in user["payment_methods"] if key != payment_id), "none")


@pytest.mark.parametrize("index", SAMPLE)
def test_gold_changes_what_it_should(index: int) -> None:
    """Gold replays without an error; each write dropped or altered in any argument gives another hash."""
    one = task(index)
    actions = one.gold.actions
    final = play(one, actions).state.hash
    writes = [i for i, call in enumerate(actions) if call.name in WRITES]
    assert (final != play(one, []).state.hash) == bool(writes)
    for i in writes:
        assert play(one, [*actions[:i], *actions[i + 1 :]], faults=True).state.hash != final, actions[i]
        for other in altered(actions[i]):
            assert play(one, [*actions[:i], other, *actions[i + 1 :]], faults=True).state.hash != final, other


@pytest.mark.parametrize("index", SAMPLE[::4])
def test_nothing_is_wrong_after_gold(index: int) -> None:
    """The invariants hold where a task's gold ends."""
    one = task(index)
    assert list(domain.invariants(play(one, one.gold.actions))) == []


def test_idling_never_scores() -> None:
    """Where gold changes nothing, look-ups are compared, so that doing nothing is no solution; so at a transfer."""
    for one in listed("test"):
        calls = one.gold.actions
        assert calls[0] == GoldCall(name="get_user_details", arguments={"user_id": one.slots["user"]})
        assert (Component.COMMUNICATE in one.basis) == bool(one.gold.outputs)
        assert Component.STATE in one.basis
        if one.gold.outputs or not any(call.name in WRITES for call in calls):
            assert Component.ACTIONS in one.basis
        if any(TOOLS[call.name].transfers for call in calls):
            assert TOOLS[calls[-1].name].transfers
            assert "get_reservation_details" in {call.name for call in calls}


def test_gold_fits_an_episode() -> None:
    """Gold has fewer calls than an episode has turns, no call twice, and outputs that one message can say."""
    for one in listed("test"):
        assert len(one.gold.actions) <= 20
        assert len({call.model_dump_json() for call in one.gold.actions}) == len(one.gold.actions)
        said = newly_said(one.gold.outputs, "Here: " + " ".join(one.gold.outputs), BUILTIN)
        assert said == list(range(len(one.gold.outputs)))


def test_what_is_told_is_worth_looking_up() -> None:
    """Outputs are whole dollars, not trivially small, or flight numbers."""
    for one in listed("test"):
        assert all(re.fullmatch(r"\d+|KS\d{3}", output) for output in one.gold.outputs)
        assert all(output.startswith("KS") or int(output) >= 10 for output in one.gold.outputs), one.task_id


def test_splits_share_no_user_no_reservation_and_no_filled_template() -> None:
    """Splits share neither users nor what is theirs, and inside a split no (template, slots) comes twice."""
    world = TASKS.opened(base())
    owner = {owned: u for u, user in rows("users").items() for owned in world.owned(user)}
    places: dict[str, set[str]] = {}
    for split, size in TASKS.splits.items():
        tasks = listed(split)
        filled = {(t.template, json.dumps(t.slots, sort_keys=True)) for t in tasks}
        assert len(filled) == len({t.task_id for t in tasks}) == size
        text = "".join(t.model_dump_json() for t in tasks)
        places[split] = {owner[found] for found in CALLERS_OWN.findall(text) if found in owner}
        assert places[split] >= {t.slots["user"] for t in tasks}
    names = list(places)
    assert all(not places[a] & places[b] for i, a in enumerate(names) for b in names[:i])


@pytest.mark.parametrize("split", TASKS.splits)
def test_every_template_has_room_in_every_split(split: str) -> None:
    """Each template can be filled in as many ways as a split asks of it."""
    world, customers = TASKS.opened(base()), TASKS.customers(base(), split)
    wanted = ceil(TASKS.splits[split] / len(TEMPLATES))
    assert [t.name for t in TEMPLATES if len(t.anchors(world, customers)) < wanted] == []


def test_every_template_and_every_write_is_used() -> None:
    """At least 18 templates, all in every split; every write is gold somewhere in each."""
    assert len({t.name for t in TEMPLATES}) == len(TEMPLATES) >= 18
    for split in TASKS.splits:
        assert {t.template for t in listed(split)} == {t.name for t in TEMPLATES}
        assert {c.name for t in listed(split) for c in t.gold.actions} >= WRITES


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


def test_every_rule_of_the_policy_has_its_template() -> None:
    """The policy has the numbered rules listed, in 800 words or more, and at least 12 of them have a template."""
    assert list(map(int, re.findall(r"^(\d+)\. ", domain.policy, re.M))) == list(RULES) == list(TASKS.rules)
    assert len(domain.policy.split()) >= 800
    tested = {template for template in RULES.values() if template is not None}
    assert sum(template is not None for template in RULES.values()) >= 12
    assert tested - {"*"} <= {t.name for t in TEMPLATES}


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


@given(st.integers(0, 10**9))
def test_train_never_ends(index: int) -> None:
    """Any train index gives a task, always the same, which its id finds again."""
    one = TASKS.task(base(), "train", index)
    assert re.fullmatch(r"[a-z0-9_-]+", one.task_id)
    assert TASKS.find(base(), one.task_id) == one


def test_ids_never_change_their_meaning() -> None:
    """These test tasks are the ones they were: a change here means that stored ids no longer resolve."""
    frozen = ["test-0-36a8e501", "test-12-ea462b83", "test-33-a8831809", "test-100-9b02bfc8", "test-499-5a9be723"]
    assert [task(i).task_id for i in (0, 12, 33, 100, 499)] == frozen
