"""The answers of research tasks, found again by other code in results of the tools and in raw rows."""

import json
import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import cache
from typing import Any

import pytest

from env_server.domains.kit import Task
from env_server.domains.research.families import TEMPLATES
from tests.domains.research import arithmetic, from_tables
from tests.domains.research.desk import Visit, listed, pack, played

pytestmark = pytest.mark.anyio
STUDIES = ("reaction", "other-side", "drift", "rush", "recovery")


def results(visit: Visit) -> list[dict[str, Any]]:
    """The structured results of the calls of an episode."""
    return [{**o.structured, "name": o.name, "arguments": o.arguments} for o in visit.outcomes if o.structured]


def agrees(task: Task, found: Any) -> bool:
    """Whether a value is the task's answer."""
    assert task.answer is not None
    right = task.answer.value
    if isinstance(right, float):
        return abs(float(found) - right) <= max(task.answer.tolerance, 1e-4) * abs(right)
    return bool(found == right or found in task.answer.also)


def rows(table: str) -> Iterator[Any]:
    """The rows of a table of the world."""
    yield from pack().snapshot.tables[table].rows.values()


def said(text: str, number: float) -> bool:
    """Whether a text has a number in digits."""
    return any(float(found.replace(",", "")) == number for found in re.findall(r"\d[\d,]*(?:\.\d+)?", text))


async def solved(task: Task) -> Any:
    """The answer by other code: from results of gold's look-ups if it is computed, else from the tables."""
    request = str(task.slots["request"])
    for row in task.initial.get("messages", {}).values():
        assert row is not None
        request = str(row["text"])
    template = str(task.slots["inner"] or task.template)
    if template in arithmetic.SOLVERS:
        return arithmetic.SOLVERS[template](request, results(await played(task)))
    if template in STUDIES:
        return await studied(task, await played(task))
    world = from_tables.World(tables(), from_tables.now_of(str(task.now)))
    if template == "open-question":
        return from_tables.question(world, thread_of(task)[0])
    if template == "correction":
        return from_tables.correction(world, thread_of(task)[-1], request)
    return from_tables.READERS[template.removesuffix("-unknown")](world, request)


@cache
def tables() -> dict[str, list[Any]]:
    """All rows of the world by table."""
    return {name: list(table.rows.values()) for name, table in pack().snapshot.tables.items()}


def thread_of(task: Task) -> list[str]:
    """The texts of the task's thread at its time, in order."""
    (first,) = task.slots["threads"]
    root, now = pack().snapshot.tables["messages"].rows[first], datetime.fromisoformat(str(task.now)).timestamp()
    replies = [m for m in rows("messages") if m["channel"] == root["channel"] and m.get("thread_ts") == root["ts"]]
    own = {m["ts"]: str(m["text"]) for m in (root, *replies) if float(m["ts"]) <= now}
    return [own[ts] for ts in sorted(own, key=float)]


async def studied(task: Task, visit: Visit) -> Any:
    """The answer of an event study, from the first report in the news and from more bars than gold reads."""
    articles = next(r["articles"] for r in results(visit) if r["name"] == "polygon_get_news")
    trace = task.evidence[0].shows
    shown = [a for a in articles if all(re.search(re.escape(t), f"{a['title']} {a['summary']}") for t in trace)]
    bars = next(r for r in results(visit) if r["name"] == "polygon_get_aggs")
    start, end = bars["arguments"]["start_date"], bars["arguments"]["end_date"]
    on_time = [a["published"] for a in shown if start <= a["published"][:10] <= end or task.template == "drift"]
    at = min(on_time) if on_time else min(a["published"] for a in articles if a["published"][:10] >= start)
    first, last = arithmetic.wide(at)
    more = await visit.call("polygon_get_aggs", {"ticker": bars["ticker"], "start_date": first, "end_date": last})
    return arithmetic.study(str(task.template), more.structured["bars"], at)


