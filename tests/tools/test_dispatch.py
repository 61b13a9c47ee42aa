"""Calls of tools with defects."""

import time
from typing import Any

import pytest
from typing_extensions import TypedDict

from env_server.domains.kit import WRITE, Db, Dialect, tool
from env_server.state import Snapshot, State, Table
from env_server.tools import ToolHung, Toolset, cutting_off


class Coin(TypedDict):
    """One coin."""

    coin_id: str
    value: int


COINS = Table("coins", Coin, key="coin_id")
BASE = Snapshot([COINS], {"coins": [{"coin_id": "c0", "value": 1}]})


def hang(db: Db[Any]) -> None:
    """Write, and never come back."""
    db[COINS].put({"coin_id": "c1", "value": 2})
    try:
        time.sleep(60)
    except Exception:
        return


@tool(kind=WRITE)
def mint(db: Db[Any]) -> str:
    """Mint a coin."""
    hang(db)
    return ""


@tool(kind=WRITE)
def look(db: Db[Any]) -> str:
    """Look at the coins."""
    return "one"


@pytest.mark.parametrize(("name", "after"), [("mint", None), ("look", hang)])
def test_a_call_that_was_cut_off_never_happened(name: str, after: Any) -> None:
    """If the tool, or what follows it, is cut off, the state is as before, and no dialect makes that an observation."""
    state = State.at(BASE)
    before = state.hash
    tools = Toolset({"mint": mint, "look": look}, Dialect(crash_is_observation=True), after)
    with cutting_off(0.05), pytest.raises(ToolHung, match=rf"{name}: took too long \(more than 0.05 s\)"):
        tools.call(Db(state, None), name, {})
    assert (state.hash, state.take_changes()) == (before, [])
