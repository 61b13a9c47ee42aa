"""Archiving: episodes that ended before a given time are written to Parquet files. The database notes the file of each.

A file is complete on the disk before the database names it. If the work is interrupted between the two, the file is
left unused, and the next run writes its episodes again.
"""

import os
import secrets
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Engine, Row, bindparam, select

from env_server.records import tables
from env_server.records.archive.layout import PARTS, ArchivedEpisode, Described, schema, table
from env_server.records.errors import translated
from env_server.records.read.moment import one_moment
from env_server.records.statements import insert_once
from env_server.records.unit_of_work import Ending, EpisodeRow

Batch = list[tuple[Described, ArchivedEpisode]]

BATCH: Final = 20
"""Number of episodes in one row group of a file. A look-up of one episode reads its whole group."""

FILE_BATCHES: Final = 50
"""Maximum batches in one archive file."""

_e, _x, _a = tables.episodes, tables.endings, tables.archived
_HEADS = (len(Described._fields), len(Described._fields) + len(EpisodeRow._fields))
CLOSED = (
    select(
        *(tables.packs.c.domain, tables.packs.c.name, tables.packs.c.version, tables.tasks.c.task_id),
        *(_e.c[name] for name in EpisodeRow._fields),
        *(_x.c[name] for name in Ending._fields),
    )
    .join_from(_x, _e, _e.c.id == _x.c.episode)
    .join(tables.packs, tables.packs.c.id == _e.c.pack)
    .join(tables.tasks, tables.tasks.c.id == _e.c.task)
    .outerjoin(_a, _a.c.episode == _x.c.episode)
    .where(_x.c.at < bindparam("before"), _x.c.episode > bindparam("after"), _a.c.episode.is_(None))
    .order_by(_x.c.episode)
    .limit(bindparam("limit"))
)
SOURCES = {"turns": tables.turns, "rows": tables.row_versions, "effects": tables.effects}


class Archived(NamedTuple):
    """The number of archived episodes, and their files."""

    episodes: int
    files: list[str]


@dataclass(frozen=True, slots=True)
class Archiving:
    """Writes the episodes that ended before a time (in seconds since the epoch) and are in no archive yet."""

    engine: Engine
    folder: Path
    before: float

    def run(self) -> Archived:
        """Write files of at most a thousand episodes each into the folder. Make the folder if it does not exist.

        Raises:
            OSError: if a file cannot be written.
            StorageUnavailable: if the database does not answer.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        done = Archived(0, [])
        with translated():
            batches = self._batches()
            while (first := next(batches, None)) is not None:
                day = datetime.fromtimestamp(first[0][1].ending.at, UTC)
                file = f"episodes-{day:%Y%m%d}-{secrets.token_hex(6)}.parquet"
                held = _write(self.folder / file, chain([first], islice(batches, FILE_BATCHES - 1)))
                self._note(held, file)
                done = Archived(done.episodes + len(held), [*done.files, file])
        return done

    def _batches(self) -> Iterator[Batch]:
        after = 0
        while batch := self._next(after):
            yield batch
            after = batch[-1][1].episode.id

    def _next(self, after: int) -> Batch:
        """Return the next episodes as of one moment, because a pruning may delete them at the same time."""
        with one_moment(self.engine) as connection:
            found = connection.execute(CLOSED, {"before": self.before, "after": after, "limit": BATCH}).all()
            return _complete(connection, found)

    def _note(self, held: Sequence[EpisodeRow], file: str) -> None:
        rows = [{"episode": row.id, "episode_id": row.episode_id, "file": file} for row in held]
        with self.engine.begin() as connection:
            connection.execute(insert_once(connection.dialect, _a), rows)


def _complete(connection: Connection, found: Sequence[Row[*tuple[Any, ...]]]) -> Batch:
    """Return the episodes of a result of `CLOSED`, with the rows of their histories."""
    one, two = _HEADS
    heads = [(Described(*row[:one]), EpisodeRow(*row[one:two]), Ending(*row[two:])) for row in found]
    keys = [episode.id for _, episode, _ in heads]
    parts: dict[str, dict[int, list[Any]]] = {name: defaultdict(list) for name in PARTS}
    for name, source in SOURCES.items():
        columns = [source.c[field] for field in PARTS[name]._fields]
        for row in connection.execute(select(*columns).where(source.c.episode.in_(keys)).order_by(source.c.id)):
            parts[name][row.episode].append(PARTS[name]._make(row))
    return [
        (described, ArchivedEpisode(episode, ending, *(parts[name][episode.id] for name in PARTS)))
        for described, episode, ending in heads
    ]


def _write(path: Path, batches: Iterator[Batch]) -> list[EpisodeRow]:
    """Write a complete file that survives a power loss. Return the episodes in it."""
    from pyarrow import parquet  # noqa: PLC0415 - an extra, and slow to import

    held: list[EpisodeRow] = []
    unfinished = path.with_suffix(".part")
    try:
        with unfinished.open("xb") as file:
            with parquet.ParquetWriter(file, schema(), compression="zstd", write_page_checksum=True) as writer:
                for batch in batches:
                    writer.write_table(table(batch))
                    held += [found.episode for _, found in batch]
            file.flush()
            os.fsync(file.fileno())
        unfinished.rename(path)
    except BaseException:
        with suppress(FileNotFoundError):
            unfinished.unlink()
        raise
    _sync_folder(path.parent)
    return held


def _sync_folder(folder: Path) -> None:
    """Let the names in a folder survive a power loss, where the system can do that."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
