"""Reading recorded vectors, and playing their calls directly on tools and state."""

import gzip
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from env_server.domains.kit.domain import Domain
from env_server.domains.pack import Pack
from env_server.domains.packs import PUBLIC
from env_server.state import Db, State
from env_server.tools.dispatch import CallOutcome, Toolset

DIRECTORY = Path(os.environ.get("REFERENCE_DIR") or Path(__file__).parents[3] / "shared" / "reference")
"""The folder of the recordings; the environment variable `REFERENCE_DIR` names another one."""


@dataclass(frozen=True)
class Player:
    """Plays recorded calls on fresh states of a pack."""

    pack: Pack

    def fresh(self) -> Db[Any]:
        """A database with the base's rows."""
        return Db(State.at(self.pack.snapshot), self.pack.dialect)

    def call(self, db: Db[Any], call: dict[str, Any]) -> CallOutcome:
        """Make a recorded call, on the side that made it."""
        side = self.pack.user_tools if call.get("requestor") == "user" else self.pack.agent_tools
        return Toolset(side, self.pack.dialect).call(db, call["name"], call["arguments"])

    def play(self, record: dict[str, Any]) -> Db[Any]:
        """Play a record's calls; each must have its recorded outcome, and a failed one must change nothing.

        Where upstream failed in the middle of a change the record ends: from there on its state is another.
        """
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
            if call.get("partial_write"):
                break
        return db

    def changed(self, db: Db[Any]) -> str:
        """The present rows that differ from the base, in upstream's form, as text."""
        rows = changed_rows(db)
        return text(rows | self._users(rows))

    def recorded(self, rows: dict[str, dict[str, Any]]) -> str:
        """Recorded rows as text, without those that equal the base's but for the order of keys."""
        base = {name: table.rows for name, table in self.pack.snapshot.tables.items()}
        base |= self._users(base)
        kept = {
            name: {key: row for key, row in changed.items() if text(row) != text(base[name].get(key))}
            for name, changed in rows.items()
        }
        return text({name: changed for name, changed in kept.items() if changed})

    def _users(self, tables: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
        """The rows of `users`, if there are any, as upstream stores them: v1 keeps a user's id outside the row."""
        if "users" not in tables or getattr(self.pack.dialect, "shows_user_id", True):
            return {}
        return {"users": {k: {n: v for n, v in row.items() if n != "user_id"} for k, row in tables["users"].items()}}


@cache
def player(domain: Domain, version: str) -> Player:
    """A player of a domain's public pack, which is loaded once."""
    return Player(PUBLIC[version].load(domain, DIRECTORY / version))


def records(version: str, domain: str, name: str) -> Iterator[dict[str, Any]]:
    """The records of one file."""
    path = DIRECTORY / "vectors" / version / domain / f"{name}.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def text_counts(call: dict[str, Any]) -> bool:
    """Whether a call's text must be the recorded one: a success, a tool's own check, an unknown tool of the agent's.

    Other errors have words of their own.
    """
    if call["error_kind"] == "dispatch":
        return call.get("requestor") != "user"
    return call["error_kind"] in (None, "tool")


def changed_rows(db: Db[Any]) -> dict[str, dict[str, Any]]:
    """The present rows that differ from the base, with JSON's int and float told apart."""
    found: dict[str, dict[str, Any]] = {}
    for table, changes in db.state.overlay.changes.items():
        base = db.state.overlay.base.tables[table].rows
        rows = {key: row for key, row in changes.rows.items() if text(row) != text(base.get(key))}
        found |= {table: rows} if rows else {}
    return found


def text(value: Any) -> str:
    """`value` as JSON text, which compares more strictly than Python does."""
    return json.dumps(value, sort_keys=True)
