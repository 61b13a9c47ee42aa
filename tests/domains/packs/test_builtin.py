"""The generated world, and the changes of an inline task, are checked against the tables."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from env_server.domains.discovery import domains, packs
from env_server.domains.kit import Db
from env_server.domains.packs import available, inline_task
from env_server.errors import PackError
from tests.domains.packs.library import BOOK, LIBRARY

DUNE = {"book_id": "b1", "title": "Dune", "price": 9.0, "copies": {"c1": {"shelf": "A"}}}
EMMA = {"book_id": "b2", "title": "Emma", "price": 7.0, "copies": {}}


def without(row: dict[str, Any], field: str) -> dict[str, Any]:
    """A row that lacks a field."""
    return {name: value for name, value in row.items() if name != field}


@pytest.mark.parametrize(
    ("world", "words"),
    [
        ({"books": [DUNE, without(EMMA, "title")]}, "table 'books', row 'b2': title: Field required"),
        ({"books": [DUNE, without(EMMA, "book_id")]}, "table 'books', row 1: book_id: Field required"),
        ({"books": [DUNE | {"copies": {"c1": {}}}]}, r"row 'b1': copies\.c1\.shelf: Field required"),
        ({"books": ["Dune"]}, "row 0: : Input should be"),
        ({"books": [DUNE, EMMA, DUNE]}, "table 'books', has two rows of the key 'b1'"),
        ({"books": [DUNE], "films": []}, "has a table 'films'; the tables are: books"),
    ],
)
def test_a_world_that_does_not_fit_its_tables_is_refused(world: dict[str, list[Any]], words: str) -> None:
    """The error names the domain, the table, the row and the field."""
    with pytest.raises(PackError, match="the world of library.*" + words):
        available(replace(LIBRARY, world=lambda: world), {})["builtin"]


def test_a_world_is_kept_as_it_was_made() -> None:
    """Rows are checked and not changed; generators and empty tables are allowed."""
    made: Callable[[], dict[str, Iterator[Any]]] = lambda: {"books": iter([DUNE | {"price": 9}, EMMA])}  # noqa: E731
    pack = available(replace(LIBRARY, world=made), {})["builtin"]
    rows = pack.snapshot.tables["books"].rows
    assert list(rows) == ["b1", "b2"]
    assert type(rows["b1"]["price"]) is int
    assert not available(replace(LIBRARY, world=lambda: {"books": ()}), {})["builtin"].snapshot.tables["books"].rows


class Texts(dict[str, str]):
    """Texts that are kept in memory."""

    __hash__ = object.__hash__  # type: ignore[assignment] # places are told apart by identity
    read = dict[str, str].get
    write = dict[str, str].__setitem__


def test_a_kept_world_is_not_made_again() -> None:
    """Rows come from the kept text if it can be read; otherwise they are made and kept."""
    texts, made = Texts(), []

    def world() -> dict[str, list[Any]]:
        made.append(1)
        return {"books": [DUNE, EMMA]}

    def rows() -> list[Any]:
        return [
            *available(replace(LIBRARY, world=world), {}, kept=texts)["builtin"].snapshot.tables["books"].rows.values()
        ]

    assert rows() == rows() == [DUNE, EMMA]
    assert (made, [*texts]) == ([1], ["world-library-1"])
    texts["world-library-1"] = "[cut of"
    assert (rows(), made) == ([DUNE, EMMA], [1, 1])
    head, text = texts["world-library-1"].split("\n", 1)
    kept = available(replace(LIBRARY, world=world), {}, kept=texts)["builtin"].snapshot
    assert kept.texts() == [row.text for _, _, row in kept] == text[1:-1].split(",\n")
    texts["world-library-1"] = f"{head}\n{text.replace('Dune', 'Dome')}"
    assert (rows(), made) == ([DUNE, EMMA], [1, 1, 1])
    texts.clear()
    assert kept.texts() == [row.text for _, _, row in kept]


@pytest.mark.parametrize("name", domains())
def test_a_kept_world_is_the_world_that_is_made(name: str) -> None:
    """Rows read from the kept text equal the rows that were made, and the pack has the same version."""
    texts, made = Texts(), packs(domains()[name], {})["builtin"]
    available(domains()[name], {}, kept=texts)["builtin"]
    read = available(domains()[name], {}, kept=texts)["builtin"]
    assert read.version == made.version
    assert read.snapshot.identity == (made.snapshot.fresh_hash(), made.snapshot.digest)
    assert read.agent_tools.keys() == made.agent_tools.keys()
    assert [(t.kind, t.shows, t.listing) for t in read.server_tools.values()] == [
        (t.kind, t.shows, t.listing) for t in made.server_tools.values()
    ]
    assert read.snapshot.texts() == made.snapshot.texts()
    for table, rows in made.snapshot.tables.items():
        assert [*read.snapshot.tables[table].rows.items()] == [*rows.rows.items()]


def cheap(db: Db[Any]) -> Iterator[str]:
    """Complaints about a library: books that cost nothing."""
    for book in db[BOOK]:
        if 1 / book["price"] < 0:
            yield f"{book['title']} has a price below nothing"


@pytest.mark.parametrize(
    ("initial", "words"),
    [
        ({"books": {"b1": DUNE | {"price": -1.0}, "b2": None}}, "Dune has a price below nothing"),
        ({"books": {"b1": DUNE | {"price": 0.0}}}, "cannot be checked: ZeroDivisionError"),
        ({"books": {"b3": DUNE}}, "`initial` row books/b3 has the key 'b1'"),
        ({"films": {}}, "a table 'films'; the tables are: books"),
        ({"books": {"b1": without(DUNE, "title")}}, "title"),
    ],
)
def test_a_task_that_begins_in_a_broken_world_is_refused(initial: dict[str, Any], words: str) -> None:
    """A domain's tools rely on its invariants, so a task that breaks them is refused, whoever wrote it."""
    pack = available(replace(LIBRARY, world=lambda: {"books": [DUNE, EMMA]}, invariants=cheap), {})["builtin"]
    with pytest.raises(ValueError, match=words):
        inline_task(pack, {"instruction": "x", "gold": {}, "initial": initial})


def test_a_task_may_change_the_world_soundly() -> None:
    """A task may change and delete rows."""
    pack = available(replace(LIBRARY, world=lambda: {"books": [DUNE, EMMA]}, invariants=cheap), {})["builtin"]
    initial = {"books": {"b1": DUNE | {"price": 8.0}, "b2": None}}
    assert inline_task(pack, {"instruction": "x", "gold": {}, "initial": initial}).initial == initial
