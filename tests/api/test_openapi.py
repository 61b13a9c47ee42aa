"""The document, its examples, and the page that plays from it."""

import re
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from env_server.api import examples as source
from env_server.episodes import Episodes
from tests.api.conftest import served
from tests.api.talk import Api

PATIENCE_S = 120
MOST_WORDS = 10
WITHOUT_BODY = "/episodes/{episode_id}/token"
"""The only path to which nothing is posted."""


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Api]:
    """A server on which nobody has played yet."""
    for client in served(tmp_path):
        yield Api(client)


def examples(api: Api, path: str) -> dict[str, Any]:
    """The document's examples of a body, by name, in order."""
    content = api.document["paths"][path]["post"]["requestBody"]["content"]["application/json"]
    return {name: example["value"] for name, example in content["examples"].items()}


def test_the_examples_of_a_domain_play_an_episode_to_its_reward(fresh: Api) -> None:
    """Executed one after another as they stand, `/reset` then each `/step`, they end with reward 1."""
    resets, steps = examples(fresh, "/reset"), examples(fresh, "/step")
    domains = [d["name"] for d in fresh.get("/domains")["domains"]]
    for domain in domains:
        fresh.post("/reset", resets[domain])
        bodies = [body for name, body in steps.items() if re.fullmatch(rf"{domain}_\d+", name)]
        assert len(bodies) > 1
        for body in bodies:
            reply = fresh.post("/step", body)
        for _ in range(MOST_WORDS):
            if not reply["done"]:
                reply = fresh.post("/step", bodies[-1])
        assert (reply["done"], reply["reward"]) == (True, 1.0)


def test_every_example_works(fresh: Api) -> None:
    """Each body that the document shows is accepted as it stands, on an episode that it fits."""
    for name, body in examples(fresh, "/reset").items():
        assert fresh.send("POST", "/reset", json=body).status_code == 200, name
    person = examples(fresh, "/reset")["external_user"]
    for path in fresh.document["paths"]:
        posted = "post" in fresh.document["paths"][path] and path != WITHOUT_BODY
        for body in examples(fresh, path).values() if posted else ():
            fresh.post("/reset", person)
            if path.endswith("/user"):
                fresh.post("/step", {"episode_id": "latest", "action": "What can I do for you?"})
            response = fresh.send("POST", path.replace("{episode_id}", "latest"), json=body)
            assert response.status_code == 200, (path, body, response.text)
            assert '"retryable":' not in response.text, (path, body)


def test_every_endpoint_is_described(api: Api) -> None:
    """Each has a summary, a description, its body, and problem documents for its errors."""
    for path, operations in api.document["paths"].items():
        for method, operation in operations.items():
            assert operation["summary"], path
            assert operation["description"], path
            assert ("requestBody" in operation) == (method == "post" and path != WITHOUT_BODY), path
            errors = {status: r for status, r in operation["responses"].items() if status >= "400"}
            assert {"401", "403", "413", "421", "422", "500"} <= set(errors)
            for response in errors.values():
                assert list(response["content"]) == ["application/problem+json"], path


def test_every_reference_resolves(api: Api) -> None:
    """No schema refers to one that the document does not have."""
    named = set(re.findall(r"'#/components/schemas/([^']+)'", str(api.document)))
    assert named <= set(api.document["components"]["schemas"])


def test_the_page_needs_no_other_host(api: Api) -> None:
    """Scripts and styles come from this server."""
    page = api.send("GET", "/docs").text
    assert "http://" not in page
    assert "https://" not in page
    loaded = re.findall(r'(?:src|href)="([^"]+)"', page)
    assert loaded
    assert all(api.send("GET", link).status_code == 200 for link in loaded)


def test_the_document_holds_up_no_other_request(fresh: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """While it is made, other requests are answered. Two that ask for it at once get one that is made once."""
    begun, may_go_on, made = threading.Event(), threading.Event(), []

    def slowly(episodes: Episodes) -> dict[str, Any]:
        made.append(1)
        begun.set()
        assert may_go_on.wait(PATIENCE_S)
        return examples_of(episodes)

    examples_of = source.examples
    monkeypatch.setattr(source, "examples", slowly)
    with ThreadPoolExecutor(2) as elsewhere:
        both = [elsewhere.submit(fresh.client.get, "/openapi.json") for _ in range(2)]
        assert begun.wait(PATIENCE_S)
        assert fresh.client.get("/domains").status_code == 200
        assert not any(one.done() for one in both)
        may_go_on.set()
        first, second = [one.result(PATIENCE_S) for one in both]
    assert first.headers["content-type"] == "application/json"
    assert first.content == second.content
    assert first.json() == fresh.app.openapi()
    assert made == [1]
