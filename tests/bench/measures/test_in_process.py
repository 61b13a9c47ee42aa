"""The cost of an episode's end is measured in every domain, also where gold ends with an answer."""

from pathlib import Path

import pytest

from env_server.bench.measures.in_process import time_scoring
from env_server.bench.plans import load_pack, make_plans


@pytest.mark.parametrize("domain", ["retail", "research"])
def test_scores_are_timed(domain: str, tmp_path: Path) -> None:
    """A task scores as its gold does after all of gold, and lower without gold's last write."""
    cost = time_scoring(domain, make_plans(load_pack(domain), 30), tmp_path)
    assert min(cost.equal_ms, cost.different_ms, cost.hash_ms) > 0
