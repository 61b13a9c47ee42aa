import logging
import socket
from typing import Any

import httpx2
import pytest

from mcp_servers.kit.errors import ErrorKind, UpstreamError
from mcp_servers.kit.upstream.http import Upstream
from tests.mcp_servers.faults import ENDLESS, Fault, Faulty
from tests.mcp_servers.kit.counting import KEY, Things, explain, service
from tests.mcp_servers.served import served

pytestmark = pytest.mark.usefixtures("impatient")

SHORT_S, LONG_S = 0.3, 60.0
"""Seconds in which an answer has to come: few only where none comes."""


def closed_port() -> int:
    """A port on which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def read(url: str, **given: Any) -> Any:
    """One read over a socket."""
    upstream = Upstream(service(base_url=f"{url}/api", explain=explain, **given))
    try:
        return await upstream.get("things", "A/B ü")
    finally:
        await upstream.aclose()


async def write(url: str, **given: Any) -> Any:
    """One write over a socket."""
    upstream = Upstream(service(base_url=f"{url}/api", explain=explain, **given))
    try:
        return await upstream.post("things", json={"text": "hello"}, write=True)
    finally:
        await upstream.aclose()


async def test_a_read_over_a_socket(things: Things) -> None:
    """Over a socket the service gets the same request as in this process."""
    with served(things.app) as url:
        assert (await read(url))["thing"] == "A/B ü"
    assert things.asked[0].bearer == KEY
    assert things.asked[0].base == url


KINDS: dict[Fault, ErrorKind] = {
    "429": ErrorKind.RATE_LIMITED,
    "500": ErrorKind.UNAVAILABLE,
    "503-html": ErrorKind.UNAVAILABLE,
    "slow": ErrorKind.TIMED_OUT,
    "drip": ErrorKind.TIMED_OUT,
    "cut": ErrorKind.UNAVAILABLE,
    "short": ErrorKind.UNAVAILABLE,
    "malformed": ErrorKind.MALFORMED,
    "html": ErrorKind.MALFORMED,
    "empty": ErrorKind.MALFORMED,
    "huge": ErrorKind.MALFORMED,
    "redirect": ErrorKind.MALFORMED,
    "echo": ErrorKind.BAD_REQUEST,
}


@pytest.mark.parametrize("fault", KINDS)
async def test_each_fault_has_its_kind(things: Things, fault: Fault) -> None:
    """A fault on the network gives the same error as in this process; nothing else escapes."""
    with served(Faulty(things.app, always=fault)) as url, pytest.raises(UpstreamError) as failed:
        await read(url, attempts=1, timeout_s=SHORT_S if fault in ENDLESS else LONG_S)
    # A server that fails before it answers says 500 where it still can.
    assert failed.value.kind is KINDS[fault]
    assert KEY not in str(failed.value)


@pytest.mark.parametrize("fault", ["500", "slow", "cut", "malformed", "html"])
async def test_one_post_arrives(things: Things, fault: Fault) -> None:
    """A write whose answer is lost is seen once by the service."""
    faulty = Faulty(things.app, always=fault)
    with served(faulty) as url, pytest.raises(UpstreamError) as failed:
        await write(url, timeout_s=SHORT_S if fault in ENDLESS else LONG_S)
    assert failed.value.kind is ErrorKind.OUTCOME_UNKNOWN
    assert len(faulty.requests) == 1


async def test_a_refused_connection_is_no_unknown_outcome() -> None:
    """Where nobody listens a write certainly did not take place."""
    with pytest.raises(UpstreamError, match="cannot be reached") as failed:
        await write(f"http://127.0.0.1:{closed_port()}")
    assert failed.value.kind is ErrorKind.UNAVAILABLE


async def test_redirects_are_not_followed(things: Things) -> None:
    """The key is not sent to a host that the service names."""
    elsewhere = Faulty(things.app)
    with served(elsewhere) as other:

        async def sent_on(_scope: Any, _receive: Any, send: Any) -> None:
            headers = [(b"location", f"{other}/api/things/x".encode()), (b"content-type", b"application/json")]
            await send({"type": "http.response.start", "status": 307, "headers": headers})
            await send({"type": "http.response.body", "body": b"{}"})

        with served(sent_on) as url, pytest.raises(UpstreamError, match="redirect"):
            await read(url)
    assert elsewhere.requests == []


async def test_a_client_can_be_used_after_it_was_closed(things: Things) -> None:
    """Closing lets go of connections; a later call opens new ones."""
    with served(things.app) as url:
        upstream = Upstream(service(base_url=f"{url}/api"))
        for _ in range(2):
            assert (await upstream.get("things", "x"))["thing"] == "x"
            await upstream.aclose()


async def test_the_http_client_is_silent_about_our_requests(
    things: Things, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At DEBUG the HTTP client's own lines are left out for our requests, and stay for everybody else's."""
    caplog.set_level(logging.DEBUG)
    for name in ("httpx2", "httpcore2"):  # commands that other tests run may have quietened them
        caplog.set_level(logging.DEBUG, logger=name)
        monkeypatch.setattr(logging.getLogger(name), "disabled", False)
        monkeypatch.setattr(logging.getLogger(name), "propagate", True)
    with served(Faulty(things.app, ["echo"])) as url:
        with pytest.raises(UpstreamError):
            await read(url)
        assert KEY not in caplog.text
        assert [record.name for record in caplog.records if record.name.startswith(("httpx2", "httpcore2"))] == []
        async with httpx2.AsyncClient() as other:
            await other.get(f"{url}/api/things/x")
        assert "httpx2" in {record.name for record in caplog.records}
