"""What a store keeps besides episodes: recordings, texts by key, and spent tokens."""

from dataclasses import dataclass
from pathlib import Path

from env_server.records import MemoRow, RecordingRow, Store, Unit
from tests.records.samples import played


@dataclass(frozen=True)
class Call:
    """A recorded call."""

    tag: str = "june"
    seq: int = 0
    result: str = "{}"
    at: float = 10.0

    def row(self) -> RecordingRow:
        """The row to commit."""
        return RecordingRow(
            self.tag, "post", "look", "digest", "before", self.seq, "{}", self.result, False, "v", 0.5, self.at
        )


async def test_the_first_recording_of_a_key_stays(store: Store) -> None:
    """A second result of a recorded call is ignored; another number of the call, or another tag, is a new recording."""
    await store.commit(Unit(recordings=[Call(result="first").row()]))
    await store.commit(Unit(recordings=[Call(result="second").row(), Call(seq=1).row(), Call(tag="july").row()]))
    assert store.reads.recording(*Call().row()[:6]) == Call(result="first").row()
    assert store.reads.recording(*Call(seq=1).row()[:6]) == Call(seq=1).row()
    assert store.reads.recording(*Call(tag="july").row()[:6]) == Call(tag="july").row()
    assert store.reads.recording(*Call(tag="may").row()[:6]) is None


async def test_recordings_of_a_tag_are_counted_and_pruned(store: Store) -> None:
    """Only new recordings count as stored, and a tag exists as long as it has some; others are not pruned."""
    june = [Call(seq=n, at=10.0 + n).row() for n in range(3)]
    assert await store.recordings.put(june[:2]) == 2
    assert await store.recordings.put([*june, Call(tag="july").row()]) == 2
    assert [store.recordings.has(tag) for tag in ("june", "july", "may")] == [True, True, False]
    assert await store.recordings.prune("june", before=12.0) == 2
    assert [*store.recordings.rows("june")] == june[2:]
    assert await store.recordings.prune("june", before=99.0) == 1
    assert [store.recordings.has(tag) for tag in ("june", "july")] == [False, True]


async def test_texts_are_kept_by_kind_and_key(store: Store) -> None:
    """The first text of a key stays, and a kind's keys are in the order in which they were stored."""
    rows = [MemoRow("a", "two", "2", 1.0), MemoRow("a", "one", "1", 2.0), MemoRow("b", "three", "3", 3.0)]
    await store.commit(Unit(memos=rows))
    await store.commit(Unit(memos=[MemoRow("a", "one", "other", 4.0)]))
    assert store.memos.get("a", "one") == "1"
    assert store.memos.get("b", "one") is None
    assert store.memos.keys("a") == ["two", "one"]


async def test_what_runs_have_spent_adds_up(store: Store) -> None:
    """Each run has its own sum of tokens; a call without tokens stores nothing."""
    assert store.spent("x") == 0
    for tokens in (5, 0, 7):
        await store.spend("x", tokens)
    await store.spend("y", 1)
    assert (store.spent("x"), store.spent("y"), store.spent("z")) == (12, 1, 0)


async def test_what_callers_have_spent_adds_up_by_day(store: Store) -> None:
    """Each caller has a sum for each day, apart from the runs' sums."""
    for tokens in (1, 0, 2):
        await store.spend_by("x", "2026-01-01", tokens)
    await store.spend_by("x", "2026-01-02", 1)
    days = [store.spent_by("x", day) for day in ("2026-01-01", "2026-01-02", "2026-01-03")]
    assert (days, store.spent_by("y", "2026-01-01"), store.spent("x")) == ([3, 1, 0], 0, 0)


async def test_a_closed_store_leaves_one_file(url: str, tmp_path: Path) -> None:
    """SQLite merges its log into the database when the last connection closes, so all of them must be closed."""
    store = Store.open(url)
    await store.commit(played(1, 1))
    assert store.reads.last_turn(1) is not None
    await store.close()
    assert [path.name for path in tmp_path.iterdir()] == ["records.db"]
