"""What an evaluation keeps in the database: what was asked for, what models have said, and the results."""

from collections.abc import Mapping
from dataclasses import dataclass

import orjson

from env_server.commands.output import fail
from env_server.episodes.once import outages_told
from env_server.evals.outcome import Outcome
from env_server.evals.plan import Spec
from env_server.evals.run import Key
from env_server.records import Result, Store

SPEC, MOVE = "evaluation", "move"
"""Kinds of what is kept by name."""


@dataclass(frozen=True)
class KeptResults:
    """The results of one run."""

    store: Store
    run: str

    def all(self) -> Mapping[Key, Outcome]:
        """Those that there are."""
        with outages_told():
            found = self.store.memos.results(self.run)
        return {(task_id, trial): Outcome.read_json(text) for task_id, trial, text in found}

    async def put(self, outcome: Outcome) -> None:
        """Keep one; the first one stays."""
        text = orjson.dumps(outcome.plain()).decode()
        with outages_told():
            await self.store.memos.put_result(self.run, Result(outcome.task_id, outcome.trial, text))


@dataclass(frozen=True)
class Journal:
    """What models have said, move by move."""

    store: Store

    def recall(self, digest: str) -> str | None:
        """A kept move."""
        with outages_told():
            return self.store.memos.get(MOVE, digest)

    async def keep(self, digest: str, text: str) -> None:
        """Keep a move; the first one stays."""
        with outages_told():
            await self.store.memos.keep(MOVE, digest, text)


def refuse_other(store: Store, run: str, spec: Spec) -> None:
    """End the program if `run` was begun with other options, saying which."""
    with outages_told():
        stored = store.memos.get(SPEC, run)
    if stored is not None and stored != spec.text():
        others = "; ".join(spec.differences(stored))
        fail(f"run {run!r} was begun with other options: {others}. Choose another name with --run")


async def keep_spec(store: Store, run: str, spec: Spec) -> None:
    """Keep what was asked for, under the run's name; ends the program if another was faster with other options."""
    with outages_told():
        await store.memos.keep(SPEC, run, spec.text())
    refuse_other(store, run, spec)
