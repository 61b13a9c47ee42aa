"""Requests to play while the database is away."""

from pathlib import Path
from typing import Any

import pytest

from tests.api.conftest import served

TASK = {"domain": "retail", "split": "test", "index": 0}
STEP = {"episode_id": "latest", "action": "Hello."}


@pytest.mark.parametrize(("path", "body"), [("/reset", TASK), ("/step", STEP)])
def test_a_request_to_play_may_be_sent_again(path: str, body: dict[str, Any], tmp_path: Path) -> None:
    """It gets a problem that may be retried, with a time to wait, and is answered once the database is back."""
    database = tmp_path / "episodes.db"
    for client in served(tmp_path, domains="retail"):
        assert client.post("/reset", json=TASK).status_code == 200
        away = database.rename(tmp_path / "away")
        refused = client.post(path, json=body)
        away.rename(database)
        told = refused.json()
        assert refused.headers["content-type"] == "application/problem+json"
        assert (refused.status_code, told["code"], told["retryable"]) == (503, "storage_unavailable", True)
        assert told["request_id"] == refused.headers["x-request-id"]
        assert float(refused.headers["retry-after"]) > 0
        assert client.post(path, json=body).status_code == 200
