"""Reads of the step path: an episode, its turns, its rows, its ending, an idempotency key.

All of them are synchronous look-ups by key. They take some tens of microseconds on SQLite and see every process's
commits. Each raises StorageUnavailable when the database cannot answer.
"""

from typing import Any, Final, NamedTuple

from sqlalchemy import Select, Table, bindparam, literal_column, select

from env_server.records import tables
from env_server.records.archive.layout import ArchivedEpisode
from env_server.records.archive.look_up import ArchiveReader
from env_server.records.read.read_connections import Readers
from env_server.records.unit_of_work import EffectRow, Ending, EpisodeRow, KeyRow, RecordingRow, RowVersion, TurnRow

_ANY_TURN: Final = 2**62
"""A number larger than that of any turn. It stands for "no upper limit"."""


class LastTurn(NamedTuple):
    """The newest part of a turn of an episode. `carry` is the data that it leaves for the next part."""

    turn: int
    part: int
    seq: int
    carry: str
    at: float


def _by(table: Table, fields: tuple[str, ...], *names: str) -> Select[*tuple[Any, ...]]:
    """Return a SELECT of `fields` where each column of `names` equals the parameter of the same name."""
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
    # Each process takes ids from its own blocks, so ids order only the episodes of one process.
    .order_by(tables.episodes.c.created_at.desc(), tables.episodes.c.id.desc())
    .limit(literal_column("1"))
)
_e = tables.effects
EFFECTS = (
    _by(_e, EffectRow._fields, "episode")
    .where(_e.c.turn == bindparam("turn"))
    .order_by(_e.c.turn, _e.c.seq, _e.c.phase)
)
EARLIER_EFFECTS = (
    _by(_e, tuple(name for name in EffectRow._fields if name != "body"), "episode")
    .where(_e.c.turn < bindparam("before"))
    .order_by(_e.c.turn, _e.c.seq, _e.c.phase)
)
RECORDING = _by(tables.recordings, RecordingRow._fields, *RecordingRow._fields[:6])
KEY = _by(tables.keys, KeyRow._fields, "scope", "key")
COUNTER = _by(tables.counters, ("next",), "name")


_BODY = EffectRow._fields.index("body")


class Reads:
    """Look-ups by key over shared read connections. Usable from any thread.

    With an archive, its episodes are found too. The archive is read only for what the database does not have.
    """

    def __init__(self, readers: Readers, archive: ArchiveReader | None = None) -> None:
        self._readers = readers
        self._archive = archive

    @property
    def has_archive(self) -> bool:
        """Whether episodes of an archive are read, too."""
        return self._archive is not None

    def episode(self, id: int) -> EpisodeRow | None:
        """Return the episode with this integer key, or None."""
        row = self._readers.first(EPISODE, {"id": id})
        if row is not None:
            return EpisodeRow._make(row)
        archived = self._archived(id)
        return None if archived is None else archived.episode

    def episode_by_id(self, episode_id: str) -> EpisodeRow | None:
        """Return the episode with this public id, or None."""
        row = self._readers.first(EPISODE_BY_ID, {"episode_id": episode_id})
        if row is not None:
            return EpisodeRow._make(row)
        archived = None if self._archive is None else self._archive.by_id(episode_id)
        return None if archived is None else archived.episode

    def is_archived(self, id: int) -> bool:
        """Return whether the episode with this integer key is only in the archive."""
        return (
            self._archive is not None
            and self._readers.first(EPISODE, {"id": id}) is None
            and self._archived(id) is not None
        )

    def _archived(self, id: int) -> ArchivedEpisode | None:
        return None if self._archive is None else self._archive.by_key(id)

    def counted(self, name: str) -> int:
        """Return the current value of the counter `name`; 0 if it does not exist."""
        row = self._readers.first(COUNTER, {"name": name})
        return 0 if row is None else int(row[0]) - 1

    def latest(self, caller: str) -> str | None:
        """Return the public id of the episode that `caller` began last, or None."""
        row = self._readers.first(LATEST, {"caller": caller})
        return None if row is None else str(row[0])

    def last_turn(self, episode: int) -> LastTurn | None:
        """Return the newest committed part of a turn, or None before the first one."""
        row = self._readers.first(LAST_TURN, {"episode": episode})
        if row is not None:
            return LastTurn._make(row)
        parts = self._archived_turns(episode)
        return LastTurn(*(getattr(parts[-1], name) for name in LastTurn._fields)) if parts else None

    def turn(self, episode: int, turn: int, part: int, seq: int = 0) -> TurnRow | None:
        """Return one committed part of a turn, or None."""
        row = self._readers.first(TURN, {"episode": episode, "turn": turn, "part": part, "seq": seq})
        if row is not None:
            return TurnRow._make(row)
        place = turn, part, seq
        return next((t for t in self._archived_turns(episode) if (t.turn, t.part, t.seq) == place), None)

    def turns(self, episode: int, first: int = 0, upto: int | None = None) -> list[TurnRow]:
        """Return all parts of the turns from `first` to `upto` (both included), in the order of play."""
        limits = {"first": first, "upto": _ANY_TURN if upto is None else upto}
        found = [TurnRow._make(row) for row in self._readers.all(TURNS, {"episode": episode, **limits})]
        return found or [t for t in self._archived_turns(episode) if limits["first"] <= t.turn <= limits["upto"]]

    def row_versions(self, episode: int, upto: int | None = None) -> list[RowVersion]:
        """Return every row version up to and including turn `upto`, in commit order.

        The last version of a row is current.
        """
        values = {"episode": episode, "upto": _ANY_TURN if upto is None else upto}
        found = [RowVersion._make(row) for row in self._readers.all(ROW_VERSIONS, values)]
        if found or (archived := self._archived(episode)) is None:
            return found
        return [version for version in archived.rows if version.turn <= values["upto"]]

    def effects(self, episode: int, turn: int) -> list[EffectRow]:
        """Return the calls to the outside of a turn, in the order of play."""
        return [EffectRow._make(row) for row in self._readers.all(EFFECTS, {"episode": episode, "turn": turn})]

    def effects_before(self, episode: int, turn: int) -> list[EffectRow]:
        """Return the calls to the outside of the turns before `turn`, in the order of play, with empty bodies.

        The bodies hold all earlier results of the episode. Reading them again in each turn would be slow.
        """
        rows = self._readers.all(EARLIER_EFFECTS, {"episode": episode, "before": turn})
        return [EffectRow._make((*row[:_BODY], "", *row[_BODY:])) for row in rows]

    def recording(self, *key: str | int) -> RecordingRow | None:
        """Return the recorded result under a key: the fields of `RecordingRow` up to `seq`."""
        row = self._readers.first(RECORDING, dict(zip(RecordingRow._fields, key, strict=False)))
        return None if row is None else RecordingRow._make(row)

    def ending(self, episode: int) -> Ending | None:
        """Return the ending of the episode, or None while it is live."""
        row = self._readers.first(ENDING, {"episode": episode})
        if row is not None:
            return Ending._make(row)
        archived = self._archived(episode)
        return None if archived is None else archived.ending

    def key(self, scope: str, key: str) -> KeyRow | None:
        """Return the stored reply for an idempotency key of a caller (the scope), or None."""
        row = self._readers.first(KEY, {"scope": scope, "key": key})
        return None if row is None else KeyRow._make(row)

    def _archived_turns(self, episode: int) -> list[TurnRow]:
        """Return the archived parts of the turns, in the order of play; none if the episode is not archived."""
        archived = self._archived(episode)
        return [] if archived is None else sorted(archived.turns, key=lambda t: (t.turn, t.part, t.seq))
