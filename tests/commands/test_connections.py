"""Too many, too large and stalled connections, on real sockets to `env-server serve`."""

import json
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import httpx2
import pytest

from tests.commands.conftest import Server

GET = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
HALF_HEAD = b"POST /step HTTP/1.1\r\nHost: loc"
HALF_BODY = b'POST /step HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"episode_id'
CHUNK = 2_000_000

Starts = Callable[..., Server]
Opens = Callable[[Server, bytes], socket.socket]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Starts]:
    """Start a server with these ENV_SERVER_ settings. It is killed at the end."""
    with ExitStack() as stack:

        def starting(descriptors: int | None = None, **settings: str) -> Server:
            environment = {f"ENV_SERVER_{name}": value for name, value in settings.items()}
            server = Server(tmp_path, environment, descriptors)
            stack.callback(server.kill)
            return server

        yield starting


@pytest.fixture
def opened() -> Iterator[Opens]:
    """Open a connection to a server and send some bytes. It is closed at the end."""
    with ExitStack() as stack:

        def opening(server: Server, sent: bytes) -> socket.socket:
            connection = stack.enter_context(socket.create_connection(("127.0.0.1", server.said["port"]), timeout=300))
            connection.sendall(sent)
            return connection

        yield opening


def metric(server: Server, line: str) -> float:
    """Return the value of a metric."""
    text = httpx2.get(f"{server.url}/metrics", timeout=300).text
    return next((float(value) for name, _, value in (m.rpartition(" ") for m in text.splitlines()) if name == line), 0)


def test_stalled_sockets_keep_nobody_out(start: Starts, opened: Opens) -> None:
    """More sockets than the server accepts have sent half a head or half a body: the oldest are closed."""
    server = start(MAX_CONNECTIONS="16")
    stalled = [opened(server, half) for _ in range(20) for half in (HALF_HEAD, HALF_BODY)]
    task = {"domain": "retail", "split": "test", "index": 0}
    assert httpx2.post(f"{server.url}/reset", json=task, timeout=300).status_code == 200
    assert metric(server, 'env_server_connections_closed_total{reason="full"}') >= 40 - 16
    assert stalled[0].recv(100).startswith(b"HTTP/1.1 408")
    stalled[-2].sendall(b"alhost\r\nContent-Length: 2\r\n\r\n{}")
    assert stalled[-2].recv(100).startswith(b"HTTP/1.1 422")


def test_stalled_sockets_do_not_use_up_the_descriptors(start: Starts, opened: Opens) -> None:
    """400 stalled sockets at a process that may open 256 descriptors: an honest client plays, and more may stall."""
    server = start(descriptors=256)
    for half in (HALF_HEAD, HALF_BODY, b"", HALF_HEAD) * 100:
        opened(server, half)
    task = {"domain": "retail", "split": "test", "index": 0}
    action = {"tool_calls": [{"name": "think", "arguments": {"thought": "hm"}}]}
    with httpx2.Client(base_url=server.url, timeout=300) as client:
        episode = client.post("/reset", json=task).json()["episode_id"]
        for turn in range(1, 21):
            for _ in range(10):
                opened(server, HALF_BODY)
            reply = httpx2.post(f"{server.url}/step", json={"episode_id": episode, "turn": turn, "action": action})
            assert (reply.status_code, reply.json()["turn"]) == (200, turn)
    assert metric(server, "process_max_fds") == 256
    assert metric(server, "process_open_fds") < 256
    assert metric(server, 'env_server_connections_closed_total{reason="full"}') >= 600 - 192
    status, printed, err = server.stop(signal.SIGTERM)
    assert (status, err) == (0, "")
    lines = [json.loads(line) for line in printed.splitlines()]
    assert [line for line in lines if line["level"] == "error"] == []
    assert {line["event"] for line in lines if line["level"] == "warning"} == {"nearly all connections are taken"}


