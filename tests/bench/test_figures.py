import os
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from env_server.bench import BenchError
from env_server.bench.figures import FIGURES, Figures, ScoringCost, Series
from env_server.bench.load.job import Sample
from env_server.bench.load.meter import Meter
from env_server.bench.load.usage import cpu_seconds, resident_bytes
from env_server.bench.report import aims

PER_CPU_S = FIGURES["per_cpu_s"]


def sample(cpu_s: float | None, requests: int = 100) -> Sample:
    """A sample with this CPU time."""
    return Sample(requests, 1.0, cpu_s, 1.0, 2.0, 1000.0)


def figures(cpu_s: float | None, memory: float | None) -> Figures:
    """Results in which the echo took half a second for a hundred requests."""
    series = Series((sample(cpu_s),), (sample(0.5),))
    return Figures("retail", 0.25, {64: series}, series, series, series, memory, ScoringCost(0.1, 0.2, 0.01))


@given(st.floats(0.5, 2.0), st.lists(st.floats(0.1, 10.0), min_size=1, max_size=9))
def test_noise_that_hits_both_cancels(factor: float, busy: list[float]) -> None:
    """A ratio is taken within each round, so that a machine that is slow for a while does not change it."""
    series = Series(tuple(sample(b * factor) for b in busy), tuple(sample(b) for b in busy))
    assert series.ratio(PER_CPU_S) == pytest.approx(1 / factor)


def test_unknown_cpu_time_is_unknown_everywhere() -> None:
    """Without CPU time or memory from the machine, their figures are null and their aims undecided."""
    found = figures(None, None)
    assert found.as_json()["steps_per_cpu_s"] is None
    assert found.as_json()["bytes_per_episode"] is None
    assert found.as_json()["p99_ms"] == 2.0
    assert [aim.met for aim in aims(found)] == [None, None, None, True, False]


def test_aims_are_bounds_that_count_as_met() -> None:
    """Just reaching an aim meets it; the next worse figure does not."""
    exact = figures(0.5 / 0.7, 20_000.0)
    assert [aim.met for aim in aims(exact)] == [True, False, True, True, False]
    worse = figures(0.5 / 0.69, 20_001.0)
    assert [aim.met for aim in aims(worse)] == [False, False, False, True, False]


def test_the_meter_counts_only_while_it_runs() -> None:
    """Requests before, between and after the measured times do not count; time and CPU of these times are added up."""
    meter = Meter(os.getpid())
    for _ in range(2):
        meter.note(time.perf_counter(), 1)
        meter.start()
        meter.note(time.perf_counter(), 10)
        meter.stop()
        meter.stop()
    found = meter.sample()
    assert (found.requests, found.reply_bytes) == (2, 10.0)
    assert found.seconds == meter.seconds()
    with pytest.raises(BenchError):
        Meter(os.getpid()).sample()


def test_usage_of_a_process() -> None:
    """CPU time grows with work, memory is at least an interpreter's, and a dead process is an error."""
    before = cpu_seconds(os.getpid())
    if before is not None:
        began = time.process_time()
        while time.process_time() < began + 0.1:
            pass
        found, spent = (cpu_seconds(os.getpid()) or 0) - before, time.process_time() - began
        assert found == pytest.approx(spent, abs=0.05)
    memory = resident_bytes(os.getpid())
    assert memory is None or memory > 5_000_000
