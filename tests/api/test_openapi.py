"""The OpenAPI document, its examples, and the page that plays from it."""

import re
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from env_server.api import examples as source
from env_server.api.pages import OPEN_PATHS
from env_server.episodes import Episodes
from tests.api.conftest import served
from tests.api.talk import Api

PATIENCE_S = 120
MOST_WORDS = 10
WITHOUT_BODY = "/episodes/{episode_id}/token"
"""The only path whose POST has no body."""


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Api]:
    """A server with no episode yet."""
    for client in served(tmp_path):
        yield Api(client)


def examples(api: Api, path: str, domain: str | None = None) -> dict[str, Any]:
    """The document's examples of one body, by name, in order."""
    document = api.app.openapi(domain) if domain else api.document  # type: ignore[call-arg]  # it is ours
    content = document["paths"][path]["post"]["requestBody"]["content"]["application/json"]
    return {name: example["value"] for name, example in content["examples"].items()}


def test_the_examples_of_a_domain_play_an_episode_to_its_reward(fresh: Api) -> None:
    """Executed one after another as they stand, `/reset` then each `/step`, they end with reward 1."""
    domains = [d["name"] for d in fresh.get("/domains")["domains"]]
    assert len(domains) == len(examples(fresh, "/reset")) - 2
    for domain in domains:
        name, reset = next(iter(examples(fresh, "/reset", domain).items()))
        assert name == domain
        fresh.post("/reset", reset)
        bodies = list(examples(fresh, "/step", domain).values())
        assert len(bodies) > 1
        for body in bodies:
            reply = fresh.post("/step", body)
        for _ in range(MOST_WORDS):
            if not reply["done"]:
                reply = fresh.post("/step", bodies[-1])
        assert (reply["done"], reply["reward"]) == (True, 1.0)


def test_every_example_works(fresh: Api) -> None:
    """Each example of a body is accepted unchanged, on an episode that it fits."""
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
    """Each endpoint has a summary, a description, its body, and problem documents for its errors."""
    titles = []
    for path, operations in api.document["paths"].items():
        for method, operation in operations.items():
            titles.append(operation["summary"])
            assert operation["description"], path
            assert ("requestBody" in operation) == (method == "post" and path != WITHOUT_BODY), path
            errors = {status: r for status, r in operation["responses"].items() if status >= "400"}
            assert {"401", "403", "413", "421", "422", "500"} <= set(errors)
            for response in errors.values():
                assert list(response["content"]) == ["application/problem+json"], path

    assert len(titles) == len({*titles})
    assert [title for title in titles if " " not in title] == []
    assert {tag["name"] for tag in api.document["tags"]} == {
        tag for operations in api.document["paths"].values() for found in operations.values() for tag in found["tags"]
    }


def test_a_dropdown_has_at_most_eight_examples(api: Api) -> None:
    """Each operation shows one to eight examples, whichever domain they are of."""
    for domain in [None, *(d["name"] for d in api.get("/domains")["domains"])]:
        for path, operations in api.document["paths"].items():
            if "post" in operations and path != WITHOUT_BODY:
                shown = examples(api, path, domain)
                assert 1 <= len(shown) <= 8, (domain, path)


def test_the_document_of_another_domain(api: Api) -> None:
    """The query chooses the domain of the examples; the text links to the other domains, and to all policies."""
    domains = [d["name"] for d in api.get("/domains")["domains"]]
    for domain in domains:
        found = api.send("GET", f"/openapi.json?domain={domain}").json()
        text = found["info"]["description"]
        assert f"play **{domain}**" in text
        assert set(re.findall(r"\(/docs\?domain=(\w+)\)", text)) == {*domains} - {domain}
        for link in re.findall(r"\((/page/domains/\w+/policy)\)", text):
            assert api.client.get(link).status_code == 200
    api.client.cookies.clear()  # the pages have set cookies
    api.problem("GET", "/openapi.json?domain=nowhere", "not_found")


def test_padlocks_are_where_keys_are_needed(api: Api, keyed: Api) -> None:
    """A server without keys shows no padlock; one with keys shows one at all operations but the health checks."""
    assert "security" not in api.document
    assert "securitySchemes" not in api.document["components"]
    assert keyed.document["security"] == [{"key": []}]
    assert list(keyed.document["components"]["securitySchemes"]) == ["key"]
    for path, operations in keyed.document["paths"].items():
        for method, operation in operations.items():
            assert "security" not in api.document["paths"][path][method]
            unlocked = operation.get("security") == []
            assert unlocked == (path in OPEN_PATHS), path
            url = path.replace("{episode_id}", "latest").replace("{domain}", "retail").replace("{task_id}", "x")
            assert unlocked == (keyed.client.request(method, url).status_code != 401), path


def test_every_reference_resolves(api: Api) -> None:
    """Every schema that is referred to is in the document."""
    named = set(re.findall(r"'#/components/schemas/([^']+)'", str(api.document)))
    assert named <= set(api.document["components"]["schemas"])


def test_the_page_needs_no_other_host(api: Api) -> None:
    """Scripts and styles of the page come from this server."""
    page = api.send("GET", "/docs").text
    assert "http://" not in page
    assert "https://" not in page
    loaded = re.findall(r'(?:src|href)="([^"]+)"', page)
    assert loaded
    assert all(api.send("GET", link).status_code == 200 for link in loaded)


def test_the_document_holds_up_no_other_request(fresh: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other requests are answered while the document is made; two requests for it at once make it only once."""
    begun, may_go_on, made = threading.Event(), threading.Event(), []

    def slowly(episodes: Episodes, domain: str) -> dict[str, Any]:
        made.append(1)
        begun.set()
        assert may_go_on.wait(PATIENCE_S)
        return examples_of(episodes, domain)

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
