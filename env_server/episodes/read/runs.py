"""Reads for people who look at a run: its figures, a sample of its episodes, its trajectories, and a search.

All data comes from SQL, so any process can answer. The rows that are read do not grow with the number of episodes.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from env_server.episodes.packs.library import Library
from env_server.episodes.read.reader import EpisodeReader
from env_server.episodes.read.search import SearchPage, search
from env_server.errors import ProblemError
from env_server.lru import Recent
from env_server.records import EpisodeRow, Result, RunCount, Store, TaskTrials
from env_server.records.read.runs import AlikeTasks, Period, Stop

PERIODS, LEAST_PERIODS, OF_A_PERIOD = 24, 5, 10
"""Maximum and minimum number of periods into which the scored episodes of a run are divided, and the minimum number of
episodes in one period. A run with fewer episodes has no periods, because so few rewards mostly show chance.
"""

REMEMBERED = 2_000
"""The number of digests kept in memory."""

AT_ONCE = 20
"""The number of episodes whose keys an export reads at a time."""

NOT_EXECUTED = "not_executed"
"""The error of a call that was not executed because the episode had already ended."""


@dataclass(frozen=True, slots=True)
class ModelSpending:
    """A model's answers in an episode, their tokens, and their cost in US dollars (None if a price is unknown)."""

    calls: int = 0
    prompt: int = 0
    completion: int = 0
    cost: float | None = 0.0

    @classmethod
    def of(cls, usages: Iterable[Mapping[str, Any] | None]) -> "ModelSpending":
        """Return the sum of the usage that replies report."""
        made = [each for each in usages if each]
        costs: list[float | None] = [each.get("cost") for each in made if each["calls"]]
        return cls(
            sum(each["calls"] for each in made),
            sum(each["prompt_tokens"] for each in made),
            sum(each["completion_tokens"] for each in made),
            None if None in costs else sum(filter(None, costs)),
        )


@dataclass(frozen=True, slots=True)
class EpisodeDigest:
    """The data of one ended episode that the figures of a run need."""

    episode: Mapping[str, Any]
    template: str | None
    tools: Mapping[str, tuple[int, int]]
    """(calls, failed calls) by tool. Calls that were not executed do not count."""

    parse_failures: int
    user: ModelSpending
    judge: ModelSpending
    """The tokens and costs of the models that play the user or judge. The user's first message, which belongs to no
    turn, is left out.
    """

    last: Mapping[str, Any]
    """From the last reply: the breakdown of the reward, and what the reward would have been."""

    split: str | None = None
    trial: int = 0


@dataclass(frozen=True, slots=True)
class RunRead:
    """The numbers of a run that SQL can compute."""

    count: RunCount
    alike: Sequence[AlikeTasks]
    periods: Sequence[Period]
    stops: Sequence[Stop]
    user_tokens: int
    results: Sequence[Result]
    """The newest results, if the run is an evaluation of `env-server eval` on this database."""

    places: Sequence[tuple[str, str]] = ()
    """The domains and packs of its episodes."""


