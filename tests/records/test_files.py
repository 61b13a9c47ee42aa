"""Whole SQLite files: damage that is found, and copies of a file in use."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from env_server.records import StorageDamaged, StorageUnavailable, Store, files
from env_server.records.files import check_file, copy_file
from tests.records.samples import played


@pytest.fixture
async def file(url: str) -> Path:
    """A database with a hundred turns, which is not open."""
    store = Store.open(url)
    await asyncio.gather(*(store.commit(played(1, turn)) for turn in range(1, 101)))
    await store.close()
    return Path(url.removeprefix("sqlite:///"))


@pytest.mark.parametrize("whole", [True, False], ids=["page by page", "newest rows"])
async def test_an_intact_file_passes_and_a_damaged_one_does_not(
    file: Path, monkeypatch: pytest.MonkeyPatch, whole: bool
) -> None:
    """Garbage in the middle of a small or large file is found, and the message says what to do."""
    if not whole:
        monkeypatch.setattr(files, "READ_WHOLE", 0)
    check_file(file)
    size = file.stat().st_size
    with file.open("r+b") as raw:
        raw.seek(4096)
        raw.write(b"\xa5" * (size - 8192))
    with pytest.raises(StorageDamaged, match=r"(is damaged: |malformed).*; restore a copy"):
        check_file(file)


def test_a_file_that_is_no_database_or_is_missing(tmp_path: Path) -> None:
    """Each of the two is an error, and no file is made."""
    (tmp_path / "diary").write_text("my diary\n" * 200, encoding="utf-8")
    with pytest.raises(StorageDamaged, match="not a database"):
        check_file(tmp_path / "diary")
    with pytest.raises(StorageUnavailable, match="there is no database"):
        check_file(tmp_path / "nowhere")
    assert not (tmp_path / "nowhere").exists()


async def test_a_copy_of_a_file_in_use_is_of_one_moment(url: str, tmp_path: Path) -> None:
    """A copy that is made between commits has all turns up to some turn, and can be opened."""
    store = Store.open(url)
    await store.commit(played(1, 1))
    turn, copies = 1, [tmp_path / f"copy-{i}.db" for i in range(3)]

    async def play() -> None:
        nonlocal turn
        while True:
            await store.commit(played(1, turn + 1))
            turn += 1

    playing = asyncio.create_task(play())
    for copy in copies:
        before = turn
        await asyncio.to_thread(copy_file, Path(url.removeprefix("sqlite:///")), copy)
        assert sorted(p.name for p in tmp_path.glob(f"{copy.name}*")) == [copy.name]
        check_file(copy)
        with closing(sqlite3.connect(copy)) as connection:
            (newest, count) = connection.execute("SELECT max(turn), count(DISTINCT turn) FROM turns").fetchone()
        assert before <= newest <= turn
        assert count == newest
    playing.cancel()
    await store.close()
    restored = Store.open(f"sqlite:///{copies[-1]}")
    await restored.commit(played(1, newest + 1))
    await restored.close()


async def test_a_copy_replaces_nothing(file: Path, tmp_path: Path) -> None:
    """An existing file is not replaced."""
    (tmp_path / "mine").write_text("mine", encoding="utf-8")
    with pytest.raises(FileExistsError):
        copy_file(file, tmp_path / "mine")
    assert (tmp_path / "mine").read_text(encoding="utf-8") == "mine"
