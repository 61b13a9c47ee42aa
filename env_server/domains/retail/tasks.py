"""The builtin tasks: template, caller and orders follow from (split, index) alone.

The users are dealt out to the splits once, so that no two splits share a user or an order.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from random import Random
from typing import Any, Literal

from env_server.domains.kit import Component, Gold, GoldCall, Task, UserScript
from env_server.domains.retail import scenarios
from env_server.domains.retail.scenarios import TEMPLATES, Shop, Template
from env_server.domains.retail.scenarios.base import Case, Part, Row, open_user

_SHARES = {"train": 64, "val": 10, "test": 26}
"""Per cent of the users that each split gets."""

_ID = re.compile(r"([a-z]+)-(0|[1-9][0-9]{0,11})-([0-9a-f]{8})")
_STYLES: tuple[Literal["plain", "chatty", "terse"], ...] = ("plain", "plain", "chatty", "terse")
_STYLE_WORDS = {"plain": "polite", "chatty": "friendly and talkative", "terse": "short of words"}


class RetailTasks:
    """The task source of the builtin pack."""

    splits: Mapping[str, int] = {"train": 2000, "val": 200, "test": 500}

    def task(self, base: Any, split: str, index: int) -> Task:
        """The task at `index` of `split`; `train` goes on beyond its listed size.

        Raises:
            LookupError: if there is no such split or index.
        """
        if split not in self.splits:
            raise LookupError(f"there is no split {split!r}; the splits are {', '.join(self.splits)}")
        if index < 0 or (split != "train" and index >= self.splits[split]):
            raise LookupError(f"split {split!r} has no index {index}; it has {self.splits[split]} tasks")
        return _deal(base, split).task(index)

    def find(self, base: Any, task_id: str) -> Task:
        """The task with this id.

        Raises:
            LookupError: if there is no such task, or the id is of another version of the tasks or the base.
        """
        match = _ID.fullmatch(task_id)
        if match is None:
            raise LookupError(f"{task_id!r} is no task id of this pack")
        task = self.task(base, match[1], int(match[2]))
        if task.task_id != task_id:
            raise LookupError(f"task {task_id!r} is of another version of the tasks; now it is {task.task_id!r}")
        return task

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the sources the tasks are made by."""
        folder = Path(str(scenarios.__file__)).parent
        files = [Path(__file__), folder.parent / "people.py", *sorted(folder.glob("*.py"))]
        return hashlib.sha256("\0".join(f.read_text(encoding="utf-8") for f in files).encode()).hexdigest()


