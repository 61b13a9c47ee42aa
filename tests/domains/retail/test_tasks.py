import re
from collections import Counter

from env_server.domains.kit import Component, Db, Task
from env_server.domains.retail import domain
from env_server.domains.retail.scenarios.changes import MOST_BY_MISTAKE
from env_server.domains.retail.tables import ORDERS
from env_server.domains.retail.tasks import TASKS
from env_server.state import State
from tests.domains import made
from tests.domains.retail.test_world import base


def listed(split: str) -> tuple[Task, ...]:
    """Return all listed tasks of a split."""
    return made.listed("retail", split)


def test_kinds_of_users() -> None:
    """Some users have two or three requests, no email, a revised wish, a value to be told, or a refusal."""
    tasks = listed("test")
    requests = Counter(len(t.user.requests) for t in tasks if t.user)
    assert requests[2] > 100
    assert requests[3] > 50
    assert sum("email" in t.user.unknown for t in tasks if t.user) > 100
    assert sum("zip" in t.user.unknown for t in tasks if t.user) > 100
    assert sum(any(r.revise for r in t.user.requests) for t in tasks if t.user) > 40
    assert sum(bool(t.gold.outputs) for t in tasks) > 100
    assert sum(Component.ACTIONS in t.basis for t in tasks) > 100


def test_kinds_of_answers() -> None:
    """A quarter of the tasks has a refusal, one in twelve a transfer, and a fifth three or more changes."""
    tasks = listed("test")
    kinds = Counter(kind for task in tasks for kind in {due.kind for due in task.dues})
    changes = [sum(call.name in CHANGES for call in task.gold.actions) for task in tasks]
    assert 0.24 < kinds["refuse"] / len(tasks) < 0.3
    assert 0.05 < kinds["transfer"] / len(tasks) < 0.11
    assert sum(3 <= count <= 6 for count in changes) >= len(tasks) / 5


def test_nothing_is_settled_by_words_alone() -> None:
    """Each task changes rows, or requires a value that has to be looked up."""
    for task in listed("test"):
        told = any(due.kind == "tell" for due in task.dues)
        assert told or any(call.name in CHANGES for call in task.gold.actions), task.template


CHANGES = {tool.name for tool in domain.tools if tool.kind == "write" and not tool.transfers}
LOOKS = {tool.name for tool in domain.tools if tool.kind == "read"}

PLAIN_CHANGES = {
    "cancel",
    "other-version",
    "fewer-items-and-address",
    "redirect-instead",
    "overhaul",
    "new-home",
    "three-errands",
}
"""Templates that neither refuse nor tell anything: only the final state counts."""


def test_all_but_plain_changes_need_their_look_ups() -> None:
    """A refusal, a transfer and a told value need look-ups that are compared, and more than the sign-in."""
    for one in listed("test"):
        looks = [call for call in one.gold.actions if call.name in LOOKS]
        assert (one.basis == (Component.STATE,)) == (one.template in PLAIN_CHANGES), one.template
        assert one.template in PLAIN_CHANGES or (Component.ACTIONS in one.basis and len(looks) >= 2), one.template


def test_large_orders_are_no_mistakes() -> None:
    """No order above the policy's limit is cancelled as ordered by mistake."""
    for task in listed("test"):
        for call in task.gold.actions:
            if call.arguments.get("reason") == "ordered by mistake":
                db = Db(State.at(base(), task.changes()), domain.dialects["builtin"])
                paid = db[ORDERS].get(call.arguments["order_id"])
                assert paid is not None
                assert paid["payment_history"][0]["amount"] <= MOST_BY_MISTAKE


def test_every_task_begins_in_a_sound_shop() -> None:
    """The initial rows of each task break no invariant."""
    for task in listed("test")[: len(TASKS.templates)]:
        assert not list(domain.invariants(Db(State.at(base(), task.changes()), domain.dialects["builtin"]))), (
            task.template
        )


def test_owners() -> None:
    """Orders and user ids have an owner; products, and unknown ids, have none."""
    db = Db(State.at(base()), domain.dialects["builtin"])
    order = next(iter(db[ORDERS]))
    assert domain.owner(db, order["order_id"]) == order["user_id"]
    assert domain.owner(db, order["user_id"]) == order["user_id"]
    assert domain.owner(db, order["items"][0]["product_id"]) is None
    assert domain.owner(db, "#W0") is None


def test_the_first_test_task_is_a_plain_cancellation() -> None:
    """The README's task is the cancellation of an order by a user who knows their email address."""
    first = listed("test")[0]
    assert first.template == "cancel"
    assert first.user is not None
    assert "email" in first.user.facts


def test_ids_never_change_their_meaning() -> None:
    """The ids of these test tasks still mean the same tasks. A failure means that stored ids would find other tasks."""
    frozen = ["test-0-7e8eca4b", "test-12-a0a7de0a", "test-33-c4e1d261", "test-100-1cb5954c", "test-499-73327ef4"]
    assert [listed("test")[i].task_id for i in (0, 12, 33, 100, 499)] == frozen


def test_digest_names_the_sources() -> None:
    """The digest is the same at each call and has 64 hexadecimal digits."""
    assert re.fullmatch(r"[0-9a-f]{64}", TASKS.digest)
    assert TASKS.digest == TASKS.digest
