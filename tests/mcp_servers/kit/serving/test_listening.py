import socket
import subprocess
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
import uvicorn

from mcp_servers.kit.serving import listening as listening_module
from mcp_servers.kit.serving.listening import listen, serve_on, url
from tests.mcp_servers.wire.programs import environment


def test_where_a_socket_is_reached() -> None:
    """The URL has the port that was free; an IPv6 address stands in brackets."""
    with listen("it", "127.0.0.1", 0) as listening:
        port = listening.getsockname()[1]
        assert url(listening, "127.0.0.1") == f"http://127.0.0.1:{port}"
        assert url(listening, "::1") == f"http://[::1]:{port}"


def test_a_port_in_use() -> None:
    """A port that another socket has ends the command with one line."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(SystemExit, match=rf"^it: cannot listen on 127\.0\.0\.1 port {port}: .*in use"):
            listen("it", "127.0.0.1", port)


@pytest.mark.parametrize(
    ("host", "port"), [("127.0.0.1", 99999), ("127.0.0.1", -1), ("no such host", 0), ("x" * 300, 0), ("1:2", 0)]
)
def test_what_is_no_place(host: str, port: int) -> None:
    """A port or a host that does not exist ends the command with one line."""
    with pytest.raises(SystemExit) as ended:
        listen("it", host, port)
    assert str(ended.value).startswith(f"it: cannot listen on {host} port {port}: ")


async def test_a_call_that_outlives_its_server(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A call that never ends is ended with the server, and its traceback is not logged."""
    monkeypatch.setattr(listening_module, "LAST_CALLS_S", 0.05)
    servers: list[uvicorn.Server] = []
    begin = uvicorn.Server.startup

    async def startup(self: uvicorn.Server, sockets: list[socket.socket] | None = None) -> None:
        servers.append(self)
        await begin(self, sockets)

    async def endless(_scope: Any, _receive: Any, _send: Any) -> None:
        servers[0].should_exit = True
        await anyio.sleep_forever()

    monkeypatch.setattr(uvicorn.Server, "startup", startup)
    listening = listen("it", "127.0.0.1", 0)
    async with anyio.create_task_group() as tasks, httpx2.AsyncClient(timeout=None) as client:
        tasks.start_soon(partial(serve_on, listening, endless, lifespan="off"))
        with suppress(httpx2.HTTPError):
            await client.get(url(listening, "127.0.0.1"))
    assert "timeout graceful shutdown exceeded" in caplog.text
    assert "Traceback" not in caplog.text


@pytest.mark.parametrize("command", [["fmp", "--http", "99999"], ["stand_ins", "--port", "99999"]])
def test_commands_say_it_in_one_line(command: list[str], tmp_path: Path) -> None:
    """The commands end without a traceback."""
    done = subprocess.run(
        [sys.executable, "-m", f"mcp_servers.{command[0]}", *command[1:]],
        capture_output=True, text=True, env=environment(), cwd=tmp_path, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert done.stderr.splitlines()[-1].endswith("port 99999: a port is a number from 0 to 65535")
