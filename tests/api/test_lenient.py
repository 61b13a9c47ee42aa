"""Mistakes of a model, and chat messages with additional fields, are no errors of the caller."""

from typing import Any

import pytest

from tests.api.talk import THINK, Api


@pytest.mark.parametrize(
    "action",
    [
        {"role": "assistant", "content": None, "tool_calls": [THINK], "refusal": None},
        {"role": "assistant", "content": [{"type": "text", "text": "Hm."}], "tool_calls": [THINK]},
        {"tool_calls": [{"type": "function", "id": "c1", "function": THINK}]},
    ],
)
def test_chat_messages_are_understood_as_they_are(api: Api, action: dict[str, Any]) -> None:
    """A message of a chat completion is accepted unchanged."""
    reply = api.step(api.begin().episode_id, action, 1)
    assert [(c.name, c.error) for c in reply.info.calls] == [("think", None)]


@pytest.mark.parametrize("calls", [["think"], [None], [[THINK]], [{"name": 7}], [THINK, 3]])
def test_calls_that_are_none_are_observations(api: Api, calls: list[Any]) -> None:
    """The parser reads whatever stands in `tool_calls`, and the observation says what is wrong."""
    reply = api.step(api.begin().episode_id, {"tool_calls": calls}, 1)
    assert reply.info.parse_failure is not None
    assert len(reply.observation) == len(calls)


def test_words_in_parts_reach_the_user(api: Api) -> None:
    """Content that is a list of parts reaches the user as one message."""
    parts = [{"type": "text", "text": "What is your "}, {"type": "image_url"}, {"type": "text", "text": "email?"}]
    reply = api.step(api.begin().episode_id, {"content": parts, "tool_calls": None}, 1)
    assert reply.info.format == "text"
    assert "@" in reply.observation[0].content


def test_a_batch_answers_each_item(api: Api) -> None:
    """An item that is no valid request gets a problem of its own, and the others are played."""
    episode = api.begin().episode_id
    step = {"episode_id": episode, "turn": 1, "action": {"tool_calls": [THINK]}}
    results = api.post("/batch/step", {"items": [step, {"turn": 1}, "nonsense", None]})["results"]
    assert results[0]["turn"] == 1
    assert [r["code"] for r in results[1:]] == ["invalid_request"] * 3
    begun = api.post("/batch/reset", {"items": [{"domain": api.domain}, {"domain": 1}]})["results"]
    assert begun[0]["turn"] == 0
    assert begun[1]["code"] == "invalid_request"


def test_pages_of_other_origins_cannot_play(api: Api) -> None:
    """A browser sends the origin of its page: only pages of this server's own hosts are answered."""
    api.problem("POST", "/reset", "host_not_allowed", json={}, headers={"Origin": "https://evil.example"})
    api.problem("POST", "/reset", "host_not_allowed", json={}, headers={"Origin": "null"})
    assert api.post("/reset", {"domain": api.domain}, headers={"Origin": "http://localhost:8000"})["turn"] == 0


def test_a_path_with_a_slash_too_many_is_unknown(api: Api) -> None:
    """A path with an additional slash gets a problem, not a redirect that drops the body."""
    api.problem("POST", "/reset/", "not_found", json={"domain": api.domain})
