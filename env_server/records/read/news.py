"""The rows that other processes have committed to an episode since a part of a turn, read by one statement.

One statement sees the database at one moment, so the parts, their row versions and the ending belong together.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Row, and_, bindparam, select, tuple_

from env_server.records import tables
from env_server.records.read.reads import LastTurn
from env_server.records.unit_of_work import Ending, RowVersion

_t, _r, _e = tables.turns, tables.row_versions, tables.endings
_part = tuple_(_t.c.turn, _t.c.part, _t.c.seq)
_known = tuple_(*(bindparam(name) for name in ("turn", "part", "seq")), types=[tables.Int] * 3)
_LAST = tuple(_t.c[name] for name in LastTurn._fields)
_ENDING = tuple(_e.c[name] for name in Ending._fields)
_VERSION = tuple(_r.c[name] for name in RowVersion._fields)

NEWS = (
    select(*_LAST, *_ENDING, _r.c.id, *_VERSION)
    .select_from(
        _t.outerjoin(
            _r,
            and_(
                *(_r.c[name] == _t.c[name] for name in ("episode", "turn", "part", "seq")),
                _part > _known,
            ),
        ).outerjoin(_e, _e.c.episode == _t.c.episode)
    )
    .where(_t.c.episode == bindparam("episode"), _part >= _known)
)
"""The parts from a known one on, each with each of its row versions. The known one comes without versions."""


class News(NamedTuple):
    """The newest part of an episode, the row versions after a known part in commit order, and the ending if any."""

    last: LastTurn
    rows: list[RowVersion]
    ending: Ending | None


def news_of(found: Sequence[Row[Any]]) -> News | None:
    """Return the news in the result of `NEWS`; None if the known part is not there."""
    if not found:
        return None
    to, upto = len(_LAST), len(_LAST) + len(_ENDING)
    last = max((LastTurn._make(row[:to]) for row in found), key=lambda part: part[:3])
    ending = None if found[0][to] is None else Ending._make(found[0][to:upto])
    versions = sorted(row[upto:] for row in found if row[upto] is not None)
    return News(last, [RowVersion._make(version[1:]) for version in versions], ending)
