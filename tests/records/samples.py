"""Small rows to commit. A test names only the fields it needs."""

from env_server.records import (
    AGENT,
    Claim,
    Ending,
    EpisodeRow,
    PackRow,
    RowVersion,
    SnapshotRow,
    Store,
    TaskRow,
    TurnRow,
    Unit,
)


def episode(id: int, *, run: str | None = None, group: str | None = None, pack: int = 1) -> EpisodeRow:
    """An episode of task 1 that began at second 10."""
    return EpisodeRow(id, f"ep-{id}", pack, 1, run, "train", group, None, None, "trainer", 0, "{}", 10.0)


def turn(episode: int, turn: int, *, part: int = AGENT, seq: int = 0, action: str = "{}") -> TurnRow:
    """A part of a turn, committed at second 100 + turn."""
    return TurnRow(episode, turn, part, seq, action, f"reply {turn}", f"carry {turn}", None, 100.0 + turn)


def row(episode: int, turn: int, key: str, value: str | None, part: int = AGENT) -> RowVersion:
    """Return the new value of a row of table `orders`."""
    return RowVersion(episode, turn, part, 0, "orders", key, value)


def played(episode: int, number: int, *, action: str = "{}", claim: Claim | None = None) -> Unit:
    """A turn that changed two rows."""
    rows = [row(episode, number, "#A", f'"{number}"'), row(episode, number, "#B", None)]
    return Unit(turns=[turn(episode, number, action=action)], rows=rows, claim=claim)


def ending(episode: int, turn: int) -> Ending:
    """A scored ending."""
    return Ending(episode, turn, "completed", 1.0, True, 100.0 + turn)


async def put_pack(store: Store, domain: str = "retail") -> int:
    """Store a pack of `domain` with an empty snapshot and task 1. Return the pack's key."""
    catalog = store.catalog
    snapshot = await catalog.put_snapshot(SnapshotRow(f"snap-{domain}", domain, "builtin", "00", 1), [])
    await catalog.put_task(TaskRow("task-digest", domain, "builtin", "task-1", "{}"))
    return await catalog.put_pack(PackRow(f"v-{domain}", domain, "builtin", snapshot, "policy", "tools", "td", "{}"))
