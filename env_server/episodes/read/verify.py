"""Check of stored hashes against the rows in SQL. It uses no data from memory.

A state's hash is a sum over its rows. So a row that was changed outside the server shifts the hash of every later turn
by the same amount. Only the turn where the shift begins or changes is reported, with the rows written in it. A shift
that comes from the base is reported once, at the base.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from agent_env_schemas import ErrorCode
from env_server.domains.kit import Task
from env_server.domains.pack import Pack
from env_server.domains.packs import Packs
from env_server.episodes.codec.reply import decode
from env_server.episodes.codec.text import row_value
from env_server.episodes.episode import Carry, Position
from env_server.errors import PackError, ProblemError
from env_server.records import EpisodeRow, PackRow, RowVersion, SnapshotRow, Store, TurnRow
from env_server.state import HASH_VERSION, Snapshot, State, canonical, freeze, hash_hex
from env_server.state.digest import MODULUS

MOST_ROWS = 20
"""Maximum number of rows named in one mismatch."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Stored data that does not agree with other stored data."""

    what: str
    """Kind of the checked data: `turn`, `task`, `base` or `pack`."""

    detail: str
    episode_id: str | None = None
    turn: int | None = None
    stored: str | None = None
    computed: str | None = None
    rows: Sequence[str] = ()
    """The rows concerned, as `table/key`. For a turn, the rows written in it."""


@dataclass(slots=True)
class VerifyReport:
    """The result of a check."""

    episodes: int = 0
    turns: int = 0
    snapshots: int = 0
    mismatches: list[Mismatch] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)
    """Data that could not be checked, with the reason."""


@dataclass(frozen=True, slots=True)
class Base:
    """A stored snapshot, built from its rows in SQL, and the mismatches in it."""

    row: SnapshotRow
    snapshot: Snapshot
    mismatches: Sequence[Mismatch]


class Verifier:
    """Checker of one database with the code of the domains in `sources` (domain -> its packs). It writes nothing."""

    def __init__(self, store: Store, sources: Mapping[str, Packs]) -> None:
        """Check the data of `store`."""
        self._store = store
        self._sources = sources
        self._bases: dict[int, Base] = {}
        self._seen: set[str] = set()
        self.findings = VerifyReport()

    def episode(self, row: EpisodeRow) -> None:
        """Check every turn of an episode, its task and its base."""
        try:
            base = self._base_of(self._pack_row(row))
            task = self._task(row)
        except ProblemError as e:
            self.findings.unchecked.append(f"episode {row.episode_id}: {e.detail}")
            return
        state, shift = State.at(base.snapshot), _shift(base.row.state_hash, base.snapshot.hash)
        for change in task.changes():
            state.overlay.set(change.table, change.key, freeze(change.row))
        turns = self._store.reads.turns(row.id)
        versions: dict[Position, list[RowVersion]] = defaultdict(list)
        for version in self._store.reads.row_versions(row.id):
            versions[_position(version)].append(version)
        for turn in turns:
            shift = self._turn(row, turn, state, versions.pop(_position(turn), []), shift)
        for position, rows in versions.items():
            # A server may have committed another turn and its rows after this method read the turns.
            if self._store.reads.turn(row.id, *position) is None:
                self._report("turn", "rows without a turn", row, position.turn, rows=_named(rows))
        self.findings.episodes += 1

    def _turn(self, row: EpisodeRow, turn: TurnRow, state: State, rows: Sequence[RowVersion], before: int) -> int:
        """Apply and check one part of a turn. Return the shift of the hash after this part."""
        self.findings.turns += 1
        unread = [version for version in rows if not _applied(state, version)]
        if unread:
            self._report("turn", "rows that cannot be read", row, turn.turn, rows=_named(unread))
        try:
            carry = Carry.load(turn.carry).state_hash
            told = decode(turn.reply, lambda _digest: "null").get("state_hash", carry)
            shift = _shift(carry, state.overlay.hash)
        except (TypeError, ValueError):
            self._report("turn", "the record of the turn cannot be read", row, turn.turn)
            return before
        if told != carry:
            self._report("turn", "the reply and the record name different hashes", row, turn.turn, carry, told)
        if shift not in (0, before):
            detail = "the rows do not give the stored hash"
            self._report("turn", detail, row, turn.turn, carry, state.hash, _named(rows))
        return shift

    def base(self, key: int) -> None:
        """Check the digest and the hash of a stored snapshot against its rows, and the rows of its pack in memory."""
        row = self._store.catalog.snapshot(key)
        if row is not None:
            try:
                pack = self._pack(row.domain, row.pack)
                self._base(key, pack)
                self._live(pack)
            except ProblemError as e:
                self.findings.unchecked.append(f"snapshot {row.digest[:12]} of {row.domain}/{row.pack}: {e.detail}")

    def _live(self, pack: Pack) -> None:
        """Check that the pack's rows in memory still have the hash that was computed when they were loaded."""
        name = f"{pack.domain.name}/{pack.name}"
        if name in self._seen:
            return
        self._seen.add(name)
        stored, computed = hash_hex(pack.snapshot.hash), hash_hex(pack.snapshot.fresh_hash())
        if stored != computed:
            mismatch = Mismatch("pack", f"{name} was changed in memory", stored=stored, computed=computed)
            self.findings.mismatches.append(mismatch)

    def _report(
        self,
        what: Literal["turn", "task"],
        detail: str,
        episode: EpisodeRow,
        turn: int | None = None,
        stored: str | None = None,
        computed: str | None = None,
        rows: Sequence[str] = (),
    ) -> None:
        self.findings.mismatches.append(Mismatch(what, detail, episode.episode_id, turn, stored, computed, rows))

    def _pack(self, domain: str, name: str) -> Pack:
        packs = self._sources.get(domain)
        if packs is None or name not in packs:
            raise ProblemError(ErrorCode.NOT_FOUND, f"this server does not have its pack {domain}/{name}")
        try:
            return packs[name]
        except PackError as e:
            raise ProblemError(ErrorCode.INTERNAL, str(e)) from e

    def _pack_row(self, episode: EpisodeRow) -> PackRow:
        row = self._store.catalog.pack(episode.pack)
        if row is None:
            raise ProblemError(ErrorCode.INTERNAL, f"its pack {episode.pack} is missing from the database")
        return row

    def _base_of(self, row: PackRow) -> Base:
        return self._base(row.snapshot, self._pack(row.domain, row.name))

    def _base(self, key: int, pack: Pack) -> Base:
        if key not in self._bases:
            row = self._store.catalog.snapshot(key)
            if row is None:
                raise ProblemError(ErrorCode.INTERNAL, f"snapshot {key} is missing from the database")
            if row.hash_version != HASH_VERSION:
                detail = f"its hashes are of version {row.hash_version}, not {HASH_VERSION}"
                raise ProblemError(ErrorCode.INTERNAL, detail)
            self._bases[key] = self._read_base(key, row, pack)
            self.findings.snapshots += 1
            self.findings.mismatches += self._bases[key].mismatches
        return self._bases[key]

    def _read_base(self, key: int, row: SnapshotRow, pack: Pack) -> Base:
        tables = {t.name: t for t in pack.domain.tables}
        rows: dict[str, list[Any]] = defaultdict(list)
        unfit = []
        for stored in self._store.catalog.base_rows(key):
            try:
                value = _row(stored.row)
                found = tables[stored.tbl].key_of(value)
                rows[stored.tbl].append(value)
            except (KeyError, ValueError):
                found = None
            if found != stored.key:
                unfit.append(f"{stored.tbl}/{stored.key}")
        return _checked(row, Snapshot(pack.domain.tables, rows, coerces=pack.dialect.coerces), pack, unfit)

    def _task(self, episode: EpisodeRow) -> Task:
        row = self._store.catalog.task(episode.task)
        if row is None:
            raise ProblemError(ErrorCode.INTERNAL, f"its task {episode.task} is missing from the database")
        digest = hashlib.sha256(row.body.encode()).hexdigest()
        if digest != row.digest:
            detail = f"the stored task {row.task_id} was changed"
            self._report("task", detail, episode, stored=row.digest, computed=digest)
        try:
            return Task.model_validate_json(row.body)
        except ValueError as e:
            raise ProblemError(ErrorCode.INTERNAL, f"its task {row.task_id} cannot be read") from e


