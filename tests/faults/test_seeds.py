"""Runs seeds of the simulation for 90 s of processor time, and looks for the planted bug that is hardest to find."""

import os
import time
from itertools import count

import pytest

from tests.faults.simulation.faults import Weather
from tests.faults.simulation.planted import PLANTED
from tests.faults.simulation.run import simulate

pytestmark = pytest.mark.faults

SECONDS = float(os.environ.get("SIMULATION_SECONDS", "90"))
"""Seconds of processor time for seeds."""

FIRST = 100
"""tests/faults/test_simulation.py runs the first ones."""


def test_many_seeds_find_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """The first violation names its seed, whose trace `python -m tests.faults.simulation --seed N` prints."""
    began, done = time.process_time(), 0
    for seed in count(FIRST):
        if time.process_time() - began > SECONDS:
            break
        outcome = simulate(seed)
        assert outcome.violation is None, f"seed {seed}"
        done += 1
    with capsys.disabled():
        print(f"\n{done} seeds from {FIRST}, no violation")
    assert done


def test_pauses_in_the_middle_of_turns_find_nothing() -> None:
    """A process that goes on after its claim has lapsed changes and sends nothing."""
    assert [outcome.violation for outcome in (simulate(seed, Weather.pausing) for seed in range(40))] == [None] * 40


def test_a_claim_that_is_not_fenced_is_found() -> None:
    """Processes that are paused in the middle of turns send something for a turn that another process has ended."""
    with PLANTED["claims are not fenced"]():
        found = next(filter(None, (simulate(seed, Weather.pausing).violation for seed in range(200))), None)
    assert found is not None
    assert "no turn tells of it" in found