@dataclass(frozen=True)
class RunViews:
    """Reader of runs. Call its methods from a worker thread."""

    store: Store
    library: Library
    reader: EpisodeReader
    _digests: Recent[str, EpisodeDigest] = field(default_factory=lambda: Recent(REMEMBERED))
    _lock: Lock = field(default_factory=Lock)

    def newest(self, limit: int) -> list[tuple[str, RunCount, Sequence[tuple[str, str]]]]:
        """Return the newest runs with their numbers of episodes, domains and packs. A run that has only forks is left
        out.
        """
        names = self.names(limit)
        places = self.store.runs.places(names)
        counted = [(name, self.store.runs.count(name)) for name in names]
        return [(name, count, places[name]) for name, count in counted if count is not None]

    def names(self, limit: int) -> list[str]:
        """Return the names of the newest runs."""
        return self.store.runs.names(limit)

    def count(self, run: str) -> RunCount | None:
        """Return the number of the run's episodes, or None if there is no such run."""
        return self.store.runs.count(run)

    def read(self, run: str, results: int, *, course: bool = True) -> RunRead | None:
        """Return the numbers of a run, with at most `results` of its newest results; None if there is no such run.

        Without `course`, no periods are read.
        """
        count, runs = self.count(run), self.store.runs
        if count is None:
            return None
        newest = self.store.memos.newest_results(run, results)
        spent = self.store.spent(run)
        number = min(PERIODS, count.scored // OF_A_PERIOD)
        periods = runs.periods(run, number) if course and number >= LEAST_PERIODS else []
        places = runs.places([run])[run]
        return RunRead(count, runs.alike(run), periods, runs.stops(run), spent, newest, places)

    def sample(self, run: str, limit: int) -> tuple[list[EpisodeDigest], list[EpisodeDigest]]:
        """Return digests of the newest `limit` scored episodes, and of the newest `limit` that failed."""
        failed = self.store.runs.newest(run, limit, outcome="failed")
        solved = self.store.runs.newest(run, limit, outcome="solved")
        scored = sorted([*failed, *solved], key=lambda row: -row.id)[:limit]
        return self._of(scored), self._of(failed)

    def trials(self, run: str, limit: int) -> list[TaskTrials]:
        """Return the scored trials of at most `limit` tasks."""
        return self.store.runs.trials(run, limit)

    def episodes(
        self, run: str, limit: int, outcome: str | None = None, before: str | None = None
    ) -> Sequence[dict[str, Any]]:
        """Return summaries of the newest episodes, of one outcome (`failed`, `solved`, `not scored`, `open`) or all."""
        key = None if before is None else self.reader.row(before).id
        rows = self.store.runs.newest(run, limit, outcome=outcome, before=key)
        return self.reader.summaries(rows)

    def trajectories(self, run: str) -> Iterator[dict[str, Any]]:
        """Yield the complete record of every episode, newest first. Episodes are read as the caller takes them."""
        before: int | None = None
        while rows := self.store.runs.newest(run, AT_ONCE, before=before):
            before = rows[-1].id
            for row in rows:
                yield self.reader.trajectory(row.episode_id)

    def search(self, run: str | None, text: str, before: str | None) -> SearchPage:
        """Return where episodes hold `text`: those of `run`, or all. `before` is the id of an episode."""
        key = None if before is None else self.reader.row(before).id
        return search(self.store, self.library, run, text, key)

    def _of(self, rows: Sequence[EpisodeRow]) -> list[EpisodeDigest]:
        found = []
        for row in rows:
            with self._lock:
                digest = self._digests.get(row.episode_id)
            if digest is None:
                try:
                    digest = self._digest(row)
                except ProblemError:  # an incompatible version wrote its task
                    continue
                with self._lock:
                    self._digests.put(row.episode_id, digest)
            found.append(digest)
        return found

    def _digest(self, row: EpisodeRow) -> EpisodeDigest:
        record = self.reader.trajectory(row.episode_id)
        infos = [part["info"] for turn in record["turns"] for part in turn["parts"] if part["part"] == "agent"]
        calls, errors = Counter[str](), Counter[str]()
        for call in (call for info in infos for call in info.get("calls") or ()):
            if call.get("error") != NOT_EXECUTED:
                calls[call["name"]] += 1
                errors[call["name"]] += call.get("error") is not None
        ended, task = record["turns"][-1]["parts"][-1]["info"], self.library.task(row.task)
        return EpisodeDigest(
            record["episode"],
            task.template,
            {name: (number, errors[name]) for name, number in calls.items()},
            sum(info.get("parse_failure") is not None for info in infos),
            ModelSpending.of(info.get("user_usage") for info in infos),
            ModelSpending.of([ended.get("judge_usage")]),
            {name: ended.get(name) for name in ("reward_breakdown", "would_be")},
            task.split,
            json.loads(row.options).get("trial", 0),
        )
