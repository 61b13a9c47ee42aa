"""The terminal output of an evaluation: a progress bar and the result."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from rich import box
from rich.console import Console
from rich.panel import Panel
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Column, Table
from rich.text import Text

from env_server.commands.output import plain
from env_server.evals.outcome import EpisodeOutcome
from env_server.evals.run import RunResult

MOST_REASONS = 3


class Bar:
    """The progress bar of an evaluation."""

    def __init__(self, progress: Progress, total: int, known: Sequence[EpisodeOutcome]) -> None:
        """Start with the outcomes that earlier starts have finished."""
        self._progress = progress
        self._seen = self._scored = self._solved = self._tokens = 0
        self._told = False
        self._task = progress.add_task("", total=total, figures="")
        for outcome in known:
            self.finished(outcome)

    def finished(self, outcome: EpisodeOutcome) -> None:
        """Add one result."""
        self._seen += 1
        self._scored += outcome.reward is not None
        self._solved += outcome.success
        sides = (outcome.policy, outcome.user, outcome.judge)
        self._tokens += sum(side.prompt_tokens + side.completion_tokens for side in sides)
        success = f"{self._solved / self._scored:.1%} solved" if self._scored else ""
        tokens = f"{self._tokens:,} tokens" if self._tokens else ""
        figures = "  ".join(filter(None, (success, tokens)))
        self._progress.update(self._task, completed=self._seen, figures=figures)

    def claimed(self, seconds: float) -> None:
        """Print once that the evaluation waits for a claimed turn."""
        if not self._told:
            self._told = True
            words = f"another process plays a turn, or was killed during it; waiting up to {seconds:.0f} s"
            self._progress.console.print(Text(words, "yellow"), soft_wrap=True)


@contextmanager
def bar(run: str, total: int, known: Sequence[EpisodeOutcome]) -> Iterator[Bar]:
    """Show a progress bar on stderr, under the name of the run, while the context is open."""
    whole = Column(no_wrap=True)
    columns = (
        BarColumn(bar_width=None, table_column=Column(ratio=1)),
        MofNCompleteColumn(table_column=whole),
        TextColumn("{task.fields[figures]}", style="green", table_column=whole.copy()),
        TimeElapsedColumn(table_column=whole.copy()),
        TimeRemainingColumn(table_column=whole.copy()),
    )
    console = Console(stderr=True, highlight=False)
    with Progress(*columns, console=console, transient=True, expand=True, disable=not console.is_terminal) as progress:
        if console.is_terminal:
            console.print(Text(plain(run), "bold cyan"), soft_wrap=True)
        yield Bar(progress, total, known)


def show(screen: Console, run: str, result: Mapping[str, Any], folder: str) -> None:
    """Print the result of a run."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    table.add_row("success", Text(_rate(result), "bold green" if result["success"] == 1 else "bold"))
    for k, value in result["pass_hat"].items():
        tasks = result["pass_hat_tasks"][k]
        fewer = f"  (only {tasks:,} tasks)" if tasks < result["pass_hat_tasks"]["1"] else ""
        table.add_row(f"pass^{k}", f"{value:.1%}{fewer}")
    table.add_row("episodes", f"{result['episodes']:,} of {result['tasks']:,} tasks")
    if result["unscored"]:
        table.add_row("unscored", Text(f"{result['unscored']:,}", "yellow"))
    if result["left"]:
        table.add_row("left", Text(f"{result['left']:,}", "bold red"))
    table.add_row("report", folder)
    screen.print(Panel(table, title=plain(run), title_align="left", box=box.ROUNDED))


def _rate(result: Mapping[str, Any]) -> str:
    if not result["scored"]:
        return "nothing was scored"
    interval = result["interval"]
    return f"{result['success']:.1%}" + (f"  ({interval[0]:.1%} to {interval[1]:.1%})" if interval else "")


def why_left(report: RunResult) -> str:
    """Return one line with the reasons why episodes are unfinished."""
    most = report.reasons.most_common(MOST_REASONS)
    reasons = "; ".join(f"{count:,} x {reason}" for reason, count in most)
    episodes = f"{report.left:,} episode{'s are' if report.left != 1 else ' is'} left"
    return f"{episodes} ({reasons}); the same command goes on with them"
