"""A domain of one table, and checkouts of public data made for it."""

import json
import types
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NotRequired

from typing_extensions import TypedDict

from env_server.domains.kit import Db, Dialect, Domain, NoSuchTask, Table, Task
from env_server.state import Snapshot


class Copy(TypedDict):
    """One copy of a book."""

    shelf: str
    lent_to: NotRequired[str | None]


class Book(TypedDict):
    """A book; its price is in dollars."""

    book_id: str
    title: str
    price: float
    copies: dict[str, Copy]
    note: NotRequired[str | None]


class NoTasks:
    """A source without tasks."""

    splits: Mapping[str, int] = {}
    digest = ""

    def task(self, base: Snapshot, split: str, index: int) -> Task:
        """Raise an error: there is no task."""
        raise NoSuchTask(split)

    def find(self, base: Snapshot, task_id: str) -> Task:
        """Raise an error: there is no task."""
        raise NoSuchTask(task_id)


DUNE = {"title": "Dune", "book_id": "b1", "price": 9, "copies": {"c1": {"shelf": "A"}}}
EMMA = {"title": "Emma", "price": 7, "copies": {}, "note": "worn"}
BOOKS = {"b1": DUNE, "b2": EMMA}

TOOLS = types.ModuleType("library_tools", "No tools at all; the policy lies beside this file.")
TOOLS.__file__ = __file__

BOOK = Table("books", Book, key="book_id")


def wear(db: Db[Dialect], book_id: str) -> None:
    """Note that a book is worn."""
    db[BOOK].put({**db[BOOK].edit(book_id), "note": "worn"})


def count_worn(db: Db[Dialect]) -> None:
    """Follows every call: sets the price of worn books to 1."""
    for book in list(db[BOOK]):
        if book.get("note") == "worn" and book["price"] != 1:
            db[BOOK].put({**db[BOOK].edit(book["book_id"]), "price": 1.0})


def is_worn(db: Db[Dialect], book_id: str) -> bool:
    """Whether a book is worn."""
    book = db[BOOK].get(book_id)
    if book is None:
        raise LookupError(book_id)
    return book.get("note") == "worn"


LIBRARY = Domain(
    name="library",
    description="Books.",
    tables=(BOOK,),
    tools_module=TOOLS,
    world=lambda: {"books": []},
    tasks=NoTasks(),
    dialects={
        "builtin": Dialect(),
        "tau1": Dialect(coerces=False),
        "tau2": Dialect(unset_as_null=True),
    },
    after_call=count_worn,
    setups={"agent": {}, "user": {"wear": wear}},
    assertions={"agent": {}, "user": {"is_worn": is_worn}},
)

TAU2_TASK: dict[str, Any] = {
    "id": "lend[PERSONA:None]|1",
    "description": {"purpose": None},
    "user_scenario": {
        "persona": "In a hurry.",
        "instructions": {
            "domain": "library",
            "reason_for_call": "You want Dune.",
            "known_info": "You are Jo.",
            "unknown_info": None,
            "task_instructions": "Be brief.",
        },
    },
    "initial_state": None,
    "evaluation_criteria": {
        "actions": [
            {"action_id": "1", "name": "lend", "arguments": {"book_id": "b1"}, "compare_args": ["book_id"]},
            {"action_id": "2", "name": "carry", "arguments": {}, "requestor": "user", "compare_args": None},
        ],
        "communicate_info": ["9"],
        "nl_assertions": None,
        "reward_basis": ["DB", "ACTION", "COMMUNICATE", "NL_ASSERTION"],
    },
}


def write(path: Path, content: object) -> None:
    """Write text, or any other value as JSON, into a new file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")


def tau2_checkout(root: Path, *tasks: dict[str, Any]) -> Path:
    """Make a checkout in tau2-bench's layout and return the domain's folder."""
    folder = root / "data" / "tau2" / "domains" / "library"
    write(folder / "db.json", {"books": BOOKS})
    write(folder / "policy.md", "Lend books.")
    write(folder / "tasks.json", list(tasks))
    write(folder / "split_tasks.json", {"train": [tasks[0]["id"]], "base": [t["id"] for t in tasks] + ["kept back"]})
    return folder


def tau1_checkout(root: Path, tasks: str) -> Path:
    """Make a checkout in tau-bench's layout, with this source of training tasks; return the domain's folder."""
    folder = root / "tau_bench" / "envs" / "library"
    write(folder / "data" / "books.json", BOOKS)
    write(folder / "wiki.md", "Lend books.")
    write(folder / "tasks_train.py", tasks)
    return folder
