"""The report of a run: a Markdown page with plots, made from the run's summary alone.

So an interrupted and continued run has the same report as an uninterrupted one.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from env_server.evals.report.markdown import UNKNOWN, code, dollars, interval, number, percent, table

NAME = "report.md"
MOST_TOOLS, MOST_GROUPS, MOST_ROWS = 40, 15, 8
"""Maximum number of tools, failure groups and rows per group in the report. The summary has all of them."""

NO_PICTURES = (
    "This report has no plots: matplotlib is not installed. `pip install '.[eval]'` in a checkout brings it, and the "
    "same command then draws them."
)

FEWER = (
    "(*) is computed from fewer tasks than pass^1, because trials are missing, not scored or not played. Do not read "
    "it as a point of the same curve; it may be higher than the value before it."
)

Summary = Mapping[str, Any]


def write(folder: Path, run: str, spec: Mapping[str, Any], summary: Summary) -> Path:
    """Write the report of `run` into `folder`, which is created if needed, and return its path.

    `spec` has the options shown at the top of the page. `summary` is the result of `statistics.summary`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / NAME
    path.write_text(page(run, spec, summary, _pictures(folder, summary)), encoding="utf-8")
    return path


def _pictures(folder: Path, summary: Summary) -> Mapping[str, str] | None:
    """Return the file names of the plots by name, or None if matplotlib is missing."""
    try:
        from env_server.evals.report import plots  # noqa: PLC0415 -- matplotlib is slow to import, and may be absent
    except ModuleNotFoundError:
        return None
    return plots.draw(folder, summary)


def page(run: str, spec: Mapping[str, Any], summary: Summary, pictures: Mapping[str, str] | None) -> str:
    """Return the text of the report."""
    shown = pictures or {}
    lines = [
        f"# Evaluation {code(run)}",
        "",
        *table(["asked for", ""], _asked(spec), words=True),
        *([NO_PICTURES, ""] if pictures is None else []),
        *_success(summary, shown),
        *_groups("By split", "split", summary["by_split"] if len(summary["by_split"]) > 1 else {}),
        *_groups("By template", "template", summary["by_template"], shown.get("by_template")),
        *_tools(summary["by_tool"]),
        *_conversations(summary, shown),
        *_spent(summary),
        *_trust(summary),
        *_failures(summary["failures"]),
    ]
    return "\n".join(lines).rstrip("\n") + "\n"


def _asked(spec: Mapping[str, Any]) -> list[list[str]]:
    texts = {name: v if isinstance(v, str) else json.dumps(v) for name, v in spec.items() if v is not None}
    return [[code(name), code(text)] for name, text in texts.items()]


def _picture(name: str | None, words: str) -> list[str]:
    return [f"![{words}]({name})", ""] if name else []


def _success(summary: Summary, pictures: Mapping[str, str]) -> list[str]:
    played = f"{summary['tasks']:,} tasks, {summary['episodes']:,} episodes, {summary['scored']:,} of them scored"
    if not summary["scored"]:
        return ["## Success", "", f"Nothing was scored: {played}.", ""]
    ks, tasks = summary["pass_hat"], summary["pass_hat_tasks"]
    fewer = [k for k in ks if tasks[k] < tasks["1"]]
    return [
        "## Success",
        "",
        f"**{percent(summary['success'])}** (95 % interval {interval(summary['interval'])}, standard error "
        f"{percent(summary['standard_error'])}); {played}. Mean reward {summary['reward']:.3f}.",
        "",
        *table(
            ["k", "pass^k", "95 % interval", "tasks"],
            [
                [
                    f"{k} (*)" if k in fewer else k,
                    percent(ks[k]),
                    interval(summary["pass_hat_interval"][k]),
                    number(tasks[k]),
                ]
                for k in ks
            ],
        ),
        "pass^k is the chance that k trials of a task are all solved: the mean of C(solved, k) / C(scored, k) over the "
        "tasks with at least k scored trials.",
        "",
        *([FEWER, ""] if fewer else []),
        *_picture(pictures.get("pass_hat"), "pass^k with 95 % intervals"),
    ]


def _groups(title: str, kind: str, groups: Summary, picture: str | None = None) -> list[str]:
    """Return the section with the success of each group, worst first."""
    if not groups:
        return []
    rows = [
        [code(name), percent(g["success"]), interval(g["interval"]), number(g["tasks"])]
        for name, g in sorted(groups.items(), key=_worst_first)
    ]
    return [
        f"## {title}",
        "",
        *table([kind, "success", "95 % interval", "tasks"], rows),
        *_picture(picture, f"success by {kind} with 95 % intervals"),
    ]


