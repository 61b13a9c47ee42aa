"""The record of conduct as plain data: `env_server.rewards.conduct.ledger`."""

from dataclasses import fields
from typing import Any

import orjson
from hypothesis import given
from hypothesis import strategies as st

from env_server.rewards.conduct.ledger import Ledger
from env_server.understanding import ChangePlace

NUMBERS = st.integers(0, 99)
TEXTS = st.text(st.characters(codec="utf-8"), max_size=3)
KINDS: dict[Any, st.SearchStrategy[Any]] = {
    int: NUMBERS,
    bool: st.booleans(),
    list[str]: st.lists(TEXTS, max_size=3),
    list[int]: st.lists(NUMBERS, max_size=3),
    list[ChangePlace]: st.lists(st.builds(ChangePlace, NUMBERS, NUMBERS), max_size=3),
    dict[int, int]: st.dictionaries(NUMBERS, NUMBERS, max_size=3),
    dict[str, list[int]]: st.dictionaries(TEXTS, st.lists(NUMBERS, max_size=3), max_size=3),
}
LEDGERS = st.builds(Ledger, **{field.name: KINDS[field.type] for field in fields(Ledger)})


@given(LEDGERS)
def test_a_stored_ledger_is_read_as_it_was(ledger: Ledger) -> None:
    """The dump is JSON without empty values, and loads to an equal ledger."""
    stored = orjson.dumps(ledger.dump())
    assert Ledger.load(orjson.loads(stored)) == ledger
    assert all(orjson.loads(stored).values())


@given(LEDGERS)
def test_a_copy_is_independent(ledger: Ledger) -> None:
    """A change in a copy, or in the lists and dictionaries within it, does not change the original."""
    before = repr(ledger)
    copy = ledger.copy()
    assert copy == ledger
    for field in fields(Ledger):
        value = getattr(copy, field.name)
        for inner in value.values() if isinstance(value, dict) else ():
            if isinstance(inner, list):
                inner.append(99)
        if isinstance(value, list | dict):
            value.clear()
    assert repr(ledger) == before


@given(LEDGERS)
def test_loading_leaves_the_stored_notes(ledger: Ledger) -> None:
    """A change in a loaded ledger does not change the notes from which it was loaded."""
    notes = orjson.loads(orjson.dumps(ledger.dump()))
    before = orjson.dumps(notes)
    loaded = Ledger.load(notes)
    for field in fields(Ledger):
        value = getattr(loaded, field.name)
        if isinstance(value, list | dict):
            value.clear()
    assert orjson.dumps(notes) == before
