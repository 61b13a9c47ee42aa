"""Every panel of the dashboards shows something: its queries run in Prometheus, on the metrics of a real server."""

import json
import math
import os
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tests.dashboards.conftest import Played, Prometheus
from tests.docker.dashboards import FILES, loaded, queries
from tests.e2e.server import PATIENCE_S

pytestmark = pytest.mark.dashboards

PYTHON = Path(os.environ.get("DASHBOARD_PYTHON", "python"))
"""The Python of the environment that `make test-dashboards` has installed; it has Grafana's own library."""

WINDOW_S = 60
RELOADED = """
import json, sys
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.models.dashboard import Dashboard
print(JSONEncoder().encode(Dashboard.from_json(json.load(open(sys.argv[1])))))
"""


def shows(result: list[dict[str, Any]]) -> bool:
    """Return whether a result has series, all of them with finite values."""
    return bool(result) and all(math.isfinite(float(series["value"][1])) for series in result)


def test_every_query_has_a_result(played: Played, prometheus: Prometheus) -> None:
    """While episodes are played, each query gets at least one series, with finite values."""
    waiting, until, number = list(queries()), time.monotonic() + PATIENCE_S, 0
    assert len(waiting) > 30
    while waiting and time.monotonic() < until:
        played.play(number)
        number += 1
        waiting = [query for query in waiting if not shows(prometheus.ask(query.filled(WINDOW_S)))]
    assert [f"{query.id}: {query.text}" for query in waiting] == []


def test_shares_are_shares(played: Played, prometheus: Prometheus) -> None:
    """Each query of a panel in per cent of a whole has values, and all of them are between 0 and 1."""
    played.play(1000)
    time.sleep(2.5)
    of_a_whole = {
        panel["title"]
        for file in FILES
        for panel in loaded(file)["panels"]
        if panel.get("fieldConfig", {}).get("defaults", {}).get("unit") == "percentunit"
    }
    assert len(of_a_whole) >= 6
    for query in queries():
        if query.panel in of_a_whole:
            values = [float(series["value"][1]) for series in prometheus.ask(query.filled(WINDOW_S))]
            assert values, query.id
            assert all(-1e-9 <= value <= 1 + 1e-9 for value in values), (query.id, values)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_grafana_knows_every_field(file: Path) -> None:
    """Read and written by Grafana's own library, a dashboard keeps all fields. It drops unknown ones."""
    done = subprocess.run([PYTHON, "-c", RELOADED, file], capture_output=True, text=True, check=True)
    assert lacking(loaded(file), json.loads(done.stdout)) == []


def lacking(given: Any, kept: Any, at: str = "") -> list[str]:
    """Return the paths of what is in `given` and not the same in `kept`."""
    if isinstance(given, dict) and isinstance(kept, dict):
        return [
            path
            for key, value in given.items()
            for path in (lacking(value, kept[key], f"{at}/{key}") if key in kept else [f"{at}/{key}"])
        ]
    if isinstance(given, list) and isinstance(kept, list) and len(given) == len(kept):
        return [path for i, pair in enumerate(zip(given, kept, strict=True)) for path in lacking(*pair, f"{at}/{i}")]
    return [] if given == kept else [at]