def _worst_first(item: tuple[str, Summary]) -> tuple[bool, float, str]:
    """Return the sort key of a group. A group without scored episodes comes last."""
    name, group = item
    return not group["scored"], group["success"] or 0.0, name


def _tools(tools: Summary) -> list[str]:
    if not tools:
        return []
    names = sorted(tools, key=lambda name: (-tools[name]["calls"], name))
    left = len(names) - MOST_TOOLS
    rows = [
        [
            code(name),
            number(t["calls"]),
            percent(t["errors"] / t["calls"]) if t["calls"] else UNKNOWN,
            number(t["episodes"]),
            percent(t["success"]),
        ]
        for name in names[:MOST_TOOLS]
        for t in [tools[name]]
    ]
    return [
        "## By tool",
        "",
        *table(["tool", "calls", "failed", "episodes that called it", "their success"], rows),
        *([f"And {left:,} more tools.", ""] if left > 0 else []),
        "This is the success of the episodes that called the tool. It does not show what the calls contributed.",
        "",
    ]


def _conversations(summary: Summary, pictures: Mapping[str, str]) -> list[str]:
    turns = summary["turns"]
    figures = {
        "turns of an episode, mean": turns["mean"],
        "median": turns["median"],
        "most": turns["max"],
        "calls": summary["calls"],
        "calls that failed": summary["tool_errors"],
        "messages that could not be parsed": summary["parse_failures"],
    }
    ends = summary["stop_reasons"]
    return [
        "## Conversations",
        "",
        *table(["", ""], [[name, number(value)] for name, value in figures.items()]),
        *_picture(pictures.get("turns"), "episodes by number of turns"),
        *table(
            ["ended by", "episodes", "solved"],
            [[code(name), number(ends[name]["episodes"]), number(ends[name]["solved"])] for name in ends],
        ),
        *_picture(pictures.get("stop_reasons"), "episodes by stop reason"),
    ]


def _spent(summary: Summary) -> list[str]:
    """Return the section about model usage; empty if no model played."""
    sides = {
        side: summary[side] for side in ("policy", "user", "judge") if summary[side]["calls"] or summary[side]["cached"]
    }
    if not sides:
        return []
    head = ["side", "model calls", "from memory", "prompt tokens", "completion tokens", "cost", "unusable answers"]
    names = ("calls", "cached", "prompt_tokens", "completion_tokens")
    rows = [
        [side, *(number(s[name]) for name in names), dollars(s["cost"]), number(s["unusable"])]
        for side, s in sides.items()
    ]
    return ["## Cost", "", *table(head, rows)]


def _trust(summary: Summary) -> list[str]:
    errors, unscored = summary["user_errors"], summary["episodes"] - summary["scored"]
    rows = [
        ["episodes that are not scored", number(unscored)],
        ["broken off because the user failed", number(errors["stops"])],
        ["messages of the user that no judge had approved", number(summary["user"]["fallbacks"])],
        ["**user errors**: episodes with either", percent(errors["rate"])],
        ["scored without a judge", percent(summary["without_judge"])],
        ["scored with a component left out", percent(summary["partial"])],
    ]
    return ["## How far to trust it", "", *table(["", ""], rows)]


def _failures(failures: Summary) -> list[str]:
    groups: Sequence[Summary] = failures["groups"]
    if not groups:
        return []
    left = len(groups) - MOST_GROUPS
    head = ["rows that differ from gold's", "episodes", "tasks", "components missed", "ended by", "such as"]
    rows = [
        [
            _rows(group["rows"]),
            number(group["episodes"]),
            number(group["tasks"]),
            _counts(group["components"]),
            _counts(group["stop_reasons"]),
            ", ".join(map(code, group["examples"])),
        ]
        for group in groups[:MOST_GROUPS]
    ]
    often = list(failures["rows"].items())[:MOST_GROUPS]
    return [
        "## Failures",
        "",
        f"{failures['episodes']:,} scored episodes did not earn the whole reward. `t.f`: field f of a row of t "
        "differs; `t +`: a row that gold does not have; `t -`: one that only gold has.",
        "",
        *table(head, rows, words=True),
        *([f"And {left:,} more groups.", ""] if left > 0 else []),
        *table(["differs most often", "episodes"], [[code(row), number(count)] for row, count in often]),
    ]


def _rows(rows: Sequence[str]) -> str:
    if not rows:
        return "none"
    return ", ".join(map(code, rows[:MOST_ROWS])) + (f" and {len(rows) - MOST_ROWS} more" if rows[MOST_ROWS:] else "")


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{code(name)} {count}" for name, count in counts.items()) or UNKNOWN
