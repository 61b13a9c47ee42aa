"""Serves an ASGI application on a socket, from a thread of its own."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn

_PATIENCE_S = 60.0
"""How long a thread may take to end."""


@contextmanager
def served(app: Any) -> Iterator[str]:
    """The base URL under which `app` answers while the body runs."""
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_config=None, lifespan="off"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the server ended"
        time.sleep(0.005)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = server.force_exit = True  # whatever is not answered yet
        thread.join(_PATIENCE_S)
