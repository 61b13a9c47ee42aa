"""Servers at a URL: the outcome of each failure for reads and for writes, and what a restart changes."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from env_server.providers.spec import FailureKind
from tests.mcp_servers.wire.programs import environment, http_server
from tests.providers.live.blocks import PATIENCE_S, ask, running
from tests.providers.live.site import Site, served


def at(site: Site, **more: object) -> dict[str, object]:
    """The block of a server."""
    return {"url": site.url, "timeoutS": PATIENCE_S, **more}


async def test_episodes_share_one_server() -> None:
    """A server is listed and called, and each call carries the headers of its block."""
    async with served(Site()) as site, running(site=at(site, headers={"Authorization": "Bearer sesame"})) as manager:
        assert {tool.name: tool.read_only for tool in manager.listings()["site"]} == {
            "look": True,
            "change": False,
            "broken": True,
        }
        found = await asyncio.gather(*(ask(manager, "look", server="site", episode=f"e{n}") for n in range(8)))
        assert sorted(one.structured["result"] for one in found) == list(range(1, 9))
        assert {headers["authorization"] for headers in site.seen} == {"Bearer sesame"}
        assert manager.has_episode("e1", "site")


@pytest.mark.parametrize("tool", ["look", "change"])
async def test_429_is_made_again(tool: str) -> None:
    """After 429, which means not accepted, a call is repeated when the server asks for it, a write as well."""
    async with served(Site()) as site, running(site=at(site)) as manager:
        site.spoiled = [(429, {"retry-after": "0"}), (429, {})]
        found = await ask(manager, tool, server="site")
        assert (found.structured, found.metrics["retries"]) == ({"result": 1}, 2)


async def test_429_without_end_is_an_observation() -> None:
    """After all retries, or if the server asks for too long a wait, the call is rate-limited."""
    async with served(Site()) as site, running(site=at(site)) as manager:
        site.spoiled = [(429, {"retry-after": "0"})] * 3
        assert (await ask(manager, "look", server="site")).failure is FailureKind.RATE_LIMITED
        site.spoiled = [(429, {"retry-after": "3600"})]
        long = await ask(manager, "change", server="site")
        assert (long.failure, long.metrics["retries"]) == (FailureKind.RATE_LIMITED, 0)
        assert (site.read, site.wrote) == (0, 0)


@pytest.mark.parametrize(
    "spoiled",
    [
        (200, {"content-type": "text/html"}),
        (200, {"content-type": "application/json"}),
        (202, {}),
        (307, {"location": "http://elsewhere.invalid/mcp"}),
    ],
    ids=["a page", "no JSON", "accepted", "redirected"],
)
async def test_an_answer_that_is_none_of_the_protocol_is_an_outage(spoiled: tuple[int, dict[str, str]]) -> None:
    """After an answer that breaks the protocol a read is repeated, and a write has an unknown outcome."""
    async with served(Site()) as site, running(site=at(site)) as manager:
        site.spoiled = [spoiled]
        assert (await ask(manager, "look", server="site")).structured == {"result": 1}
        site.spoiled = [spoiled] * 3
        assert (await ask(manager, "look", server="site")).failure is FailureKind.UNAVAILABLE
        site.spoiled = [spoiled]
        assert (await ask(manager, "change", server="site")).failure is FailureKind.OUTCOME_UNKNOWN


@pytest.mark.parametrize("status", [500, 503])
async def test_a_failed_read_is_made_again_and_a_failed_write_is_not(status: int) -> None:
    """After a 5xx reply a read is repeated; a write is not, and its outcome is unknown."""
    async with served(Site()) as site, running(site=at(site)) as manager:
        site.spoiled = [(status, {})]
        assert (await ask(manager, "look", server="site")).structured == {"result": 1}
        site.spoiled, site.after = [(status, {})], True
        found = await ask(manager, "change", server="site")
        assert (found.failure, site.wrote) == (FailureKind.OUTCOME_UNKNOWN, 1)
        assert "may have taken place" in found.text
        assert (await ask(manager, "change", server="site")).structured == {"result": 2}


@pytest.mark.parametrize("status", [401, 403])
async def test_a_refusal_is_final(status: int) -> None:
    """A refused credential is no outage, and the call is made only once."""
    async with served(Site()) as site, running(site=at(site)) as manager:
        site.spoiled = [(status, {})] * 3
        found = await ask(manager, "change", server="site")
        assert (found.failure, len(site.seen)) == (FailureKind.REFUSED, 1)


async def test_a_defect_of_the_server_is_its_answer() -> None:
    """A tool that fails is an error for the model to read, and no outage."""
    async with served(Site()) as site, running(site=at(site)) as manager:
        found = await ask(manager, "broken", server="site")
        assert found.is_error


@pytest.mark.parametrize("stateless", [True, False])
async def test_a_server_comes_back(stateless: bool) -> None:
    """While a server is gone, calls fail with the reason; after its restart calls work, also in old sessions."""
    site = Site()
    async with AsyncExitStack() as stack:
        async with served(site, stateless=stateless):
            manager = await stack.enter_async_context(running(site=at(site, retries=0)))
            assert (await ask(manager, "look", server="site")).structured == {"result": 1}
        gone = await ask(manager, "change", server="site")
        assert gone.failure is FailureKind.UNAVAILABLE  # nothing was sent, so the outcome is known
        await stack.enter_async_context(served(site, stateless=stateless))
        while (back := await ask(manager, "look", server="site")).failure is not None:
            await asyncio.sleep(0.1)
        assert back.structured == {"result": 2}
        await manager.aclose()


async def test_health_checks_find_what_changed() -> None:
    """A health check notices without any call that a server has a problem, and that the problem is over."""
    site = Site()
    async with running(check_s=0.05, site={"url": "http://127.0.0.1:9/mcp"}) as manager:
        assert "cannot connect" in manager.problems()["site"]
        assert (await ask(manager, "look", server="site")).failure is FailureKind.UNAVAILABLE
    async with AsyncExitStack() as stack:
        async with served(site):
            manager = await stack.enter_async_context(running(check_s=0.05, site=at(site)))
            assert manager.problems() == {}
        while "site" not in manager.problems():
            await asyncio.sleep(0.05)
        await stack.enter_async_context(served(site))
        while manager.problems():
            await asyncio.sleep(0.05)
        assert (await ask(manager, "look", server="site")).structured == {"result": 1}
        await manager.aclose()


async def test_our_own_server_over_http(tmp_path: Path) -> None:
    """`python -m mcp_servers.polygon --http` is listed and called by its URL alone."""
    with http_server("polygon", environment(), tmp_path) as (url, _):
        async with running(polygon={"url": url}) as manager:
            asked: dict[str, Any] = {"ticker": "ORCA", "start_date": "2026-06-01", "end_date": "2026-06-30"}
            found = await ask(manager, "polygon_get_aggs", server="polygon", **asked)
            assert (found.failure, found.is_error) == (None, False)


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        pytest.param("application/json", b"%s", id="a body"),
        pytest.param("text/event-stream", b"event: message\ndata: %s\n\n", id="an event"),
    ],
)
async def test_half_a_character_costs_no_result(kind: str, body: bytes) -> None:
    """A text that the server cut within a character arrives without the half character."""
    async with served(Site()) as site, running(site=at(site)) as manager:
        result = rb'{"resultType": "complete", "content": [{"type": "text", "text": "Z\u00fcrich \ud83d"}]}'
        site.spoiled = [(200, {"content-type": kind})]
        site.body = body % (b'{"jsonrpc": "2.0", "id": "ID", "result": %s}' % result)
        found = await ask(manager, "look", server="site")
        assert (found.text, found.failure, site.spoiled) == ("Zürich ?", None, [])
