"""A person at the page, in headless Chromium: plays, watches, forks, compares, looks at runs; also on a phone."""

from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from tests.browser.conftest import PROGRAMS, SIZES
from tests.e2e.server import PATIENCE_S, Server

pytestmark = pytest.mark.page
HELLO = "Hello! What is your email address, which order is it, and why do you want to cancel it?"
TASK = "/page/domains/retail/tasks/{}"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A real server with a domain of customers and one of research."""
    running = Server(tmp_path_factory.mktemp("browser") / "e.db", {"DOMAINS": "retail,research"}).start()
    yield running
    running.stop()


def first_task(page: Any, domain: str = "retail") -> str:
    """The address of the first test task, found by clicking."""
    page.goto("/")
    page.get_by_role("link", name=domain, exact=True).click()
    page.locator("td a.mono").first.click()
    page.wait_for_url("**/tasks/**")
    return str(page.url)


def say(page: Any, words: str) -> None:
    """Write to the user."""
    turns = page.locator(".turn").count()
    page.get_by_label("Write to the user").fill(words)
    page.get_by_role("button", name="Send").click()
    page.locator(".turn").nth(turns).wait_for()


def call(page: Any, tool: str, **arguments: str) -> None:
    """Call a tool by its form."""
    choice = page.get_by_label("Call a tool")
    choice.wait_for()
    page.wait_for_load_state()  # the page's script, which shows the form of what is chosen, has run
    turns = page.locator(".turn").count()
    choice.select_option(tool)
    for name, value in arguments.items():
        field = page.locator(f"[name='arg.{name}']")
        field.wait_for()
        if field.evaluate("field => field.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
    page.get_by_role("button", name=f"Call {tool}").click()
    page.locator(".turn").nth(turns).wait_for()


def test_a_person_plays_a_whole_episode(page: Any) -> None:
    """A person plays by clicking alone, from the first page to reward 1, then forks and compares fork and parent."""
    first_task(page)
    page.get_by_role("button", name="New episode").click()
    say(page, HELLO)
    call(page, "find_user_id_by_email", email="yusuf.rossi5352@example.com")
    call(page, "get_user_details", user_id="yusuf_rossi_2314")
    call(page, "get_order_details", order_id="#W6204781")
    say(page, "I will cancel order #W6204781 because it was ordered by mistake. Shall I go ahead?")
    call(page, "cancel_pending_order", order_id="#W6204781", reason="ordered by mistake")
    say(page, "Your order has been cancelled. Is there anything else?")
    assert page.locator(".big").inner_text() == "1"
    page.get_by_role("button", name="Fork after turn 4").click()
    page.get_by_role("link", name="side by side").click()
    page.locator(".beside").nth(8).wait_for()
    assert page.locator(".beside").count() == 9


def test_a_person_plays_a_whole_research_episode(page: Any) -> None:
    """A person searches by clicking, reads the page by a tool and in the pages of the world, and answers."""
    first_task(page, "research")
    page.get_by_role("button", name="New episode").click()
    call(page, "tavily_search", query="Marilo insulating glass purity")
    address = "https://www.wyndell-glassworks.example/products/marilo-insulating-glass"
    call(page, "tavily_extract", urls=address)
    episode = page.url.partition("#")[0]
    page.get_by_role("link", name="World", exact=True).click()
    page.locator("svg.spark").first.wait_for()
    page.get_by_role("link", name="ORCA", exact=True).click()
    page.get_by_role("img", name="Closing prices of Orcadia Semiconductor").wait_for()
    page.get_by_role("link", name="3 months", exact=True).click()
    page.get_by_role("link", name="Slack", exact=True).click()
    page.locator(".thread").first.wait_for()
    page.get_by_role("link", name="Web", exact=True).click()
    page.get_by_label("Text").fill("Marilo insulating glass")
    page.get_by_role("button", name="Search").click()
    page.locator(f".found li:has-text('{address}') a").click()
    page.locator("article").get_by_text("98.8").first.wait_for()
    page.goto(episode)
    page.get_by_label("Write", exact=True).fill("The data sheet says so.\nAnswer: 98.8")
    page.get_by_role("button", name="Send").click()
    page.locator(".big").wait_for()
    assert page.locator(".big").inner_text() == "1"


def test_a_person_watches(page: Any) -> None:
    """The oracle's turns appear by themselves, each once and in order, up to the reward."""
    first_task(page)
    page.get_by_label("The agent is").select_option("oracle")
    page.get_by_role("button", name="New episode").click()
    page.locator(".big").wait_for(timeout=120_000)
    shown = [turn.get_attribute("id") for turn in page.locator(".turn").all()]
    assert shown == [f"turn-{number}" for number in range(len(shown))]
    assert len(shown) > 3


def test_news_leave_what_somebody_types(page: Any, server: Server) -> None:
    """A turn that another program plays appears, and the words in the form stay."""
    first_task(page)
    page.get_by_role("button", name="New episode").click()
    page.get_by_label("Write to the user").fill("half a senten")
    id = page.url.rpartition("/")[2]
    page.request.post(f"{server.url}/step", data={"episode_id": id, "action": "Hello"})
    page.locator("#turn-1").wait_for()
    assert page.get_by_label("Write to the user").input_value() == "half a senten"


