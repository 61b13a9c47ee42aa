import re
from collections import Counter
from functools import cache

from env_server.domains.kit import Component, Task
from env_server.domains.retail import domain
from env_server.domains.retail.tasks import TASKS
from tests.domains.retail.test_world import base


@cache
def task(index: int, split: str = "test") -> Task:
    """Return a builtin task, made once."""
    return TASKS.task(base(), split, index)


@cache
def listed(split: str) -> tuple[Task, ...]:
    """Return all listed tasks of a split."""
    return tuple(TASKS.task(base(), split, i) for i in range(TASKS.splits[split]))


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


LOOKS = {tool.name for tool in domain.tools if tool.kind == "read"}

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
        looks = [call for call in one.gold.actions if call.name in LOOKS]
        assert (one.basis == (Component.STATE,)) == (one.template in PLAIN_CHANGES), one.template
        assert one.template in PLAIN_CHANGES or (Component.ACTIONS in one.basis and len(looks) >= 2), one.template


def test_ids_never_change_their_meaning() -> None:
    """These test tasks are the ones they were: a change here means that stored ids no longer resolve."""
    frozen = ["test-0-e7c45fec", "test-12-0ce1fba1", "test-33-e30d3500", "test-100-3b1be166", "test-499-ee5d0fb0"]
    assert [task(i).task_id for i in (0, 12, 33, 100, 499)] == frozen


def test_digest_names_the_sources() -> None:
    """The digest is stable within a process and 64 hexadecimal digits."""
    assert re.fullmatch(r"[0-9a-f]{64}", TASKS.digest)
    assert TASKS.digest == TASKS.digest
