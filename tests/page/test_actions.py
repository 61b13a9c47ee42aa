"""Playing on the pages, form by form."""

import html
import re
import time
from contextlib import nullcontext

import httpx2
import pytest

from tests.page.conftest import Browser

HELLO = "Hello! What is your email address, which order is it, and why do you want to cancel it?"
WIN = [
    ("say", {"content": HELLO}),
    ("call", {"tool": "find_user_id_by_email", "arg.email": "yusuf.rossi5352@example.com"}),
    ("call", {"tool": "get_user_details", "arg.user_id": "yusuf_rossi_2314"}),
    ("call", {"tool": "get_order_details", "arg.order_id": "#W6204781"}),
    ("say", {"content": "I will cancel order #W6204781 because it was ordered by mistake. Shall I go ahead?"}),
    ("call", {"tool": "cancel_pending_order", "arg.order_id": "#W6204781", "arg.reason": "ordered by mistake"}),
    ("say", {"content": "Your order has been cancelled. Is there anything else?"}),
]


def play(browser: Browser, path: str, upto: int = len(WIN)) -> None:
    """Send the first forms of the episode that README plays."""
    for turn, (form, fields) in enumerate(WIN[:upto], 1):
        browser.get(path)
        browser.went(browser.send(f"{path}/{form}", turn=turn, **fields))


def test_a_whole_episode_by_forms(browser: Browser) -> None:
    """README's episode, form by form: the last page has reward 1, the changed row, and no form to play on."""
    path = browser.begin()
    play(browser, path)
    page = browser.get(path)
    assert "Everything is as it should be." in page
    assert re.search(r'class="before">pending<.*?class="after">cancelled<', page, re.DOTALL)
    assert f'action="{path}/say"' not in page


def test_a_second_click_plays_nothing(browser: Browser) -> None:
    """The same form again is a retry; a form with other words for the same turn is refused and keeps these words."""
    path = browser.begin()
    browser.get(path)
    for _ in range(2):
        browser.went(browser.send(f"{path}/say", turn=1, content=HELLO))
    assert browser.client.get(path.replace("/page", "")).json()["turn"] == 1
    refused = browser.send(f"{path}/say", turn=1, content="Something <else>")
    assert refused.status_code == 409
    assert "Something &lt;else&gt;</textarea>" in refused.text


def test_a_call_that_cannot_be_read_plays_nothing(browser: Browser) -> None:
    """An unknown tool and a turn that is no number are errors on the page; a wrong argument of a call is a turn."""
    path = browser.begin()
    browser.get(path)
    assert browser.send(f"{path}/call", turn=1, tool="no such").status_code == 422
    assert browser.send(f"{path}/call", turn="x", tool="get_order_details").status_code == 422
    assert browser.went(browser.send(f"{path}/call", turn=1, **{"tool": "get_order_details", "arg.order_id": "#W1"}))
    assert "tool_error" in browser.get(path)


def test_a_fork_leaves_its_parent(browser: Browser) -> None:
    """A fork after turn 4 continues from there, names its parent, and is listed beside it."""
    path = browser.begin()
    play(browser, path)
    browser.get(path)
    fork = browser.went(browser.send(f"{path}/fork", turn=5))
    page = browser.get(fork)
    assert path in page
    assert 'id="turn-4"' in page
    assert 'id="turn-5"' not in page
    left, right = path.rpartition("/")[2], fork.rpartition("/")[2]
    assert browser.get(f"/page/compare?left={left}&right={right}").count('class="beside"') == 8
    assert "Everything is as it should be." in browser.get(path)


def test_a_person_plays_the_user(browser: Browser) -> None:
    """With an external user, a form takes the user's answer, and the agent waits for it."""
    path = browser.begin(user="external")
    assert "Answer as the user" in browser.get(path)
    browser.went(browser.send(f"{path}/answer", turn=1, content="Hello, I need help."))
    assert "Write to the user" in browser.get(path)
    browser.went(browser.send(f"{path}/say", turn=1, content="How can I help?"))
    browser.get(path)
    browser.went(browser.send(f"{path}/answer", turn=2, content="###STOP###"))
    page = browser.get(path)
    assert "ends the conversation" in page
    assert 'id="verdict" class="panel"' in page


def test_the_oracle_demonstrates(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """The oracle plays an episode to reward 1 while the page only watches."""
    monkeypatch.setattr("env_server.page.demonstrations.Demonstrations.pause_s", 0.0)
    path = browser.begin(agent="oracle")
    assert "You watch." in browser.get(f"{path}?watch=1") or "The episode is over" in browser.get(path)
    until = time.monotonic() + 60
    while "The episode is over" not in browser.get(path):
        assert time.monotonic() < until
        time.sleep(0.05)
    assert "Everything is as it should be." in browser.get(path)


def test_a_failure_is_explained(browser: Browser) -> None:
    """An episode that is closed at once has one sentence that says why it has no reward."""
    path = browser.begin()
    browser.get(path)
    browser.went(browser.send(f"{path}/close"))
    page = browser.get(path)
    assert "Reward 0, because the episode was closed. It would have been 0 at this point, because of state:" in page
    assert "Expected" in page
    assert "Found" in page


def test_the_copied_program_plays_the_same(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """The Python program on an episode's page plays it again, with the same reward."""
    path = browser.begin()
    play(browser, path)
    text = re.search(r'id="python-text"[^>]*>(.*?)</pre>', browser.get(f"{path}/code"), re.DOTALL)
    assert text is not None
    said: list[object] = []
    monkeypatch.setattr(httpx2, "Client", lambda **_: nullcontext(browser.client))
    exec(html.unescape(text[1]), {"print": lambda *words: said.extend(words)})  # noqa: S102 -- the program under test
    assert said[0] == 1.0
