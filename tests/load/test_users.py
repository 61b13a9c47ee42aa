"""Load test of many model users beside episodes without users: no turn is lost."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from env_server.bench import command
from env_server.bench.measures.users import Crowded, Load, UsersBench
from env_server.bench.report import crowd_aims
from env_server.cli import app

LOAD = Load(players=96, turns=3, latency_s=1.0, others_per_s=50.0)


def nothing(_what: str) -> None:
    """Discard progress messages."""


@pytest.mark.slow
def test_a_crowd_is_served_and_so_is_everybody_else(tmp_path: Path) -> None:
    """Each of 96 episodes gets its turns in order and its end, while the steps of the other episodes continue.

    The bench reads every reply and fails on an unexpected one. Bounds are ten times the target.
    """
    found = UsersBench("retail", LOAD, tmp_path, nothing).run()
    assert 1.0 <= found.total_ratio < 10
    assert found.steps_with > LOAD.ideal_s * LOAD.others_per_s / 4
    assert found.growth_bytes is None or found.growth_bytes < 500e6


@pytest.mark.slow
def test_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """`bench --users` prints the aims for people, and one JSON object with the ratios."""
    monkeypatch.setattr(command, "QUICK_LOAD", Load(players=8, turns=1, latency_s=0.5))
    result = CliRunner().invoke(app, ["bench", "--users", "--quick", "--json"])
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout.splitlines()[-1])
    assert found["players"] == 8
    assert found.keys() >= {"total_ratio", "p99_ratio", "growth_bytes", "kept_bytes", "remains_bytes"}
    assert "p99 of other steps" in result.stderr


def test_one_comparison_at_a_time() -> None:
    """Users and a larger world are not measured together."""
    result = CliRunner().invoke(app, ["bench", "--users", "--scale", "2"])
    assert result.exit_code == 2


def test_ratios() -> None:
    """The first message counts as a turn. If the machine does not report a value, its target is undecided."""
    found = Crowded(Load(256, 4, 4.0), 24.0, 100, 100, 3.0, 6.0, 1.0, 1.0, None, None, None)
    assert found.total_ratio == pytest.approx(1.2)
    assert found.p99_ratio == 2
    assert [aim.met for aim in crowd_aims(found)] == [True, True, None, None]
