"""Measures the pages for people: how long each takes and how large it is, with few and with many stored episodes."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from time import perf_counter
from typing import Any

import httpx2
from rich.console import Console
from rich.table import Table

from env_server.bench import BenchError
from env_server.bench.measures.steps import Note
from env_server.bench.servers.filled import multiply
from env_server.bench.servers.start import OURS, READY_S, serving

FEW, MANY = 100, 10_000
"""The numbers of stored episodes."""

TASKS, TURNS, RUN, OTHER, WORDS = 25, 3, "pages", "pages too", "Hello, how can I help you?"
"""The played episodes: the number of tasks, of the agent's messages in each, and the names of two runs."""

PASSES = (RUN, RUN, RUN, OTHER)
"""The run of each time that all tasks are played. The first run fills the samples from which its page is made."""

ROUNDS = 20
LARGEST = 200_000
"""The aim for the size of a page, in bytes."""


@dataclass(frozen=True, slots=True)
class PageTimes:
    """One page with one number of episodes: the times of its requests in milliseconds, and its size in bytes."""

    ms: Sequence[float]
    size: int

    @property
    def p50(self) -> float:
        """The median."""
        return sorted(self.ms)[len(self.ms) // 2]

    @property
    def p95(self) -> float:
        """The 95th percentile."""
        return quantiles(self.ms, n=20, method="inclusive")[-1] if len(self.ms) > 1 else self.ms[0]


@dataclass(frozen=True, slots=True)
class PageFigures:
    """The results by page: with `FEW` episodes, and with `MANY`."""

    pages: Mapping[str, tuple[PageTimes, PageTimes]]

    def as_json(self) -> dict[str, Any]:
        """Return the object for `--json`."""
        found = {
            name: {
                str(number): {"p50_ms": times.p50, "p95_ms": times.p95, "bytes": times.size}
                for number, times in zip((FEW, MANY), both, strict=True)
            }
            for name, both in self.pages.items()
        }
        return {"pages": found, "aims": {"bytes": LARGEST}}


@dataclass(frozen=True, slots=True)
class PagesBench:
    """One run, on a real server whose SQLite database is in `folder`."""

    domain: str
    folder: Path
    note: Note
    rounds: int = ROUNDS

    def run(self) -> PageFigures:
        """Run the measurements.

        Raises:
            BenchError: if something does not start, or a page is not answered.
        """
        with self._served() as client:
            self.note(f"playing {FEW} episodes")
            play(client, self.domain)
            few = self._measured(client, FEW)
        multiply(self._file, MANY)
        with self._served() as client:
            many = self._measured(client, MANY)
        return PageFigures({name: (few[name], many[name]) for name in few})

    @property
    def _file(self) -> Path:
        return self.folder / "pages.db"

    @contextmanager
    def _served(self) -> Iterator[httpx2.Client]:
        settings = {"ENV_SERVER_DATABASE_URL": f"sqlite:///{self._file}", "ENV_SERVER_DOMAINS": self.domain}
        with (
            serving(OURS, self.folder, settings) as running,
            httpx2.Client(base_url=f"http://127.0.0.1:{running.port}", timeout=READY_S) as client,
        ):
            yield client

    def _measured(self, client: httpx2.Client, number: int) -> dict[str, PageTimes]:
        self.note(f"pages with {number:,} episodes")
        shown = addresses(self.domain, *newest(client, 2))
        sizes = {name: len(_good(client.get(address)).content) for name, address in shown.items()}  # imports their code
        times: dict[str, list[float]] = {name: [] for name in shown}
        for _ in range(self.rounds):
            for name, address in shown.items():
                began = perf_counter()
                _good(client.get(address))
                times[name].append((perf_counter() - began) * 1000)
        return {name: PageTimes(times[name], sizes[name]) for name in shown}


def play(client: httpx2.Client, domain: str) -> None:
    """Play `FEW` episodes on the server of `client`.

    Raises:
        BenchError: if a request is refused.
    """
    for run in PASSES:
        for index in range(TASKS):
            body = {"domain": domain, "split": "test", "index": index, "run": run, "max_turns": TURNS}
            id = _good(client.post("/reset", json=body)).json()["episode_id"]
            for _ in range(TURNS):
                if _good(client.post("/step", json={"episode_id": id, "action": WORDS})).json()["done"]:
                    break


def newest(client: httpx2.Client, number: int) -> list[str]:
    """Return the ids of the newest episodes."""
    return [each["episode_id"] for each in _good(client.get(f"/episodes?limit={number}")).json()["episodes"]]


def addresses(domain: str, episode: str, other: str) -> dict[str, str]:
    """Return the address of one page of each kind."""
    run, text = RUN, WORDS.partition(",")[0]
    return {
        "domains": "/",
        "tasks": f"/page/domains/{domain}",
        "episodes": "/page/episodes",
        "an episode": f"/page/episodes/{episode}",
        "a turn": f"/page/episodes/{episode}/turns/1",
        "code": f"/page/episodes/{episode}/code",
        "two rollouts": f"/page/compare?left={episode}&right={other}",
        "runs": "/page/runs",
        "a run": f"/page/run?name={run}",
        "failed episodes of a run": f"/page/run/episodes?name={run}&outcome=failed",
        "two runs": f"/page/runs/compare?a={run}&b={OTHER.replace(' ', '+')}",
        "search": f"/page/search?run={run}&text={text}",
    }


def _good(reply: httpx2.Response) -> httpx2.Response:
    if reply.status_code != 200:
        raise BenchError(f"{reply.request.url} was answered {reply.status_code}: {reply.text[:200]}")
    return reply


def show_pages(figures: PageFigures, console: Console) -> None:
    """Print the table."""
    table = Table(title="pages by the number of stored episodes: p50 / p95 ms, and size", title_justify="left")
    for heading in ("", f"{FEW:,}", f"{MANY:,}", "KB"):
        table.add_column(heading, justify="right" if heading else "left", no_wrap=True)
    for name, (few, many) in figures.pages.items():
        times = (f"{each.p50:.1f} / {each.p95:.1f}" for each in (few, many))
        table.add_row(name, *times, f"{many.size / 1000:.1f}")
    console.print(table)
    console.print(_LEGEND, style="dim")


_LEGEND = (
    f"A real server on a SQLite database, one request at a time. Three quarters of the episodes are of one run "
    f"of {TASKS} tasks; the {MANY:,} are copies of the {FEW} that were played. The first request of each page is left "
    f"out. Aim: no page is over {LARGEST / 1000:.0f} KB."
)
