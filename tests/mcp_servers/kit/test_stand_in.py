from datetime import UTC, datetime
from typing import Any

import httpx2
import pytest

from mcp_servers.kit.stand_in import Answer, Ask, Refusal, StandIn
from mcp_servers.world.store import MemoryStore, Scope, within

HOME = Scope(MemoryStore({}), datetime(2026, 1, 2, tzinfo=UTC))
AWAY = Scope(MemoryStore({}), datetime(2025, 5, 6, tzinfo=UTC), "episode")


def refuse(ask: Ask) -> Answer:
    """Refuse from somewhere deep."""
    raise Refusal(Answer({"refused": ask.path["name"]}, 418, {"X-Why": "because"}))


def tell(ask: Ask) -> Answer:
    """Tell everything of a request."""
    return Answer(
        {
            "path": dict(ask.path), "query": ask.query, "all": ask.query_all("a"), "body": ask.body,
            "base": ask.base, "url_path": ask.url_path, "bearer": ask.bearer, "now": ask.scope.now.isoformat(),
        }
    )  # fmt: skip


@pytest.fixture
def client() -> httpx2.AsyncClient:
    """Anybody's client of a stand-in."""
    app = StandIn("x", lambda: HOME, lambda _ask: None, lambda ask: Answer({"lost": ask.url_path}, 404))
    app.route("GET", "/one/{name}")(tell)
    app.route("GET", "/one/fixed/{name}/end")(tell)
    app.route("POST", "/one/{name}")(tell)
    app.route("DELETE", "/one/{name}")(refuse)
    return httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="https://x.example:8443")


async def told(client: httpx2.AsyncClient, method: str, url: str, **more: Any) -> Any:
    """The JSON of an answer."""
    return (await client.request(method, url, **more)).json()


async def test_parts_of_the_path_are_decoded(client: httpx2.AsyncClient) -> None:
    """An encoded slash stays within its part of the path."""
    assert (await told(client, "GET", "/one/a%2Fb%20%C3%BC"))["path"] == {"name": "a/b ü"}
    assert (await told(client, "GET", "/one/fixed/b/end"))["path"] == {"name": "b"}


async def test_queries_and_where_it_was_reached(client: httpx2.AsyncClient) -> None:
    """A name that is given twice has its last value, and all of them for who asks; the base is scheme and host."""
    found = await told(client, "GET", "/one/x?a=1&b=&a=2")
    assert (found["query"], found["all"]) == ({"a": "2", "b": ""}, ["1", "2"])
    assert (found["base"], found["url_path"]) == ("https://x.example:8443", "/one/x")


@pytest.mark.parametrize("more", [{"json": {"k": "v"}}, {"data": {"k": "v"}}])
async def test_bodies(client: httpx2.AsyncClient, more: dict[str, Any]) -> None:
    """A body is read as JSON or as a form."""
    assert (await told(client, "POST", "/one/x", **more))["body"] == {"k": "v"}


@pytest.mark.parametrize("content", [b"", b"[1]", b"{", b"\xff"])
async def test_other_bodies_are_empty(client: httpx2.AsyncClient, content: bytes) -> None:
    """A body that is neither JSON nor a form counts as empty, and is no crash."""
    assert (await told(client, "POST", "/one/x", content=content))["body"] == {}


async def test_the_bearer(client: httpx2.AsyncClient) -> None:
    """The key of an Authorization header is found; that of another scheme is not."""
    assert (await told(client, "GET", "/one/x", headers={"Authorization": "bearer  k "}))["bearer"] == "k"
    assert (await told(client, "GET", "/one/x", headers={"Authorization": "Basic k"}))["bearer"] is None


async def test_a_refusal_ends_a_request(client: httpx2.AsyncClient) -> None:
    """An answer that is raised is given, with its headers."""
    response = await client.delete("/one/x")
    assert (response.status_code, response.json(), response.headers["x-why"]) == (418, {"refused": "x"}, "because")


@pytest.mark.parametrize("method", ["GET", "PUT"])
async def test_what_no_route_takes(client: httpx2.AsyncClient, method: str) -> None:
    """Another path or method is answered the vendor's way."""
    assert await told(client, method, "/other") == {"lost": "/other"}


async def test_the_scope_of_the_call_counts(client: httpx2.AsyncClient) -> None:
    """Within a scope the stand-in answers from it, and from its own home afterwards."""
    with within(AWAY):
        assert (await told(client, "GET", "/one/x"))["now"] == AWAY.now.isoformat()
    assert (await told(client, "GET", "/one/x"))["now"] == HOME.now.isoformat()


async def test_the_home_is_not_asked_for_in_vain() -> None:
    """A stand-in that always has a scope generates no world."""

    def home() -> Scope:
        raise AssertionError

    app = StandIn("x", home, lambda _ask: None, tell)
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://x") as client:
        with within(AWAY):
            assert (await client.get("/")).status_code == 200