def play(server: Server, run: str, words: str = "I cannot help.", **options: Any) -> str:
    """The id of an episode of the first test task in a run that ends without reward, or stays open."""
    body = {"domain": "retail", "split": "test", "index": 0, "run": run, "max_turns": 2, **options}
    with httpx2.Client(base_url=server.url, timeout=PATIENCE_S) as client:
        id = str(client.post("/reset", json=body).raise_for_status().json()["episode_id"])
        missing = {"tool_calls": [{"name": "get_order_details", "arguments": {"order_id": "#W0000000"}}]}
        for action in (missing, words):
            client.post("/step", json={"episode_id": id, "action": action}).raise_for_status()
    return id


def test_a_failed_episode_is_found_in_three_clicks(page: Any, server: Server) -> None:
    """The clicks lead from the first page to the runs, the run, and the episode in its failure group."""
    failed = play(server, "clicks")
    page.goto("/")
    page.get_by_role("link", name="Runs", exact=True).click()
    page.get_by_role("link", name="clicks", exact=True).click()
    page.locator(".groups a").first.click()
    page.wait_for_url(f"**/page/episodes/{failed}")
    page.get_by_text("I cannot help.").wait_for()


def test_a_run_updates_itself(page: Any, server: Server) -> None:
    """Episodes that end while the page is open appear, one after another, and the focus stays where it was."""
    play(server, "watched")
    page.goto("/page/run?name=watched")
    page.locator(".groups a").first.focus()
    for number in (2, 3):
        play(server, "watched")
        page.get_by_text(f"{number} scored, 0 open, {number} in all").wait_for()
        assert page.locator(".groups a").count() == number
        assert page.evaluate("document.activeElement.closest('.groups') !== null")


def test_two_runs_and_a_search(page: Any, server: Server) -> None:
    """A person compares two runs, finds words in a transcript and exports a run, by clicking."""
    play(server, "old words")
    play(server, "new words", "Ask <b>somebody</b> else.")
    page.goto("/page/run?name=old%20words")
    page.get_by_label("Compare with").select_option("new words")
    page.get_by_role("button", name="Compare").click()
    page.get_by_text("These episodes do not tell A and B apart.").wait_for()
    page.get_by_role("link", name="new words").click()
    page.get_by_role("link", name="Search", exact=True).last.click()
    page.get_by_label("Text").fill("<B>some")
    page.get_by_role("button", name="Search").click()
    assert page.locator("mark").inner_text() == "<b>some"
    with page.expect_download() as begun:
        page.goto("/page/run?name=new%20words")
        page.get_by_role("link", name="Export as JSON lines").click()
    assert begun.value.suggested_filename == "new-words.jsonl"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_pages_are_accessible(chromium: Any, server: Server, size: str, scheme: str) -> None:
    """Axe finds no serious fault on any kind of page, in both schemes; nothing is wider than the screen."""
    axe = (PROGRAMS / "node_modules/axe-core/axe.min.js").read_text(encoding="utf-8")
    context = chromium.new_context(base_url=server.url, viewport=SIZES[size], color_scheme=scheme, bypass_csp=True)
    page = context.new_page()
    task = first_task(page)
    page.get_by_role("button", name="New episode").click()
    call(page, "get_order_details", order_id="#W6204781")
    episode = page.url.partition("#")[0]
    open_episode = f"{episode}?tool=cancel_pending_order"
    id = episode.rpartition("/")[2]
    faults = []
    compare = f"/page/compare?left={id}&right={id}"
    for _ in range(2):
        play(server, "accessible")
    play(server, "accessible other")
    first_task(page, "research")
    page.get_by_role("button", name="New episode").click()
    call(page, "execute_python", code="open('a.txt', 'w').write('a')\n2")
    world = f"{page.url.partition('#')[0]}/world"
    run, runs = "/page/run?name=accessible", "/page/runs/compare?a=accessible&b=accessible+other"
    for address in ("/", "/page/episodes", "/page/domains/retail", "/page/domains/retail/policy", f"{task}&solution=1",
                    open_episode, f"{episode}/turns/1", f"{episode}/code", compare, "/page/nowhere", "/page/runs",
                    run, runs, run.replace("run?", "run/episodes?"), "/page/search?text=cannot+help", f"{world}/market",
                    f"{world}/market?ticker=ORCA", f"{world}/web", f"{world}/slack", f"{world}/python",
                    f"{world}/python/files"):  # fmt: skip
        page.goto(address)
        page.evaluate(axe)
        found = page.evaluate("() => axe.run()")["violations"]
        faults += [
            (address, each["id"], each["nodes"][0]["html"])
            for each in found
            if each["impact"] in ("serious", "critical")
        ]
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address
    context.close()
    assert faults == []


def test_the_api_document_obeys_the_policy(page: Any) -> None:
    """Swagger's page starts and opens an operation under the content policy."""
    page.goto("/docs")
    page.get_by_text("/batch/reset").click(timeout=60_000)
    page.get_by_role("button", name="Execute").first.wait_for(timeout=60_000)
