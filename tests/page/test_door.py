"""Access to the pages: sessions, form tokens, and the headers that protect a browser."""

import re

import pytest

from env_server.page.routes import EPISODE, GET, POST
from tests.page.conftest import KEY, Browser

PATHS = [re.sub(r"{[^}]*}", "1", path) for path in GET]


def sign_in(browser: Browser, key: str = KEY, next: str = "/") -> str:
    """The address to which a sign-in with the key leads."""
    browser.get("/page/sign-in")
    return browser.went(browser.send("/page/sign-in", key=key, next=next))


@pytest.mark.parametrize("path", [*PATHS, "/page", "/page/nowhere"])
def test_a_stranger_is_asked_to_sign_in(stranger: Browser, path: str) -> None:
    """With keys, every page leads to the sign-in without a session, also a page that does not exist."""
    found = stranger.client.get(path)
    assert (found.status_code, found.headers["location"].partition("?")[0]) == (303, "/page/sign-in")


@pytest.mark.parametrize("path", [path.format(id="x") for path in POST])
def test_a_stranger_sends_no_form(stranger: Browser, path: str) -> None:
    """With keys, no form is accepted without a session, not even with the token of the sign-in."""
    stranger.get("/page/sign-in")
    assert stranger.send(path, turn=1).status_code == 401


def test_a_key_signs_in_and_the_session_opens_pages_only(stranger: Browser) -> None:
    """The cookie is HttpOnly and Strict; it opens the pages and not the API; signing out ends the session."""
    stranger.get("/page/sign-in")
    signed = stranger.send("/page/sign-in", key=KEY, next="/page/episodes")
    cookie = signed.headers["set-cookie"]
    assert signed.headers["location"] == "/page/episodes"
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert "alice" in stranger.get("/page/episodes")
    assert stranger.client.get("/episodes").status_code == 401
    assert stranger.client.post("/reset", json={"domain": "retail"}).status_code == 401
    assert stranger.went(stranger.send("/page/sign-out")) == "/page/sign-in"
    assert stranger.client.get("/page/episodes").status_code == 303


def test_a_wrong_key_does_not_sign_in(stranger: Browser) -> None:
    """An unknown key begins no session."""
    stranger.get("/page/sign-in")
    assert stranger.send("/page/sign-in", key="wrong").status_code == 401
    assert stranger.client.get("/").status_code == 303


@pytest.mark.parametrize(
    "next", ["https://evil.example/", "//evil.example", "/\\evil.example", "/page/\r\nX: y", "/docs"]
)
def test_a_sign_in_leads_to_a_page_of_this_server(stranger: Browser, next: str) -> None:
    """The address after a sign-in cannot lead to another site."""
    assert sign_in(stranger, next=next) == "/"


def test_an_agent_token_opens_no_page(browser: Browser) -> None:
    """With or without keys, a request that carries an agent token is refused on every page."""
    token = browser.client.post("/reset", json={"domain": "retail"}).json()["agent_token"]
    for path in PATHS:
        found = browser.client.get(path, headers={"Authorization": f"Bearer {token}"})
        assert found.status_code == 403, path


def test_a_form_without_its_token_is_refused(browser: Browser) -> None:
    """A form without a token, or with the token of another browser, plays nothing."""
    path = browser.begin()
    good, browser.token = browser.token, ""
    assert browser.send(f"{path}/say", turn=1, content="Hello").status_code == 403
    browser.client.cookies.clear()
    browser.token = good
    assert browser.send(f"{path}/say", turn=1, content="Hello").status_code == 403
    assert browser.client.get(path.replace("/page", "")).json()["turn"] == 0


def test_another_origin_is_refused(browser: Browser) -> None:
    """A form whose origin is another host is refused before any other check."""
    path = browser.begin()
    form = {"form_token": browser.token, "turn": "1", "content": "Hello"}
    for origin in ("https://evil.example", "null"):
        assert browser.client.post(f"{path}/say", data=form, headers={"Origin": origin}).status_code == 421


@pytest.mark.parametrize("path", ["/", "/page/nowhere", "/page/episodes/x", "/docs"])
def test_pages_run_no_foreign_script_and_are_not_framed(browser: Browser, path: str) -> None:
    """Every page, errors included, has the content security policy, and it allows nothing unsafe."""
    found = browser.client.get(path)
    policy = found.headers["content-security-policy"]
    assert "frame-ancestors 'none'" in policy
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert found.headers["x-content-type-options"] == "nosniff"
    assert "<script>" not in found.text
    assert "style=" not in found.text
    assert " onclick" not in found.text


def test_every_episode_page_is_in_the_table() -> None:
    """A page that plays is a POST, so that a link or a picture cannot play."""
    playing = {path.removeprefix(EPISODE) for path in POST if path.startswith(EPISODE)}
    assert playing == {"/say", "/call", "/answer", "/fork", "/close"}
    assert not playing & {path.removeprefix(EPISODE) for path in GET}
