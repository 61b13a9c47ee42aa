"""The results of a benchmark and their JSON object."""

import os
import platform
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Any

from env_server.bench.load.job import Sample

HEADLINE = 64
"""Number of sessions for figures that are given once, if it was measured."""


@dataclass(frozen=True, slots=True)
class ScoringCost:
    """Median milliseconds per operation of scoring."""

    equal_ms: float
    """Score of an episode whose final rows equal gold's."""

    different_ms: float
    """Score of an episode whose last write is missing, including the list of differing rows."""

    hash_ms: float
    """Write of one changed row into the state, including the state's new hash."""


@dataclass(frozen=True, slots=True)
class Series:
    """One measurement in several rounds. Each round also measures the echo."""

    ours: tuple[Sample, ...]
    echo: tuple[Sample, ...]

    def figure(self, of: Callable[[Sample], float | None]) -> float | None:
        """Return the median of a figure of this server, or None if the machine does not provide it."""
        return median_known([of(sample) for sample in self.ours])

    def echoed(self, of: Callable[[Sample], float | None]) -> float | None:
        """Return the median of a figure of the echo, or None if the machine does not provide it."""
        return median_known([of(sample) for sample in self.echo])

    def ratio(self, of: Callable[[Sample], float | None]) -> float | None:
        """Return the median over the rounds of this server's figure divided by the echo's."""
        pairs = [(of(ours), of(echo)) for ours, echo in zip(self.ours, self.echo, strict=True)]
        return median_known([a / b if a is not None and b else None for a, b in pairs])

    def as_json(self) -> dict[str, float | None]:
        """Return each figure of this server, of the echo (`echo_...`), and their ratio (`..._ratio`)."""
        found: dict[str, float | None] = {}
        for name, of in FIGURES.items():
            found |= {name: self.figure(of), f"echo_{name}": self.echoed(of), f"{name}_ratio": self.ratio(of)}
        return found


FIGURES: dict[str, Callable[[Sample], float | None]] = {
    "per_s": lambda sample: sample.per_s,
    "per_cpu_s": lambda sample: sample.per_cpu_s,
    "cpu_us": lambda sample: sample.cpu_us,
    "p50_ms": lambda sample: sample.p50_ms,
    "p99_ms": lambda sample: sample.p99_ms,
    "reply_bytes": lambda sample: sample.reply_bytes,
}


@dataclass(frozen=True, slots=True)
class Figures:
    """All results of one run."""

    domain: str
    write_share: float
    """Share of the steps that may change state."""

    steps: dict[int, Series]
    """Series by number of sessions."""

    full: Series
    """One session with SQLite's `synchronous=FULL`."""

    new_resets: Series
    """Resets of tasks that are new to the database."""

    resets: Series
    """Resets of tasks that the database has seen before."""

    bytes_per_episode: float | None
    """Growth of the server's memory per live episode of ten turns."""

    scoring: ScoringCost

    @property
    def headline(self) -> int:
        """Return the number of sessions for figures that are given once."""
        return HEADLINE if HEADLINE in self.steps else max(self.steps)

    def as_json(self) -> dict[str, Any]:
        """Return the object for `--json`. CPU figures are null if the machine does not provide CPU time."""
        main = self.steps[self.headline].as_json()
        return {
            "domain": self.domain,
            "sessions": self.headline,
            "steps_per_s": main["per_s"],
            "steps_per_cpu_s": main["per_cpu_s"],
            "step_cpu_us": main["cpu_us"],
            "echo_per_cpu_s": main["echo_per_cpu_s"],
            "echo_ratio": main["per_cpu_s_ratio"],
            "p50_ms": main["p50_ms"],
            "p99_ms": main["p99_ms"],
            "echo_p50_ms": main["echo_p50_ms"],
            "echo_p99_ms": main["echo_p99_ms"],
            "resets_per_cpu_s": self.resets.figure(FIGURES["per_cpu_s"]),
            "new_task_resets_per_cpu_s": self.new_resets.figure(FIGURES["per_cpu_s"]),
            "bytes_per_episode": self.bytes_per_episode,
            "score_ms": max(self.scoring.equal_ms, self.scoring.different_ms),
            "score_equal_ms": self.scoring.equal_ms,
            "score_different_ms": self.scoring.different_ms,
            "hash_ms": self.scoring.hash_ms,
            "write_share": self.write_share,
            "by_sessions": {str(n): series.as_json() for n, series in self.steps.items()},
            "synchronous_full": self.full.as_json(),
            "resets": self.resets.as_json(),
            "new_task_resets": self.new_resets.as_json(),
            "python": platform.python_version(),
            "cpus": os.cpu_count(),
        }


def median_known(values: list[float | None]) -> float | None:
    """Return the median of `values`, or None if there are none or one of them is None."""
    known = [value for value in values if value is not None]
    return median(known) if known and len(known) == len(values) else None
