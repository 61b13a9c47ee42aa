"""Pages of runs: figures, failures, comparison, search and export."""

import html
import json
import re
from typing import Any
from urllib.parse import quote, urlencode

import pytest

from env_server.page import runs
from tests.page.conftest import Browser

HOSTILE = "\"><script>alert(1)</script>/../%00?&#' {{ 7 * 7 }}"
LIMIT = 200_000


def begin(browser: Browser, run: str, index: int = 0, **options: Any) -> str:
    """The id of an episode of a test task in a run."""
    body = {"domain": "retail", "split": "test", "index": index, "run": run, "purpose": "eval", **options}
    reply = browser.client.post("/reset", json=body)
    assert reply.status_code == 200, reply.text
    return str(reply.json()["episode_id"])


def act(browser: Browser, id: str, action: Any) -> dict[str, Any]:
    """The reply to a message of the agent."""
    reply = browser.client.post("/step", json={"episode_id": id, "action": action})
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    return found


def call(name: str, **arguments: str) -> dict[str, Any]:
    """A message with one call."""
    return {"tool_calls": [{"name": name, "arguments": arguments}]}


def fail(browser: Browser, run: str, index: int = 0, words: str = "I cannot help.") -> str:
    """An episode of a run that ends with reward 0 after a failed call."""
    id = begin(browser, run, index, max_turns=2)
    act(browser, id, call("get_order_details", order_id="#W0000000"))
    assert act(browser, id, words)["reward"] == 0
    return id


def solve(browser: Browser, run: str) -> str:
    """An episode of a run that ends with reward 1."""
    id = begin(browser, run)
    act(browser, id, "Hello! What is your email address, which order is it, and why do you want to cancel it?")
    act(browser, id, call("find_user_id_by_email", email="yusuf.rossi5352@example.com"))
    act(browser, id, call("get_order_details", order_id="#W6204781"))
    act(browser, id, "I will cancel order #W6204781 because it was ordered by mistake. Shall I go ahead?")
    act(browser, id, call("cancel_pending_order", order_id="#W6204781", reason="ordered by mistake"))
    assert act(browser, id, "Your order has been cancelled. Is there anything else?")["reward"] == 1
    return id


def test_a_failed_episode_is_three_clicks_away(browser: Browser) -> None:
    """Links lead from any page to the runs, to the run, and from its group of failures to the transcript."""
    failed = fail(browser, "three clicks")
    assert 'href="/page/runs"' in browser.get("/")
    link = re.search(r'href="(/page/run\?name=three%20clicks)"', browser.get("/page/runs"))
    assert link is not None
    groups = re.search(r'<ol class="groups">(.*?)</ol>', browser.get(link[1]), re.DOTALL)
    assert groups is not None
    assert f'href="/page/episodes/{failed}"' in groups[1]
    assert "get_order_details" not in browser.get("/page/runs")
    assert "I cannot help." in browser.get(f"/page/episodes/{failed}")


def test_figures(browser: Browser) -> None:
    """The page shows success over tasks, pass^k, stops, errors by tool, and a solved rollout beside a failed one."""
    solved, failed = solve(browser, "figures"), fail(browser, "figures")
    fail(browser, "figures", 1)
    open_one = begin(browser, "figures")
    page = browser.get("/page/run?name=figures")
    words = " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())
    assert "Success 25.0 %" in words  # half of one task, and nothing of the other
    assert "Evaluation on retail, test split" in words
    assert "Mean reward 0.250 95 %: 0." in words
    assert "Episodes 3 scored, 1 open, 4 in all" in words
    assert "The limit of turns was reached: 2 episodes" in words
    assert "2 50.0 %" not in words
    assert re.search(r"\b2 0\.0 % .* 1 ", words)  # pass^2 counts the task with two scored trials
    assert re.search(r"get_order_details 3 2\b", words)
    assert f'href="/page/compare?left={solved}&amp;right={failed}"' in page
    assert open_one in browser.get("/page/run/episodes?name=figures&outcome=open")
    only_failed = browser.get("/page/run/episodes?name=figures&outcome=failed")
    assert failed in only_failed
    assert solved not in only_failed


