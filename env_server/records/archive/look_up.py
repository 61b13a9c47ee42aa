"""Look-ups in archive files, for episodes that are no longer in the database."""

from functools import lru_cache
from pathlib import Path
from typing import Final

from sqlalchemy import bindparam, select

from env_server.records import tables
from env_server.records.archive import layout
from env_server.records.archive.layout import ArchivedEpisode
from env_server.records.errors import StorageDamaged
from env_server.records.read.read_connections import Readers

KEPT: Final = 16
"""Number of episodes that are kept in memory, because a reader asks for several parts of one episode."""

_a = tables.archived
FILE = select(_a.c.file).where(_a.c.episode == bindparam("episode"))
KEY = select(_a.c.episode).where(_a.c.episode_id == bindparam("episode_id"))


class ArchiveReader:
    """The archive files of a folder. Usable from any thread. A look-up takes some milliseconds.

    Each method raises StorageUnavailable when the database cannot answer, and StorageDamaged for a file that is missing
    or cannot be read.
    """

    def __init__(self, readers: Readers, folder: Path) -> None:
        """Look in `folder`. Raise ImportError without pyarrow."""
        import pyarrow.parquet  # noqa: F401, PLC0415 - an extra; here, so that no request waits for the import

        self._readers = readers
        self._folder = folder
        self._read = lru_cache(KEPT)(self._read_anew)

    def by_key(self, key: int) -> ArchivedEpisode | None:
        """Return the archived episode with this integer key, or None."""
        row = self._readers.first(FILE, {"episode": key})
        return None if row is None else self._read(row[0], key)

    def by_id(self, episode_id: str) -> ArchivedEpisode | None:
        """Return the archived episode with this public id, or None."""
        row = self._readers.first(KEY, {"episode_id": episode_id})
        return None if row is None else self.by_key(row[0])

    def _read_anew(self, file: str, key: int) -> ArchivedEpisode:
        import pyarrow as pa  # noqa: PLC0415 - as above
        from pyarrow import parquet  # noqa: PLC0415 - as above

        path = self._folder / file
        try:
            found = parquet.read_table(
                path, filters=[("key", "==", key)], use_threads=False, page_checksum_verification=True
            )
        except FileNotFoundError as e:
            raise StorageDamaged(f"the archive file {path} is missing") from e
        except (OSError, pa.ArrowException) as e:
            raise StorageDamaged(f"the archive file {path} cannot be read: {e}") from e
        if found.num_rows != 1:
            raise StorageDamaged(f"the archive file {path} does not hold the episode")
        try:
            return layout.read(found.to_pylist()[0])
        except (KeyError, TypeError, UnicodeDecodeError) as e:  # pages have checksums, the names of columns have none
            raise StorageDamaged(f"the archive file {path} holds something else than episodes: {e!r}") from e
