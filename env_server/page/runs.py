"""Pages of runs: the list, one run, its episodes, two runs compared, a search in transcripts, and the export."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from agent_env_schemas import ErrorCode
from env_server.api.context import episodes
from env_server.episodes.read.runs import RunViews
from env_server.errors import ProblemError
from env_server.estimates.intervals import Trials
from env_server.page.render import html
from env_server.page.views.figures import RunFigures, figures_of

NEWEST = 30
"""The number of runs in the list."""

CHOICES = 30
"""The maximum number of runs to choose from for a comparison."""

SAMPLE = 60
"""The number of newest scored episodes for figures by tool, and of newest failed ones for failure groups."""

RESULTS = 200
"""The number of newest results of an evaluation whose tokens are counted."""

PER_PAGE = 50
LONGEST_TEXT = 200
"""The maximum length of a text to search for, in characters."""

COMPARED = 20
"""The number of newest scored episodes of each run that a comparison takes tools, parse failures and tokens from."""

MOST_TASKS, MOST_K, MOST_FLIPS = 5_000, 4, 50
"""The maximum number of tasks that a comparison reads, its largest k of pass^k, and its maximum of flipped tasks."""

OUTCOMES = ("failed", "solved", "not scored", "open")


async def newest(request: Request) -> Response:
    """Show the newest runs."""
    found = await asyncio.to_thread(episodes(request).runs.newest, NEWEST)
    return html(request, "runs.html", runs=found, most=NEWEST)


async def run(request: Request) -> Response:
    """Show the figures of a run. With the `mark` of what is shown already, answer 204 while nothing has changed."""
    name, views = _name(request), episodes(request).runs
    count = await asyncio.to_thread(views.count, name)
    if count is None:
        raise _unknown(name)
    mark = f"{count.episodes}.{count.ended}"
    if request.query_params.get("mark") == mark:
        return Response(status_code=204)
    found = await asyncio.to_thread(views.read, name, RESULTS)
    if found is None:
        raise _unknown(name)
    scored, failed = await asyncio.to_thread(views.sample, name, SAMPLE)
    others = [each for each in await asyncio.to_thread(views.names, CHOICES) if each != name]
    figures = figures_of(found, scored, failed)
    return html(request, "run.html", run=name, figures=figures, mark=mark, others=others)


async def members(request: Request) -> Response:
    """Show a page of the episodes of a run, newest first."""
    name, asked = _name(request), request.query_params
    outcome, before = asked.get("outcome") or None, asked.get("before") or None
    if outcome is not None and outcome not in OUTCOMES:
        raise ProblemError(ErrorCode.INVALID_REQUEST, f"an outcome is one of {', '.join(OUTCOMES)}")
    page = await asyncio.to_thread(episodes(request).runs.episodes, name, PER_PAGE, outcome, before)
    more = len(page) == PER_PAGE
    return html(request, "run_episodes.html", run=name, page=page, more=more, outcome=outcome, outcomes=OUTCOMES)


async def compare(request: Request) -> Response:
    """Show how run `b` differs from run `a`, with intervals, on the tasks that both have played."""
    views, ours, theirs = episodes(request).runs, _name(request, "a"), _name(request, "b")
    for name in (ours, theirs):
        if await asyncio.to_thread(views.count, name) is None:
            raise _unknown(name)
    a, b = [await asyncio.to_thread(views.trials, name, MOST_TASKS) for name in (ours, theirs)]
    cut = MOST_TASKS if MOST_TASKS in (len(a), len(b)) else None
    tasks = {_label(found): found for found in (*a, *b)}
    sides = [{_label(t): Trials(t.scored, t.solved, t.rewards) for t in side} for side in (a, b)]
    result = await asyncio.to_thread(_compared, *sides)
    figures = [await asyncio.to_thread(_figures, views, name) for name in (ours, theirs)]
    found: dict[str, Any] = {"result": result, "tasks": tasks, "cut": cut, "figures": figures}
    return html(request, "run_compare.html", a=ours, b=theirs, most=MOST_FLIPS, **found)


async def search(request: Request) -> Response:
    """Show where transcripts hold a text: those of a run, or all."""
    asked = request.query_params
    name, text, before = asked.get("run") or None, asked.get("text", ""), asked.get("before") or None
    if len(text) > LONGEST_TEXT:
        raise ProblemError(ErrorCode.INVALID_REQUEST, f"a text to search for has at most {LONGEST_TEXT} characters")
    views = episodes(request).runs
    found = await asyncio.to_thread(views.search, name, text, before) if text else None
    return html(request, "search.html", run=name, text=text, before=before, found=found)


async def export(request: Request) -> Response:
    """Send all episodes of a run as JSON lines: one trajectory on each line, newest first."""
    name, views = _name(request), episodes(request).runs
    if await asyncio.to_thread(views.count, name) is None:
        raise _unknown(name)
    file = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip(".-") or "run"
    headers = {"Content-Disposition": f'attachment; filename="{file[:80]}.jsonl"'}
    lines = _lines(views.trajectories(name))
    return StreamingResponse(lines, media_type="application/x-ndjson", headers=headers)


async def _lines(records: Iterator[Mapping[str, Any]]) -> AsyncIterator[bytes]:
    while (record := await asyncio.to_thread(next, records, None)) is not None:
        yield orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE)


def _compared(a: Mapping[str, Trials], b: Mapping[str, Trials]) -> Mapping[str, Any] | None:
    """Return the comparison, or None if no task is in both runs."""
    from env_server.estimates.compare import compare_trials  # noqa: PLC0415 -- numpy is slow to import

    try:
        return compare_trials(a, b, MOST_K)
    except LookupError:
        return None


def _figures(views: RunViews, name: str) -> RunFigures | None:
    """Return the figures of a run for its comparison with another."""
    found = views.read(name, COMPARED, course=False)
    return None if found is None else figures_of(found, *views.sample(name, COMPARED))


def _label(task: Any) -> str:
    return f"{task.domain} {task.pack} {task.task_id}"


def _name(request: Request, field: str = "name") -> str:
    return request.query_params.get(field, "")


def _unknown(name: str) -> ProblemError:
    return ProblemError(ErrorCode.NOT_FOUND, f"no episode was begun in a run {name!r}")
