"""The pages of an application in this process, and a browser that has cookies and form tokens."""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from httpx2 import Response
from starlette.testclient import TestClient

from env_server.records.read.read_connections import Readers
from tests.api.conftest import served

KEY = "alice-key"


@dataclass
class Browser:
    """A client that keeps cookies and sends the form token of the page that it loaded last."""

    client: TestClient
    token: str = ""

    def get(self, path: str, status: int = 200) -> str:
        """The page at `path`."""
        found = self.client.get(path)
        assert found.status_code == status, found.text
        if token := re.search(r'name="form_token" value="([^"]+)"', found.text):
            self.token = html.unescape(token[1])
        return found.text

    def send(self, path: str, **fields: Any) -> Response:
        """Send a form and return the response."""
        return self.client.post(path, data={"form_token": self.token, **fields})

    def begin(self, **fields: Any) -> str:
        """Begin an episode on the page of retail's first test task and return its path."""
        task = self.client.get("/domains/retail/tasks?split=test&limit=1").json()["tasks"][0]["task_id"]
        self.get(f"/page/domains/retail/tasks/{task}")
        return self.went(self.send("/page/episodes", domain="retail", task_id=task, **fields)).partition("?")[0]

    def went(self, response: Response) -> str:
        """The address to which a form led."""
        assert response.status_code == 303, response.text
        return response.headers["location"]


@pytest.fixture(scope="session")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A server without keys."""
    yield from served(tmp_path_factory.mktemp("page"))


@pytest.fixture(scope="session")
def keyed_client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A server with a key."""
    yield from served(tmp_path_factory.mktemp("page-keys"), api_keys=f"alice:{KEY}", token_secret="a secret")


@pytest.fixture
def browser(client: TestClient) -> Browser:
    """A browser at the server without keys."""
    client.cookies.clear()
    return Browser(client)


@pytest.fixture
def stranger(keyed_client: TestClient) -> Browser:
    """A browser without a session, at the server with a key."""
    keyed_client.cookies.clear()
    return Browser(keyed_client)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of rows of each query of the store."""
    counts: list[int] = []
    every, first = Readers.all, Readers.first

    def counted(self: Readers, *args: Any) -> Any:
        rows = every(self, *args)
        counts.append(len(rows))
        return rows

    def one(self: Readers, *args: Any) -> Any:
        counts.append(1)
        return first(self, *args)

    monkeypatch.setattr(Readers, "all", counted)
    monkeypatch.setattr(Readers, "first", one)
    return counts
