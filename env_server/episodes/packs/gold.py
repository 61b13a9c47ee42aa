"""Gold outcomes: the results of a task's reference solution. It runs once per task and tools; SQL stores the result."""

from collections.abc import Callable
from typing import Final

import orjson

from env_server.domains.kit import Task
from env_server.episodes.codec.text import row_text, row_value
from env_server.episodes.failures import HungWork, tool_problem
from env_server.episodes.packs.library import KEPT, Library, LivePack, weight_of
from env_server.lru import Recent
from env_server.providers.spec import CallScope
from env_server.records import GoldRow, Store
from env_server.rewards import GoldOutcome
from env_server.state import Change, State
from env_server.tools import ToolCrashed

GIVEN_UP_S: Final = 300.0
"""Seconds during which a task's gold with hanging tools is not run again."""


def gold_state(beginning: State, gold: GoldOutcome) -> State:
    """Return the state after gold's changes to a task's `beginning`."""
    return beginning.apply(Change(*c) for c in gold.changes)


async def run_gold(live: LivePack, task: Task, state: State) -> GoldOutcome:
    """Run the gold calls of `task` on `state`, its beginning. Record a failing call; it changes nothing.

    Raises:
        ToolCrashed: if a tool has a defect.
    """
    scope = CallScope(state, f"gold_{task.digest}", task.moment)
    errors = []
    for place, call in enumerate(task.gold.actions, 1):
        side = live.gold_side(task, call.requestor)
        if side.leaves(call.name):  # the call changes no rows, and its result is no part of the outcome
            continue
        outcome = await side.call_any(scope, call.name, call.arguments)
        if outcome.fault is not None:
            errors.append(f"call {place}, {call.name}: {outcome.text}")
    await live.pack.forget(scope.episode)
    return GoldOutcome(state.hash, [(c.table, c.key, c.row) for c in state.take_changes()], tuple(errors))


class Golds:
    """Gold outcomes by task, tools and snapshot."""

    def __init__(self, store: Store, library: Library) -> None:
        """Store outcomes in `store`, and the latest ones in memory."""
        self._store = store
        self._library = library
        self._kept: Recent[tuple[str, str], GoldOutcome] = Recent(KEPT)
        self._hangs = HungWork[tuple[str, str]](GIVEN_UP_S)

    async def outcome(
        self, live: LivePack, task: Task, vet: Callable[[GoldOutcome], None] | None = None
    ) -> GoldOutcome:
        """Return the outcome of `task`'s gold. `vet` checks it first; an outcome that `vet` refuses is not stored.

        Raises:
            ProblemError: `tool_crashed` if a tool has a defect, `step_timeout` if one was cut off.
        """
        gold = self.known(live, task)
        is_new = gold is None
        gold = gold or await self._run(live, task)
        if vet is not None:
            vet(gold)
        if is_new:
            digests = task.digest, live.pack.tools_digest, live.pack.snapshot.digest
            await self._store.catalog.put_gold(GoldRow(*digests, _encode(gold)))
            self._keep(live, task, gold)
        return gold

    def known(self, live: LivePack, task: Task) -> GoldOutcome | None:
        """Return the outcome of `task`'s gold if any process has run it before; else None."""
        gold = self._kept.get((task.digest, live.version))
        if gold is None:
            stored = self._store.catalog.gold(task.digest, live.pack.tools_digest, live.pack.snapshot.digest)
            gold = None if stored is None else self._keep(live, task, _decode(stored))
        return gold

    async def _run(self, live: LivePack, task: Task) -> GoldOutcome:
        with self._hangs.watched((task.digest, live.version)):
            try:
                return await run_gold(live, task, self._library.beginning(live, task))
            except ToolCrashed as e:
                raise tool_problem(e, f"gold of task {task.task_id!r}: {e.blame}") from e

    def _keep(self, live: LivePack, task: Task, gold: GoldOutcome) -> GoldOutcome:
        self._kept.put((task.digest, live.version), gold, weight_of(task))
        return gold


def _encode(gold: GoldOutcome) -> str:
    changes = [[table, key, None if row is None else row_text(row)] for table, key, row in gold.changes]
    return orjson.dumps({"hash": gold.hash, "changes": changes, "errors": list(gold.errors)}).decode()


def _decode(text: str) -> GoldOutcome:
    stored = orjson.loads(text)
    changes = [(table, key, None if row is None else row_value(row)) for table, key, row in stored["changes"]]
    return GoldOutcome(stored["hash"], changes, tuple(stored["errors"]))
