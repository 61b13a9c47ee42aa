"""Comparisons beyond one process: their ratios, and the CPU time of several processes."""

import os
import subprocess
import sys

import pytest

from env_server.bench.load.job import Sample
from env_server.bench.load.usage import cpu_seconds, parent_of, tree_seconds
from env_server.bench.measures.beyond import Aimed, Beyond

BUSY = """
import subprocess, sys, time
while time.process_time() < 0.3:
    pass
if len(sys.argv) > 1:
    subprocess.run(sys.argv[1:], stdin=subprocess.DEVNULL)
sys.stdin.read()
"""


def test_a_ratio_is_taken_within_each_round() -> None:
    """A ratio is taken within a round, because a machine that is slow for a while slows all variants of the round."""
    rounds = tuple(
        {"one": Sample(100, 1.0, slow, 1.0, 2.0, 10.0), "two": Sample(100, 1.0, 1.5 * slow, 1.0, 2.0, 10.0)}
        for slow in (1.0, 7.0, 2.0)
    )
    aim = Aimed("costs", lambda found: (found["two"].cpu_us or 0) / (found["one"].cpu_us or 1), 1.15)
    found = Beyond("a title", rounds, (aim,), "")
    assert found.ratio(aim) == pytest.approx(1.5)
    assert found.as_json()["aims"] == {"costs": {"measured": pytest.approx(1.5), "bound": 1.15, "at_least": False}}
    assert found.as_json()["variants"]["one"]["cpu_us"] == pytest.approx(20_000)


def test_the_time_of_children_counts() -> None:
    """Processes that have ended count too, such as those of a database when a connection is closed."""
    command = [sys.executable, "-c", BUSY]
    process = subprocess.Popen([*command, *command], stdin=subprocess.PIPE)
    try:
        while (tree_seconds(process.pid) or 1.0) < 0.6:
            pass
        own = cpu_seconds(process.pid)
        assert own is not None
        assert (tree_seconds(process.pid) or 1.0) >= own + 0.2
        assert parent_of(process.pid) == os.getpid()
    finally:
        process.communicate()
    assert parent_of(process.pid) is None
