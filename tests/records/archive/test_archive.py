"""Archive files return what the database returned, and a file that cannot be written or read is an error."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet

from env_server.records import StorageDamaged, Store
from env_server.records.archive import write
from env_server.records.archive.write import Archived, Archiving
from env_server.records.engine import make_engine
from env_server.records.upkeep.prune import Pruned, Pruning
from tests.records.samples import row, turn
from tests.records.upkeep.history import NAMES, closed_before, fill, rows_of, stored, unit

BEFORE = 106.0


def everything(store: Store, key: int) -> list[Any]:
    """All results of `Reads` for an episode."""
    reads = store.reads
    found = reads.episode(key)
    return [
        found,
        found and reads.episode_by_id(found.episode_id),
        reads.last_turn(key),
        [reads.turn(key, number, part) for number in range(12) for part in (0, 1, 2)],
        [reads.turns(key), reads.turns(key, 2, 3), reads.turns(key, 2), reads.turns(key, upto=1)],
        [reads.row_versions(key), reads.row_versions(key, 2)],
        reads.ending(key),
    ]


@pytest.mark.parametrize("seed", range(2))
async def test_archived_episodes_are_read_as_before(store: Store, url: str, tmp_path: Path, seed: int) -> None:
    """After archiving and pruning, every read of every episode returns the same; without archive it returns nothing."""
    await fill(store, seed)
    keys = stored(rows_of(url))
    old = closed_before(rows_of(url), BEFORE)
    before = {key: everything(store, key) for key in keys}
    engine = make_engine(url)
    done = Archiving(engine, tmp_path / "archive", BEFORE).run()
    assert (done.episodes, len(done.files)) == (len(old), 1)
    archived = Store.open(url, archive=tmp_path / "archive")
    assert not any(archived.reads.is_archived(key) for key in keys)
    assert Pruning(engine, BEFORE, NAMES, archived_in=done.files).run().episodes == len(old)
    assert {key: everything(archived, key) for key in keys} == before
    assert {key for key in keys if archived.reads.is_archived(key)} == old
    assert {key for key in keys if store.reads.episode(key) is None} == old
    assert archived.reads.episode_by_id("ep_nobody") is None
    for key in keys:
        row = before[key][0]
        standing = await archived.standing(row.episode_id)
        assert standing is not None
        assert [standing.episode, standing.last, standing.rows, standing.ending] == [
            row, before[key][2], before[key][5][0], before[key][6]
        ]  # fmt: skip
        assert await archived.turn(row.episode_id, 1, 0) == before[key][3][3]
    assert await archived.standing("ep_nobody") is None
    await archived.close()


async def test_each_episode_is_archived_once(
    store: Store, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A later run writes only newly ended episodes; a large archive has several files; no episode is in two of them."""
    monkeypatch.setattr(write, "BATCH", 3)
    monkeypatch.setattr(write, "FILE_BATCHES", 4)
    await fill(store, 3)
    engine = make_engine(url)
    one, two, three = (Archiving(engine, tmp_path, before).run() for before in (104.0, 1e9, 1e9))
    assert three == Archived(0, [])
    held = [key for file in (*one.files, *two.files) for key in parquet.read_table(tmp_path / file)["key"].to_pylist()]
    assert sorted(held) == sorted(closed_before(rows_of(url), 1e9))
    assert len(one.files) == -(-one.episodes // 12)
    assert {file.name for file in tmp_path.glob("episodes-*")} == {*one.files, *two.files}


async def test_a_file_is_readable_without_this_program(store: Store, url: str, tmp_path: Path) -> None:
    """The columns say what an episode was and how it ended, and hold the stored rows unchanged."""
    await fill(store, 1, episodes=1)
    await store.commit(unit(7, turns=2, closed=True))
    (file,) = Archiving(make_engine(url), tmp_path, 1e9).run().files
    found = next(line for line in parquet.read_table(tmp_path / file).to_pylist() if line["key"] == 7)
    assert {name: found[name] for name in ("episode_id", "domain", "pack", "task_id", "caller")} == {
        "episode_id": "ep_7", "domain": "retail", "pack": "builtin", "task_id": "task-1", "caller": "trainer",
    }  # fmt: skip
    assert (found["reward"], found["scored"], found["stop_reason"], found["ended_at"]) == (0.5, True, "completed", 102)
    assert found["turns"] == [turn(7, number)._asdict() for number in (1, 2)]
    assert found["rows"][:2] == [row(7, 1, "#A", '"1"')._asdict(), row(7, 1, "#B", None)._asdict()]
    assert [effect["tool"] for effect in found["effects"]] == ["send", "send"]


async def test_only_what_the_files_hold_is_pruned(store: Store, url: str, tmp_path: Path) -> None:
    """An episode that is in no archive, or only in a file that is not given, stays in the database."""
    await fill(store, 4)
    engine = make_engine(url)
    one, two = (Archiving(engine, tmp_path, before).run() for before in (104.0, 107.0))
    assert one.episodes
    assert two.episodes
    assert Pruning(engine, 1e9, NAMES, archived_in=[]).run() == Pruned()
    assert Pruning(engine, 1e9, NAMES, archived_in=two.files).run().episodes == two.episodes
    left = rows_of(url)
    assert closed_before(left, 104.0)
    assert closed_before(left, 1e9) > closed_before(left, 107.0) == closed_before(left, 104.0)


async def test_a_write_that_fails_leaves_nothing(
    store: Store, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a full disk no file is left and the database names none; the next run writes all."""
    await fill(store, 5)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("env_server.records.archive.write.os.fsync", full)
        with pytest.raises(OSError, match="No space left"):
            Archiving(make_engine(url), tmp_path / "archive", 1e9).run()
    assert [*(tmp_path / "archive").iterdir()] == []
    assert rows_of(url)["archived"] == []
    assert Archiving(make_engine(url), tmp_path / "archive", 1e9).run().episodes == len(
        closed_before(rows_of(url), 1e9)
    )


@pytest.mark.parametrize("fault", ["missing", "overwritten", "cut", "of other episodes"])
async def test_a_file_that_cannot_be_read_is_named(store: Store, url: str, tmp_path: Path, fault: str) -> None:
    """A missing or damaged file is an error of storage, and not an unknown episode."""
    await fill(store, 6)
    (file,) = Archiving(make_engine(url), tmp_path, 1e9).run().files
    Pruning(make_engine(url), 1e9, NAMES).run()
    path, key = tmp_path / file, rows_of(url)["archived"][0][0]
    data = path.read_bytes()
    if fault == "missing":
        path.unlink()
    elif fault == "overwritten":
        path.write_bytes(data[:400] + bytes(len(data) // 2) + data[400 + len(data) // 2 :])
    elif fault == "cut":
        path.write_bytes(data[: len(data) // 2])
    else:
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection, connection:
            connection.execute("UPDATE archived SET episode = 1000000 WHERE episode = ?", (key,))
        key = 1_000_000
    archived = Store.open(url, archive=tmp_path)
    for read in (archived.reads.episode, archived.reads.turns, archived.reads.ending):
        with pytest.raises(StorageDamaged, match=file):
            read(key)
    await archived.close()


async def test_a_pruning_beside_it_makes_no_half_episodes(
    store: Store, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Episodes that are deleted while they are archived are in the archive whole or not at all."""
    await fill(store, 8)
    before = {row[0]: everything(store, row[0]) for row in rows_of(url)["endings"]}
    complete = write._complete

    def pruned_meanwhile(*given: Any) -> Any:
        Pruning(make_engine(url), 1e9, NAMES).run()
        return complete(*given)

    monkeypatch.setattr(write, "_complete", pruned_meanwhile)
    assert Archiving(make_engine(url), tmp_path, 1e9).run().episodes == write.BATCH
    archived = Store.open(url, archive=tmp_path)
    held = [row[0] for row in rows_of(url)["archived"]]
    assert [everything(archived, key) for key in held] == [before[key] for key in held]
    await archived.close()


async def test_a_flipped_bit_is_damage_or_changes_nothing(store: Store, url: str, tmp_path: Path) -> None:
    """After a bit of a file is flipped, each episode is read as it was written, or not at all."""
    await fill(store, 6, episodes=2)
    (file,) = Archiving(make_engine(url), tmp_path, 1e9).run().files
    Pruning(make_engine(url), 1e9, NAMES).run()
    keys = [row[0] for row in rows_of(url)["archived"]]
    data, damaged = (tmp_path / file).read_bytes(), 0
    archived = Store.open(url, archive=tmp_path)
    written = [everything(archived, key) for key in keys]
    await archived.close()
    for place in range(0, len(data), len(data) // 50):
        (tmp_path / file).write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        archived = Store.open(url, archive=tmp_path)
        try:
            assert [everything(archived, key) for key in keys] == written, place
        except StorageDamaged:
            damaged += 1
        await archived.close()
    assert damaged > 20
