import re
from collections import Counter
from collections.abc import Callable
from math import ceil
from typing import Any

import pytest

from env_server.domains.doordash import tools
from env_server.domains.doordash.dialects import DIALECTS
from env_server.domains.doordash.owners import owner
from env_server.domains.doordash.scenarios import TEMPLATES
from env_server.domains.doordash.tasks import TASKS
from env_server.domains.kit import Component, GoldCall, Task, shared, tools_of
from env_server.reading import Words
from env_server.state import Db, State
from env_server.tools.dispatch import Toolset
from env_server.understanding.topics import verbs
from tests.domains import made
from tests.domains.doordash.test_world import base
from tests.domains.doordash.town import Town

BUILTIN = DIALECTS["builtin"]
TOOLS = {t.name: t for t in (*tools_of(tools), *shared.TOOLS)}
SIDE = Toolset(TOOLS, BUILTIN)


def listed(split: str) -> tuple[Task, ...]:
    """Return all listed tasks of a split."""
    return made.listed("doordash", split)


def play(one: Task, calls: list[GoldCall] | tuple[GoldCall, ...], *, faults: bool = False) -> Db[Any]:
    """Play calls from the task's beginning. An error fails the test, unless it is one of `faults`."""
    db: Db[Any] = Db(State.at(base(), one.changes()), BUILTIN)
    for call in calls:
        outcome = SIDE.call(db, call.name, call.arguments)
        assert faults or outcome.fault is None, (one.task_id, call, outcome.text)
    return db


def test_what_is_told_is_worth_looking_up() -> None:
    """Outputs are amounts, miles or minutes; the small ones need look-ups that are compared."""
    for one in listed("test"):
        assert all(re.fullmatch(r"\d+\.\d\d?|\d{1,3}", output) for output in one.gold.outputs)
        assert not one.gold.outputs or Component.ACTIONS in one.basis


def test_every_template_has_room_in_every_split() -> None:
    """Each template can be filled in as often as a split needs it."""
    for split, size in TASKS.splits.items():
        wanted = ceil(size / len(TEMPLATES))
        assert [t.name for t in TEMPLATES if len(TASKS.anchors(base(), split, t)) < wanted] == []


def test_kinds_of_users() -> None:
    """There are two- and three-request talks, users known in one way or who revise, values to tell and refusals."""
    tasks = listed("test")
    requests = Counter(len(t.user.requests) for t in tasks if t.user)
    assert requests[2] > 100
    assert requests[3] > 20
    assert sum("email" in t.user.unknown for t in tasks if t.user) > 100
    assert sum("phone" in t.user.unknown for t in tasks if t.user) > 100
    assert sum(any(r.revise for r in t.user.requests) for t in tasks if t.user) > 15
    assert sum(bool(t.gold.outputs) for t in tasks) > 150
    assert sum(Component.ACTIONS in t.basis for t in tasks) > 200


def writes(one: Task) -> list[GoldCall]:
    """Return gold's writes."""
    return [call for call in one.gold.actions if TOOLS[call.name].kind == "write"]


def share(tasks: tuple[Task, ...], fits: Callable[[Task], bool]) -> float:
    """The share of the tasks that fit."""
    return sum(map(fits, tasks)) / len(tasks)


@pytest.mark.parametrize("split", ["val", "test"])
def test_what_the_tasks_are_made_of(split: str) -> None:
    """A quarter of the tasks has a refusal, a twelfth asks only, a fifteenth transfers, a fifth has three changes."""
    tasks = listed(split)
    assert 0.26 < share(tasks, lambda t: any(due.kind == "refuse" for due in t.dues)) < 0.35
    assert 0.05 < share(tasks, lambda t: any(due.kind == "transfer" for due in t.dues)) < 0.1
    assert 0.06 < share(tasks, lambda t: not writes(t) and all(due.kind == "tell" for due in t.dues)) < 0.12
    assert share(tasks, lambda t: 3 <= len(writes(t)) <= 6) >= 0.2


def test_a_plan_and_its_report_can_be_heard() -> None:
    """Every plan names what the user listens for, and nothing that they know to be wrong; so do their details."""
    for one in listed("test"):
        for request in one.user.requests if one.user else ():
            final = request.known(revised=True)
            for change in request.changes:
                plan, done = Words(change.plan), Words(change.done)
                assert all(plan.names(final[topic].says) for topic in change.names), (one.task_id, change)
                assert not any(plan.name(other) for value in final.values() for other in value.others), one.task_id
                assert verbs(change.verbs).search(plan.flat), (one.task_id, change)
                assert verbs(change.verbs).search(done.flat), (one.task_id, change)
            for topic, value in request.values.items():
                assert Words(request.details[topic]).names(value.says), (one.task_id, topic)


def test_every_write_of_gold_is_one_that_the_caller_agrees_to() -> None:
    """Each write fits a change that some request wants."""
    for one in listed("test"):
        shapes = [s for r in (one.user.requests if one.user else ()) for c in r.changes for s in c.calls]
        for call in writes(one):
            fits = (s for s in shapes if s.name == call.name)
            assert any(s.arguments.items() <= call.arguments.items() for s in fits), (one.task_id, call)


def test_twins_of_refusals_and_transfers() -> None:
    """Each template with a refusal or a transfer has a twin with the same words, in which the wish is granted."""
    refused = {t.template for t in listed("test") if any(due.kind != "tell" for due in t.dues)}
    twins = {template.name for template in TEMPLATES if template.due}
    assert {f"{name}-due" for name in refused} == twins
    for one, other in made.twins("doordash", "test", 2):
        assert (one.user, one.instruction, one.slots) == (other.user, other.instruction, other.slots)
        assert one.initial != other.initial
        assert {due.kind for due in other.dues} <= {"tell"}
        play(one, one.gold.actions)
        play(other, other.gold.actions)


@pytest.mark.parametrize(("value", "whose"), [("user_1", "user_1"), ("D1", "user_1"), ("r1", None), ("nobody", None)])
def test_whose_a_row_is(value: str, whose: str | None) -> None:
    """A user owns their own row and orders; a restaurant has no owner."""
    assert owner(Town().db, value) == whose


FORBIDDEN: dict[str, GoldCall] = {
    "no-waiver": GoldCall(name="cancel_order", arguments={"waive_fee": True}),
    "redirect-on-the-way": GoldCall(name="update_order", arguments={"instructions": "meet_outside"}),
    "strong-at-door": GoldCall(name="update_order", arguments={"instructions": "leave_at_door"}),
    "credits-only": GoldCall(name="report_missing_items", arguments={"refund_to": "original"}),
    "asks-for-more": GoldCall(name="issue_credit", arguments={"amount": 8.0}),
    "tip-back-and-address": GoldCall(name="adjust_tip", arguments={"tip": 0.0}),
    "not-for-you": GoldCall(name="apply_promo", arguments={}),
}
"""Template -> a call that the tools carry out though the policy forbids it; other arguments are gold's."""


@pytest.mark.parametrize("template", FORBIDDEN)
def test_a_forbidden_wish_could_be_granted(template: str) -> None:
    """In some task of the template the tools carry out what the rule forbids: only the agent can keep the rule."""
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
