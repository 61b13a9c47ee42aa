"""What the step path reads: an episode, its turns, its rows, its ending, an idempotency key.

All are synchronous look-ups by key, some tens of microseconds on SQLite, and see whatever any process has
committed. Each raises StorageUnavailable when the database cannot answer.
"""

from typing import Any, Final, NamedTuple

from sqlalchemy import Select, Table, bindparam, literal_column, select

from . import tables
from .readers import Readers
from .units import Ending, EpisodeRow, KeyRow, RowVersion, TurnRow

_ANY_TURN: Final = 2**62
"""More than any turn's number: stands for "no upper limit"."""


class LastTurn(NamedTuple):
    """Where an episode stands: its newest part of a turn, and what that left for the next (`carry`)."""

    turn: int
    part: int
    seq: int
    carry: str
    at: float


def _by(table: Table, fields: tuple[str, ...], *names: str) -> Select[*tuple[Any, ...]]:
    """SELECT of `fields` where each column of `names` equals the parameter of the same name."""
    columns = [table.c[field] for field in fields]
    return select(*columns).where(*(table.c[name] == bindparam(name) for name in names))


_t = tables.turns
_r = tables.row_versions
EPISODE = _by(tables.episodes, EpisodeRow._fields, "id")
EPISODE_BY_ID = _by(tables.episodes, EpisodeRow._fields, "episode_id")
TURN = _by(_t, TurnRow._fields, "episode", "turn", "part", "seq")
TURNS = (
    _by(_t, TurnRow._fields, "episode")
    .where(_t.c.turn.between(bindparam("first"), bindparam("upto")))
    .order_by(_t.c.turn, _t.c.part, _t.c.seq)
)
LAST_TURN = (
    select(_t.c.turn, _t.c.part, _t.c.seq, _t.c.carry, _t.c.at)
    .where(_t.c.episode == bindparam("episode"))
    .order_by(_t.c.turn.desc(), _t.c.part.desc(), _t.c.seq.desc())
    .limit(literal_column("1"))
)
ROW_VERSIONS = _by(_r, RowVersion._fields, "episode").where(_r.c.turn <= bindparam("upto")).order_by(_r.c.id)
ENDING = _by(tables.endings, Ending._fields, "episode")
LATEST = (
    select(tables.episodes.c.episode_id)
    .where(tables.episodes.c.caller == bindparam("caller"))
    # Each process hands out ids from blocks of its own, so ids order the episodes of one process only.
    .order_by(tables.episodes.c.created_at.desc(), tables.episodes.c.id.desc())
    .limit(literal_column("1"))
)
KEY = _by(tables.keys, KeyRow._fields, "scope", "key")
COUNTER = _by(tables.counters, ("next",), "name")


class Reads:
    """Look-ups by key over shared read connections; usable from any thread."""

    def __init__(self, readers: Readers) -> None:
        self._readers = readers

    def episode(self, id: int) -> EpisodeRow | None:
        """The episode with this integer key."""
        row = self._readers.first(EPISODE, {"id": id})
        return None if row is None else EpisodeRow._make(row)

    def episode_by_id(self, episode_id: str) -> EpisodeRow | None:
        """The episode with this public id."""
        row = self._readers.first(EPISODE_BY_ID, {"episode_id": episode_id})
        return None if row is None else EpisodeRow._make(row)

    def counted(self, name: str) -> int:
        """How far the counter `name` has come; 0 if it has not begun."""
        row = self._readers.first(COUNTER, {"name": name})
        return 0 if row is None else int(row[0]) - 1

    def latest(self, caller: str) -> str | None:
        """The public id of the episode that `caller` began last, or None."""
        row = self._readers.first(LATEST, {"caller": caller})
        return None if row is None else str(row[0])

    def last_turn(self, episode: int) -> LastTurn | None:
        """The newest committed part of a turn, or None before the first."""
        row = self._readers.first(LAST_TURN, {"episode": episode})
        return None if row is None else LastTurn._make(row)

    def turn(self, episode: int, turn: int, part: int, seq: int = 0) -> TurnRow | None:
        """One committed part of a turn."""
        row = self._readers.first(TURN, {"episode": episode, "turn": turn, "part": part, "seq": seq})
        return None if row is None else TurnRow._make(row)

    def turns(self, episode: int, first: int = 0, upto: int | None = None) -> list[TurnRow]:
        """All parts of the turns from `first` to `upto` (both included), in the order they were played."""
        limits = {"first": first, "upto": _ANY_TURN if upto is None else upto}
        return [TurnRow._make(row) for row in self._readers.all(TURNS, {"episode": episode, **limits})]

    def row_versions(self, episode: int, upto: int | None = None) -> list[RowVersion]:
        """Every row version up to and with turn `upto`, in commit order; the last of a row counts."""
        values = {"episode": episode, "upto": _ANY_TURN if upto is None else upto}
        return [RowVersion._make(row) for row in self._readers.all(ROW_VERSIONS, values)]

    def ending(self, episode: int) -> Ending | None:
        """How the episode ended, or None while it is live."""
        row = self._readers.first(ENDING, {"episode": episode})
        return None if row is None else Ending._make(row)

    def key(self, scope: str, key: str) -> KeyRow | None:
        """What was answered to this idempotency key of this caller."""
        row = self._readers.first(KEY, {"scope": scope, "key": key})
        return None if row is None else KeyRow._make(row)
