"""The contents of pages: hostile transcripts, sizes, news, and solutions only on request."""

import json
import re

import pytest
from starlette.testclient import TestClient

from tests.page.conftest import Browser

HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</pre></details><iframe srcdoc='<script>alert(1)</script>'>",
    "javascript:alert(1)",
    "{{ 7 * 7 }}{% raw %}",
    "<think><b>bold</b></think><svg onload=alert(1)>",
]
LIMIT = 200_000


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_words_stay_words(browser: Browser, text: str) -> None:
    """Markup in words, arguments, names and results of calls is shown and never becomes part of a page."""
    path = browser.begin()
    id = path.rpartition("/")[2]
    call = {"name": text, "arguments": {text: text}}
    for action in (text, {"tool_calls": [call]}, {"tool_calls": [{"name": "think", "arguments": {"thought": text}}]}):
        assert browser.client.post("/step", json={"episode_id": id, "action": action}).status_code == 200
    same = browser.get(f"/page/compare?left={id}&right={id}")
    for page in (browser.get(path), browser.get(f"{path}/turns/1"), browser.get(f"{path}/code"), same):
        found = re.findall(r"<(script|img|iframe|svg|b)\b([^>]*)", page)
        assert [each for each in found if not each[1].startswith(' src="/page/static/')] == []
        assert "onerror=alert(1)>" not in page
        assert 'href="javascript' not in page
        assert "{{ 7" not in text or "{{ 7" in page


def test_no_page_is_over_200_kb(browser: Browser) -> None:
    """Of an episode with 36 long messages, the page shows the newest; the oldest are folded with a link."""
    path = browser.begin()
    id = path.rpartition("/")[2]
    action = {"tool_calls": [{"name": "think", "arguments": {"thought": "<\"&'>" * 4_000}}]}
    for _ in range(35):
        assert browser.client.post("/step", json={"episode_id": id, "action": action}).status_code == 200
    code, same = f"{path}/code", f"/page/compare?left={id}&right={id}"
    for address in (path, f"{path}/turns/3", code, same, f"{path}/news?after=0"):
        assert len(browser.get(address).encode()) < LIMIT, address
    assert 'id="turn-35"' in browser.get(path)


def test_news_of_another_process(browser: Browser) -> None:
    """The stream announces a turn that the page has not shown; the news have the turn and the new form."""
    path = browser.begin()
    id = path.rpartition("/")[2]
    mark = re.search(r"live\?mark=([\d.]+)", browser.get(path))
    assert mark is not None
    browser.client.post("/step", json={"episode_id": id, "action": "Hello"})
    told = browser.get(f"{path}/live?mark={mark[1]}")
    assert "event: turn\n" in told
    news = browser.get(f"{path}/news?after=0")
    assert 'id="turn-1"' in news
    assert 'name="turn" value="2"' in news
    assert "<html" not in news


def test_the_solution_comes_only_on_request(browser: Browser) -> None:
    """Neither the page of a task nor that of a live episode has the solution, unless a person asks for it."""
    path = browser.begin()
    task = browser.client.get(path.replace("/page", "")).json()["task_id"]
    for page in (browser.get(path), browser.get(f"/page/domains/retail/tasks/{task}")):
        assert "ordered by mistake" not in page.replace("must have ordered it by mistake", "")
    assert "cancel_pending_order" in browser.get(f"/page/domains/retail/tasks/{task}?solution=1")


def test_filters(browser: Browser) -> None:
    """Split, difficulty and template each narrow the list, also together; an invalid value is an error."""
    page = browser.get("/page/domains/retail?split=test&difficulty=1&template=cancel")
    shown = re.findall(r'class="mono" href="[^"]*/tasks/([^?"]+)', page)
    assert shown
    assert all(name.startswith("test-") for name in shown)
    wanted = browser.client.get("/domains/retail/tasks?split=test&difficulty=1&limit=1000").json()["tasks"]
    assert shown == [each["task_id"] for each in wanted if each["template"] == "cancel"][:50]
    browser.get("/page/domains/retail?difficulty=9", 422)
    browser.get("/page/domains/retail?offset=x", 422)
    browser.get("/page/domains/nowhere", 404)


def test_a_policy_is_rendered(browser: Browser) -> None:
    """The policy is HTML made from its Markdown."""
    assert "<h1>Policy for the shop" in browser.get("/page/domains/retail/policy")


def test_rows_read_do_not_grow_with_stored_episodes(browser: Browser, read: list[int]) -> None:
    """The pages read as many rows with 20 more groups of episodes stored as before."""
    path = browser.begin()

    def cost(address: str) -> int:
        read.clear()
        browser.get(address)
        return sum(read)

    def many(client: TestClient) -> None:
        body = {"domain": "retail", "split": "test", "index": 0, "n": 20}
        assert client.post("/reset", content=json.dumps(body)).status_code == 200

    for _ in range(3):
        many(browser.client)
    pages = ["/", "/page/episodes", path, f"{path}/turns/0", "/page/domains/retail"]
    before = [cost(page) for page in pages]
    for _ in range(20):
        many(browser.client)
    assert [cost(page) for page in pages] == before


def test_the_newest_episode_has_a_short_address(browser: Browser) -> None:
    """`/page/episodes/latest` leads to the episode begun last."""
    browser.begin()
    path = browser.begin()
    answer = browser.client.get("/page/episodes/latest", follow_redirects=False)
    assert answer.headers["location"] == path