async def check(tasks: Sequence[Task]) -> None:
    """Assert that every answer is found again, and that one that cannot be known is not found."""
    for task in tasks:
        found = await solved(task)
        assert task.answer is not None
        if task.answer.value is None:
            assert found is None, (task.task_id, task.ticket, found)
        else:
            assert agrees(task, found), (task.task_id, task.template, task.ticket, found, task.answer)


async def test_answers_are_found_again() -> None:
    """Other code finds the answer of a task of every template in `test` and `train`."""
    for split in ("test", "train"):
        one_each = {task.template: task for task in listed(split, 120)}
        assert set(one_each) == {template.name for template in TEMPLATES}
        await check(list(one_each.values()))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(5))
async def test_all_answers_are_found_again(part: int) -> None:
    """The same holds for all 500 test tasks."""
    await check(listed("test", 500)[part::5])


async def test_answers_of_texts_stand_in_what_was_read() -> None:
    """If the answer is read and not computed, a result shows the evidence with the same value."""
    read = 0
    for task in listed("test", 200):
        if task.template in ("web-fact", "founder", "contract-term", "town-vote", "new-chief", "test-grade"):
            assert task.answer is not None
            visit = await played(task)
            assert not visit.unseen, task.task_id
            words = " ".join(task.evidence[-1].shows)
            value = task.answer.value
            assert said(words, value) if isinstance(value, float) else str(value) in words, task.task_id
            read += 1
    assert read > 25


def test_the_first_and_the_last_report_are_so_by_the_times_of_all_articles() -> None:
    """By the raw rows, the publisher is that of the event's first or last article."""
    for task in (task for task in listed("test", 200) if task.template == "first-report"):
        title = task.evidence[0].shows[1]
        events = {
            a["event"] for a in rows("articles") if a["title"] == title and a["tickers"][0] in task.slots["subjects"]
        }
        about = [a for a in rows("articles") if a.get("event") in events and a["at"] <= str(task.now)]
        about.sort(key=lambda article: article["at"])
        assert task.answer is not None
        assert task.answer.value in (about[0]["publisher"], about[-1]["publisher"])
        last = re.search(r"\b(last|latest|slowest)\b", task.slots["request"]) is not None
        assert task.answer.value == about[-1 if last else 0]["publisher"], task.task_id


def test_what_cannot_be_known_stands_nowhere_yet() -> None:
    """No page that exists at the task's time has the fact; at the twin's time, one has it."""
    tried = 0
    for split in ("test", "train"):
        for task in (task for task in listed(split, 200) if task.slots["family"] == "cannot be known"):
            assert task.answer is not None
            assert task.answer.value is None
            name, now = task.answer.missing[0], str(task.now)
            search = next(c for c in task.gold.actions if c.name in ("tavily_search", "fmp_get_income_statement"))
            if search.name == "tavily_search":
                wanted = search.arguments["query"]
                facts = [f for p in rows("pages") if p["published"] <= now for f in p["facts"]]
                assert not [f for f in facts if f"{f['subject']} {f['attribute']}" == wanted], task.task_id
            else:
                day = task.evidence[-1].shows[1]
                filed = [s["ends"] for s in rows("statements") if s["ticker"] == name and s["accepted"] <= now]
                assert max(filed) == day, task.task_id
            assert name not in json.dumps([task.ticket, task.instruction]), task.task_id
            tried += 1
    assert tried > 25


def test_open_questions_are_the_words_of_a_colleague() -> None:
    """A task about a question in the workspace has the thread of that question, which nobody has answered yet."""
    for task in (task for task in listed("test", 500) if task.template == "open-question"):
        (thread,) = task.slots["threads"]
        question = pack().snapshot.tables["messages"].rows[thread]
        replies = [m for m in rows("messages") if m.get("thread_ts") == question["ts"]]
        now = datetime.fromisoformat(str(task.now)).timestamp()
        assert float(question["ts"]) <= now
        assert all(float(reply["ts"]) > now for reply in replies), task.task_id
