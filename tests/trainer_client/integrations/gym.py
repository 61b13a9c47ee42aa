"""NeMo Gym's resources server on a real socket, for tests of this folder and of the trainers."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn

from trainer_client.integrations.nemo_gym.server import resources_server

PATIENCE_S = 60.0


@contextmanager
def serving(url: str, api_key: str) -> Iterator[str]:
    """The address of a resources server that plays at `url`."""
    config = uvicorn.Config(resources_server(url, api_key), host="127.0.0.1", port=0, log_config=None)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    deadline = time.monotonic() + PATIENCE_S
    while not server.started:
        assert time.monotonic() < deadline, "the resources server did not start"
        time.sleep(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = server.force_exit = True
    thread.join(PATIENCE_S)
