"""Plots of a summary as SVG.

The same summary gives the same bytes. It imports matplotlib, so callers import it late.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter

Summary = Mapping[str, Any]

BLUE, GREY, PALE = "#2f6db3", "#9aa5b1", "#e4e9ef"
STYLE: Any = {  # the available names depend on the matplotlib release
    "axes.axisbelow": True,
    "axes.edgecolor": GREY,
    "axes.grid": True,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 11,
    "figure.facecolor": "white",  # the page around it may be dark
    "font.size": 9,
    "grid.color": PALE,
    "svg.hashsalt": "agent-env-server",  # else ids in the file are random
    "text.parse_math": False,  # a name may contain a dollar sign
}
WIDTH, HEIGHT = 6.4, 3.4
LINE = 0.24
"""Height in inches of one line, in plots that grow with the number of lines."""

MOST_LINES = 80
"""Maximum number of templates shown, worst first. The report's table has all of them."""


def draw(folder: Path, summary: Summary) -> dict[str, str]:
    """Draw all plots that have data into `folder`, and return the file names by plot."""
    if not summary["scored"]:
        return {}
    drawn = {}
    for name, (there_is, picture) in PICTURES.items():
        if there_is(summary):
            drawn[name] = f"{name}.svg"
            with rc_context(STYLE):
                figure = picture(summary)
                figure.savefig(folder / drawn[name], metadata={"Date": None}, bbox_inches="tight")
    return drawn


def _axes(title: str, height: float = HEIGHT) -> tuple[Figure, Axes]:
    # A bare Figure needs no window system and is not kept in pyplot's list of open figures.
    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    axes = figure.add_subplot(title=title)
    return figure, axes


def _whole_numbers() -> MaxNLocator:
    """Return the tick locator for counts, which also works for a single count."""
    return MaxNLocator(integer=True, min_n_ticks=1)


def _pass_hat(summary: Summary) -> Figure:
    figure, axes = _axes("pass^k: all of k trials solved")
    ks, values = list(summary["pass_hat"]), list(summary["pass_hat"].values())
    below, above = _arms(values, [summary["pass_hat_interval"][k] for k in ks])
    axes.errorbar([int(k) for k in ks], values, (below, above), color=BLUE, marker="o", capsize=3, elinewidth=1)
    axes.set(xlabel="k", ylim=(-0.02, 1.02), xlim=(0.5, int(ks[-1]) + 0.5))
    axes.xaxis.set_major_locator(_whole_numbers())
    axes.yaxis.set_major_formatter(PercentFormatter(1))
    return figure


def _by_template(summary: Summary) -> Figure:
    groups = {name: group for name, group in summary["by_template"].items() if group["scored"]}
    names = sorted(groups, key=lambda name: (groups[name]["success"], name))[:MOST_LINES]
    title = "Success by template" + (f", the {len(names)} worst" if len(names) < len(groups) else "")
    figure, axes = _axes(title, 1 + LINE * len(names))
    values = [groups[name]["success"] for name in names]
    below, above = _arms(values, [groups[name]["interval"] for name in names])
    lines = range(len(names))
    axes.errorbar(values, lines, xerr=(below, above), color=BLUE, fmt="o", capsize=2, elinewidth=1, markersize=4)
    axes.set_yticks(lines, names)
    axes.set(xlim=(-0.02, 1.02), ylim=(len(names) - 0.5, -0.5))
    axes.xaxis.set_major_formatter(PercentFormatter(1))
    return figure


def _turns(summary: Summary) -> Figure:
    figure, axes = _axes("Episodes by number of turns")
    counts = summary["turns"]["counts"]
    axes.bar([int(turns) for turns in counts], list(counts.values()), color=BLUE, width=0.9)
    axes.axvline(summary["turns"]["mean"], color="black", linewidth=1, linestyle="--")
    axes.set(xlabel="turns (dashed: the mean)", ylabel="episodes", xlim=(-0.5, summary["turns"]["max"] + 0.5))
    axes.grid(visible=False, axis="x")
    axes.xaxis.set_major_locator(_whole_numbers())
    axes.yaxis.set_major_locator(_whole_numbers())
    return figure


def _stop_reasons(summary: Summary) -> Figure:
    ends = summary["stop_reasons"]
    names = sorted(ends, key=lambda name: (-ends[name]["episodes"], name))
    figure, axes = _axes("Episodes by stop reason", 1.3 + 1.4 * LINE * len(names))
    lines = range(len(names))
    solved = [ends[name]["solved"] for name in names]
    axes.barh(lines, solved, color=BLUE, label="solved")
    rest = [ends[name]["episodes"] - ends[name]["solved"] for name in names]
    axes.barh(lines, rest, left=solved, color=GREY, label="not solved")
    axes.set_yticks(lines, names)
    axes.set(ylim=(len(names) - 0.5, -0.5), xlabel="episodes")
    axes.grid(visible=False, axis="y")
    axes.xaxis.set_major_locator(_whole_numbers())
    axes.legend(frameon=False, loc="lower right", bbox_to_anchor=(1, 1), ncols=2, borderaxespad=0)
    return figure


def _arms(values: list[float], intervals: list[list[float]]) -> tuple[list[float], list[float]]:
    """Return how far each interval extends below and above its value."""
    pairs = list(zip(values, intervals, strict=True))
    return [max(value - low, 0.0) for value, (low, _) in pairs], [max(high - value, 0.0) for value, (_, high) in pairs]


PICTURES: dict[str, tuple[Callable[[Summary], object], Callable[[Summary], Figure]]] = {
    "pass_hat": (lambda summary: summary["pass_hat"], _pass_hat),
    "by_template": (lambda summary: any(g["scored"] for g in summary["by_template"].values()), _by_template),
    "turns": (lambda summary: summary["turns"]["counts"], _turns),
    "stop_reasons": (lambda summary: summary["stop_reasons"], _stop_reasons),
}
"""The plots by name: (whether the summary has data for it, the function that draws it)."""
