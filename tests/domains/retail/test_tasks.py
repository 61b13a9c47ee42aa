import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from env_server.domains import shared
from env_server.domains.kit import Component, GoldCall, Task, tools_of
from env_server.domains.retail import domain, tools
from env_server.domains.retail.dialects import BUILTIN
from env_server.domains.retail.scenarios import TEMPLATES
from env_server.domains.retail.tasks import TASKS
from env_server.rewards.said import newly_said
from env_server.state import Db, State
from env_server.tools.dispatch import Toolset
from tests.domains.retail.test_world import base, rows

TOOLS = {t.name: t for t in (*tools_of(tools), *shared.TOOLS)}
WRITES = {name for name, t in TOOLS.items() if t.kind == "write"}
SAMPLE = range(200)


@cache
def task(index: int, split: str = "test") -> Task:
    """Return a builtin task, made once."""
    return TASKS.task(base(), split, index)


@cache
def listed(split: str) -> tuple[Task, ...]:
    """Return all listed tasks of a split."""
    return tuple(TASKS.task(base(), split, i) for i in range(TASKS.splits[split]))


def play(calls: list[GoldCall] | tuple[GoldCall, ...], *, faults: bool = False) -> str:
    """Play calls from the base and return the state hash; any error fails the test unless `faults`."""
    db = Db(State.at(base()), BUILTIN)
    side = Toolset(TOOLS, BUILTIN)
    for call in calls:
        outcome = side.call(db, call.name, call.arguments)
        assert faults or outcome.fault is None, (call, outcome.text)
    return db.state.hash


def without(calls: tuple[GoldCall, ...]) -> Iterator[list[GoldCall]]:
    """Yield the calls with each write left out in turn."""
    for i, call in enumerate(calls):
        if call.name in WRITES:
            yield [*calls[:i], *calls[i + 1 :]]


def altered(call: GoldCall) -> GoldCall:
    """Return a write with another outcome: another reason, address, method or fewer items."""
    arguments: dict[str, Any] = dict(call.arguments)
    if "reason" in arguments:
        arguments["reason"] = {"no longer needed": "ordered by mistake"}.get(arguments["reason"], "no longer needed")
    elif "zip" in arguments:
        arguments["zip"] = "00000"
    elif "new_item_ids" in arguments:
        product = next(p for p in rows("products").values() if arguments["new_item_ids"][0] in p["variants"])
        taken = {arguments["new_item_ids"][0], arguments["item_ids"][0]}
        other = next(k for k, v in product["variants"].items() if v["available"] and k not in taken)
        arguments["new_item_ids"] = [other, *arguments["new_item_ids"][1:]]
    elif len(arguments.get("item_ids", ())) > 1:
        arguments["item_ids"] = arguments["item_ids"][1:]
    else:
        arguments["payment_method_id"] = "paypal_0"
    return call.model_copy(update={"arguments": arguments})


@pytest.mark.parametrize("index", SAMPLE)
def test_gold_changes_what_it_should(index: int) -> None:
    """Gold replays without an error; each write dropped or altered gives another hash; no write, no change."""
    actions = task(index).gold.actions
    final = play(actions)
    writes = [i for i, call in enumerate(actions) if call.name in WRITES]
    assert (final != play([])) == bool(writes)
    assert all(play(fewer, faults=True) != final for fewer in without(actions))
    for i in writes:
        assert play([*actions[:i], altered(actions[i]), *actions[i + 1 :]], faults=True) != final


@pytest.mark.parametrize("index", SAMPLE)
def test_idling_never_scores(index: int) -> None:
    """Where gold changes nothing, look-ups or values to tell are asked for, so that doing nothing is no solution."""
    gold, basis = task(index).gold, task(index).basis
    if not any(call.name in WRITES for call in gold.actions):
        assert gold.outputs or (Component.ACTIONS in basis and len(gold.actions) >= 2)
    assert (Component.COMMUNICATE in basis) == bool(gold.outputs)
    assert Component.STATE in basis
    if any(call.name == "transfer_to_human_agents" for call in gold.actions):
        assert gold.actions[-1].name == "transfer_to_human_agents"
        assert Component.ACTIONS in basis
        assert any(call.name == "get_order_details" for call in gold.actions)


@pytest.mark.parametrize("index", SAMPLE)
def test_gold_fits_an_episode(index: int) -> None:
    """Gold has fewer calls than an episode has turns, no call twice, and outputs that one message can say."""
    gold = task(index).gold
    assert len(gold.actions) <= 20
    assert len({call.model_dump_json() for call in gold.actions}) == len(gold.actions)
    said = newly_said(gold.outputs, "Here: " + " ".join(gold.outputs), BUILTIN)
    assert said == list(range(len(gold.outputs)))


def test_splits_share_no_user_no_order_and_no_filled_template() -> None:
    """Splits share neither users nor orders, and inside a split no (template, slots) comes twice."""
    places: dict[str, set[str]] = {}
    for split, size in TASKS.splits.items():
        tasks = listed(split)
        filled = {(t.template, json.dumps(t.slots, sort_keys=True)) for t in tasks}
        assert len(filled) == len({t.task_id for t in tasks}) == size
        text = "".join(t.model_dump_json() for t in tasks)
        owners = {t.slots["user"] for t in tasks}
        orders = set(re.findall(r"#W\d+", text))
        emails = set(re.findall(r"[\w.]+@example.com", text))
        places[split] = owners | orders | emails | {rows("orders")[o]["user_id"] for o in orders}
    names = list(places)
    assert all(not places[a] & places[b] for i, a in enumerate(names) for b in names[:i])


