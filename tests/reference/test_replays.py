"""Recorded conversations of tau-bench, played again over HTTP, get their recorded rewards.

The public ones are not kept here: `REPLAYS_DIR` names a folder of files of runs (`*airline*.json`, `*retail*.json`);
without it they are looked for in `replays/` beside the vectors.
"""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.e2e.server import PATIENCE_S, Server
from tests.reference import small_shop, vectors
from tests.reference.replay import Recording, recordings, replay

RECORDED = Path(os.environ.get("REPLAYS_DIR") or vectors.DIRECTORY / "replays")
"""The folder of public conversations, if there are some."""


@dataclass(frozen=True)
class Line:
    """A connection to a server that stays open, because a recording has dozens of messages."""

    client: httpx2.Client

    def post(self, path: str, **body: Any) -> dict[str, Any]:
        """The reply to a POST that must succeed."""
        response = self.client.post(path, json=body)
        assert response.status_code == 200, response.text
        reply: dict[str, Any] = response.json()
        return reply


@contextmanager
def served(folder: Path, tau1: Path) -> Iterator[Line]:
    """A server process with the data of `tau1`, and a connection to it."""
    server = Server(folder / "episodes.db", {"TAU1_DIR": str(tau1)})
    try:
        with httpx2.Client(base_url=server.start().url, timeout=PATIENCE_S) as client:
            yield Line(client)
    finally:
        server.kill()


def own(folder: Path) -> list[Recording]:
    """The conversations of the small shop, read from a file of runs."""
    file = folder / "small-retail.json"
    file.write_text(json.dumps(small_shop.runs()), encoding="utf-8")
    return list(recordings(file))


def test_a_small_shops_conversations_are_answered_and_rewarded_as_recorded(tmp_path: Path) -> None:
    """Talk, failed and unknown calls, words beside a call, transfer, stop, too many turns, and one broken off."""
    with served(tmp_path, small_shop.shop(tmp_path)) as line:
        came = [(recording, replay(line, recording)) for recording in own(tmp_path)]
    for recording, replayed in came:
        assert replayed.differ == [], recording.name
        assert replayed.reward == recording.reward, recording.name
    ends = ["user_stop"] * 3 + ["transfer"] * 2 + ["user_stop"] * 2 + ["max_turns", None]
    assert [replayed.stop for _, replayed in came] == ends


@pytest.mark.reference
def test_public_conversations_are_rewarded_as_recorded(reference: Path, tmp_path: Path) -> None:
    """Each public conversation gets its recorded reward; answers of tools may have changed."""
    files = sorted(RECORDED.glob("*.json"))
    if not files:
        pytest.skip("no recorded conversations here: set REPLAYS_DIR to where they are")
    with served(tmp_path, reference / "tau1") as line:
        wrong = [
            f"{recording.name}: {recording.reward:g}, now {came.reward} ({came.stop})"
            for file in files
            for recording in recordings(file)
            if (came := replay(line, recording)).reward != recording.reward
        ]
    assert wrong == []