class _Deal:
    """One split over one base: its users, and for each template the shuffled ways to fill it."""

    def __init__(self, shop: Shop, split: str, users: tuple[str, ...]) -> None:
        self.shop, self.split, self.users = shop, split, users
        self._anchors: dict[str, list[tuple[str, tuple[str, ...]]]] = {}

    def task(self, index: int) -> Task:
        """The task at `index`: templates take turns, and each goes through its anchors in turn."""
        template = TEMPLATES[index % len(TEMPLATES)]
        anchors = self.anchors(template)
        user_id, order_ids = anchors[index // len(TEMPLATES) % len(anchors)]
        rng = _rng(self.split, str(index))
        cases = [
            Case(self.shop, self.shop.users[user_id], self.shop.orders.get(order_id, {}), rng, self.users)
            for order_id in order_ids
        ]
        parts = [move.make(case) for move, case in zip(template.moves, cases, strict=True)]
        return _assemble(cases[0], template, parts, self.split, index)

    def anchors(self, template: Template) -> list[tuple[str, tuple[str, ...]]]:
        """The ways to fill `template`, shuffled once for this split."""
        found = self._anchors.get(template.name)
        if found is None:
            found = template.anchors(self.shop, self.users)
            _rng(self.split, template.name).shuffle(found)
            self._anchors[template.name] = found
        return found


@lru_cache(maxsize=4)
def _shop(base: Any) -> Shop:
    return Shop(base)


@lru_cache(maxsize=12)
def _deal(base: Any, split: str) -> _Deal:
    shop = _shop(base)
    ranked = sorted(shop.users, key=lambda user_id: hashlib.sha256(user_id.encode()).digest())
    before = 0
    for name, share in _SHARES.items():
        start, before = before, before + share
        if name == split:
            return _Deal(shop, split, tuple(ranked[len(ranked) * start // 100 : len(ranked) * before // 100]))
    raise LookupError(f"no users are set aside for split {split!r}")


def _rng(*names: str) -> Random:
    return Random(hashlib.sha256("\0".join(("retail", *names)).encode()).digest())


def _assemble(case: Case, template: Template, parts: list[Part], split: str, index: int) -> Task:
    strict = any(part.proof or part.handover for part in parts)
    facts, unknown, sign_in = _identity(case, one_way=strict)
    outputs = tuple(output for part in parts for output in part.outputs)
    style = case.rng.choice(_STYLES)
    basis = [Component.STATE]
    if outputs:
        basis.append(Component.COMMUNICATE)
    if strict:
        basis.append(Component.ACTIONS)
    goals = " ".join(part.goal if i == 0 else f"After that: {part.goal}" for i, part in enumerate(parts))
    task = Task(
        task_id="unnamed",
        domain="retail",
        split=split,
        template=template.name,
        difficulty=template.difficulty,
        instruction=f"{_introduction(case.user, facts, unknown)} {goals} You are {_STYLE_WORDS[style]}.",
        user=UserScript(
            facts=facts,
            unknown=unknown,
            requests=tuple(request for part in parts for request in part.requests),
            style=style,
        ),
        gold=Gold(actions=_gold(case, parts, sign_in, strict=strict), outputs=outputs),
        basis=tuple(basis),
        slots={"user": case.user["user_id"], "wishes": [part.slots for part in parts]},
    )
    content = json.dumps(task.model_dump(mode="json", exclude={"task_id"}), sort_keys=True)
    name = f"{split}-{index}-{hashlib.sha256(content.encode()).hexdigest()[:8]}"
    return task.model_copy(update={"task_id": name})


def _gold(case: Case, parts: list[Part], sign_in: GoldCall, *, strict: bool) -> tuple[GoldCall, ...]:
    """The calls in order, each look-up once; where calls are compared, only those no honest agent can do without."""
    calls = [sign_in]
    if not strict:
        calls.append(open_user(case.user))
    for part in parts:
        calls += part.proof if strict else (*part.proof, *part.reads)
        calls += part.writes
    calls += [call for part in parts for call in part.handover]
    return tuple(call for i, call in enumerate(calls) if call not in calls[:i])


def _identity(case: Case, *, one_way: bool) -> tuple[dict[str, str], tuple[str, ...], GoldCall]:
    """What the caller knows of themselves, what not, and the call that finds them.

    `one_way` leaves a single way to find them, so that the call can be asked for; arguments that tools read without
    regard to case are not compared.
    """
    user, name, rng = case.user, case.user["name"], case.rng
    full = f"{name['first_name']} {name['last_name']}"
    by_zip = GoldCall(
        name="find_user_id_by_name_zip", arguments={**name, "zip": user["address"]["zip"]}, compare=("zip",)
    )
    by_mail = GoldCall(name="find_user_id_by_email", arguments={"email": user["email"]}, compare=())
    way = rng.choice(("zip", "mail") if one_way else ("zip", "mail", "both"))
    if way == "mail":
        return {"name": full, "email": user["email"]}, ("zip", "user_id"), by_mail
    facts = {"name": full, "zip": user["address"]["zip"]}
    if way == "both":
        return facts | {"email": user["email"]}, ("user_id",), by_mail
    if rng.random() < 0.3:
        return facts | {"user_id": user["user_id"]}, ("email",), by_zip
    return facts, ("email", "user_id"), by_zip


_TOPICS = {"zip": "zip code", "email": "email address", "user_id": "user id"}


def _introduction(user: Row, facts: dict[str, str], unknown: tuple[str, ...]) -> str:
    known = " and ".join(f"your {_TOPICS[k]} is {v}" for k, v in facts.items() if k in _TOPICS)
    missing = " or ".join(_TOPICS[k] for k in unknown)
    return f"You are {facts['name']}; {known}. You do not remember your {missing}."


TASKS = RetailTasks()
"""The builtin pack's tasks."""
