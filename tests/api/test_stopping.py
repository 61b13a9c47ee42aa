"""Requests that arrive while a server stops, or that have not begun to play when it stops."""

from pathlib import Path
from typing import Any

import pytest
from httpx2 import ASGITransport, AsyncClient

from env_server.api.admission import Admission
from env_server.app import create_app
from env_server.settings import Settings

RESET = {"domain": "retail", "split": "test", "index": 0}


@pytest.mark.parametrize("late", [False, True])
async def test_what_a_stopping_server_does_not_play_may_be_sent_again(
    late: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reset gets 503 with a time to retry, whether it comes during the stop or still waits for admission."""
    given = Settings(_env_file=None, database_url=f"sqlite:///{tmp_path}/stopping.db", preload=False)
    app = create_app(given)
    async with app.router.lifespan_context(app):
        transport = ASGITransport(app, raise_app_exceptions=False)
        async with AsyncClient(transport=transport, base_url="http://localhost") as client:
            assert (await client.post("/reset", json=RESET)).status_code == 200
            admit = Admission.admit

            async def admitted(self: Admission, *given: Any) -> None:
                await admit(self, *given)
                await app.state.episodes.close()

            if late:
                await app.state.episodes.close()
            else:
                monkeypatch.setattr(Admission, "admit", admitted)
            refused = await client.post("/reset", json=RESET)
            told = refused.json()
            assert (refused.status_code, told["code"], told["retryable"]) == (503, "storage_unavailable", True)
            assert "Retry-After" in refused.headers
