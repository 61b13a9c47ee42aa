"""The log of requests: `env_server.telemetry.request_log`, written by a real server."""

import asyncio
import io
import json
import logging
import signal
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx2
import pytest
import stamina.instrumentation
import structlog

from env_server.commands.logs import configure_logs
from env_server.telemetry.request_log import REQUEST_LOG, RequestLog, text_line
from tests.commands.conftest import Server


def served(folder: Path, **settings: str) -> tuple[httpx2.Response, str]:
    """Begin an episode, play two turns, miss one, and probe; the reply to the reset, and what the server printed."""
    server = Server(folder, {f"ENV_SERVER_{name}": value for name, value in settings.items()})
    try:
        with httpx2.Client(base_url=server.url) as client:
            begun = client.post("/reset", json={"domain": "retail", "split": "test", "index": 0})
            client.post("/step", json={"episode_id": "latest", "action": "Hello."})
            client.post("/step", json={"episode_id": begun.json()["episode_id"], "turn": 9, "action": "Hello."})
            client.get("/episodes/no%0Asuch")
            client.get("/healthz")
        return begun, server.stop(signal.SIGTERM)[1]
    finally:
        server.kill()


@pytest.fixture
def said(tmp_path: Path) -> tuple[httpx2.Response, list[dict[str, Any]]]:
    """Return the reply to the reset, and the JSON lines about requests."""
    begun, out = served(tmp_path)
    lines = [json.loads(line) for line in out.splitlines()]
    return begun, [line for line in lines if line["logger"] == "env_server.requests"]


def test_every_request_is_a_line(said: tuple[httpx2.Response, list[dict[str, Any]]]) -> None:
    """Method, path, status, milliseconds, episode, turn and request id are there; probes are not."""
    begun, lines = said
    episode = begun.json()["episode_id"]
    shown = [tuple(line.get(name) for name in ("method", "path", "status", "episode", "turn")) for line in lines]
    assert shown == [
        ("POST", "/reset", 200, episode, None),
        ("POST", "/step", 200, episode, 1),
        ("POST", "/step", 409, episode, None),
        ("GET", "/episodes/no\nsuch", 404, "no\nsuch", None),
    ]
    assert all(line["ms"] > 0 and (line["event"], line["level"]) == ("request", "info") for line in lines)
    assert lines[0]["request_id"] == begun.headers["x-request-id"]
    assert len({line["request_id"] for line in lines}) == 4


def test_lines_for_people() -> None:
    """As text, a request is one line, in which a path can neither begin another line nor steer the terminal."""
    fields = {"method": "GET", "path": "/a\n\x1bb", "status": 404, "ms": 1.5, "turn": 1, "request_id": "r-1"}
    assert (
        text_line(fields, 0.0).split(maxsplit=1)[1]
        == "GET    /a\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}b 404 1.50 ms turn=1 request_id=r-1"
    )


def test_warnings_alone() -> None:
    """At the level WARNING requests leave no line."""
    root = logging.getLogger()
    before, handlers, structure = root.level, root.handlers[:], structlog.get_config()
    stream = io.StringIO()
    try:
        for level in (logging.WARNING, logging.INFO):
            configure_logs(stream, level)
            assert REQUEST_LOG.is_on is (level == logging.INFO)
    finally:
        root.level, root.handlers[:] = before, handlers
        REQUEST_LOG.end()
        structlog.configure(**structure)
        stamina.instrumentation.set_on_retry_hooks(None)


async def test_a_log_that_cannot_be_written_fails_no_request(tmp_path: Path) -> None:
    """A full disk, a pipe without a reader and a closed stream lose the line."""
    scope = {"method": "GET", "path": "/", "state": {"request_id": "r-1"}}
    log = RequestLog()
    full = Path("/dev/full").open("w", encoding="utf-8")  # noqa: SIM115 - to close it fails
    log.begin(full, logging.INFO, as_text=False)
    log.write(scope, 200, 0.001)
    await asyncio.sleep(0)
    with suppress(OSError):
        full.close()
    with (tmp_path / "closed").open("w", encoding="utf-8") as closed:
        log.begin(closed, logging.INFO, as_text=True)
    log.write(scope, 200, 0.001)
    await asyncio.sleep(0)


async def test_requests_of_one_iteration_are_written_together() -> None:
    """The lines of one iteration of the event loop are one write, in order; `end` writes the rest."""
    written: list[str] = []
    stream = io.StringIO()
    stream.write = written.append  # type: ignore[method-assign,assignment] # counts the writes
    log = RequestLog()
    log.begin(stream, logging.INFO, as_text=False)
    for number in (1, 2):
        log.write({"method": "GET", "path": "/", "state": {"request_id": f"r-{number}"}}, 200, 0.001)
    await asyncio.sleep(0)
    assert [[json.loads(line)["request_id"] for line in text.splitlines()] for text in written] == [["r-1", "r-2"]]
    log.write({"method": "GET", "path": "/", "state": {"request_id": "r-3"}}, 200, 0.001)
    log.end()
    await asyncio.sleep(0)
    assert [json.loads(text)["request_id"] for text in written[1:]] == ["r-3"]
