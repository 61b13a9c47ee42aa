"""Measures the requests of several sessions and the CPU time of the server."""

from collections.abc import Sequence
from time import perf_counter

from env_server.bench import BenchError
from env_server.bench.load.job import Sample
from env_server.bench.load.usage import cpu_seconds, tree_seconds


class Meter:
    """Counts the requests that end while it runs. It can be started and stopped repeatedly."""

    def __init__(self, pid: int, also: Sequence[int] = ()) -> None:
        """Measure the process `pid`, and the processes `also` with their children."""
        self._pid, self._also = pid, also
        self._latencies: list[float] = []
        self._bytes = 0
        self._began: float | None = None
        self._cpu_began: float | None = None
        self._seconds = 0.0
        self._cpu: float | None = 0.0

    def start(self) -> None:
        """Start or continue."""
        self._cpu_began = self._used()
        self._began = perf_counter()

    def stop(self) -> None:
        """Pause. If the meter does not run, do nothing."""
        if self._began is None:
            return
        self._seconds += perf_counter() - self._began
        self._began = None
        now = self._used()
        if self._cpu is None or now is None or self._cpu_began is None:
            self._cpu = None
        else:
            self._cpu += now - self._cpu_began

    def _used(self) -> float | None:
        """Return the CPU seconds of all measured processes."""
        found = [cpu_seconds(self._pid), *map(tree_seconds, self._also)]
        known = [seconds for seconds in found if seconds is not None]
        return sum(known) if len(known) == len(found) else None

    def seconds(self) -> float:
        """Return how long the meter has run."""
        return self._seconds + (0.0 if self._began is None else perf_counter() - self._began)

    def note(self, sent: float, size: int) -> None:
        """Count a request that was sent at `sent` (`perf_counter`) and has just been answered with `size` bytes."""
        if self._began is not None:
            self._latencies.append(perf_counter() - sent)
            self._bytes += size

    def sample(self) -> Sample:
        """Return the measured sample.

        Raises:
            BenchError: if no request was counted.
        """
        count = len(self._latencies)
        if count == 0:
            raise BenchError("no request ended during the measurement; measure for longer")
        ranked = sorted(self._latencies)
        p50, p99 = (1000 * ranked[min(count - 1, int(count * q))] for q in (0.5, 0.99))
        return Sample(count, self._seconds, self._cpu, p50, p99, self._bytes / count)
