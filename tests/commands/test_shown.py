"""The output of an evaluation for people."""

import io

import pytest
from rich.console import Console

from env_server.commands.evaluate import output as shown
from env_server.evals.outcome import Spent
from env_server.evals.report.summary import summary
from tests.evals.outcomes import outcome, run


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """Stderr as a terminal of 80 columns."""
    written = io.StringIO()

    def console(**_options: object) -> Console:
        return Console(file=written, force_terminal=True, width=80, height=24, color_system=None, highlight=False)

    monkeypatch.setattr(shown, "Console", console)
    return written


def test_a_narrow_terminal_shows_every_count(terminal: io.StringIO) -> None:
    """The progress line has all figures, however long the run's name is."""
    spent = Spent(prompt_tokens=1_000_000)
    known = [outcome("a", trial, policy=spent, user=spent, judge=spent) for trial in range(100)]
    with shown.bar("a-very-long-name-of-a-run" * 4, 1_000, known) as bar:
        bar.finished(outcome("b", 0, 0.0))
    assert all(part in terminal.getvalue() for part in ("101/1000", "99.0% solved", "300,000,000 tokens", "0:00:00"))


def test_a_turn_that_is_held_is_said_once(terminal: io.StringIO) -> None:
    """A held turn is reported once, with the longest time to wait."""
    with shown.bar("run", 1, []) as bar:
        bar.claimed(150.0)
        bar.claimed(90.0)
    assert terminal.getvalue().count("another process plays a turn") == 1
    assert "waiting up to 150 s" in terminal.getvalue()


def test_a_result_of_which_little_is_known_is_shown(terminal: io.StringIO) -> None:
    """A run without scores says so, and pass^k over fewer tasks is marked."""
    screen = Console(file=terminal, width=80)
    for outcomes in ([], run({"a": [1.0, 1.0], "b": [1.0, None]})):
        sums = summary(outcomes)
        shown.show(screen, "run", {**sums, "unscored": sums["episodes"] - sums["scored"], "left": 0}, "folder")
    assert "nothing was scored" in terminal.getvalue()
    assert "100.0%  (only 1 tasks)" in terminal.getvalue()
