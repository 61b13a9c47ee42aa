"""Two servers on one database, each of which may hold an older episode in memory than SQL has."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.e2e.server import Server

Pair = tuple[Server, Server]
THINK = {"tool_calls": [{"name": "think", "arguments": {"thought": "hm"}}]}
RACES = 20


def begin(server: Server, **body: Any) -> str:
    """Begin an episode; its id."""
    domain = server.get("/domains")["domains"][0]["name"]
    return str(server.post("/reset", domain=domain, split="test", index=0, **body)["episode_id"])


def step(server: Server, episode: str, turn: int | None, action: Any = THINK) -> tuple[int, dict[str, Any]]:
    """Play a turn; the status and the reply or problem."""
    body = {"episode_id": episode, "action": action} | ({} if turn is None else {"turn": turn})
    response = server.call("POST", "/step", body)
    return response.status_code, response.json()


def test_turns_played_elsewhere_are_seen(pair: Pair) -> None:
    """One server plays three turns, the other the fourth, the first goes on with the fifth, and so back and forth."""
    a, b = pair
    episode = begin(a)
    for turn, server in enumerate([a, a, a, b, a, b, b, b, a], start=1):
        status, reply = step(server, episode, turn)
        assert (status, reply["turn"]) == (200, turn)


def test_a_step_without_turn_is_the_next_one_everywhere(pair: Pair) -> None:
    """Without `turn` a server looks in SQL which turn is next, however stale its memory."""
    episode = begin(pair[0])
    turns = [step(pair[i % 2], episode, None)[1]["turn"] for i in range(6)]
    assert turns == [1, 2, 3, 4, 5, 6]


def test_both_answer_a_turn_from_the_future_and_from_the_past(pair: Pair) -> None:
    """A stale server refuses a turn that is too far, replays an old one, and conflicts on another action."""
    a, b = pair
    episode = begin(a)
    played = [step(a, episode, turn) for turn in (1, 2, 3)]
    assert step(b, episode, 5)[1]["code"] == "turn_ahead"
    for turn in (1, 2, 3):
        assert step(b, episode, turn) == played[turn - 1]
    assert step(a, episode, 4)[0] == 200
    assert step(b, episode, 4, "Something else")[1]["code"] == "turn_conflict"
    assert step(b, episode, 6)[1]["code"] == "turn_ahead"


def test_the_users_parts_may_go_to_either_server(pair: Pair) -> None:
    """Agent and user parts of an external user alternate between servers; a stale one neither loses nor repeats any."""
    a, b = pair
    episode = begin(a, user={"strategy": "external"})
    path = f"/episodes/{episode}/user"
    assert step(b, episode, 1)[1]["code"] == "awaiting_user"
    first = a.call("POST", path, {"turn": 0, "content": "Hello"}).content
    assert b.call("POST", path, {"turn": 0, "content": "Hello"}).content == first
    for turn in (1, 2, 3):
        status, reply = step(b, episode, turn, f"What else? ({turn})")
        assert (status, reply["info"]["awaiting_user"]) == (200, True)
        assert step(a, episode, turn + 1)[1]["code"] == "awaiting_user"
        said = a.call("POST", path, {"turn": turn, "content": f"Nothing {turn}"})
        assert said.status_code == 200
        assert b.call("POST", path, {"turn": turn, "content": f"Nothing {turn}"}).content == said.content
        assert b.call("POST", path, {"turn": turn, "content": "Other"}).json()["code"] == "turn_conflict"
    record = b.get(f"/episodes/{episode}/trajectory")["turns"]
    assert [(t["turn"], [p["part"] for p in t["parts"]]) for t in record] == [
        (0, ["user"]),
        *((turn, ["agent", "user"]) for turn in (1, 2, 3)),
    ]


@pytest.mark.parametrize("turn", [None, 1, 2])
def test_an_episode_closed_elsewhere_is_over(pair: Pair, turn: int | None) -> None:
    """A server that still holds the open episode plays no turn after another has closed it."""
    a, b = pair
    episode = begin(b)
    closed = a.call("POST", f"/episodes/{episode}/close", {}).content
    assert step(b, episode, turn)[1]["code"] == "episode_over"
    assert b.call("POST", f"/episodes/{episode}/close", {}).content == closed
    assert b.get(f"/episodes/{episode}")["stop_reason"] == "closed"


def test_the_same_turn_sent_to_both_at_once_is_played_once(pair: Pair) -> None:
    """Both servers answer with identical bytes, and the record has the turn once."""
    episode = begin(pair[0])
    with ThreadPoolExecutor(2) as pool:
        for turn in range(1, RACES + 1):
            body = {"episode_id": episode, "turn": turn, "action": THINK}
            one, two = pool.map(lambda server, body=body: server.call("POST", "/step", body), pair)
            assert (one.status_code, one.content) == (two.status_code, two.content), turn
            assert one.status_code == 200
    record = pair[1].get(f"/episodes/{episode}/trajectory")["turns"]
    assert [turn["turn"] for turn in record] == list(range(1, RACES + 1))


def test_of_two_actions_at_once_one_wins(pair: Pair) -> None:
    """The loser is told 409 turn_conflict, and the record has the winner's action."""
    episode = begin(pair[0])
    winners = []
    with ThreadPoolExecutor(2) as pool:
        for turn in range(1, RACES + 1):
            answers = list(pool.map(lambda i, turn=turn: step(pair[i], episode, turn, f"<think>{i}</think>"), (0, 1)))
            assert sorted(status for status, _ in answers) == [200, 409], answers
            winners.append(next(i for i in (0, 1) if answers[i][0] == 200))
            assert answers[1 - winners[-1]][1]["code"] == "turn_conflict"
    record = pair[0].get(f"/episodes/{episode}/trajectory")["turns"]
    assert [turn["parts"][0]["action"] for turn in record] == [f"<think>{i}</think>" for i in winners]


def test_a_key_used_at_both_at_once_begins_one_episode(pair: Pair) -> None:
    """A reset and a fork with one key, sent to both servers at once, are done once."""
    episode = begin(pair[0])
    domain = pair[0].get("/domains")["domains"][0]["name"]
    with ThreadPoolExecutor(2) as pool:
        for i in range(RACES):
            for path, body in (
                ("/reset", {"domain": domain, "idempotency_key": f"r{i}", "n": 3}),
                (f"/episodes/{episode}/fork", {"turn": 0, "idempotency_key": f"f{i}"}),
            ):
                one, two = pool.map(lambda server, path=path, body=body: server.call("POST", path, body), pair)
                assert (one.status_code, one.content) == (two.status_code, two.content)
                assert one.status_code == 200
