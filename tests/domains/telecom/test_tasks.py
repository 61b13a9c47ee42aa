"""Properties of the generated tasks beyond those that every domain has: phones, networks and instructions."""

import pytest

from env_server.domains.kit import Component, GoldCall, Task
from env_server.domains.telecom import assertions
from env_server.domains.telecom.checks import owner
from env_server.domains.telecom.hands import carry_out, instruct
from env_server.domains.telecom.invariants import invariants
from env_server.domains.telecom.scenarios import TEMPLATES
from env_server.domains.telecom.setups import simulate_network_search
from env_server.domains.telecom.sync import sync
from tests.domains import made
from tests.domains.telecom.stage import WRITES, Stage, carrier

SAMPLE = range(2 * len(TEMPLATES))


def task(index: int) -> Task:
    """Return a test task."""
    return made.pack("telecom").task_at("test", index)


def listed(split: str) -> tuple[Task, ...]:
    """Return all listed tasks of a split."""
    return made.listed("telecom", split)


def end(one: Task, calls: tuple[GoldCall, ...] | list[GoldCall]) -> str:
    """The state hash after `calls`, whether or not they fail."""
    stage = Stage(calls, task=one)
    return stage.state.hash


def holds(stage: Stage, one: Task) -> list[bool]:
    """The results of the task's assertions."""
    return [getattr(assertions, a.name)(stage.db, **a.arguments) == a.expected for a in one.env_assertions]


@pytest.mark.parametrize("index", SAMPLE)
def test_a_call_begins_with_everything_in_agreement(index: int) -> None:
    """Phone and company agree before the call: neither a read nor a restart changes anything, and there is no fault."""
    stage = Stage(task=task(index))
    before = stage.state.hash
    sync(stage.db)
    simulate_network_search(stage.db)
    assert stage.state.hash == before
    assert list(invariants(stage.db)) == []
    assert not any(holds(stage, task(index)))


@pytest.mark.parametrize("index", SAMPLE)
def test_gold_works(index: int) -> None:
    """Gold's calls succeed, then what the caller wants holds, and a restart changes nothing more."""
    one, stage = task(index), Stage(task=task(index))
    assert [outcome.fault for outcome in map(stage.call, one.gold.actions)] == [None] * len(one.gold.actions)
    assert all(holds(stage, one))
    assert list(invariants(stage.db)) == []
    after = stage.state.hash
    simulate_network_search(stage.db)
    assert stage.state.hash == after


@pytest.mark.parametrize("index", SAMPLE)
def test_gold_can_be_told_in_words(index: int) -> None:
    """The caller's part of gold, put into words and carried out, ends in the same state."""
    one, stage = task(index), Stage(task=task(index))
    for call in one.gold.actions:
        if call.requestor == "user":
            carry_out(instruct(call), stage.use)
        else:
            stage.call(call)
    assert stage.state.hash == end(one, one.gold.actions)


@pytest.mark.parametrize("index", SAMPLE)
def test_the_end_is_the_same_in_other_orders(index: int) -> None:
    """The caller's steps on the phone may have any order that ends with a restart."""
    gold = task(index).gold.actions
    own = [call for call in gold if call.requestor == "user" and call.name not in {"make_payment", "reboot_device"}]
    rest = [call for call in gold if call not in own]
    restart = GoldCall(name="reboot_device", requestor="user")
    assert end(task(index), [*own[::-1], *rest, restart]) == end(task(index), gold)
    assert end(task(index), [*rest, *own, restart]) == end(task(index), gold)


def test_kinds_of_calls() -> None:
    """There are faults with several causes, harmless oddities, questions, refusals and changed minds."""
    tasks = listed("test")
    wishes = [wish for t in tasks for wish in t.slots["wishes"]]
    assert sum(len(wish.get("causes", ())) > 1 for wish in wishes) > 40
    assert sum(bool(wish.get("harmless")) for wish in wishes) > 80
    assert sum(bool(t.gold.outputs) for t in tasks) > 150
    assert sum(Component.ACTIONS in t.basis for t in tasks) > 300
    assert sum(Component.ENV_ASSERTIONS in t.basis for t in tasks) > 100
    assert sum(any(r.revise for r in t.user.requests) for t in tasks if t.user) > 40
    assert sum("phone" in t.user.unknown for t in tasks if t.user) > 100
    assert sum(any(due.kind == "refuse" for due in t.dues) for t in tasks) > 100
    assert sum(any(due.kind == "transfer" for due in t.dues) for t in tasks) > 15


def changes_of_the_agents(one: Task) -> list[GoldCall]:
    """Gold's calls by which the agent changes something."""
    return [call for call in one.gold.actions if call.requestor == "agent" and call.name in WRITES]


def test_many_tasks_take_several_changes() -> None:
    """A fifth of the tasks needs at least three changes by the agent."""
    for split in ("val", "test"):
        tasks = listed(split)
        assert sum(3 <= len(changes_of_the_agents(t)) <= 6 for t in tasks) >= len(tasks) / 5


def test_no_list_of_orders_is_enough_where_the_phone_is_in_trouble() -> None:
    """If the phone has a fault, the caller's steps are not enough: the agent has to change or tell something too."""
    troubled = [t for t in listed("test") if t.env_assertions]
    assert troubled
    for one in troubled:
        assert changes_of_the_agents(one) or one.gold.outputs, one.task_id


BLIND_ORDERS = tuple(
    GoldCall(name=name, arguments=arguments, requestor="user")
    for name, arguments in (
        ("disconnect_vpn", {}),
        ("set_network_mode_preference", {"mode": "4g_5g_preferred"}),
        ("grant_app_permission", {"app_name": "messaging", "permission": "sms"}),
        ("grant_app_permission", {"app_name": "messaging", "permission": "storage"}),
        ("reset_apn_settings", {}),
        ("reboot_device", {}),
    )
)
"""Orders that repair any possible fault, and also change settings that should stay."""


def test_orders_that_try_everything_do_harm() -> None:
    """In nine of ten tasks with a fault, orders that try everything change a right setting and miss the state."""
    troubled = [t for t in listed("test") if t.env_assertions]
    unharmed = [t for t in troubled if end(t, [*t.gold.actions, *BLIND_ORDERS]) == end(t, t.gold.actions)]
    assert len(unharmed) <= len(troubled) / 10


def test_an_owner_is_found_for_each_id_of_theirs() -> None:
    """A customer owns their own row, lines and bills, and the devices of the lines; a plan has no owner."""
    db = Stage().db
    for customer in list(carrier().customers.values())[::40]:
        lines = carrier().lines_of(customer)
        theirs = [customer["customer_id"], *customer["line_ids"], *customer["bill_ids"]]
        for value in (*theirs, *(line["device_id"] for line in lines)):
            assert owner(db, value) == customer["customer_id"]
    assert owner(db, "P101") is None
    assert owner(db, "no such id") is None
