"""An external user's own calls within one turn: each piece runs once, and a retry is answered from the store."""

from typing import Any

import pytest

from env_server.episodes.turn.user import MOST_CALLS
from tests.api.talk import Api

TOGGLE = {"tool_calls": [{"name": "toggle_airplane_mode", "arguments": {}}]}
LOOK = {"tool_calls": [{"name": "check_network_status", "arguments": {}}]}


@pytest.fixture
def waiting(api: Api) -> str:
    """An episode of telecom whose turn 1 waits for the user."""
    user = {"strategy": "external", "first_message": "My phone finds no network."}
    body = {"domain": "telecom", "split": "test", "index": 14, "user": user}
    episode: str = api.post("/reset", body)["episode_id"]
    api.step(episode, "Please switch airplane mode.", 1)
    return episode


def user(api: Api, episode: str, **body: Any) -> Any:
    """Send a piece of the user's part and return the reply."""
    return api.send("POST", f"/episodes/{episode}/user", json={"turn": 1, **body}).json()


def test_only_the_newest_piece_is_taken_for_a_retry(api: Api, waiting: str) -> None:
    """A call equal to the newest piece is a retry and does not run; after another piece the same call runs again."""
    first = user(api, waiting, **TOGGLE)
    assert user(api, waiting, **TOGGLE) == first
    look = user(api, waiting, **LOOK)
    again = user(api, waiting, **TOGGLE)
    assert again["state_hash"] != first["state_hash"] == look["state_hash"]
    assert user(api, waiting, **LOOK)["info"]["user_observation"] != look["info"]["user_observation"]


def test_numbered_pieces_run_once_each(api: Api, waiting: str) -> None:
    """With `seq`, two equal calls run twice; a retry of either is answered from the store; gaps are refused."""
    zero, one = user(api, waiting, **TOGGLE, seq=0), user(api, waiting, **TOGGLE, seq=1)
    assert zero["state_hash"] != one["state_hash"]
    assert (user(api, waiting, **TOGGLE, seq=0), user(api, waiting, **TOGGLE, seq=1)) == (zero, one)
    assert user(api, waiting, **LOOK, seq=0)["code"] == "turn_conflict"
    assert user(api, waiting, **LOOK, seq=3)["code"] == "turn_ahead"
    assert user(api, waiting, content="Done.", seq=2)["info"]["awaiting_user"] is False
    assert user(api, waiting, content="Done.", seq=2)["info"]["awaiting_user"] is False


def test_a_piece_is_bounded(api: Api, waiting: str) -> None:
    """A piece with more calls than allowed is refused as a whole."""
    calls = TOGGLE["tool_calls"] * (MOST_CALLS + 1)
    assert user(api, waiting, tool_calls=calls)["code"] == "invalid_request"
    assert user(api, waiting, **LOOK)["info"]["awaiting_user"] is True
