"""Prints the figures as tables, and compares them with the aims."""

from collections.abc import Callable
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

from env_server.bench.figures import FIGURES, Figures, Series
from env_server.bench.measures.scale import Growth
from env_server.bench.measures.users import Crowded


@dataclass(frozen=True, slots=True)
class Aim:
    """A figure and the bound that it should meet."""

    name: str
    value: float | None
    bound: float
    at_least: bool
    show: Callable[[float], str]

    @property
    def met(self) -> bool | None:
        """Return whether the figure meets its bound; None if the machine does not provide it."""
        if self.value is None:
            return None
        return self.value >= self.bound if self.at_least else self.value <= self.bound


def aims(figures: Figures) -> list[Aim]:
    """Return the aims with their measured figures."""
    main, per_cpu_s = figures.steps[figures.headline], FIGURES["per_cpu_s"]
    scoring = figures.scoring
    return [
        Aim("steps per CPU-second, of the echo's", main.ratio(per_cpu_s), 0.7, True, "{:.1%}".format),
        Aim("resets per CPU-second", figures.resets.figure(per_cpu_s), 2000, True, "{:,.0f}".format),
        Aim("memory per live episode, KB", _scaled(figures.bytes_per_episode, 1e-3), 20, False, "{:.1f}".format),
        Aim("score, equal to gold, ms", scoring.equal_ms, 0.1, False, "{:.3f}".format),
        Aim("score, different from gold, ms", scoring.different_ms, 0.1, False, "{:.3f}".format),
    ]


_LEGEND = (
    "Steps at so many sessions; {writes:.0%} call a tool that may write. FULL is SQLite's synchronous=FULL. "
    "New tasks are begun for the first time on this database. The echo is a bare FastAPI application that takes and "
    "gives the same models, at /step also beside our resets. Every reply was read and checked."
)


def show(figures: Figures, console: Console) -> None:
    """Print the tables."""
    console.print(_measured(figures))
    console.print(_LEGEND.format(writes=figures.write_share), style="dim")
    console.print(_aimed(figures))


_COLUMNS = (
    ("per s", "per_s", "{:,.0f}"),
    ("per CPU s", "per_cpu_s", "{:,.0f}"),
    ("CPU µs", "cpu_us", "{:,.0f}"),
    ("p50 ms", "p50_ms", "{:.2f}"),
    ("p99 ms", "p99_ms", "{:.2f}"),
    ("reply B", "reply_bytes", "{:,.0f}"),
)
"""Heading, figure and format."""


def _measured(figures: Figures) -> Table:
    table = Table(title=f"{figures.domain}: ours, the echo in the same rounds, ours / echo", title_justify="left")
    table.add_column("")
    for heading, _, _ in _COLUMNS:
        table.add_column(heading, justify="right")
    for sessions, series in figures.steps.items():
        _add(table, f"steps, {sessions:,}", series)
    _add(table, "steps, 1, FULL", figures.full)
    _add(table, "resets, new tasks", figures.new_resets)
    _add(table, "resets", figures.resets)
    return table


def _add(table: Table, name: str, series: Series) -> None:
    table.add_section()
    table.add_row(name, *(_shown(series.figure(FIGURES[key]), form) for _, key, form in _COLUMNS))
    echo = (_shown(series.echoed(FIGURES[key]), form) for _, key, form in _COLUMNS)
    table.add_row("  echo", *echo, style="dim")
    ratio = (_shown(series.ratio(FIGURES[key]), "{:.2f}") for _, key, _ in _COLUMNS)
    table.add_row("  ours / echo", *ratio, style="dim")


def _aimed(figures: Figures) -> Table:
    return _against(f"aims, at {figures.headline} sessions", aims(figures))


def _against(title: str, aimed: list[Aim]) -> Table:
    table = Table(title=title, title_justify="left")
    table.add_column("")
    for name in ("measured", "aim", ""):
        table.add_column(name, justify="right")
    for aim in aimed:
        bound = f"{'≥' if aim.at_least else '≤'} {aim.show(aim.bound)}"
        verdict = {True: "[green]met[/]", False: "[red]not met[/]", None: "unknown"}[aim.met]
        table.add_row(aim.name, "?" if aim.value is None else aim.show(aim.value), bound, verdict)
    return table


def crowd_aims(found: Crowded) -> list[Aim]:
    """Return the aims for users that are models, with their measured figures."""
    grown, left = _scaled(found.growth_bytes, 1e-6), _scaled(found.remains_bytes, 1e-6)
    return [
        Aim("total time, of turns x latency", found.total_ratio, 1.3, False, "{:.2f}".format),
        Aim("p99 of other steps, of theirs without", found.p99_ratio, 2, False, "{:.2f}".format),
        Aim("growth of memory, MB", grown, 50, False, "{:.1f}".format),
        Aim("what the next crowd leaves behind, MB", left, 5, False, "{:.1f}".format),
    ]


def show_crowded(found: Crowded, console: Console) -> None:
    """Print how users that are models slow down other episodes."""
    load = found.load
    title = f"{load.players} users that take {load.latency_s:g} s to answer, {load.turns} turns: {found.total_s:.1f} s"
    console.print(_against(title, crowd_aims(found)))
    console.print(
        f"Other episodes' steps, {load.others_per_s:g} in a second: p50 {found.p50_without_ms:.2f} ms and p99 "
        f"{found.p99_without_ms:.2f} ms without these users, {found.p50_with_ms:.2f} ms and {found.p99_with_ms:.2f} ms "
        "beside them. The first message counts as a turn. Every reply was read and checked."
        + ("" if found.kept_bytes is None else f" Kept ready for the next crowd: {found.kept_bytes / 1e6:.1f} MB."),
        style="dim",
    )


def show_growth(growth: Growth, console: Console) -> None:
    """Print the costs of a larger world."""
    usual, scaled = growth.rows
    table = Table(
        title=f"{growth.domain}: a world of {usual:,} rows, and one of {scaled:,} ({growth.scale} times the size)",
        title_justify="left",
    )
    table.add_column("")
    for heading in ("usual size", f"{growth.scale} times", "ratio"):
        table.add_column(heading, justify="right")
    for cost in growth.costs:
        form = "{:,.0f}" if cost.unit == "bytes" else "{:,.1f}"
        figures = _shown(cost.usual, form), _shown(cost.scaled, form), _shown(cost.ratio, "{:.2f}")
        table.add_row(f"{cost.name.replace('_', ' ')}, {_UNITS[cost.unit]}", *figures)
    console.print(table)
    console.print(_GROWTH_LEGEND, style="dim")


_UNITS = {"us": "µs", "bytes": "B"}
_GROWTH_LEGEND = (
    "CPU of the server per step and per reset, the two servers in turn; a ratio is taken within a round. A new task's "
    "reset generates the task. In one process: time per changed row with the hash after it, time per score of an "
    "ended episode, and the live objects of an episode of ten turns."
)


def _shown(value: float | None, form: str) -> str:
    return "?" if value is None else form.format(value)


def _scaled(value: float | None, factor: float) -> float | None:
    return None if value is None else value * factor
