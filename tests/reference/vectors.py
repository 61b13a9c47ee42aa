"""Reading recorded vectors, and playing their calls on tools and state directly."""

import gzip
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from env_server.domains.pack import Pack
from env_server.state import Db, State
from env_server.tools.dispatch import Outcome, Toolset

DIRECTORY = Path(os.environ.get("REFERENCE_DIR") or Path(__file__).parents[3] / "shared" / "reference")
"""Where the recordings are; `REFERENCE_DIR` in the environment names another place."""


@dataclass(frozen=True)
class Player:
    """Plays recorded calls on fresh states of one pack."""

    pack: Pack

    def fresh(self) -> Db[Any]:
        """A database as the base has it."""
        return Db(State.at(self.pack.snapshot), self.pack.dialect)

    def call(self, db: Db[Any], call: dict[str, Any]) -> Outcome:
        """One recorded call, on the side that made it."""
        side = self.pack.user_tools if call.get("requestor") == "user" else self.pack.agent_tools
        return Toolset(side, self.pack.dialect).call(db, call["name"], call["arguments"])

    def play(self, record: dict[str, Any]) -> Db[Any]:
        """All calls of a record; each must come to what was recorded, and one that fails must change nothing."""
        db = self.fresh()
        for at, call in enumerate(record["calls"]):
            before = db.state.hash
            outcome = self.call(db, call)
            where = f"{record.get('task_id', record.get('id'))}, call {at}: {call['name']}({call['arguments']})"
            assert (outcome.fault is not None) == call["error"], f"{where}: {outcome.text}"
            if text_counts(call):
                assert outcome.text == call["observation"], where
            if outcome.fault is not None:
                assert db.state.hash == before, where
        return db


def records(version: str, domain: str, name: str) -> Iterator[dict[str, Any]]:
    """The records of one file."""
    path = DIRECTORY / "vectors" / version / domain / f"{name}.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def text_counts(call: dict[str, Any]) -> bool:
    """Whether a call's text must be the recorded one: a success, a tool's own check, an unknown tool of the agent's.

    Other errors word themselves.
    """
    if call["error_kind"] == "dispatch":
        return call.get("requestor") != "user"
    return call["error_kind"] in (None, "tool")


def changed_rows(db: Db[Any]) -> dict[str, dict[str, Any]]:
    """The rows that differ from the base as they now are, with the int and float of JSON told apart."""
    found: dict[str, dict[str, Any]] = {}
    for table, changes in db.state.overlay.changes.items():
        base = db.state.overlay.base.tables[table].rows
        rows = {key: row for key, row in changes.rows.items() if text(row) != text(base.get(key))}
        found |= {table: rows} if rows else {}
    return found


def text(value: Any) -> str:
    """`value` as JSON text, which compares more strictly than Python does."""
    return json.dumps(value, sort_keys=True)
