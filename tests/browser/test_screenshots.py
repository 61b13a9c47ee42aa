"""Pictures of the page for the documentation, on a screen and on a phone: `make page-images`."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import httpx2
import pytest
from PIL import Image

from tests.browser.conftest import SIZES
from tests.e2e.server import PATIENCE_S, ROOT, Server

pytestmark = pytest.mark.page
LARGEST = 150_000
"""The maximum size of a picture, in bytes."""

COLOURS = 256
"""The number of colours of a picture, which keep its file small."""

TASKS = 25
"""The number of tasks of an evaluation. With two trials each, its course has enough points to be shown."""

CODE = "first, last = {first}, {last}\nprint(f'{{last / first - 1:+.1%}}')"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A real server with a domain of customers and one of research, and two runs of an evaluation."""
    folder = tmp_path_factory.mktemp("pictures")
    running = Server(folder / "e.db", {"DOMAINS": "retail,research"}).start()
    for policy in ("heuristic", "oracle"):
        command = [sys.executable, "-m", "env_server.cli", "eval", "--domain", "retail", "--policy", policy, "--url"]
        command += [running.url, "--limit", str(TASKS), "--trials", "2", "--run", policy, "--out", str(folder / policy)]
        paths = os.pathsep.join((str(ROOT), str(ROOT / "schemas")))
        surroundings = {**os.environ, "PYTHONPATH": paths, "ENV_SERVER_DATABASE_URL": f"sqlite:///{folder / 'mine.db'}"}
        subprocess.run(command, cwd=folder, env=surroundings, check=True, capture_output=True, timeout=PATIENCE_S)
    yield running
    running.stop()


def play(server: Server, id: str, *actions: Any) -> None:
    """Play these actions as the agent of an episode."""
    with httpx2.Client(base_url=server.url, timeout=PATIENCE_S) as client:
        for action in actions:
            client.post("/step", json={"episode_id": id, "action": action}).raise_for_status()


def begun(server: Server, domain: str) -> str:
    """The id of an episode of the first test task."""
    with httpx2.Client(base_url=server.url, timeout=PATIENCE_S) as client:
        body = {"domain": domain, "split": "test", "index": 0}
        return str(client.post("/reset", json=body).raise_for_status().json()["episode_id"])


def course(server: Server, address: str) -> dict[str, str]:
    """The first and last day and price of a chart, as its label says them."""
    page = httpx2.get(server.url + address, timeout=PATIENCE_S).raise_for_status().text
    label = r"from (?P<begin>[\d-]+) to (?P<end>[\d-]+), from (?P<first>[\d.]+) to (?P<last>[\d.]+)"
    found = re.search(label, page)
    assert found is not None
    return found.groupdict()


def call(name: str, **arguments: Any) -> dict[str, Any]:
    """A message with one call."""
    return {"tool_calls": [{"name": name, "arguments": arguments}]}


@pytest.fixture(scope="module")
def addresses(server: Server) -> dict[str, str]:
    """The pages to photograph: a failed episode, a run, two runs compared, and prices and Slack of a world."""
    failed, seen = begun(server, "retail"), begun(server, "research")
    world = f"/page/episodes/{seen}/world"
    chart = f"{world}/market?ticker=ORCA&span=1y"
    play(
        server,
        failed,
        "Hello! What is your email address, which order is it, and why do you want to cancel it?",
        call("find_user_id_by_email", email="yusuf.rossi5352@example.com"),
        call("get_user_details", user_id="yusuf_rossi_2314"),
        call("get_order_details", order_id="#W6204781"),
        "I will cancel order #W6204781 because it is no longer needed. Shall I go ahead?",
        call("cancel_pending_order", order_id="#W6204781", reason="no longer needed"),
        "Your order has been cancelled. Is there anything else?",
    )
    prices = course(server, chart)
    post = "*ORCA* closed at {last} on {end}, after {first} on {begin}. :chart_with_downwards_trend:".format(**prices)
    code = call("execute_python", code=CODE.format(**prices))
    play(server, seen, code, call("slack_post_message", channel="#general", text=post))
    return {
        "episode": f"/page/episodes/{failed}",
        "run": "/page/run?name=heuristic",
        "compare": "/page/runs/compare?a=heuristic&b=oracle",
        "research": chart,
        "slack": f"{world}/slack?channel=general",
    }


@pytest.mark.parametrize("size", SIZES)
def test_pictures(chromium: Any, server: Server, addresses: dict[str, str], size: str, tmp_path: Path) -> None:
    """Each page is as wide as its screen, not wider, says nothing on the console, and its picture is a small file."""
    folder = Path(os.environ.get("PAGE_IMAGES") or tmp_path)
    folder.mkdir(parents=True, exist_ok=True)
    said: list[str] = []
    context = chromium.new_context(base_url=server.url, viewport=SIZES[size], color_scheme="light")
    page = context.new_page()
    page.on("console", lambda message: said.append(message.text))
    for name, address in addresses.items():
        page.goto(address, wait_until="networkidle")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address
        picture = folder / f"{name}-{SIZES[size]['width']}.png"
        with Image.open(BytesIO(page.screenshot())) as taken:
            assert taken.size == tuple(SIZES[size].values())
            taken.convert("RGB").quantize(COLOURS, Image.Quantize.FASTOCTREE).save(picture, optimize=True)
        assert 5_000 < picture.stat().st_size < LARGEST, picture
    context.close()
    assert said == []
