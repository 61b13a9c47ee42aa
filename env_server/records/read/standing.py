"""The reads with which a server takes an episode into memory, or catches up with other servers."""

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import FromClause, Select, Text, and_, literal_column, select, tuple_

from env_server.records import tables
from env_server.records.read.looks import Look, Rows
from env_server.records.read.reads import LastTurn
from env_server.records.unit_of_work import Ending, EpisodeRow, RowVersion, TurnRow

_ep, _t, _r, _e = tables.episodes, tables.turns, tables.row_versions, tables.endings
_POSITION = ("turn", "part", "seq")
_LAST = tuple(_t.c[name] for name in LastTurn._fields)
_ENDING = tuple(_e.c[name] for name in Ending._fields)
_VERSION = tuple(_r.c[name] for name in ("id", *RowVersion._fields))


class News(NamedTuple):
    """The newest part of an episode, the row versions after a known part in commit order, and the ending if any."""

    last: LastTurn
    rows: list[RowVersion]
    ending: Ending | None


class Standing(NamedTuple):
    """An episode, its newest part, its row versions in commit order, and its ending if any.

    The row versions may include some of later parts.
    """

    episode: EpisodeRow
    last: LastTurn
    rows: list[RowVersion]
    ending: Ending | None


def _news(wanted: FromClause) -> Select[Any]:
    """Select the parts from a known one on, each with its row versions. The known one comes without versions.

    One statement sees the database at one moment, so all of it belongs together.
    """
    known = tuple_(*(wanted.c[name] for name in _POSITION))
    part = tuple_(*(_t.c[name] for name in _POSITION))
    same = and_(*(_r.c[name] == _t.c[name] for name in ("episode", *_POSITION)), part > known)
    later = and_(_t.c.episode == wanted.c.episode, part >= known)
    joined = wanted.join(_t, later).outerjoin(_r, same).outerjoin(_e, _e.c.episode == _t.c.episode)
    return select(*_LAST, *_ENDING, *_VERSION).select_from(joined)


def _made_news(found: Sequence[Rows]) -> News | None:
    (rows,) = found
    if not rows:
        return None
    ending, version = len(_LAST), len(_LAST) + len(_ENDING)
    last = max((LastTurn._make(row[:ending]) for row in rows), key=lambda part: part[:3])
    return News(
        last, _in_order(row[version:] for row in rows if row[version] is not None), _ending(rows[0][ending:version])
    )


def _episode(wanted: FromClause) -> Select[Any]:
    parts = _t.alias("parts")
    newest = (
        select(parts.c.id)
        .where(parts.c.episode == _ep.c.id)
        .order_by(*(parts.c[name].desc() for name in _POSITION))
        .limit(literal_column("1"))
        .scalar_subquery()
    )
    episode = wanted.join(_ep, _ep.c.episode_id == wanted.c.episode_id)
    joined = episode.join(_t, _t.c.id == newest).outerjoin(_e, _e.c.episode == _ep.c.id)
    return select(*(_ep.c[name] for name in EpisodeRow._fields), *_LAST, *_ENDING).select_from(joined)


def _versions(wanted: FromClause) -> Select[Any]:
    joined = wanted.join(_ep, _ep.c.episode_id == wanted.c.episode_id).join(_r, _r.c.episode == _ep.c.id)
    return select(*_VERSION).select_from(joined)


def _made_standing(found: Sequence[Rows]) -> Standing | None:
    episodes, versions = found
    if not episodes:
        return None
    last, ending = len(EpisodeRow._fields), len(EpisodeRow._fields) + len(_LAST)
    (row,) = episodes
    known = EpisodeRow._make(row[:last]), LastTurn._make(row[last:ending])
    return Standing(*known, _in_order(versions), _ending(row[ending:]))


def _turn(wanted: FromClause) -> Select[Any]:
    place = and_(_t.c.turn == wanted.c.turn, _t.c.part == wanted.c.part, _t.c.seq == literal_column("0"))
    joined = wanted.join(_ep, _ep.c.episode_id == wanted.c.episode_id).join(_t, and_(_t.c.episode == _ep.c.id, place))
    return select(*(_t.c[name] for name in TurnRow._fields)).select_from(joined)


def _made_turn(found: Sequence[Rows]) -> TurnRow | None:
    (rows,) = found
    return TurnRow._make(rows[0]) if rows else None


def _in_order(versions: Iterable[tuple[Any, ...]]) -> list[RowVersion]:
    """Return row versions, each behind its id, in commit order."""
    return [RowVersion._make(version[1:]) for version in sorted(versions, key=lambda version: version[0])]


def _ending(row: tuple[Any, ...]) -> Ending | None:
    if row[0] is None:
        return None
    ending = Ending._make(row)
    return ending._replace(scored=bool(ending.scored))


NEWS: Final = Look(dict.fromkeys(("episode", *_POSITION), tables.Int), (_news,), _made_news)
"""The rows committed after a known part; None if that part is not in the database."""

STANDING: Final = Look({"episode_id": Text()}, (_episode, _versions), _made_standing)
"""An episode by its public id; None if it is not in the database or has no turn."""

TURN_BY_ID: Final = Look({"episode_id": Text(), "turn": tables.Int, "part": tables.Int}, (_turn,), _made_turn)
"""The first piece of a part of a turn, by the episode's public id; None if it is not in the database."""
