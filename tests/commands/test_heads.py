"""Request heads without end, on a real connection to `env-server serve`."""

import socket
from contextlib import suppress
from pathlib import Path

from tests.commands.conftest import Server


def test_a_head_without_end_is_refused(tmp_path: Path) -> None:
    """The server closes the connection before it holds more than a little of it, and goes on serving."""
    server = Server(tmp_path, {})
    try:
        with socket.create_connection(("127.0.0.1", server.said["port"]), timeout=300) as connection:
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-A: ")
            sent, answer = 0, b""
            with suppress(OSError):
                while sent < 20_000_000:
                    connection.sendall(b"a" * 100_000)
                    sent += 100_000
            with suppress(OSError):
                answer = connection.recv(1000)
            assert sent < 20_000_000
            assert answer == b"" or answer.startswith(b"HTTP/1.1 431")
        with socket.create_connection(("127.0.0.1", server.said["port"]), timeout=300) as connection:
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert connection.recv(100).startswith(b"HTTP/1.1 200")
    finally:
        server.kill()
