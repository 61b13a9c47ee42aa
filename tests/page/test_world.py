"""The offline world of an episode on the page: prices as charts, web pages, Slack and code, all of them harmless."""

import re
from datetime import datetime
from typing import Any
from xml.etree.ElementTree import fromstring

import pytest

from env_server.page.views import market, slack, web
from mcp_servers.world import NOW, read, world
from mcp_servers.world.rows import PAGES, Page
from tests.page.conftest import Browser
from tests.page.test_report import Seen
from tests.page.test_runs import LIMIT

HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
CODE = f"import math\nopen('made.csv', 'w').write('1')\nprint({HOSTILE!r})\nmath.tau"


def play(browser: Browser, *calls: tuple[str, dict[str, Any]]) -> str:
    """Play an episode in which these tools are called, one in a turn; return the address of its world."""
    reply = browser.client.post("/reset", json={"domain": "research", "split": "test", "index": 0}).json()
    id = reply["episode_id"]
    for name, arguments in calls:
        action = {"tool_calls": [{"name": name, "arguments": arguments}]}
        done = browser.client.post("/step", json={"episode_id": id, "action": action})
        assert done.status_code == 200, done.text
    return f"/page/episodes/{id}/world"


@pytest.fixture
def at(browser: Browser) -> str:
    """The address of a world without any calls."""
    return play(browser)


def harmless(page: str) -> None:
    """Assert that a page has no script of its own, no picture, no style, and no link to another host."""
    elements = Seen(page).found
    scripts = [attributes.get("src") or "" for tag, attributes in elements if tag == "script"]
    assert all(source.startswith("/page/static/") for source in scripts)
    assert not {"img", "iframe", "style"} & {tag for tag, _ in elements}
    links = [attributes["href"] or "" for tag, attributes in elements if tag == "a"]
    assert all(link.startswith(("/", "#", "?")) and not link.startswith("//") for link in links)
    assert not any(name.startswith("on") or name == "style" for _, attributes in elements for name in attributes)


def test_an_episode_leads_to_its_world(browser: Browser, at: str) -> None:
    """An episode that has a world links to it; each of the world's four pages links to the others."""
    episode = at.removesuffix("/world")
    assert f'href="{at}/market"' in browser.get(episode)
    assert browser.client.get(at, follow_redirects=False).headers["location"] == f"{at}/market"
    for part in ("market", "web", "slack", "python"):
        page = browser.get(f"{at}/{part}")
        assert len(re.findall(rf'href="{at}/(?:market|web|slack|python)"', page)) == 4
        harmless(page)
    other = browser.begin()
    assert "/world" not in browser.get(other)
    assert "plays in no offline world" in browser.get(f"{other}/world/market", 404)


@pytest.mark.parametrize("span", market.SPANS)
def test_prices_are_a_chart(browser: Browser, at: str, span: str) -> None:
    """The chart has a point for each day up to the task's time, within the picture, and the last close as text."""
    page = browser.get(f"{at}/market?ticker=ORCA&span={span}")
    harmless(page)
    chart = re.search(r"<svg viewBox.*?</svg>", page, re.DOTALL)
    assert chart is not None
    picture = fromstring(chart[0])
    line = picture.find("polyline")
    assert line is not None
    points = [tuple(map(float, point.split(","))) for point in line.attrib["points"].split()]
    assert 2 <= len(points) <= market.SPANS[span]
    assert all(0 <= x <= market.WIDTH and 0 <= y <= market.HEIGHT - market.VOLUME for x, y in points)
    task = re.search(r"world of this episode at (\d{4}-\d\d-\d\d)", page)
    last = re.search(r"to (\d{4}-\d\d-\d\d), from", picture.attrib["aria-label"])
    assert task is not None
    assert last is not None
    assert last[1] <= task[1]
    numbers = re.findall(r"<text [^>]*>(\d+)</text>", page)
    assert numbers == [str(number) for number in range(1, len(picture.findall("line[@class='event']")) + 1)]
    marks = re.search(r'<ol class="marks small">(.*?)</ol>', page, re.DOTALL)
    assert len(numbers) == (marks[1].count("<li>") if marks else 0) <= market.MOST_MARKS


