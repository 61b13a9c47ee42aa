"""The library's tasks, each with at most one planted fault. `EXPECTED` is the exact set of findings of an audit."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from env_server.audit.findings import FindingKind
from env_server.domains.kit import (
    Component,
    Dialect,
    Domain,
    EnvAssertion,
    Gold,
    GoldCall,
    Request,
    Task,
    UserScript,
    read,
    write,
)
from env_server.state import Snapshot
from tests.audit.library import tools
from tests.audit.library.tools import BOOKS, MEMBERS

SIZE = 300
YEAR = "1815"


def world() -> dict[str, list[Any]]:
    """Books and members."""
    books = [
        {"book_id": f"b{i}", "title": f"Novel {chr(65 + i % 26)}", "printed": 1815 + i, "lent_to": None}
        for i in range(SIZE)
    ]
    return {"books": books, "members": [{"member_id": f"m{i}", "card": f"card-{i:04}"} for i in range(SIZE)]}


def lend(book: int, member: int) -> GoldCall:
    """The call that lends a book."""
    return write("lend_book", book_id=f"b{book}", member_id=f"m{member}")


def task(name: str, user: int, *actions: GoldCall, ask: str = "I would like to borrow a book.", **more: Any) -> Task:
    """A task of member `user`."""
    outputs = more.pop("outputs", ())
    return Task(
        task_id=name,
        domain="library",
        template=name,
        instruction=f"You are member m{user} and this is {name}.",
        user=UserScript(facts={"member": f"I am member m{user}."}, requests=(Request(ask=ask),)),
        gold=Gold(actions=actions, outputs=outputs),
        slots={"user": f"m{user}"},
        **more,
    )


STATE, TOLD = (Component.STATE,), (Component.STATE, Component.COMMUNICATE)
OTHER_BOOK_LENT = EnvAssertion(name="is_lent", arguments={"book_id": "b8"})
ASSERTED = (Component.STATE, Component.ENV_ASSERTIONS)
LISTED = {
    "train": [
        task("sound", 1, lend(1, 1), outputs=(YEAR,), basis=TOLD),
        task("question", 2, read("get_book", book_id="b0"), outputs=(YEAR,), basis=TOLD),
        task("idle", 3),
        task("failing", 4, lend(4, 4), lend(4, 4)),
        task("chatterbox", 5, lend(5, 5), ask=f"I want a book of {YEAR}.", outputs=(YEAR,), basis=TOLD),
        task("hollow", 6, lend(6, 6), basis=TOLD),
        task("unreachable", 7, lend(7, 7), basis=ASSERTED, env_assertions=(OTHER_BOOK_LENT,)),
        task("broken", 9, read("bind_book", book_id="b9")),
    ],
    "test": [task("namesake", 1, lend(10, 1)), task("also-sound", 10, lend(11, 10))],
}

EXPECTED: Mapping[str, set[FindingKind]] = {
    "question": {FindingKind.GOLD_CHANGES_NOTHING},
    "idle": {FindingKind.GOLD_CHANGES_NOTHING, FindingKind.NOTHING_SOLVES_IT, FindingKind.SOLVED_BLINDLY},
    "failing": {FindingKind.GOLD_ERRORS},
    "chatterbox": {FindingKind.USER_SAYS_OUTPUT},
    "hollow": {FindingKind.EMPTY_COMPONENT},
    "unreachable": {FindingKind.ORACLE_FAILS},
    "broken": {FindingKind.GOLD_ERRORS, FindingKind.UNPLAYABLE},
    "namesake": {FindingKind.SPLITS_OVERLAP},
    "index 2": {FindingKind.UNPLAYABLE},
}
"""Task -> the kinds of findings; the tasks that are not here are sound."""


@dataclass(frozen=True)
class Shelf:
    """A source of these tasks; it lists one more than can be made."""

    digest: str = "planted"

    @property
    def splits(self) -> dict[str, int]:
        """The splits' sizes."""
        return {"train": len(LISTED["train"]), "test": len(LISTED["test"]) + 1}

    def task(self, base: Snapshot, split: str, index: int) -> Task:
        """The task at a place."""
        if index >= len(LISTED[split]):
            raise LookupError("this task cannot be made")
        return LISTED[split][index].model_copy(update={"split": split})

    def find(self, base: Snapshot, task_id: str) -> Task:
        """The task with an id."""
        return next(t for tasks in LISTED.values() for t in tasks if t.task_id == task_id)


domain = Domain(
    name="library",
    description="Lends books.",
    tables=(BOOKS, MEMBERS),
    tools_module=tools,
    world=world,
    tasks=Shelf(),
    dialects={"builtin": Dialect()},
    assertions={"agent": {"is_lent": tools.is_lent}, "user": {}},
)
