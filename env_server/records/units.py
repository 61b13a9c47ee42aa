"""The rows that are written and read, and the unit that is committed as one.

Rows are named tuples whose fields are the columns of their table in order, so that a row goes to the driver
as it is. All times are seconds since the epoch. A `str` is stored and returned unchanged; it may hold neither lone
surrogates, which are not UTF-8, nor NUL, which PostgreSQL refuses (JSON escapes both).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

AGENT: Final = 0
"""`part` of the agent's side of a turn."""
USER: Final = 1
"""`part` of the user's side of a turn."""


class EpisodeRow(NamedTuple):
    """One episode; `id` comes from `Store.episode_ids`, `pack` and `task` from the catalog."""

    id: int
    episode_id: str
    pack: int
    task: int
    run: str | None
    purpose: str | None
    group_id: str | None
    parent: int | None
    parent_turn: int | None
    caller: str
    seed: int
    options: str
    created_at: float


class TurnRow(NamedTuple):
    """One part of a turn: what was said or called, the reply, and what the next part needs (`carry`)."""

    episode: int
    turn: int
    part: int
    seq: int
    action: str
    reply: str
    carry: str
    metadata: str | None
    at: float


class RowVersion(NamedTuple):
    """What one table row became in a part of a turn; `row` None means it was deleted."""

    episode: int
    turn: int
    part: int
    seq: int
    tbl: str
    key: str
    row: str | None


class Ending(NamedTuple):
    """How an episode ended. At most one per episode; a second is a `Conflict`."""

    episode: int
    turn: int
    stop_reason: str
    reward: float | None
    scored: bool
    at: float


class KeyRow(NamedTuple):
    """An idempotency key, what was asked with it and what was answered."""

    scope: str
    key: str
    body_digest: str
    reply: str
    at: float


class Claim(NamedTuple):
    """The right to execute one part of a turn, as given by `Store.claim`."""

    episode: int
    turn: int
    part: int
    owner: str
    fence: int


class HistoryCopy(NamedTuple):
    """Copies turns and row versions of episode `src`, up to and with one part of a turn, to episode `dst`."""

    src: int
    dst: int
    turn: int
    part: int
    seq: int


@dataclass(frozen=True, slots=True)
class Unit:
    """What is committed as one: all of it, in the order of the fields, or nothing.

    With `claim`, the commit also proves that the claim is still held, and ends it.
    """

    episodes: Sequence[EpisodeRow] = ()
    copies: Sequence[HistoryCopy] = ()
    turns: Sequence[TurnRow] = ()
    rows: Sequence[RowVersion] = ()
    endings: Sequence[Ending] = ()
    keys: Sequence[KeyRow] = ()
    memos: Sequence["MemoRow"] = ()
    """The first under each key stays."""

    claim: Claim | None = None


class MemoRow(NamedTuple):
    """Something that was found out and is kept by name."""

    kind: str
    key: str
    text: str
    at: float


class SnapshotRow(NamedTuple):
    """The identity of a base snapshot; its rows stand in `base_rows`."""

    digest: str
    domain: str
    pack: str
    state_hash: str
    hash_version: int


class BaseRow(NamedTuple):
    """One row of a base snapshot."""

    tbl: str
    key: str
    row: str


class PackRow(NamedTuple):
    """One version of a pack; `policy` and `tools` are blob digests, `snapshot` is the snapshot's key."""

    version: str
    domain: str
    name: str
    snapshot: int
    policy: str
    tools: str
    tools_digest: str
    meta: str


class TaskRow(NamedTuple):
    """One task, stored once by its digest."""

    digest: str
    domain: str
    pack: str
    task_id: str
    body: str


class GoldRow(NamedTuple):
    """What a task's gold calls lead to, for one tool list and one snapshot (all three by digest)."""

    task: str
    tools_digest: str
    snapshot: str
    result: str
