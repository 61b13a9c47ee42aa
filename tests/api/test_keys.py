"""Credentials: trainers' keys open the API, and agents' tokens open nothing here."""

import re
from itertools import product
from pathlib import Path

import pytest

from env_server.episodes.codec.tokens import Tokens
from tests.api.conftest import KEYS, served
from tests.api.talk import Api

OPEN = {"/healthz", "/readyz", "/health"}


def bearer(credential: str) -> dict[str, str]:
    """The header that carries a credential."""
    return {"Authorization": f"Bearer {credential}"}


def endpoints(api: Api) -> list[tuple[str, str]]:
    """Every endpoint of the document, the document itself and an unknown path, as (method, path)."""
    listed = [(method, path) for path, operations in api.document["paths"].items() for method in operations]
    beside = [("get", "/openapi.json"), ("get", "/nowhere")]
    return [(method.upper(), re.sub(r"{[^}]*}", "x", path)) for method, path in listed + beside]


def test_every_endpoint_asks_for_a_key(keyed: Api) -> None:
    """All but the two health checks answer 401, and say which credential to send."""
    asked = [(method, path) for method, path in endpoints(keyed) if path not in OPEN]
    assert len(asked) > 15
    for (method, path), headers in product(asked, ({}, bearer("wrong"), bearer(""), {"Authorization": "Basic eDp5"})):
        keyed.problem(method, path, "unauthorized", headers=headers)
        assert keyed.send(method, path, headers=headers).headers["www-authenticate"] == "Bearer"
    for path in OPEN:
        assert keyed.send("GET", path).status_code == 200


@pytest.mark.parametrize("server", ["api", "keyed"])
def test_an_agent_token_opens_nothing(server: str, request: pytest.FixtureRequest) -> None:
    """An agent's token gets 403 from every endpoint, also about its own episode, whether or not the server has keys."""
    api: Api = request.getfixturevalue(server)
    key = bearer(KEYS["alice"])
    begun = api.post("/reset", {"domain": api.domain}, headers=key)
    token = bearer(begun["agent_token"])
    for method, path in endpoints(api):
        if path not in OPEN:
            api.problem(method, path.replace("/x", f"/{begun['episode_id']}"), "forbidden", headers=token)
    api.problem("POST", "/step", "forbidden", headers=token, json={"episode_id": begun["episode_id"], "action": "x"})
    assert api.get(f"/episodes/{begun['episode_id']}", headers=key)["turn"] == 0


def test_the_page_of_the_document_wants_a_session(tmp_path: Path) -> None:
    """With keys, `/docs` leads to the sign-in.

    A session opens the page and its document, no endpoint; a token opens none.
    """
    for browser in served(tmp_path, api_keys=f"alice:{KEYS['alice']}"):
        assert browser.get("/docs").headers["location"] == "/page/sign-in?next=%2Fdocs"
        assert browser.get("/openapi.json").status_code == 401
        form = browser.get("/page/sign-in").text
        (token,) = re.findall(r'name="form_token" value="([^"]+)"', form)
        signed = browser.post("/page/sign-in", data={"form_token": token, "key": KEYS["alice"]})
        assert signed.status_code == 303
        assert "swagger-ui" in browser.get("/docs").text
        assert browser.get("/openapi.json").json()["security"] == [{"key": []}]
        assert browser.get("/episodes").status_code == 401
        begun = browser.post("/reset", json={"domain": "retail"}, headers=bearer(KEYS["alice"]))
        agent = bearer(begun.json()["agent_token"])
        for path in ("/docs", "/openapi.json", "/docs/start.js"):
            assert browser.get(path, headers=agent).status_code == 403, path


def test_a_token_that_was_tampered_with_is_no_token(keyed: Api) -> None:
    """Another episode, a later expiry, another signature, a cut token or another secret: 401."""
    token = keyed.post("/reset", {"domain": keyed.domain}, headers=bearer(KEYS["bob"]))["agent_token"]
    claim, _, signature = token.rpartition(".")
    episode, _, expiry = claim.rpartition(".")
    forged = [
        f"agt_ep_aaaaaaaaaaaaaaaa.{expiry}.{signature}",
        f"{episode}.{int(expiry) + 1}.{signature}",
        f"{claim}.{signature[::-1]}",
        f"{claim}.",
        f"{claim}",
        token[:-1],
        "agt_",
        "agt_..",
        f"{claim}.é",
        Tokens("another secret", 60.0).make("ep_aaaaaaaaaaaaaaaa", 2e9),
    ]
    for credential in forged:
        keyed.problem("GET", "/episodes", "unauthorized", headers={"Authorization": f"Bearer {credential}".encode()})


def test_an_expired_token_is_no_token(keyed: Api) -> None:
    """A token of the right secret is 401 after its expiry; before it, the token is valid but forbidden here."""
    expired = Tokens("a secret", 10.0).make("ep_aaaaaaaaaaaaaaaa", 1_000_000.0)
    keyed.problem("GET", "/episodes", "unauthorized", headers=bearer(expired))
    valid = Tokens("a secret", 4e9).make("ep_aaaaaaaaaaaaaaaa", 0.0)
    keyed.problem("GET", "/episodes", "forbidden", headers=bearer(valid))


def test_idempotency_keys_and_latest_are_each_callers_own(keyed: Api) -> None:
    """Two trainers may use the same key for different requests, and `latest` is the caller's own newest episode."""
    alice, bob = (bearer(key) for key in KEYS.values())
    body = {"domain": keyed.domain, "split": "test", "idempotency_key": "mine"}
    hers = keyed.post("/reset", body | {"index": 0}, headers=alice)["episode_id"]
    his = keyed.post("/reset", body | {"index": 1}, headers=bob)["episode_id"]
    assert hers != his
    assert keyed.get("/episodes/latest", headers=alice)["episode_id"] == hers
    assert keyed.get("/episodes/latest", headers=bob)["episode_id"] == his
    keyed.problem("POST", "/reset", "key_conflict", json=body | {"index": 1}, headers=alice)
