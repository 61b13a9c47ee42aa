import asyncio
from pathlib import Path

import pytest

from env_server.records import BaseRow, GoldRow, PackRow, SnapshotRow, Store, TaskRow

SNAPSHOT = SnapshotRow("snap", "retail", "builtin", "00ff", 1)
PACK = PackRow("v1", "retail", "builtin", 1, "policy", "tools", "tools-digest", "{}")
TASK = TaskRow("digest", "retail", "builtin", "task-1", '{"goal": "..."}')


async def test_a_snapshot_returns_its_rows_in_order(store: Store) -> None:
    """More rows than a page come back whole, in the order in which they were put."""
    rows = [BaseRow("orders", f"#{number}", f'{{"n": {number}}}') for number in range(11_003, 0, -1)]
    key = await store.catalog.put_snapshot(SNAPSHOT, rows)
    assert list(store.catalog.base_rows(key)) == rows
    assert store.catalog.snapshot(key) == SNAPSHOT


async def test_putting_twice_returns_the_same_key(store: Store) -> None:
    """Snapshot, pack and task are stored once, and found by digest and by key."""
    catalog = store.catalog
    snapshot = await catalog.put_snapshot(SNAPSHOT, [BaseRow("t", "k", "{}")])
    pack, task = await catalog.put_pack(PACK), await catalog.put_task(TASK)
    assert await catalog.put_snapshot(SNAPSHOT, [BaseRow("t", "k", "{}")]) == snapshot
    assert await catalog.put_pack(PACK) == pack == catalog.find_pack("v1")
    assert await catalog.put_task(TASK) == task == catalog.find_task("digest")
    assert catalog.pack(pack) == PACK
    assert catalog.task(task) == TASK
    assert len(list(catalog.base_rows(snapshot))) == 1


async def test_blobs_and_gold_keep_their_first_value(store: Store) -> None:
    """A second put under the same key changes nothing."""
    for text in ("first", "second"):
        await store.catalog.put_blob("digest", text)
        await store.catalog.put_gold(GoldRow("task", "tools", "snap", text))
    assert store.catalog.blob("digest") == "first"
    assert store.catalog.gold("task", "tools", "snap") == "first"


async def test_what_is_absent_is_none(store: Store) -> None:
    """Unknown digests and keys are read as None or nothing."""
    catalog = store.catalog
    assert [catalog.blob("x"), catalog.gold("x", "y", "z"), catalog.find_pack("x")] == [None] * 3
    assert [catalog.pack(9), catalog.task(9), catalog.snapshot(9), *catalog.base_rows(9)] == [None] * 3


async def test_two_stores_that_put_at_once_agree(store: Store, url: str) -> None:
    """If two stores look before either writes, one of them stores the rows, and both get the same key."""
    other = Store.open(url)
    rows = [BaseRow("t", str(number), "{}") for number in range(10)]
    keys = await asyncio.gather(*(s.catalog.put_snapshot(SNAPSHOT, rows) for s in (store, other) * 3))
    await other.close()
    assert len(set(keys)) == 1
    assert list(store.catalog.base_rows(keys[0])) == rows


async def test_a_secret_is_made_once(store: Store, url: str) -> None:
    """Every process gets the value that was stored first."""
    other = Store.open(url)
    values = [await store.secret("signing", lambda: "first"), await other.secret("signing", lambda: "second")]
    await other.close()
    assert values == ["first", "first"]


async def test_uptime_keeps_start_and_moves_on(store: Store) -> None:
    """Each beat moves `seen`; processes are ordered by start."""
    await store.beat("late", started=5.0, now=5.0)
    await store.beat("early", started=1.0, now=1.0)
    await store.beat("early", started=1.0, now=4.0)
    assert [tuple(interval) for interval in store.listings.uptimes()] == [("early", 1.0, 4.0), ("late", 5.0, 5.0)]


@pytest.mark.parametrize("bad", ["sqlite://", "sqlite:///:memory:", "mysql://host/db"])
def test_only_databases_that_keep_their_promise_are_opened(bad: str) -> None:
    """A database in memory, which loses all episodes with its process, and an unknown scheme are refused."""
    with pytest.raises(ValueError, match="use sqlite:///file"):
        Store.open(bad)


async def test_missing_folders_are_made(tmp_path: Path) -> None:
    """The folder of a new database file is made."""
    store = Store.open(f"sqlite:///{tmp_path}/a/b/records.db")
    await store.close()
    assert (tmp_path / "a" / "b" / "records.db").exists()
