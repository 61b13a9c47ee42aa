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
from env_server.domains.doordash import tools
from env_server.domains.doordash.dialects import DIALECTS
from env_server.domains.doordash.invariants import invariants
from env_server.domains.doordash.scenarios import TEMPLATES
from env_server.domains.doordash.tasks import RULES, TASKS
from env_server.domains.kit import Component, GoldCall, Task, tools_of
from env_server.rewards.said import newly_said
from env_server.state import Db, State
from env_server.tools.dispatch import Toolset
from tests.domains.doordash.test_world import base, rows

BUILTIN = DIALECTS["builtin"]
TOOLS = {t.name: t for t in (*tools_of(tools), *shared.TOOLS)}
WRITES = {name for name, t in TOOLS.items() if t.kind == "write"}
SIDE = Toolset(TOOLS, BUILTIN)
SAMPLE = range(3 * len(TEMPLATES))
POLICY = (tools.__file__ or "").replace("tools.py", "policy.md")


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


def altered(one: Task, call: GoldCall) -> Iterator[GoldCall]:
    """Yield the call with each of its arguments changed in turn, to another valid value where there is one."""
    properties = TOOLS[call.name].schema["function"]["parameters"]["properties"]
    for name, value in call.arguments.items():
        new: Any
        if isinstance(value, bool):
            new = not value
        elif isinstance(value, int | float):
            new = value + 1
        elif "enum" in properties[name]:
            new = next(choice for choice in properties[name]["enum"] if choice != value)
        elif name == "address_id":
            own = rows("users")[one.slots["user"]]["addresses"]
            new = next((key for key in own if key != value), f"{value}1")
        elif isinstance(value, dict):
            new = {k: next((c for c in _choices(call, k) if c != v), "?") for k, v in value.items()} or {"size": "?"}
        else:
            new = f"{value}1"
        yield call.model_copy(update={"arguments": {**call.arguments, name: new}})


def _choices(call: GoldCall, option: str) -> list[str]:
    """The choices of an option of the item that a call adds; none for any other call."""
    item = rows("items").get(call.arguments.get("item_id", ""), {"options": {}})
    return list(item["options"].get(option, ()))


@pytest.mark.parametrize("index", SAMPLE)
def test_gold_changes_what_it_should(index: int) -> None:
    """Gold replays without an error; each write dropped gives another hash; no write, no change."""
    one = task(index)
    actions = one.gold.actions
    final = play(one, actions).state.hash
    writes = [i for i, call in enumerate(actions) if call.name in WRITES]
    assert (final != play(one, []).state.hash) == bool(writes)
    for i in writes:
        assert play(one, [*actions[:i], *actions[i + 1 :]], faults=True).state.hash != final, actions[i]


@pytest.mark.parametrize("index", SAMPLE[::2])
def test_every_argument_of_a_write_counts(index: int) -> None:
    """Any argument of a gold write given otherwise leads to another state."""
    one = task(index)
    actions = one.gold.actions
    final = play(one, actions).state.hash
    for i, call in enumerate(actions):
        for other in altered(one, call) if call.name in WRITES else ():
            assert play(one, [*actions[:i], other, *actions[i + 1 :]], faults=True).state.hash != final, other


@pytest.mark.parametrize("index", SAMPLE[::7])
def test_nothing_is_wrong_before_or_after_gold(index: int) -> None:
    """The invariants hold where a task begins and where its gold ends."""
    one = task(index)
    assert list(invariants(play(one, []))) == []
    assert list(invariants(play(one, one.gold.actions))) == []


def test_idling_never_scores() -> None:
    """Where gold changes nothing, look-ups or values to tell are asked for, so that doing nothing is no solution."""
    for one in listed("test"):
        calls = one.gold.actions
        assert (Component.COMMUNICATE in one.basis) == bool(one.gold.outputs)
        assert Component.STATE in one.basis
        if not any(call.name in WRITES for call in calls):
            assert Component.ACTIONS in one.basis
            assert len(calls) >= 2
        if any(call.name == "transfer_to_human_agents" for call in calls):
            assert calls[-1].name == "transfer_to_human_agents"
            assert Component.ACTIONS in one.basis
            assert len(calls) >= 3


def test_gold_fits_an_episode() -> None:
    """Gold has fewer calls than an episode has turns, no look-up twice, and outputs that one message can say."""
    for one in listed("test"):
        looks = [call.model_dump_json() for call in one.gold.actions if call.name not in WRITES]
        assert len(one.gold.actions) <= 20
        assert len(set(looks)) == len(looks)
        said = newly_said(one.gold.outputs, "Here: " + " ".join(one.gold.outputs), BUILTIN)
        assert said == list(range(len(one.gold.outputs)))


def test_what_is_told_is_worth_looking_up() -> None:
    """Outputs are amounts, miles or minutes, of which the smaller ones rest on compared look-ups."""
    for one in listed("test"):
        assert all(re.fullmatch(r"\d+\.\d\d?|\d{1,3}", output) for output in one.gold.outputs)
        assert not one.gold.outputs or Component.ACTIONS in one.basis


