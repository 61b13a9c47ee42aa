"""Properties of the generated tasks: gold works, every write is needed, splits share nothing, policy is covered."""

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from env_server.domains.kit import Component, GoldCall, Task
from env_server.domains.telecom import assertions
from env_server.domains.telecom.dialects import BUILTIN
from env_server.domains.telecom.hands import carry_out, instruct
from env_server.domains.telecom.invariants import invariants
from env_server.domains.telecom.scenarios import TEMPLATES
from env_server.domains.telecom.setups import simulate_network_search
from env_server.domains.telecom.sync import sync
from env_server.domains.telecom.tasks import RULES, TASKS
from env_server.rewards import newly_said
from tests.domains.telecom.stage import AGENT_TOOLS, USER_TOOLS, WRITES, Stage, base, carrier

SAMPLE = range(2 * len(TEMPLATES))
POLICY = (Path(assertions.__file__).parent / "policy.md").read_text(encoding="utf-8")


@cache
def task(index: int) -> Task:
    """Return a test task."""
    return TASKS.task(base(), "test", index)


@cache
def listed(split: str) -> tuple[Task, ...]:
    """Return all listed tasks of a split."""
    return tuple(TASKS.task(base(), split, i) for i in range(TASKS.splits[split]))


def end(one: Task, calls: tuple[GoldCall, ...] | list[GoldCall]) -> str:
    """Return the state hash after `calls`, whether they fail or not."""
    stage = Stage(calls, task=one)
    return stage.state.hash


def holds(stage: Stage, one: Task) -> list[bool]:
    """Return what the task's assertions come to."""
    return [getattr(assertions, a.name)(stage.db, **a.arguments) == a.expected for a in one.env_assertions]


@pytest.mark.parametrize("index", SAMPLE)
def test_a_call_begins_with_everything_in_agreement(index: int) -> None:
    """Phone and company agree before the call: neither a read nor a restart changes a thing, nothing is amiss."""
    stage = Stage(task=task(index))
    before = stage.state.hash
    sync(stage.db)
    simulate_network_search(stage.db)
    assert stage.state.hash == before
    assert list(invariants(stage.db)) == []
    assert not any(holds(stage, task(index)))


@pytest.mark.parametrize("index", SAMPLE)
def test_gold_works(index: int) -> None:
    """Gold's calls succeed, what the caller wants holds then, and a further restart changes nothing."""
    one, stage = task(index), Stage(task=task(index))
    assert [outcome.fault for outcome in map(stage.call, one.gold.actions)] == [None] * len(one.gold.actions)
    assert all(holds(stage, one))
    assert list(invariants(stage.db)) == []
    after = stage.state.hash
    simulate_network_search(stage.db)
    assert stage.state.hash == after


@pytest.mark.parametrize("index", SAMPLE)
def test_gold_can_be_told_in_words(index: int) -> None:
    """The caller's own part of gold, put into words and carried out, leads to the same state."""
    one, stage = task(index), Stage(task=task(index))
    for call in one.gold.actions:
        if call.requestor == "user":
            carry_out(instruct(call), stage.use)
        else:
            stage.call(call)
    assert stage.state.hash == end(one, one.gold.actions)


@pytest.mark.parametrize("index", SAMPLE)
def test_the_end_is_the_same_in_other_orders(index: int) -> None:
    """What the caller does on the phone may come in any order that ends with a restart."""
    gold = task(index).gold.actions
    own = [call for call in gold if call.requestor == "user" and call.name not in {"make_payment", "reboot_device"}]
    rest = [call for call in gold if call not in own]
    restart = GoldCall(name="reboot_device", requestor="user")
    assert end(task(index), [*own[::-1], *rest, restart]) == end(task(index), gold)
    assert end(task(index), [*rest, *own, restart]) == end(task(index), gold)


def altered(one: Task, call: GoldCall) -> list[GoldCall]:
    """Return the call with each of its arguments changed in turn."""
    customer = carrier().customers[one.slots["user"]]
    others: dict[str, list[Any]] = {
        "customer_id": ["C000000"],
        "line_id": [*customer["line_ids"], "L000000"],
        "bill_id": [*customer["bill_ids"], "B000000"],
        "payment_method_id": [m["payment_method_id"] for m in customer["payment_methods"]] + ["M000000"],
        "plan_id": [*carrier().plans],
        "reason": ["vacation", "lost phone", "stolen phone", "saving money"],
        "gb_amount": [0.25, 1.75, 50.0],
        "mode": ["4g_only", "3g_only", "2g_only"],
        "app_name": ["browser"],
        "permission": ["sms", "storage", "network"],
    }
    return [
        call.model_copy(update={"arguments": {**call.arguments, name: value}})
        for name, now in call.arguments.items()
        for value in others[name]
        if value != now
    ]


