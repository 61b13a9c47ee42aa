"""The application in this process, on a database of its own, shared by the tests of this folder."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog
from starlette.testclient import TestClient

from env_server.app import create_app
from env_server.settings import Settings
from tests.api.talk import Api

PLAIN = [
    *structlog.get_config()["processors"][:-1],
    structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback),
]
"""The default log format, but without local values in tracebacks: a traceback with them takes a second."""

KEYS = {"alice": "alice-key", "bob": "bob-key"}


def served(folder: Path, **settings: Any) -> Iterator[TestClient]:
    """A client of a running application whose database lies in `folder`."""
    structlog.configure(processors=PLAIN)
    url = f"sqlite:///{folder / 'episodes.db'}"
    given = Settings(_env_file=None, **{"database_url": url, "preload": False, **settings})
    with TestClient(create_app(given), base_url="http://localhost", follow_redirects=False) as client:
        yield client


@pytest.fixture(scope="session")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    """An open server: no keys, everybody is the trainer."""
    for client in served(tmp_path_factory.mktemp("api")):
        yield Api(client)


@pytest.fixture(scope="session")
def keyed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    """A server that asks for the keys of `KEYS`."""
    keys = ",".join(f"{name}:{key}" for name, key in KEYS.items())
    for client in served(tmp_path_factory.mktemp("keyed"), api_keys=keys, token_secret="a secret"):
        yield Api(client)
