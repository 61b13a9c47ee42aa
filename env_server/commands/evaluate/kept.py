"""What an evaluation keeps in the database: what was asked for, what models have said, and the results."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass

import orjson

from env_server.commands.output import fail
from env_server.commands.runs import KIND
from env_server.episodes.outages import outages_told
from env_server.evals.outcome import EpisodeOutcome
from env_server.evals.plan import Spec
from env_server.evals.run import Key
from env_server.records import Result, Store

IDENTITY, MOVE = "evaluation id", "move"
"""Kinds of what is kept by name, beside what was asked for."""


@dataclass(frozen=True)
class KeptResults:
    """The results of one run."""

    store: Store
    run: str

    def all(self) -> Mapping[Key, EpisodeOutcome]:
        """Those that there are."""
        with outages_told():
            found = self.store.memos.results(self.run)
        return {(task_id, trial): EpisodeOutcome.read_json(text) for task_id, trial, text in found}

    async def put(self, outcome: EpisodeOutcome) -> None:
        """Keep one; the first one stays."""
        text = orjson.dumps(outcome.plain()).decode()
        with outages_told():
            await self.store.memos.put_result(self.run, Result(outcome.task_id, outcome.trial, text))


@dataclass(frozen=True)
class StoredJournal:
    """What models have said, move by move."""

    store: Store

    def recall(self, name: str) -> str | None:
        """The kept move."""
        with outages_told():
            return self.store.memos.get(MOVE, name)

    async def keep(self, name: str, text: str) -> str:
        """Keep a move; returns the one that is kept, which is the first."""
        with outages_told():
            return await self.store.memos.keep(MOVE, name, text)


def refuse_other(store: Store, run: str, spec: Spec) -> None:
    """End the program if `run` was begun with other options, saying which."""
    with outages_told():
        stored = store.memos.get(KIND, run)
    if stored is not None and stored != spec.text():
        others = "; ".join(spec.differences(stored))
        fail(f"run {run!r} was begun with other options: {others}. Choose another name with --run")


async def identity_of(store: Store, run: str) -> str:
    """What tells this run from those of the same name in other databases."""
    with outages_told():
        return await store.memos.keep(IDENTITY, run, secrets.token_hex(8))


async def keep_spec(store: Store, run: str, spec: Spec) -> None:
    """Keep what was asked for, under the run's name; ends the program if another was faster with other options."""
    with outages_told():
        await store.memos.keep(KIND, run, spec.text())
    refuse_other(store, run, spec)