@pytest.mark.parametrize("index", SAMPLE)
def test_every_write_is_needed_as_it_is(index: int) -> None:
    """Without one of gold's writes, or with one of its arguments changed, the final state is another."""
    one = task(index)
    gold, final = one.gold.actions, end(one, one.gold.actions)
    for i, call in enumerate(gold):
        if call.name in WRITES:
            assert end(one, [*gold[:i], *gold[i + 1 :]]) != final, call.name
            for wrong in altered(one, call):
                assert end(one, [*gold[:i], wrong, *gold[i + 1 :]]) != final, wrong


@pytest.mark.parametrize("index", SAMPLE)
def test_idling_never_scores(index: int) -> None:
    """Where gold changes nothing, look-ups are compared, so that doing nothing is no solution."""
    one = task(index)
    looks = [call for call in one.gold.actions if call.name not in WRITES]
    if not any(call.name in WRITES for call in one.gold.actions):
        assert Component.ACTIONS in one.basis
        assert len(looks) >= 2
    assert (Component.COMMUNICATE in one.basis) == bool(one.gold.outputs)
    assert (Component.ENV_ASSERTIONS in one.basis) == bool(one.env_assertions)
    if any(call.name == "transfer_to_human_agents" for call in one.gold.actions):
        assert one.gold.actions[-1].name == "transfer_to_human_agents"
        assert len(looks) >= 3


@pytest.mark.parametrize("index", SAMPLE)
def test_gold_fits_an_episode(index: int) -> None:
    """Gold has fewer calls than an episode has turns, and outputs that one message can say."""
    gold = task(index).gold
    assert len(gold.actions) <= 20
    assert newly_said(gold.outputs, f"Here: {' '.join(gold.outputs)}", BUILTIN) == list(range(len(gold.outputs)))


def test_splits_share_nobody_and_no_filled_template() -> None:
    """Splits share neither customers nor what is theirs, and inside a split no (template, slots) comes twice."""
    places: dict[str, set[str]] = {}
    for split, size in TASKS.splits.items():
        tasks = listed(split)
        filled = Counter((t.template, json.dumps(t.slots, sort_keys=True)) for t in tasks)
        assert filled.most_common(1)[0][1] == 1
        assert len({t.task_id for t in tasks}) == size
        text = "".join(t.model_dump_json() for t in tasks)
        places[split] = set(re.findall(r"\b[CLBMD]\d{6}\b|555-\d{3}-\d{4}", text))
    names = list(places)
    assert all(not places[a] & places[b] for i, a in enumerate(names) for b in names[:i])


def test_every_template_and_every_write_is_used() -> None:
    """At least 18 templates, all in every split; every write of the agent and most of the user's are gold somewhere."""
    assert len({t.name for t in TEMPLATES}) == len(TEMPLATES) >= 18
    for split in TASKS.splits:
        assert {t.template for t in listed(split)} == {t.name for t in TEMPLATES}
        used = {(c.requestor, c.name) for t in listed(split) for c in t.gold.actions}
        assert {name for side, name in used if side == "agent"} >= WRITES & set(AGENT_TOOLS)
        unused = {name for name in WRITES & set(USER_TOOLS) if ("user", name) not in used}
        assert unused <= {"toggle_wifi", "connect_vpn", "set_apn_settings"}


def test_kinds_of_calls() -> None:
    """There are troubles with several causes, harmless oddities beside them, questions, refusals, changes of mind."""
    tasks = listed("test")
    wishes = [wish for t in tasks for wish in t.slots["wishes"]]
    assert sum(len(wish.get("causes", ())) > 1 for wish in wishes) > 40
    assert sum(bool(wish.get("harmless")) for wish in wishes) > 40
    assert sum(bool(t.gold.outputs) for t in tasks) > 100
    assert sum(Component.ACTIONS in t.basis for t in tasks) > 150
    assert sum(Component.ENV_ASSERTIONS in t.basis for t in tasks) > 100
    assert sum(any(r.revise for r in t.user.requests) for t in tasks if t.user) > 25
    assert sum("phone" in t.user.unknown for t in tasks if t.user) > 100


def test_every_rule_of_the_policy_has_its_template() -> None:
    """The policy has the numbered rules listed here, in order and in 800 words or more, at least 12 of them tested."""
    assert list(map(int, re.findall(r"^(\d+)\. ", POLICY, re.M))) == list(RULES)
    assert len(POLICY.split()) >= 800
    assert {t for t in RULES.values() if t and t != "*"} <= {t.name for t in TEMPLATES}
    assert sum(t is not None for t in RULES.values()) >= 12


@settings(deadline=None)
@given(st.integers(0, 10**9))
def test_train_never_ends(index: int) -> None:
    """Any train index gives a task, always the same, which its id finds again."""
    one = TASKS.task(base(), "train", index)
    assert TASKS.find(base(), one.task_id) == one