def test_nothing_later_than_the_task_is_shown(browser: Browser, at: str) -> None:
    """The last day in the table is the world reader's last one at the same time."""
    page = browser.get(f"{at}/market?ticker=ORCA")
    now = re.search(r"world of this episode at (\d{4}-\d\d-\d\d \d\d:\d\d) UTC", page)
    assert now is not None
    moment = datetime.fromisoformat(f"{now[1]}+00:00")
    bar = read.previous_close(world(0), "ORCA", moment)
    assert bar is not None
    assert re.findall(r'<td class="mono">(\d{4}-\d\d-\d\d)</td>', page)[0] == bar["date"]
    assert f"{bar['close']:,.2f}" in page


def test_unknown_subjects_are_not_found(browser: Browser, at: str) -> None:
    """Unknown and hostile tickers, pages and channels, a wrong span and a wrong time are not found."""
    for query in ("market?ticker=NONE", "web?url=https://nowhere.example/", "slack?channel=none"):
        browser.get(f"{at}/{query}", 404)
    for query in ("market?span=9y&ticker=ORCA", "slack?before=x"):
        browser.get(f"{at}/{query}", 422)
    for query in ("market?ticker=", "web?url=", "slack?channel="):
        page = browser.get(f"{at}/{query}{HOSTILE}", 404)
        assert "<script>alert" not in page
    for before in ("nan", "inf", "1e400", "-1"):
        assert browser.client.get(f"{at}/slack?before={before}").status_code == 200


def test_pages_are_rendered_and_lead_only_inside(browser: Browser, at: str) -> None:
    """A page that a search found has headings and text; its links lead to pages of the same world."""
    found = browser.get(f"{at}/web?text=glass")
    address = re.search(r'<li><a href="([^"]+/web\?url=[^"]+)"', found)
    assert address is not None
    page = browser.get(address[1].replace("&amp;", "&"))
    harmless(page)
    assert "<article" in page
    assert "No page holds this text" in browser.get(f"{at}/web?text=nobody+has+ever+written+this")


def test_a_hostile_page_is_text() -> None:
    """HTML, scripts in links, and other hosts' addresses: the words stay, and no link leads outside."""
    text = (
        f"# Title {HOSTILE}\n\n<script>alert(1)</script>\n\n[go](javascript:alert(1)) [out](https://evil.example/x) "
        "![pic](https://evil.example/p.png) [in](https://in.example/) <https://evil.example/auto>\n\n"
        '<b onclick="x">b</b>'
    )
    store = world(0)
    for url, body in (("https://hostile.example/", text), ("https://in.example/", "x")):
        page: Page = {"url": url, "site": "hostile.example", "title": HOSTILE, "published": "2024-01-01T00:00:00Z",
                      "text": body, "links": [], "tickers": [], "facts": [], "planted": True}  # fmt: skip
        store.rows(PAGES).put(page)
    shown = web.web_page(store, "https://hostile.example/", NOW, "/here")
    assert shown is not None
    assert shown.planted
    harmless(str(shown.body))
    tags = [tag for tag, _ in Seen(str(shown.body)).found]
    assert "h2" in tags
    assert "h1" not in tags
    assert re.findall(r'href="([^"]+)"', str(shown.body)) == ["/here?url=https%3A%2F%2Fin.example%2F"]
    assert "out" in shown.body


def test_slack_shows_what_the_episode_posted(browser: Browser) -> None:
    """The episode's post is in its channel, marked; Slack's markup is rendered and anything else is text."""
    words = f"Hello *all* <https://evil.example/x|label> <@UNOBODY> {HOSTILE}"
    at = play(browser, ("slack_post_message", {"channel": "#general", "text": words}))
    page = browser.get(f"{at}/slack?channel=general")
    harmless(page)
    post = re.search(r'<div class="post new".*?</div>', page, re.DOTALL)
    assert post is not None
    assert page.count("by this episode") == 1
    assert "Hello <b>all</b> label (https://evil.example/x)" in post[0]
    assert "&lt;script&gt;alert(1)" in post[0]
    before = re.search(r"before=([\d.]+)", page)
    if before:
        assert "by this episode" not in browser.get(f"{at}/slack?channel=general&before={before[1]}")


def test_a_message_in_pieces() -> None:
    """Links with and without a page in the world, mentions, bold words, and other text."""
    users = {"U1": next(iter(read.users(world(0))))}
    said = slack.pieces("a <https://in.example> <@U1> *b* <https://out.example|c>", users, lambda url: "in." in url)
    kinds = [(piece.kind, piece.text) for piece in said]
    assert ("link", "https://in.example") in kinds
    assert ("mention", f"@{users['U1']['real_name']}") in kinds
    assert ("bold", "b") in kinds
    assert "".join(text for _, text in kinds).endswith("b c (https://out.example)")


