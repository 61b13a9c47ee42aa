"""Databases with many episodes, live and closed, and their rows."""

import random
from collections.abc import Iterator
from itertools import islice
from typing import Any

from sqlalchemy import select

from env_server.episodes.codec.keys import episodes_in, scope_of
from env_server.records import INTENT, EffectRow, EpisodeRow, KeyRow, Store, Unit
from env_server.records.engine import make_engine
from env_server.records.tables import metadata
from env_server.records.upkeep.prune import KeyNames
from tests.records.samples import ending, episode, played, put_pack

NAMES = KeyNames(scope_of, episodes_in)
Rows = dict[str, list[tuple[Any, ...]]]


def effect(episode: int, turn: int) -> EffectRow:
    """The announcement of a call to the outside."""
    return EffectRow(episode, turn, 0, INTENT, "post", "send", "00", "writes", "{}", 100.0 + turn)


def reply(*ids: str) -> str:
    """The stored reply to a reset that began these episodes, with the reference to a shared text in it."""
    return ",".join(f'{{"episode_id":"{id}","tools":\x01{"0" * 64}}}' for id in ids)


def unit(number: int, *, turns: int, closed: bool) -> Unit:
    """An episode with some turns, an effect in each, a key for each, and perhaps an ending."""
    name = f"ep_{number}"
    all_turns = [played(number, turn) for turn in range(1, turns + 1)]
    return Unit(
        episodes=[episode(number)._replace(episode_id=name)],
        turns=[row for one in all_turns for row in one.turns],
        rows=[row for one in all_turns for row in one.rows],
        effects=[effect(number, turn) for turn in range(1, turns + 1)],
        keys=[KeyRow(scope_of(name), f"k{turn}", "d", str(turn), 100.0 + turn) for turn in range(1, turns + 1)],
        endings=[ending(number, turns)._replace(scored=number % 3 > 0, reward=number % 3 / 2 or None)]
        if closed
        else [],
    )


async def fill(store: Store, seed: int, episodes: int = 130) -> None:
    """Commit episodes of 1 to 9 turns, in groups of which one key began all; a third of them is live."""
    rng = random.Random(seed)
    await put_pack(store)
    numbers = iter(range(1, episodes + 1))
    while group := [*islice(numbers, rng.randint(1, 5))]:
        for number in group:
            await store.commit(unit(number, turns=rng.randint(1, 9), closed=rng.random() < 2 / 3))
        begun = reply(*(f"ep_{number}" for number in group))
        await store.commit(Unit(keys=[KeyRow("trainer", f"r{group[0]}", "d", begun, 10.0)]))


def rows_of(url: str) -> Rows:
    """All rows of a database, by table, in an order that does not depend on the kind of database."""
    with make_engine(url).connect() as connection:
        found = {name: map(tuple, connection.execute(select(table))) for name, table in metadata.tables.items()}
        return {name: sorted(rows, key=_order) for name, rows in found.items()}


def _order(row: tuple[Any, ...]) -> list[str]:
    return [f"{value:020}" if isinstance(value, int) else str(value) for value in row]


def of_episodes(rows: Rows, keep: set[int]) -> Iterator[tuple[str, list[tuple[Any, ...]]]]:
    """The rows that stay if only the episodes `keep` (by integer key) stay."""
    columns = {name: [column.name for column in table.columns] for name, table in metadata.tables.items()}
    for name, found in rows.items():
        if name == "keys":
            yield name, [row for row in found if _stays(row, keep)]
        elif name == "episodes" or "episode" in columns[name]:
            at = columns[name].index("id" if name == "episodes" else "episode")
            yield name, [row for row in found if row[at] in keep]
        else:
            yield name, found


def _stays(key: tuple[Any, ...], keep: set[int]) -> bool:
    scope, _, _, stored, _ = key
    named = episodes_in(stored) or {scope.removeprefix("episode:")}
    return any(int(name.removeprefix("ep_")) in keep for name in named)


def closed_before(rows: Rows, before: float) -> set[int]:
    """The integer keys of the episodes that ended before a time."""
    return {row[0] for row in rows["endings"] if row[-1] < before}


def stored(rows: Rows) -> set[int]:
    """The integer keys of all episodes."""
    return {EpisodeRow(*row).id for row in rows["episodes"]}