def _checked(row: SnapshotRow, snapshot: Snapshot, pack: Pack, unfit: Sequence[str]) -> Base:
    """Return a base with its mismatches. Rows are named only if today's pack has the same base."""
    computed = hash_hex(snapshot.hash)
    if computed == row.state_hash and snapshot.digest == row.digest and not unfit:
        return Base(row, snapshot, ())
    changed = [*unfit]
    if pack.snapshot.digest == row.digest:
        changed = list(dict.fromkeys([*unfit, *_differing(pack.snapshot, snapshot)]))
    same = computed == row.state_hash
    detail = f"the base rows of {row.domain}/{row.pack} " + (
        "are in another order or under other keys" if same else "do not give the stored hash"
    )
    found = Mismatch("base", detail, stored=row.state_hash, computed=computed, rows=changed[:MOST_ROWS])
    return Base(row, snapshot, (found,))


def _differing(one: Snapshot, other: Snapshot) -> Iterator[str]:
    for name, table in one.tables.items():
        there = other.tables[name]
        keys = {**table.rows, **there.rows}
        yield from (f"{name}/{key}" for key in keys if table.digest_of(key) != there.digest_of(key))


def _row(text: str) -> Any:
    """Return a stored row.

    Raises:
        ValueError: if it is not a JSON object.
    """
    value = row_value(text)
    canonical(value)
    if not isinstance(value, dict):
        raise ValueError("a row is a JSON object")
    return value


def _applied(state: State, version: RowVersion) -> bool:
    """Write a row version into `state`. Return False if it cannot be read."""
    try:
        value = None if version.row is None else freeze(_row(version.row))
        state.overlay.set(version.tbl, version.key, value)
    except (KeyError, ValueError):
        return False
    return True


def _position(row: TurnRow | RowVersion) -> Position:
    return Position(row.turn, row.part, row.seq)


def _shift(stored: str, computed: int) -> int:
    """Return the difference between the computed hash and the stored one, modulo 2**256."""
    return (computed - int(stored, 16)) % MODULUS


def _named(rows: Sequence[RowVersion]) -> list[str]:
    return [f"{row.tbl}/{row.key}" for row in rows[:MOST_ROWS]]
