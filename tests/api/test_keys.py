"""Who may call: trainers' keys, and agents' tokens, which open nothing here."""

import re
from itertools import product

import pytest

from env_server.episodes.codec.tokens import Tokens
from tests.api.conftest import KEYS
from tests.api.talk import Api

OPEN = {"/healthz", "/readyz", "/health"}


def bearer(credential: str) -> dict[str, str]:
    """The header that carries a credential."""
    return {"Authorization": f"Bearer {credential}"}


def endpoints(api: Api) -> list[tuple[str, str]]:
    """Every endpoint of the document, and the pages beside it, as (method, path)."""
    listed = [(method, path) for path, operations in api.document["paths"].items() for method in operations]
    beside = [("get", "/docs"), ("get", "/openapi.json"), ("get", "/docs/static/swagger-ui.css"), ("get", "/nowhere")]
    return [(method.upper(), re.sub(r"{[^}]*}", "x", path)) for method, path in listed + beside]


def test_every_endpoint_asks_for_a_key(keyed: Api) -> None:
    """All but the two health checks answer 401, and say how to be let in."""
    asked = [(method, path) for method, path in endpoints(keyed) if path not in OPEN]
    assert len(asked) > 15
    for (method, path), headers in product(asked, ({}, bearer("wrong"), bearer(""), {"Authorization": "Basic eDp5"})):
        keyed.problem(method, path, "unauthorized", headers=headers)
        assert keyed.send(method, path, headers=headers).headers["www-authenticate"] == "Bearer"
    for path in OPEN:
        assert keyed.send("GET", path).status_code == 200


@pytest.mark.parametrize("server", ["api", "keyed"])
def test_an_agent_token_opens_nothing(server: str, request: pytest.FixtureRequest) -> None:
    """With or without keys, an agent that holds its token is refused everywhere: 403, its own episode included."""
    api: Api = request.getfixturevalue(server)
    key = bearer(KEYS["alice"])
    begun = api.post("/reset", {"domain": api.domain}, headers=key)
    token = bearer(begun["agent_token"])
    for method, path in endpoints(api):
        if path not in OPEN:
            api.problem(method, path.replace("/x", f"/{begun['episode_id']}"), "forbidden", headers=token)
    api.problem("POST", "/step", "forbidden", headers=token, json={"episode_id": begun["episode_id"], "action": "x"})
    assert api.get(f"/episodes/{begun['episode_id']}", headers=key)["turn"] == 0


def test_a_token_that_was_tampered_with_is_no_token(keyed: Api) -> None:
    """Another episode, a later expiry, another signature, a cut or a foreign secret: 401."""
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
    """A token of the right secret whose time is up: 401; one in time is known, and so forbidden."""
    expired = Tokens("a secret", 10.0).make("ep_aaaaaaaaaaaaaaaa", 1_000_000.0)
    keyed.problem("GET", "/episodes", "unauthorized", headers=bearer(expired))
    valid = Tokens("a secret", 4e9).make("ep_aaaaaaaaaaaaaaaa", 0.0)
    keyed.problem("GET", "/episodes", "forbidden", headers=bearer(valid))


def test_idempotency_keys_and_latest_are_each_callers_own(keyed: Api) -> None:
    """Two trainers may use the same key for different things, and `latest` is one's own newest episode."""
    alice, bob = (bearer(key) for key in KEYS.values())
    body = {"domain": keyed.domain, "split": "test", "idempotency_key": "mine"}
    hers = keyed.post("/reset", body | {"index": 0}, headers=alice)["episode_id"]
    his = keyed.post("/reset", body | {"index": 1}, headers=bob)["episode_id"]
    assert hers != his
    assert keyed.get("/episodes/latest", headers=alice)["episode_id"] == hers
    assert keyed.get("/episodes/latest", headers=bob)["episode_id"] == his
    keyed.problem("POST", "/reset", "key_conflict", json=body | {"index": 1}, headers=alice)
