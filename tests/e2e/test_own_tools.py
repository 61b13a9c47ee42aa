"""A scripted user acts on their own phone: each instruction is carried out once, and its result outlives a kill."""

from collections.abc import Collection, Iterator
from functools import cache
from typing import Any

import httpx2

from env_server.domains.discovery import domains, packs
from env_server.domains.kit import GoldCall, Hands, Task
from tests.e2e.conftest import Start
from tests.e2e.server import Server

DOMAIN = "telecom"
FINISHED = "That has been done successfully. Is there anything else I can help you with?"
WRONG = GoldCall(name="toggle_wifi_calling", requestor="user")
"""A call that no task of these tests asks for. A second call undoes it."""

MOST = 100
"""The number of tasks to search for those in which the user has to act."""

MOST_GOODBYES = 14
"""The number of closing messages after which a user with several wishes has given up."""

Reply = dict[str, Any]


def hands() -> Hands:
    """How the user handles their tools."""
    found = domains()[DOMAIN].hands
    assert found is not None
    return found


@cache
def tasks() -> dict[str | None, Task]:
    """By template, the first test task whose gold has calls of the user's and no transfer."""
    pack = packs(domains()[DOMAIN], {})["builtin"]
    listed = [pack.task_at("test", i) for i in reversed(range(MOST))]
    acting = [t for t in listed if any(c.requestor == "user" for c in t.gold.actions)]
    ending = {name for name, tool in pack.agent_tools.items() if tool.transfers}
    return {t.template: t for t in acting if not ending & {c.name for c in t.gold.actions}}


def phone_only() -> Task:
    """The task whose gold has the most calls of the user, less the number of values that must be told."""
    return max(tasks().values(), key=lambda t: sum(c.requestor == "user" for c in t.gold.actions) - len(t.gold.outputs))


def actions(task: Task) -> Iterator[Any]:
    """Gold as an agent plays it: its own calls, words for the user's, then what is to be told."""
    for call in task.gold.actions:
        own = {"tool_calls": [{"name": call.name, "arguments": call.arguments}]}
        yield own if call.requestor == "agent" else hands().instruct(call)
    yield " ".join(["It comes to:", *task.gold.outputs, FINISHED])


def begin(server: Server, task: Task) -> str:
    """Begin an episode; its id."""
    begun = server.post("/reset", domain=DOMAIN, task_id=task.task_id, user={"strategy": "scripted"}, conduct="off")
    assert "user_tools" not in begun["info"]  # they are the scripted user's own business
    return str(begun["episode_id"])


def play(server: Server, task: Task, kill_before: Collection[int] = ()) -> list[Reply]:
    """The replies to gold, turn by turn, until the user has had enough; the server is killed before some turns."""
    episode, replies = begin(server, task), list[Reply]()
    said = [*actions(task), *[FINISHED] * MOST_GOODBYES]
    for turn, action in enumerate(said, 1):
        if turn in kill_before:
            server.kill()
            server.start()
        replies.append(server.post("/step", episode_id=episode, turn=turn, action=action))
        if replies[-1]["done"]:
            return replies
    raise AssertionError(f"{task.task_id}: the user goes on: {replies[-1]}")


def done_by_user(reply: Reply) -> list[str]:
    """The tools that the user called in a turn."""
    return [call["name"] for call in reply["info"].get("user_calls") or ()]


def test_the_user_does_what_gold_asks_for(pair: tuple[Server, Server]) -> None:
    """In every kind of task words are enough: the reply lists the user's calls, and the reward is 1."""
    server, _ = pair
    for task in tasks().values():
        replies = play(server, task)
        assert replies[-1]["reward"] == 1.0, (task.task_id, replies[-1]["info"])
        for call, reply in zip(task.gold.actions, replies, strict=False):
            listed = [(c["name"], c["arguments"], c["error"]) for c in reply["info"].get("user_calls") or ()]
            assert call.requestor == "agent" or (call.name, call.arguments, None) in listed, task.task_id


def test_a_wrong_instruction_is_carried_out_and_costs_the_reward(pair: tuple[Server, Server]) -> None:
    """The user obeys: the rows change, and the reply lists the call. Playing gold afterwards earns no reward."""
    (server, _), task = pair, phone_only()
    episode = begin(server, task)
    looked = server.post("/step", episode_id=episode, turn=1, action="Please check the status bar.")
    assert done_by_user(looked)[0] == "check_status_bar"
    assert server.get(f"/episodes/{episode}/diff")["rows"] == []
    misled = server.post("/step", episode_id=episode, turn=2, action=hands().instruct(WRONG))
    assert done_by_user(misled)[0] == WRONG.name
    assert misled["state_hash"] != looked["state_hash"]
    assert server.get(f"/episodes/{episode}/diff")["rows"] != []
    reply = misled
    for turn, action in enumerate([*actions(task), *[FINISHED] * MOST_GOODBYES], 3):
        if not reply["done"]:
            reply = server.post("/step", episode_id=episode, turn=turn, action=action)
    assert (reply["done"], reply["reward"]) == (True, 0.0)
    assert reply["info"]["row_diff"]


def test_a_retry_repeats_nothing(pair: tuple[Server, Server]) -> None:
    """The same turn again, at either server: the same bytes, one record of it, and the phone is not touched again."""
    task = phone_only()
    episode = begin(pair[0], task)
    body = {"episode_id": episode, "turn": 1, "action": hands().instruct(WRONG)}
    first = pair[0].call("POST", "/step", body)
    changed = first.json()["state_hash"]
    for server in (*pair, *pair):
        again: httpx2.Response = server.call("POST", "/step", body)
        assert (again.status_code, again.content) == (200, first.content)
        assert server.get(f"/episodes/{episode}/state")["state_hash"] == changed
    undone = pair[1].post("/step", episode_id=episode, turn=2, action=hands().instruct(WRONG))
    assert undone["state_hash"] != changed
    turns = pair[0].get(f"/episodes/{episode}/trajectory")["turns"]
    calls = [done_by_user(part) for turn in turns for part in turn["parts"]]
    assert [names.count(WRONG.name) for names in calls] == [1, 1]


def test_the_user_goes_on_where_a_killed_server_left_off(start: Start) -> None:
    """Killed between turns, the server plays as one that was left alone: same words, calls, states and reward."""
    server, task = start(DOMAINS="telecom"), phone_only()
    undisturbed = play(server, task)
    replies = play(server, task, kill_before=(2, 4))
    assert [r | {"episode_id": ""} for r in replies] == [r | {"episode_id": ""} for r in undisturbed]
    assert replies[-1]["reward"] == 1.0
    for turn, (action, reply) in enumerate(zip(actions(task), replies, strict=False), 1):
        assert server.post("/step", episode_id=reply["episode_id"], turn=turn, action=action) == reply
    assert server.verified()["ok"]
