"""The dashboards ask for metrics and labels that the server has. `make test-dashboards` runs their queries."""

import re
from itertools import combinations
from pathlib import Path

import pytest

from env_server.telemetry.metrics import REGISTRY
from tests.docker.dashboards import FILES, Query, loaded, panels, queries, variables

PROMETHEUS = {"instance", "job", "le"}
"""Labels that Prometheus and histograms add."""

SUFFIXES = {"counter": ["_total"], "gauge": [""], "histogram": ["_bucket", "_sum", "_count"]}
QUERIES = list(queries())


def names() -> dict[str, str]:
    """The names of the server's time series, each with the name of its metric."""
    return {f.name + suffix: f.name for f in REGISTRY.collect() for suffix in SUFFIXES[f.type]}


def labels() -> dict[str, set[str]]:
    """The labels of each metric, as docs/operating.md has them; tests/docs compares that page with the server."""
    page = (Path(__file__).parents[2] / "docs" / "operating.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `((?:env_server|process)_\w+)` \|([^|]*)\|$", page, re.M)
    return {name.removesuffix("_total"): set(re.findall(r"\w+", given)) for name, given in rows}


def asked(query: str) -> set[str]:
    """The names of time series in a query."""
    return set(re.findall(r"\b(?:env_server|process)_\w+", query))


def test_there_are_dashboards() -> None:
    """Every file has panels with queries, so that the tests below look at something."""
    assert len(FILES) == 3
    assert len(QUERIES) > 30


@pytest.mark.parametrize("query", QUERIES, ids=lambda query: query.id)
def test_every_metric_of_a_query_exists(query: Query) -> None:
    """Each name is a time series of the server, and each label in matchers and groups is one of its metric."""
    series = names()
    assert asked(query.text), "a query about nothing"
    assert asked(query.text) <= series.keys()
    allowed = set.union(*(labels()[series[name]] for name in asked(query.text))) | PROMETHEUS
    matched = set(re.findall(r"[{,]\s*(\w+)\s*(?:=~|!~|!=|=)", query.text))
    grouped = {label for group in re.findall(r"\bby \(([^)]*)\)", query.text) for label in re.findall(r"\w+", group)}
    assert matched | grouped <= allowed


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_legends_and_variables_name_labels(file: Path) -> None:
    """A legend names labels that its query keeps; a variable's values are a label of an existing metric."""
    for panel in panels(file):
        for target in panel["targets"]:
            grouped = re.findall(r"\bby \(([^)]*)\)", target["expr"])
            kept = set(re.findall(r"\w+", " ".join(grouped))) if grouped else {"instance", "server"}
            assert set(re.findall(r"{{(\w+)}}", target["legendFormat"])) <= kept, panel["title"]
    known = variables(file)
    for metric, label in known.values():
        assert label in labels()[names()[metric]] | PROMETHEUS
    used = {name for query in QUERIES if query.file == file.stem for name in re.findall(r"\$([a-z]\w*)", query.text)}
    assert used == set(known)


def test_every_metric_is_on_a_dashboard() -> None:
    """No metric of the server is left for nobody to see."""
    shown = {name for query in QUERIES for name in asked(query.text)}
    series = names()
    assert {series[name] for name in shown} == set(series.values())


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_panels_can_be_read(file: Path) -> None:
    """Each panel has a number, a title, a description and a unit; no two overlap; the datasource is a choice."""
    dashboard = loaded(file)
    assert dashboard["uid"] == file.stem
    assert len({panel["id"] for panel in dashboard["panels"]}) == len(dashboard["panels"])
    for panel in panels(file):
        assert panel["title"]
        assert panel["description"].endswith(".")
        assert panel["fieldConfig"]["defaults"]["unit"]
        assert panel["datasource"]["uid"] == "${datasource}"
    for one, other in combinations((panel["gridPos"] for panel in dashboard["panels"]), 2):
        beside = one["x"] + one["w"] <= other["x"] or other["x"] + other["w"] <= one["x"]
        below = one["y"] + one["h"] <= other["y"] or other["y"] + other["h"] <= one["y"]
        assert beside or below, (one, other)
    assert all(panel["gridPos"]["x"] + panel["gridPos"]["w"] <= 24 for panel in dashboard["panels"])
