import re
from collections import Counter
from functools import cache
from math import ceil
from typing import Any

import pytest

from env_server.domains import shared
from env_server.domains.doordash import tools
from env_server.domains.doordash.dialects import DIALECTS
from env_server.domains.doordash.scenarios import TEMPLATES
from env_server.domains.doordash.tasks import TASKS
from env_server.domains.kit import Component, GoldCall, Task, tools_of
from env_server.state import Db, State
from env_server.tools.dispatch import Toolset
from tests.domains.doordash.test_world import base

BUILTIN = DIALECTS["builtin"]
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


def test_what_is_told_is_worth_looking_up() -> None:
    """Outputs are amounts, miles or minutes, of which the smaller ones rest on compared look-ups."""
    for one in listed("test"):
        assert all(re.fullmatch(r"\d+\.\d\d?|\d{1,3}", output) for output in one.gold.outputs)
        assert not one.gold.outputs or Component.ACTIONS in one.basis


def test_every_template_has_room_in_every_split() -> None:
    """Each template can be filled in as many ways as a split asks of it."""
    for split, size in TASKS.splits.items():
        wanted = ceil(size / len(TEMPLATES))
        customers = TASKS.customers(base(), split)
        world = TASKS.opened(base())
        assert [t.name for t in TEMPLATES if len(t.anchors(world, customers)) < wanted] == []


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
