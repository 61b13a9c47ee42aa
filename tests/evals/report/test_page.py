"""The report and its pictures."""

import re
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings

from env_server.evals.outcome import EpisodeOutcome, Spent
from env_server.evals.report import page as report
from env_server.evals.report.summary import summary
from tests.evals.outcomes import any_run, outcome, run

SPEC = {"domain": "retail", "policy": "openai:x", "limit": None, "trials": 2}
OUTCOMES = [
    outcome("a", 0, 1.0, template="refund", tools={"look": (2, 1)}, policy=Spent(calls=3, cost=0.5)),
    outcome("a", 1, 0.0, template="refund", row_diff=("orders.status",), breakdown={"state": 0.0}),
    outcome("b", 0, None, template="co$t", turns=9, judge=Spent(calls=1)),
    outcome("b", 1, 1.0, template="co$t", tools={"pay": (1, 0)}),
]


def pictures(page: str) -> list[str]:
    """The files that a page shows."""
    return re.findall(r"!\[[^]]+\]\(([^)]+)\)", page)


def test_a_report_is_a_page_with_pictures_beside_it(tmp_path: Path) -> None:
    """Every shown picture exists and is a drawing; all parts are there."""
    path = report.write(tmp_path / "new", "my-run", SPEC, summary(OUTCOMES))
    page = path.read_text(encoding="utf-8")
    assert pictures(page) == ["pass_hat.svg", "by_template.svg", "turns.svg", "stop_reasons.svg"]
    for name in pictures(page):
        assert ElementTree.parse(path.parent / name).getroot().tag == "{http://www.w3.org/2000/svg}svg"
    heads = ["Success", "By template", "By tool", "Conversations", "Cost", "How far to trust it", "Failures"]
    assert re.findall(r"^## (.+)$", page, re.M) == heads
    assert "**75.0 %**" in page
    assert "| `orders.status` | 1 | 1 | `state` 1 | `user_stop` 1 | `a` |" in page
    assert "`limit`" not in page
    assert "| judge | 1 |" in page


def test_where_trials_are_missing_it_is_said() -> None:
    """A pass^k over fewer tasks than pass^1 is marked; with all trials, nothing is."""
    text = report.page("run", {}, summary(OUTCOMES), None)
    assert "| 2 (*) | 0.0 % |" in text
    assert report.FEWER in text
    assert "(*)" not in report.page("run", {}, summary(run({"a": [1.0, 0.0], "b": [1.0, 1.0]})), None)


def test_a_group_of_which_nothing_is_scored_comes_last() -> None:
    """A group without a scored episode has a dash for its success."""
    outcomes = [outcome("a", 0, None, template="none"), outcome("b", 0, 1.0, template="some")]
    text = report.page("run", {}, summary(outcomes), None)
    assert text.index("| `some` | 100.0 %") < text.index("| `none` | \N{EN DASH} |")


def test_the_same_summary_gives_the_same_bytes(tmp_path: Path) -> None:
    """The same episodes in another order give the same page and pictures."""
    for name, outcomes in (("one", OUTCOMES), ("two", OUTCOMES[::-1])):
        report.write(tmp_path / name, "my-run", SPEC, summary(outcomes))
    files = [{path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in ("one", "two")]
    assert files[0] == files[1]
    assert len(files[0]) == 5


def test_without_matplotlib_there_are_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without matplotlib, the report says so and shows no pictures."""
    monkeypatch.delitem(sys.modules, "env_server.evals.report.plots", raising=False)
    monkeypatch.delattr("env_server.evals.report.plots", raising=False)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    page = report.write(tmp_path, "my-run", SPEC, summary(OUTCOMES)).read_text(encoding="utf-8")
    assert report.NO_PICTURES in page
    assert pictures(page) == []
    assert "**75.0 %**" in page
    assert [path.name for path in tmp_path.iterdir()] == [report.NAME]


@pytest.mark.parametrize("outcomes", [[], run({"a": [None]})])
def test_nothing_scored_is_said(tmp_path: Path, outcomes: list[EpisodeOutcome]) -> None:
    """If nothing was scored, the report says so and has no empty pictures."""
    page = report.write(tmp_path, "my-run", {}, summary(outcomes)).read_text(encoding="utf-8")
    assert "Nothing was scored" in page
    assert pictures(page) == []


def cells(line: str) -> int:
    """The number of cells in a table's line."""
    return line.count("|") - 1


@given(any_run())
@settings(max_examples=50)
def test_no_name_breaks_the_page(outcomes: list[EpisodeOutcome]) -> None:
    """With any names of tools, rows and templates, each table has the same number of cells in every line."""
    text = report.page("a|b\n`c`", {"note": "x\n| y |"}, summary(outcomes), None)
    for block in text.strip().split("\n\n"):
        lines = block.split("\n")
        if block.startswith("|"):
            assert {cells(line) for line in lines} == {cells(lines[0])}, block
        else:
            assert len(lines) == 1, block


def test_long_lists_are_cut() -> None:
    """Of many tools and groups of failures, the first are shown, with the number of the others."""
    outcomes = [
        outcome(f"t{i}", 0, 0.0, row_diff=tuple(f"r{j}" for j in range(i, i + 12)), tools={f"tool{i}": (1, 0)})
        for i in range(60)
    ]
    text = report.page("run", {}, summary(outcomes), None)
    assert "And 20 more tools." in text
    assert "And 45 more groups." in text
    assert " and 4 more |" in text


def test_plots_draw_what_is_hard_to_draw(tmp_path: Path) -> None:
    """One trial, many templates, one turn and equal tasks have pictures too."""
    shown: Any = summary([outcome(f"t{i}", 0, 1.0, template=f"template {i}", turns=1) for i in range(90)])
    page = report.write(tmp_path, "run", {}, shown).read_text(encoding="utf-8")
    assert len(pictures(page)) == 4