@pytest.mark.parametrize(("half", "reason"), [(HALF_HEAD, "head_timeout"), (HALF_BODY, "body_timeout"), (b"", "")])
def test_a_request_has_to_arrive_in_time(start: Starts, opened: Opens, half: bytes, reason: str) -> None:
    """Half a request is answered with 408 after a while; a connection without a request is closed."""
    server = start(HEAD_TIMEOUT_S="0.3", BODY_TIMEOUT_S="0.3")
    answer = opened(server, half).recv(100)
    assert answer.startswith(b"HTTP/1.1 408") if half else answer == b""
    if reason:
        assert metric(server, f'env_server_connections_closed_total{{reason="{reason}"}}') == 1


def test_connections_in_use_are_kept(start: Starts, opened: Opens) -> None:
    """While every connection gets an answer, new ones are told when to retry, and health is still answered."""
    server = start(MAX_CONNECTIONS="2")
    task = {"domain": "retail", "split": "test", "index": 0}
    episode = httpx2.post(f"{server.url}/reset", json=task, timeout=300).json()["episode_id"]
    events = f"GET /page/episodes/{episode}/live HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    watching = [opened(server, events) for _ in range(2)]
    assert all(connection.recv(20).startswith(b"HTTP/1.1 200") for connection in watching)
    refused = httpx2.get(f"{server.url}/domains", timeout=300)
    assert (refused.status_code, refused.json()["code"], refused.json()["retryable"]) == (503, "overloaded", True)
    assert int(refused.headers["Retry-After"]) >= 1
    assert httpx2.get(f"{server.url}/healthz", timeout=300).status_code == 200
    watching[0].close()
    with httpx2.Client(timeout=300) as client:
        while client.get(f"{server.url}/domains").status_code == 503:
            pass


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (GET + b"X-A: " + b"a" * 15_000 + b"\r\n\r\n", b"200"),
        (GET + b"X-A: " + b"a" * 17_000 + b"\r\n\r\n", b"431"),
        (GET + b"X-A: 1\r\n" * 3_000 + b"\r\n", b"431"),
        (GET + b"Host: example.org\r\n\r\n", b"400"),
        (
            b"POST /step HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
            + b"%x\r\n%s\r\n0\r\n\r\n" % (CHUNK, b"a" * CHUNK),
            b"413",
        ),
    ],
    ids=["large head", "too large a head", "too many headers", "two hosts", "one large chunk"],
)
def test_a_request_that_is_refused(start: Starts, opened: Opens, sent: bytes, status: bytes) -> None:
    """A head of more than 16 KB, two hosts and a body over the limit are refused, and the server goes on serving."""
    server = start()
    assert opened(server, sent).recv(100).startswith(b"HTTP/1.1 " + status)
    assert httpx2.get(f"{server.url}/healthz", timeout=300).status_code == 200


def test_a_head_without_end_is_refused(start: Starts, opened: Opens) -> None:
    """The server closes the connection after a small part of the endless head."""
    server = start()
    connection, sent, answer = opened(server, GET + b"X-A: "), 0, b""
    with suppress(OSError):
        while sent < 20_000_000:
            connection.sendall(b"a" * 100_000)
            sent += 100_000
    with suppress(OSError):
        answer = connection.recv(1000)
    assert sent < 20_000_000
    assert answer == b"" or answer.startswith(b"HTTP/1.1 431")


@pytest.mark.parametrize(("proxies", "scheme"), [("", "http"), ("127.0.0.1", "https"), ("10.0.0.0/8", "http")])
def test_forwarded_headers_are_believed_from_proxies_alone(start: Starts, proxies: str, scheme: str) -> None:
    """If the operator trusts the proxy, the agent's URL has the scheme that the proxy names."""
    server = start(TRUSTED_PROXIES=proxies)
    task = {"domain": "retail", "split": "test", "index": 0}
    headers = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.1"}
    reply = httpx2.post(f"{server.url}/reset", json=task, headers=headers, timeout=300).json()
    assert reply["mcp_url"].startswith(f"{scheme}://")
