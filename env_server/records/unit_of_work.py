"""The row types of the tables, and the unit of commit.

Rows are named tuples whose fields are the columns of their table in order, so that a row goes to the driver unchanged.
All times are seconds since the epoch. A `str` is stored and returned unchanged. It must not contain lone surrogates,
which are not valid UTF-8, or NUL, which PostgreSQL refuses (JSON escapes both).
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

AGENT: Final = 0
"""`part` of the agent's side of a turn."""
USER: Final = 1
"""`part` of the user's side of a turn."""


class EpisodeRow(NamedTuple):
    """One episode. `id` comes from `Store.episode_ids`; `pack` and `task` are keys of the catalog."""

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
    """One part of a turn: the action (text or calls), the reply, and the data for the next part (`carry`)."""

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
    """The new version of one table row after a part of a turn. If `row` is None, the row was deleted."""

    episode: int
    turn: int
    part: int
    seq: int
    tbl: str
    key: str
    row: str | None


class Ending(NamedTuple):
    """The ending of an episode. An episode has at most one; a second one raises `Conflict`."""

    episode: int
    turn: int
    stop_reason: str
    reward: float | None
    scored: bool
    at: float


class KeyRow(NamedTuple):
    """An idempotency key, the digest of the request's body, and the reply."""

    scope: str
    key: str
    body_digest: str
    reply: str
    at: float


class Claim(NamedTuple):
    """The right to execute one part of a turn. `Store.claim` gives it."""

    episode: int
    turn: int
    part: int
    owner: str
    fence: int


INTENT: Final = 0
"""`phase` of the announcement of a call that may change the outside. It is committed before the call is made."""
OUTCOME: Final = 1
"""`phase` of the outcome of a call to the outside."""


class EffectRow(NamedTuple):
    """A call to the outside: its announcement or its outcome."""

    episode: int
    turn: int
    seq: int
    """The number of the call among the calls to the outside of its turn; 0 is the first."""

    phase: int
    server: str
    tool: str
    arguments: str
    """SHA-256 of the arguments as canonical JSON."""

    effect: str
    """What the call may do (`Effect`); in an outcome also `nothing`, if it failed without taking place."""

    body: str
    """The action of the turn (in an announcement), or the result as JSON."""

    at: float


class RecordingRow(NamedTuple):
    """The recorded result of a call to the outside. The first one under its key (all fields to `seq`) stays."""

    tag: str
    server: str
    tool: str
    arguments: str
    """SHA-256 of the arguments as canonical JSON."""

    after: str
    """SHA-256 of the episode's earlier calls to the server that may have changed something there."""

    seq: int
    """The number of equal calls that the episode had made before, after the same changes."""

    given: str
    """The arguments as canonical JSON."""

    result: str
    is_error: bool
    tool_version: str
    """SHA-256 of the tool's listing."""

    latency_s: float
    at: float


class HistoryCopy(NamedTuple):
    """An order to copy turns and row versions of episode `src` to `dst`, up to and including one part of a turn."""

    src: int
    dst: int
    turn: int
    part: int
    seq: int


class Unit(NamedTuple):
    """A unit of commit: all of it is committed, in the order of the fields, or none of it.

    With `claim`, the commit also checks that the claim is still held, and deletes it.
    """

    episodes: Sequence[EpisodeRow] = ()
    copies: Sequence[HistoryCopy] = ()
    turns: Sequence[TurnRow] = ()
    rows: Sequence[RowVersion] = ()
    endings: Sequence[Ending] = ()
    keys: Sequence[KeyRow] = ()
    memos: Sequence["MemoRow"] = ()
    """The first text stored under each key stays."""

    effects: Sequence[EffectRow] = ()
    recordings: Sequence[RecordingRow] = ()
    claim: Claim | None = None
    holds_claim: bool = False
    """Whether the claim is only checked, and stays for a later commit."""


class MemoRow(NamedTuple):
    """A text that is computed once and stored by kind and key."""

    kind: str
    key: str
    text: str
    at: float


class SnapshotRow(NamedTuple):
    """The identity of a base snapshot. Its rows are in the table `base_rows`."""

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
    """One version of a pack. `policy` and `tools` are blob digests; `snapshot` is the snapshot's key."""

    version: str
    domain: str
    name: str
    snapshot: int
    policy: str
    tools: str
    tools_digest: str
    meta: str


class TaskRow(NamedTuple):
    """One task, stored once under its digest."""

    digest: str
    domain: str
    pack: str
    task_id: str
    body: str


class GoldRow(NamedTuple):
    """The result of a task's gold calls for one tool list and one snapshot (all three by digest)."""

    task: str
    tools_digest: str
    snapshot: str
    result: str
