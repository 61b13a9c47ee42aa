"""The application whose interface is described. It runs in this process, on a database that is deleted."""

import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import structlog
from starlette.routing import BaseRoute
from starlette.testclient import TestClient

from env_server.app import create_app
from env_server.settings import Settings


@cache
def document() -> Mapping[str, Any]:
    """Return the OpenAPI document of a server without keys."""
    structlog.configure(processors=[_dropped])
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(_env_file=None, database_url=f"sqlite:///{Path(folder) / 'none.db'}", preload=False)
        with TestClient(create_app(settings), base_url="http://localhost") as client:
            found: Mapping[str, Any] = client.get("/openapi.json").raise_for_status().json()
            return found


def routes() -> list[BaseRoute]:
    """Return every route of the application, also those outside of the OpenAPI document."""
    return list(create_app(Settings(_env_file=None)).routes)


def _dropped(*_: object) -> Any:
    raise structlog.DropEvent