def test_a_run_is_live(browser: Browser) -> None:
    """Without news the page answers 204 to its own mark; after an episode has ended, it has new figures."""
    fail(browser, "live")
    page = browser.get("/page/run?name=live")
    mark = re.search(r'name="mark" value="([^"]+)"', page)
    assert mark is not None
    assert 'hx-trigger="every 2s"' in page
    assert browser.client.get(f"/page/run?name=live&mark={mark[1]}").status_code == 204
    fail(browser, "live", 1)
    assert "2 scored, 0 open, 2 in all" in browser.get(f"/page/run?name=live&mark={mark[1]}")


def test_trials_are_told_apart(browser: Browser) -> None:
    """Two failed trials of a task are two links with the trials' numbers."""
    for trial in (0, 3):
        id = begin(browser, "trials", trial=trial, max_turns=1)
        act(browser, id, "I cannot help.")
    page = browser.get("/page/run?name=trials")
    labels = re.findall(r'href="/page/episodes/ep_\w+">\S+ (trial \d)<', page)
    assert sorted(labels) == ["trial 0", "trial 3"]


def test_two_runs_compared(browser: Browser) -> None:
    """The difference of success has an interval, and the task that got worse is named."""
    for run in ("before", "after"):
        fail(browser, run, 1)
    solve(browser, "before")
    fail(browser, "after")
    page = browser.get("/page/runs/compare?a=before&b=after")
    assert "These episodes do not tell A and B apart." in page
    words = " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())
    assert "before and after compared A before retail, test split B after retail, test split" in words
    assert "\N{MINUS SIGN}50.0 points \N{MINUS SIGN}100.0 to +0.0" in words
    assert "Worse in B (after): 1" in words
    assert "\N{MINUS SIGN}0.500" in words
    assert re.search(
        r"turns of an episode 4\.0 2\.0 calls of an episode 2\.0 1\.0 calls that failed 25\.0 % 100\.0 %", words
    )
    begin(browser, "nothing scored")
    assert "No task has scored episodes" in browser.get("/page/runs/compare?a=before&b=nothing%20scored")
    browser.get("/page/runs/compare?a=before&b=nowhere", 404)


def test_search(browser: Browser) -> None:
    """Words with quotes and wildcards are found where they were said, in the given run."""
    words = 'It costs "100%_\\" \n today'
    id = fail(browser, "searched", words=words)
    fail(browser, "searched", words="It costs nothing.")
    page = browser.get("/page/search?" + urlencode({"run": "searched", "text": 'COSTS "100%_\\'}))
    assert re.findall(r'href="/page/episodes/(ep_\w+)/turns/(\d+)"', page) == [(id, "2")]
    assert "<mark>costs &#34;100%_\\</mark>" in page
    assert "Nothing found" in browser.get("/page/search?run=searched&text=tool_calls")
    assert "Nothing found" in browser.get("/page/search?run=three%20clicks&text=It+costs")
    assert "#W0000000" in browser.get("/page/search?run=searched&text=%23w0000000")
    browser.get("/page/search?text=" + "x" * 201, 422)


