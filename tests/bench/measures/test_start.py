"""`env-server bench --start`."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from env_server.bench import BenchError
from env_server.bench.measures import start
from env_server.bench.measures.start import IMPORTS, LISTED, READY, StartBench
from env_server.cli import app
from env_server.domains.discovery import domains


@pytest.mark.slow
def test_a_start_is_measured() -> None:
    """Each figure stands beside the imports of its round; every domain's first reset is measured at three moments."""
    result = CliRunner().invoke(app, ["bench", "--start", "--quick", "--json"])
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout.splitlines()[-1])
    assert set(found["cpu_s"]) == {IMPORTS, READY, LISTED}
    assert set(found["imports_of"]) == {READY, LISTED}
    assert all(spent > 0 for spent in found["cpu_s"].values())
    assert set(found["first_resets"]) == set(domains())
    for first in found["first_resets"].values():
        assert first["loaded"]["cpu_s"] < first["at_once"]["cpu_s"]  # the second has nothing to load
    assert "≤ 2.0" in result.stderr


def test_a_server_that_does_not_start_ends_the_measurement(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error has the output of the server."""
    monkeypatch.setattr(start, "PROGRAM", (*start.PROGRAM[:2], "nowhere_at_all"))
    with pytest.raises(BenchError, match="nowhere_at_all"), StartBench(tmp_path, lambda _note: None)._served("x"):
        raise AssertionError("it cannot run")


def test_one_comparison_at_a_time() -> None:
    """The option cannot be combined with another comparison."""
    result = CliRunner().invoke(app, ["bench", "--start", "--tools"])
    assert result.exit_code == 2
    assert "at a time" in result.stderr
