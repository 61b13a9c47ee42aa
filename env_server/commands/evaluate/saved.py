"""The data that an evaluation keeps in the database: its options, the answers of models, and the results."""

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
"""Kinds of memos that an evaluation stores. `runs.KIND` is the kind for its options."""


@dataclass(frozen=True)
class KeptResults:
    """The stored results of one run."""

    store: Store
    run: str

    def all(self) -> Mapping[Key, EpisodeOutcome]:
        """Return all stored results, by task id and trial."""
        with outages_told():
            found = self.store.memos.results(self.run)
        return {(task_id, trial): EpisodeOutcome.read_json(text) for task_id, trial, text in found}

    async def put(self, outcome: EpisodeOutcome) -> None:
        """Store a result. If the key has one already, that one stays."""
        text = orjson.dumps(outcome.plain()).decode()
        with outages_told():
            await self.store.memos.put_result(self.run, Result(outcome.task_id, outcome.trial, text))


@dataclass(frozen=True)
class StoredJournal:
    """The stored answers of models, move by move."""

    store: Store

    def recall(self, name: str) -> str | None:
        """Return the stored move, or None."""
        with outages_told():
            return self.store.memos.get(MOVE, name)

    async def keep(self, name: str, text: str) -> str:
        """Store a move and return the stored one. The first stored move stays."""
        with outages_told():
            return await self.store.memos.keep(MOVE, name, text)


def refuse_other(store: Store, run: str, spec: Spec) -> None:
    """End the program if `run` was begun with other options, and list them."""
    with outages_told():
        stored = store.memos.get(KIND, run)
    if stored is not None and stored != spec.text():
        others = "; ".join(spec.differences(stored))
        fail(f"run {run!r} was begun with other options: {others}. Choose another name with --run")


async def identity_of(store: Store, run: str) -> str:
    """Return an id that differs from those of runs with the same name in other databases."""
    with outages_told():
        return await store.memos.keep(IDENTITY, run, secrets.token_hex(8))


async def keep_spec(store: Store, run: str, spec: Spec) -> None:
    """Store the options under the run's name. End the program if another process has stored other options meanwhile."""
    with outages_told():
        await store.memos.keep(KIND, run, spec.text())
    refuse_other(store, run, spec)