def test_search_goes_on_with_older_episodes(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each page looks in a window of episodes, and its link leads to the next one until none is left."""
    first = fail(browser, "windows", words="a needle")
    for _ in range(2):
        fail(browser, "windows")
    monkeypatch.setattr("env_server.episodes.read.search.WINDOW", 2)
    page = browser.get("/page/search?run=windows&text=a+needle")
    assert "Nothing found in these episodes" in page
    link = re.search(r'rel="next" href="([^"]+)"', page)
    assert link is not None
    page = browser.get("/page/search" + html.unescape(link[1]))
    assert first in page
    assert 'rel="next"' not in page


def test_export(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each line is an episode's trajectory as in the API; all episodes are there, newest first."""
    monkeypatch.setattr("env_server.episodes.read.runs.AT_ONCE", 2)
    ids = [fail(browser, "exported", index) for index in range(3)]
    answer = browser.client.get("/page/run/export?name=exported")
    assert answer.headers["content-disposition"] == 'attachment; filename="exported.jsonl"'
    lines = [json.loads(line) for line in answer.text.splitlines()]
    assert [line["episode"]["episode_id"] for line in lines] == ids[::-1]
    assert lines[0] == browser.client.get(f"/episodes/{ids[2]}/trajectory").json()
    browser.get("/page/run/export?name=nowhere", 404)


def test_hostile_names_stay_words(browser: Browser) -> None:
    """Markup in a run's name or in words adds no element and no header, and their links work."""
    id = fail(browser, HOSTILE, words=HOSTILE)
    link = f"/page/run?name={quote(HOSTILE)}"
    assert link in browser.get("/page/runs")
    asked = quote(HOSTILE)
    pages = [browser.get(link), browser.get(f"/page/run/episodes?name={asked}"), browser.get("/page/runs"),
             browser.get(f"/page/search?text={asked}"), browser.get(f"/page/runs/compare?a={asked}&b={asked}"),
             browser.get(f"/page/run?name={asked}x", 404)]  # fmt: skip
    for page in pages:
        assert "<script>alert" not in page
        assert "{{ 7 * 7 }}" in page
    assert id in pages[3]
    answer = browser.client.get(f"/page/run/export?name={asked}")
    assert re.fullmatch(r'attachment; filename="[A-Za-z0-9._-]+\.jsonl"', answer.headers["content-disposition"])


def test_pages_stay_small(browser: Browser) -> None:
    """Long names of runs, tools and tasks, and long words, all much escaped, make no page of over 200 KB."""
    runs_of_all = [f"{number:03}" + '"<&' * 60 for number in range(40)]
    for run in runs_of_all:
        begin(browser, run)
    large = runs_of_all[-1]
    for index in range(8):
        id = begin(browser, large, index, max_turns=2)
        name = f"{index}" + "<&" * 31
        act(browser, id, {"tool_calls": [{"name": f"{name}{n}", "arguments": {}} for n in range(6)]})
        act(browser, id, "<&'\"needle>" * 3_000)
    asked = quote(large)
    pages = [f"/page/run?name={asked}", f"/page/run/episodes?name={asked}", f"/page/search?run={asked}&text=needle"]
    for address in ("/page/runs", *pages, f"/page/runs/compare?a={asked}&b={asked}"):
        page = browser.get(address)
        assert len(page.encode()) < LIMIT, address
        assert "&lt;" in page


def test_rows_read_do_not_grow_with_the_episodes_of_a_run(
    browser: Browser, read: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With three times as many episodes of the same tasks, the pages of a run and its comparison read as many rows."""
    monkeypatch.setattr(runs, "SAMPLE", 2)
    monkeypatch.setattr(runs, "COMPARED", 2)
    monkeypatch.setattr(runs, "PER_PAGE", 2)
    monkeypatch.setattr("env_server.episodes.read.runs.PERIODS", 2)
    monkeypatch.setattr("env_server.episodes.read.search.WINDOW", 2)
    begin(browser, "other")

    def cost(address: str) -> int:
        read.clear()
        browser.get(address)
        return sum(read)

    name = "name=growing"
    pages = ["/page/runs", f"/page/run?{name}", f"/page/run/episodes?{name}", "/page/runs/compare?a=growing&b=other",
             "/page/search?run=growing&text=cannot"]  # fmt: skip
    for _ in range(2):
        fail(browser, "growing")
    for page in pages:
        browser.get(page)  # reads what a process reads only once
    for _ in range(2):
        fail(browser, "growing")
    before = [cost(page) for page in pages]
    for _ in range(8):
        fail(browser, "growing")
    assert [cost(page) for page in pages] == before
