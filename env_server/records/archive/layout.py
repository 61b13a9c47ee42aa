"""The layout of an archive file: one row for each episode.

The first columns are for people and data frames. `episode`, `ending`, `turns`, `rows` and `effects` are the rows of the
database, unchanged, so that nothing is lost. Replies refer to texts that the database keeps (policies, tools).
"""

from collections.abc import Iterable, Mapping
from types import NoneType
from typing import Any, NamedTuple, get_args, get_type_hints

from env_server.records.unit_of_work import EffectRow, Ending, EpisodeRow, RowVersion, TurnRow


class ArchivedEpisode(NamedTuple):
    """All rows that belong to this episode alone, in commit order. Idempotency keys are left out."""

    episode: EpisodeRow
    ending: Ending
    turns: list[TurnRow]
    rows: list[RowVersion]
    effects: list[EffectRow]


class Described(NamedTuple):
    """The names behind the integer keys of an episode."""

    domain: str
    pack: str
    pack_version: str
    task_id: str


PARTS: Mapping[str, type[TurnRow] | type[RowVersion] | type[EffectRow]] = {
    "turns": TurnRow,
    "rows": RowVersion,
    "effects": EffectRow,
}
"""The columns that hold lists of rows."""

SHOWN = ("episode_id", "run", "purpose", "group_id", "caller", "seed", "created_at")
"""Columns for people that repeat fields of the episode."""

OUTCOME = ("stop_reason", "reward", "scored")
"""Columns for people that repeat fields of the ending. `ended_at` is its time."""


def schema() -> Any:
    """Return the Arrow schema of an archive file."""
    import pyarrow as pa  # noqa: PLC0415 - an extra, and slow to import

    episode, ending = _types(EpisodeRow), _types(Ending)
    return pa.schema([
        ("key", pa.int64()),
        *((name, pa.string()) for name in Described._fields),
        *((name, episode[name]) for name in SHOWN),
        *((name, ending[name]) for name in OUTCOME),
        ("ended_at", pa.float64()),
        ("episode", pa.struct(episode.items())),
        ("ending", pa.struct(ending.items())),
        *((name, pa.list_(pa.struct(_types(row).items()))) for name, row in PARTS.items()),
    ])  # fmt: skip


def table(episodes: Iterable[tuple[Described, ArchivedEpisode]]) -> Any:
    """Return episodes as an Arrow table of `schema()`."""
    import pyarrow as pa  # noqa: PLC0415 - as above

    return pa.Table.from_pylist([_row(described, found) for described, found in episodes], schema=schema())


def read(row: Mapping[str, Any]) -> ArchivedEpisode:
    """Return the episode of a row of an archive file."""
    turns, rows, effects = ([kind(**one) for one in row[name]] for name, kind in PARTS.items())
    return ArchivedEpisode(EpisodeRow(**row["episode"]), Ending(**row["ending"]), turns, rows, effects)  # type: ignore[arg-type]  # each list has its own kind


def _row(described: Described, found: ArchivedEpisode) -> dict[str, Any]:
    episode, ending = found.episode._asdict(), found.ending._asdict()
    return {
        "key": found.episode.id,
        **described._asdict(),
        **{name: episode[name] for name in SHOWN},
        **{name: ending[name] for name in OUTCOME},
        "ended_at": found.ending.at,
        "episode": episode,
        "ending": ending,
        "turns": [row._asdict() for row in found.turns],
        "rows": [row._asdict() for row in found.rows],
        "effects": [row._asdict() for row in found.effects],
    }


def _types(row: type[tuple[Any, ...]]) -> dict[str, Any]:
    """Return the Arrow types of the fields of a row type."""
    import pyarrow as pa  # noqa: PLC0415 - as above

    known = {int: pa.int64(), float: pa.float64(), str: pa.string(), bool: pa.bool_()}
    plain = {name: set(get_args(hint) or {hint}) - {NoneType} for name, hint in get_type_hints(row).items()}
    return {name: known[kind] for name, (kind,) in plain.items()}