def test_emoji_are_named() -> None:
    """The code of an emoji becomes words; a time, and colons within a word, stay."""
    said = slack.pieces(":tada: at 10:30:15 a:b:c :raised_hands: :+1:", {}, lambda _: False)
    assert [piece.text for piece in said if piece.kind == "emoji"] == ["party popper", "raised hands", "thumbs up"]
    assert " at 10:30:15 a:b:c " in [piece.text for piece in said]


def test_code_with_outputs_and_files(browser: Browser) -> None:
    """Code, its output, and the names of its files are shown, line by line, here and in the transcript."""
    at = play(browser, ("execute_python", {"code": CODE}))
    page = browser.get(f"{at}/python")
    harmless(page)
    assert "import math\nopen(&#39;made.csv&#39;" in page
    assert "6.283185307179586" in page
    assert "<code>made.csv</code>" in page
    transcript = browser.get(at.removesuffix("/world"))
    assert "<h4>code</h4><pre>import math\nopen(&#39;made.csv&#39;" in transcript
    assert "has run no code" in browser.get(f"{play(browser)}/python")


PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg=="
WRITES = f"""
import base64, os
os.mkdir('d')
open('d/hostile.html', 'w').write({HOSTILE!r})
open('pixel.png', 'wb').write(base64.b64decode('{PIXEL}'))
open('drawing.svg', 'w').write('<svg onload="alert(1)"/>')
open('bytes.bin', 'wb').write(bytes(range(256)))
open('long.txt', 'w', encoding='utf-8').write('<é' * 40_000)
open('nul.txt', 'w').write('a' + chr(0))
os.symlink('/etc/passwd', 'link')
"""


def test_files_are_shown_and_stay_text(browser: Browser) -> None:
    """Text and pictures are shown, other bytes are not. The latest call counts, and no link is followed."""
    changed = ("execute_python", {"code": "open('later.txt', 'w').write('second call')"})
    at = play(browser, ("execute_python", {"code": WRITES}), changed)
    assert f'href="{at}/python/files"' in browser.get(f"{at}/python")
    page = browser.get(f"{at}/python/files")
    assert len(page.encode()) < LIMIT
    pictures = [attributes["src"] for tag, attributes in Seen(page).found if tag == "img"]
    assert pictures == [f"data:image/png;base64,{PIXEL}"]
    harmless(re.sub(r"<img [^>]*>", "", page))
    for words in ("d/hostile.html", "&lt;script&gt;alert(1)", "&lt;svg onload", "second call", "more bytes"):
        assert words in page
    assert page.count("Neither text nor a small picture.") == 2
    assert "root:" not in page
    assert "has left no files" in browser.get(f"{play(browser)}/python/files")


def test_files_of_an_episode_that_goes_on(browser: Browser) -> None:
    """Looking at the files does not change the episode's own sandbox."""
    at = play(browser, ("execute_python", {"code": "kept = 41\nopen('a.txt', 'w').write('a')"}))
    browser.get(f"{at}/python/files")
    action = {"tool_calls": [{"name": "execute_python", "arguments": {"code": "kept + 1"}}]}
    id = at.split("/")[3]
    reply = browser.client.post("/step", json={"episode_id": id, "action": action}).json()
    assert reply["observation"][0]["content"] == "42"


def test_pages_of_the_world_stay_small(browser: Browser, at: str) -> None:
    """No page is over 200 KB: all prices, each company over all days, the list of pages, each channel, long code."""
    tickers = re.findall(r"/market\?ticker=([^\"&]+)", browser.get(f"{at}/market"))
    rooms = re.findall(r"/slack\?channel=([^\"&]+)", browser.get(f"{at}/slack"))
    assert len(tickers) > 60
    addresses = ["market", "web", *(f"market?ticker={each}&span=all" for each in tickers[::6])]
    addresses += [f"slack?channel={each}" for each in rooms]
    sizes = {address: len(browser.get(f"{at}/{address}").encode()) for address in addresses}
    assert max(sizes.values()) < LIMIT, sizes
    large = play(browser, *[("execute_python", {"code": f"print('<&' * 15_000)\n# {'<' * 30_000}"})] * 4)
    assert len(browser.get(f"{large}/python").encode()) < LIMIT
    assert len(browser.get(large.removesuffix("/world")).encode()) < LIMIT
