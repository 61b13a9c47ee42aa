"""The store in memory: changes belong to one store, and their cost depends only on the changed rows."""

import pytest
from typing_extensions import TypedDict

from mcp_servers.world.store import Base, Index, MemoryStore, Table


class Pet(TypedDict):
    name: str
    kinds: list[str]


PETS = Table("pets", Pet, "name", (Index("kind", lambda row: row["kinds"]),))
OTHERS = Table("others", Pet, "name")


@pytest.fixture
def base() -> Base:
    """Three pets."""
    return Base(
        {PETS: [{"name": "a", "kinds": ["cat"]}, {"name": "b", "kinds": ["dog"]}, {"name": "c", "kinds": ["cat"]}]}
    )


def names(rows: list[Pet]) -> list[str]:
    """The names of rows."""
    return [row["name"] for row in rows]


def test_rows_are_read_by_key_index_and_in_order(base: Base) -> None:
    """All three ways of reading find what was stored."""
    pets = MemoryStore(base).rows(PETS)
    assert pets.get("b") == {"name": "b", "kinds": ["dog"]}
    assert pets.get("z") is None
    assert names(pets.find("kind", "cat")) == ["a", "c"]
    assert pets.find("kind", "cow") == []
    assert names(list(pets)) == ["a", "b", "c"]


def test_a_write_changes_no_other_store(base: Base) -> None:
    """Two stores over one base do not see each other, whatever is put, replaced or deleted."""
    one, two = MemoryStore(base), MemoryStore(base)
    one.rows(PETS).put({"name": "d", "kinds": ["cat"]})
    one.rows(PETS).put({"name": "a", "kinds": ["cow"]})
    one.rows(PETS).delete("c")
    assert names(one.rows(PETS).find("kind", "cat")) == ["d"]
    assert names(one.rows(PETS).find("kind", "cow")) == ["a"]
    assert names(list(one.rows(PETS))) == ["a", "b", "d"]
    assert names(list(two.rows(PETS))) == ["a", "b", "c"]
    assert names(two.rows(PETS).find("kind", "cat")) == ["a", "c"]


def test_a_list_that_is_found_is_the_callers(base: Base) -> None:
    """Changing the list of a look-up changes no later look-up."""
    pets = MemoryStore(base).rows(PETS)
    pets.find("kind", "cat").clear()
    assert names(pets.find("kind", "cat")) == ["a", "c"]


def test_what_was_deleted_can_come_back(base: Base) -> None:
    """A row that is stored again stands behind the others, as in a dict."""
    pets = MemoryStore(base).rows(PETS)
    pets.delete("a")
    assert pets.get("a") is None
    pets.put({"name": "a", "kinds": ["cat"]})
    assert names(list(pets)) == ["b", "c", "a"]
    pets.delete("a")
    pets.put({"name": "new", "kinds": []})
    pets.delete("new")
    assert names(list(pets)) == ["b", "c"]


def test_nothing_is_deleted_twice(base: Base) -> None:
    """A row that is not there cannot be deleted."""
    pets = MemoryStore(base).rows(PETS)
    with pytest.raises(KeyError):
        pets.delete("z")
    pets.delete("a")
    with pytest.raises(KeyError):
        pets.delete("a")


def test_a_table_that_was_not_given_is_empty(base: Base) -> None:
    """A store can write to a table of which the base has no rows."""
    others = MemoryStore(base).rows(OTHERS)
    assert list(others) == []
    others.put({"name": "x", "kinds": []})
    assert names(list(others)) == ["x"]
    assert list(MemoryStore(base).rows(OTHERS)) == []