def test_splits_share_no_user_no_order_and_no_filled_template() -> None:
    """Splits share neither users nor what is theirs, and inside a split no (template, slots) comes twice."""
    world = TASKS.opened(base())
    places: dict[str, set[str]] = {}
    for split, size in TASKS.splits.items():
        tasks = listed(split)
        filled = {(t.template, json.dumps(t.slots, sort_keys=True)) for t in tasks}
        assert len(filled) == len({t.task_id for t in tasks}) == size
        text = "".join(t.model_dump_json() for t in tasks)
        orders = {found for found in re.findall(r"D\d{8}", text) if found in rows("orders")}
        owners = {t.slots["user"] for t in tasks} | {rows("orders")[o]["user_id"] for o in orders}
        places[split] = orders | {owned for u in owners for owned in world.owned(rows("users")[u])}
    names = list(places)
    assert all(not places[a] & places[b] for i, a in enumerate(names) for b in names[:i])


def test_every_template_has_room_in_every_split() -> None:
    """Each template can be filled in as many ways as a split asks of it."""
    for split, size in TASKS.splits.items():
        wanted = ceil(size / len(TEMPLATES))
        customers = TASKS.customers(base(), split)
        world = TASKS.opened(base())
        assert [t.name for t in TEMPLATES if len(t.anchors(world, customers)) < wanted] == []


def test_every_template_and_every_tool_is_used() -> None:
    """At least 18 templates, all in every split; every write is gold somewhere in each, and most look-ups are."""
    assert len({t.name for t in TEMPLATES}) == len(TEMPLATES) >= 18
    for split in TASKS.splits:
        assert {t.template for t in listed(split)} == {t.name for t in TEMPLATES}
        assert {c.name for t in listed(split) for c in t.gold.actions} >= WRITES


def test_kinds_of_users() -> None:
    """There are two- and three-request talks, users known one way only or who revise, values to tell and refusals."""
    tasks = listed("test")
    requests = Counter(len(t.user.requests) for t in tasks if t.user)
    assert requests[2] > 100
    assert requests[3] > 20
    assert sum("email" in t.user.unknown for t in tasks if t.user) > 100
    assert sum("phone" in t.user.unknown for t in tasks if t.user) > 100
    assert sum(any(r.revise for r in t.user.requests) for t in tasks if t.user) > 30
    assert sum(bool(t.gold.outputs) for t in tasks) > 150
    assert sum(Component.ACTIONS in t.basis for t in tasks) > 200


def test_every_rule_of_the_policy_has_its_template() -> None:
    """The policy has the numbered rules listed, in 800 words or more, and at least 12 of them have a template."""
    with open(POLICY, encoding="utf-8") as file:
        policy = file.read()
    assert list(map(int, re.findall(r"^(\d+)\. ", policy, re.M))) == list(RULES) == list(TASKS.rules)
    assert len(policy.split()) >= 800
    tested = [template for template in RULES.values() if template is not None]
    assert len(tested) >= 12
    assert set(tested) - {"*"} <= {t.name for t in TEMPLATES}


FORBIDDEN: dict[str, GoldCall] = {
    "no-waiver": GoldCall(name="cancel_order", arguments={"waive_fee": True}),
    "redirect-on-the-way": GoldCall(name="update_order", arguments={"instructions": "meet_outside"}),
    "strong-at-door": GoldCall(name="update_order", arguments={"instructions": "leave_at_door"}),
    "credits-only": GoldCall(name="report_missing_items", arguments={"refund_to": "original"}),
    "asks-for-more": GoldCall(name="issue_credit", arguments={"amount": 15.0}),
    "tip-back": GoldCall(name="adjust_tip", arguments={"tip": 0.0}),
    "not-for-you": GoldCall(name="apply_promo", arguments={}),
}
"""Template -> what the tools would do, though the policy forbids it: a call, the rest of its arguments being gold's."""


@pytest.mark.parametrize("template", FORBIDDEN)
def test_a_forbidden_wish_could_be_granted(template: str) -> None:
    """The tools do what a rule forbids, in at least one task of the template, so the rule is the agent's to keep."""
    granted = 0
    for one in (t for t in listed("test") if t.template == template):
        call, final = FORBIDDEN[template], play(one, one.gold.actions).state.hash
        same = next((c.arguments for c in one.gold.actions if c.name == call.name), {})
        wish = one.slots["wishes"][0]
        more = (
            {"user_id": one.slots["user"], "code": wish["code"]} if "code" in wish else {"order_id": wish.get("order")}
        )
        arguments = {**more, **same, **call.arguments}
        before = [c for c in one.gold.actions if c.name == "add_item_to_cart"]
        db = play(one, before)
        granted += SIDE.call(db, call.name, arguments).fault is None
        assert play(one, [*before, call.model_copy(update={"arguments": arguments})], faults=True).state.hash != final
    assert granted


@given(st.integers(0, 10**9))
def test_train_never_ends(index: int) -> None:
    """Any train index gives a task, always the same, which its id finds again."""
    one = TASKS.task(base(), "train", index)
    assert re.fullmatch(r"[a-z0-9_-]+", one.task_id)
    assert TASKS.find(base(), one.task_id) == one
