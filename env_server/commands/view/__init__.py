"""`env-server view`: episodes that were stored elsewhere, as one HTML file with the views of the page."""

import os
import sys
import webbrowser
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from rich.text import Text
from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from env_server.commands.output import console, fail, plain, print_json, readable_errors
from env_server.commands.view.found import FoundEpisode, UnreadableSource
from env_server.commands.view.sources import opened
from env_server.evals.report.summary import summary
from env_server.page.report import report_html
from env_server.page.views.run import RunEpisode, failure_groups, run_episode

MOST_EPISODES = 100
"""The maximum number of transcripts in the file. Episodes without the whole reward come first."""


def run(
    name: str,
    *,
    run: str | None,
    task: str | None,
    limit: int,
    html: Path | None,
    browser: bool,
    as_json: bool,
) -> None:
    """Write the file and open it in a browser, if there is one and `browser`. Print where the file is."""
    shown = _without_password(name)
    with readable_errors():
        try:
            with opened(name, run) as source:
                found, more = _read(source.episodes, task, limit)
                if not found:
                    fail(f"{shown}: no episode{'' if task is None else f' of task {task!r}'}")
                text, result = _report(shown, source.facts, found)
        except UnreadableSource as e:
            fail(f"{shown}: {e}")
        except OSError as e:
            fail(f"{shown}: {e.strerror or e}")
    path = _written(html, shown, text)
    result |= {"html": str(path), "more": more}
    if as_json:
        print_json(result)
    else:
        _say(result, limit)
    if browser and _has_browser():
        webbrowser.open(path.resolve().as_uri())


def _read(episodes: Iterable[FoundEpisode], task: str | None, limit: int) -> tuple[list[FoundEpisode], bool]:
    """Return the first `limit` episodes, and whether there are more."""
    wanted = (found for found in episodes if task is None or found.outcome.task_id == task)
    found = list(islice(wanted, limit + 1))
    return found[:limit], len(found) > limit


def _report(name: str, facts: Any, found: Sequence[FoundEpisode]) -> tuple[str, dict[str, Any]]:
    """Return the text of the file, and the figures."""
    figures = summary(each.outcome for each in found)
    worst = sorted(found, key=lambda f: (f.outcome.success, f.outcome.reward is None, f.outcome.task_id))
    chosen = worst[:MOST_EPISODES]
    shown: list[RunEpisode] = []
    for each in chosen:
        outcome = each.outcome
        shown.append(run_episode(outcome.task_id, outcome.trial, None, each.record(), len(chosen), each.verdict))
    short = Path(name).name or name
    text = report_html(short, facts, figures, failure_groups(shown), shown, kind="Episodes of")
    counts = {key: figures[key] for key in ("episodes", "tasks", "scored", "success", "reward")}
    return text, {**counts, "transcripts": len(shown), "format": facts["format"]}


def _written(html: Path | None, name: str, text: str) -> Path:
    """Write the file, in a new folder that only this user can read unless `html` names one, and return its path."""
    path = html
    try:
        if path is None:
            stem = "".join(c if c.isalnum() or c in "-_." else "-" for c in Path(name).stem)[:60].strip(".-")
            path = Path(mkdtemp(prefix="env-server-view-")) / f"{stem or 'episodes'}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8", "replace"))
    except OSError as e:
        fail(f"--html: {e}")
    return path


def _say(result: dict[str, Any], limit: int) -> None:
    screen = console(as_json=False)
    rate = "nothing was scored" if result["success"] is None else f"success {result['success']:.1%}"
    counts = ", ".join((_counted(result["episodes"], "episode"), _counted(result["tasks"], "task"), rate))
    screen.print(f"{result['format']}: {counts}")
    if result["more"]:
        screen.print(f"these are the first {limit:,}; --limit reads more, --task chooses")
    if result["transcripts"] < result["episodes"]:
        screen.print(f"{result['transcripts']:,} transcripts, those without the whole reward first")
    screen.print(Text(plain(result["html"]), "bold"), soft_wrap=True)


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _has_browser() -> bool:
    """Return whether a person sees a browser that this program opens."""
    if not sys.stdout.isatty():
        return False
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _without_password(name: str) -> str:
    if "://" not in name:
        return name
    try:
        return make_url(name).render_as_string(hide_password=True)
    except ArgumentError:
        return "(the address)"