def test_every_template_and_every_write_is_used() -> None:
    """At least 20 templates, all in every split; every write tool is gold somewhere in each."""
    assert len({t.name for t in TEMPLATES}) == len(TEMPLATES) >= 20
    for split in TASKS.splits:
        assert {t.template for t in listed(split)} == {t.name for t in TEMPLATES}
        assert {c.name for t in listed(split) for c in t.gold.actions} >= WRITES


def test_kinds_of_users() -> None:
    """There are two- and three-request talks, users without email, users who revise, values to tell and refusals."""
    tasks = listed("test")
    requests = Counter(len(t.user.requests) for t in tasks if t.user)
    assert requests[2] > 100
    assert requests[3] > 30
    assert sum("email" in t.user.unknown for t in tasks if t.user) > 100
    assert sum("zip" in t.user.unknown for t in tasks if t.user) > 100
    assert sum(any(r.revise for r in t.user.requests) for t in tasks if t.user) > 40
    assert sum(bool(t.gold.outputs) for t in tasks) > 150
    assert sum(Component.ACTIONS in t.basis for t in tasks) > 100


PLAIN_CHANGES = {
    "cancel",
    "modify-items",
    "return",
    "exchange",
    "repay",
    "redirect-home",
    "other-version",
    "fewer-items",
    "redirect-instead",
    "house-and-redirect",
    "return-and-correct",
    "exchange-and-cancel",
    "overhaul",
}
"""Templates that neither refuse nor tell anything: what the shop comes to is all there is to them."""


def test_all_but_plain_changes_need_their_look_ups() -> None:
    """A refusal, a transfer and a told value each rest on look-ups that are compared; sign-in is one of several."""
    for one in listed("test"):
        looks = [call for call in one.gold.actions if call.name not in WRITES]
        assert (one.basis == (Component.STATE,)) == (one.template in PLAIN_CHANGES), one.template
        assert one.template in PLAIN_CHANGES or (Component.ACTIONS in one.basis and len(looks) >= 2), one.template


RULES = {
    1: "every template",
    2: "friends-order-and-cancel",
    3: "other-version",
    4: None,  # what an agent makes up cannot be told from the state
    5: None,  # a habit of writing, not an outcome
    6: "bad-reason",
    7: "return-total",
    8: "part-of-order",
    9: "overhaul",
    10: "second-change",
    11: "short-card-and-house",
    12: "wrong-refund",
    13: "other-product",
    14: "too-late",
    15: "three-errands",
    16: "lost-parcel",
    17: "cancel-and-tracking",
}
"""Rule of the policy -> a template that breaks it if it is ignored; None where no outcome can show it."""


def test_every_rule_of_the_policy_has_its_template() -> None:
    """The policy has the numbered rules listed here, in order and in 800 words or more, each with a template."""
    policy = domain.policy
    assert list(map(int, re.findall(r"^(\d+)\. ", policy, re.M))) == list(RULES)
    assert len(policy.split()) >= 800
    assert {t for t in RULES.values() if t and " " not in t} <= {t.name for t in TEMPLATES}


@given(st.integers(0, 10**9))
def test_train_never_ends(index: int) -> None:
    """Any train index gives a task, always the same, which its id finds again."""
    one = TASKS.task(base(), "train", index)
    assert re.fullmatch(r"[a-z0-9_-]+", one.task_id)
    assert TASKS.find(base(), one.task_id) == one


@pytest.mark.parametrize(("split", "index"), [("test", 500), ("val", 200), ("train", -1), ("dev", 0), ("test", -1)])
def test_no_task_outside_the_lists(split: str, index: int) -> None:
    """An index beyond a closed list, a negative one or an unknown split is a LookupError."""
    with pytest.raises(LookupError):
        TASKS.task(base(), split, index)


@pytest.mark.parametrize("task_id", ["", "test-1", "test-1-00000000", "test-01-00000000", "dev-1-00000000", "x" * 99])
def test_unknown_ids(task_id: str) -> None:
    """An id that no task has, or that is of another version, is a LookupError that says so."""
    with pytest.raises(LookupError, match=r"."):
        TASKS.find(base(), task_id)


def test_ids_never_change_their_meaning() -> None:
    """These test tasks are the ones they were: a change here means that stored ids no longer resolve."""
    frozen = ["test-0-e7c45fec", "test-12-0ce1fba1", "test-33-e30d3500", "test-100-3b1be166", "test-499-ee5d0fb0"]
    assert [task(i).task_id for i in (0, 12, 33, 100, 499)] == frozen


def test_digest_names_the_sources() -> None:
    """The digest is stable within a process and 64 hexadecimal digits."""
    assert re.fullmatch(r"[0-9a-f]{64}", TASKS.digest)
    assert TASKS.digest == TASKS.digest
