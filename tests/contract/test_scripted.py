"""Whole episodes with the scripted user: simple agents get what they deserve."""

from typing import Any

import pytest

from env_server.domains.discovery import domains
from env_server.domains.kit import GoldCall
from tests.api.talk import Api
from tests.contract.acts import each_domain

SAMPLE = 70
"""Tasks of each domain: templates take turns, and none has as many."""
HAND_OVER = "transfer_to_human_agents"


def started(api: Api, domain: str) -> list[dict[str, Any]]:
    """Episodes of the first test tasks."""
    items = [{"domain": domain, "split": "test", "index": i} for i in range(SAMPLE)]
    results: list[dict[str, Any]] = api.post("/batch/reset", {"items": items})["results"]
    return results


def played(api: Api, begun: list[dict[str, Any]], actions: list[list[Any]]) -> list[dict[str, Any]]:
    """Play all episodes at once to their ends; an agent whose actions have run out repeats its last."""
    last: dict[str, dict[str, Any]] = {}
    for turn in range(1, 31):
        going = [(e["episode_id"], todo) for e, todo in zip(begun, actions, strict=True)]
        going = [(episode, todo) for episode, todo in going if not last.get(episode, {}).get("done")]
        items = [
            {"episode_id": episode, "turn": turn, "action": todo[min(turn, len(todo)) - 1]} for episode, todo in going
        ]
        for reply in api.post("/batch/step", {"items": items})["results"] if items else []:
            last[reply["episode_id"]] = reply
    assert all(reply["done"] for reply in last.values())
    return [last[e["episode_id"]] for e in begun]


def call(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """A message that makes one call."""
    return {"tool_calls": [{"name": name, "arguments": arguments}]}


def solution(api: Api, domain: str, episode: dict[str, Any]) -> tuple[list[Any], list[str]]:
    """What a competent agent does, asking in words for what is the user's to do; and what it has to tell."""
    gold = api.get(f"/domains/{domain}/tasks/{episode['info']['task_id']}?gold=true")["gold"]
    calls = [GoldCall.model_validate(c) for c in gold["actions"]]
    return [call(c.name, c.arguments) if c.requestor == "agent" else words(domain, c) for c in calls], gold["outputs"]


def words(domain: str, own: GoldCall) -> str:
    """How an agent asks the user for a call of theirs."""
    hands = domains()[domain].hands
    assert hands is not None
    return hands.instruct(own)


@each_domain
def test_an_agent_that_does_all_of_gold_is_let_go_and_scores_one(api: Api, domain: str) -> None:
    """After gold's calls it tells the outputs; the user ends the conversation within the default limits."""
    begun, plans = started(api, domain), []
    for episode in begun:
        done, outputs = solution(api, domain, episode)
        plans.append([*done, f"That is done. {'; '.join(outputs)}. Is there anything else I can do?"])
    ends = played(api, begun, plans)
    assert [(e["info"]["task_id"], r["reward"], r["terminated"]) for e, r in zip(begun, ends, strict=True)] == [
        (e["info"]["task_id"], 1.0, True) for e in begun
    ]


def _is_handover(action: dict[str, Any]) -> bool:
    return bool(action["tool_calls"][0]["name"] == HAND_OVER)


@each_domain
def test_gold_and_then_a_transfer_that_gold_does_not_have_scores_zero(api: Api, domain: str) -> None:
    """To do the work, or to look as a refusal demands, and then hand over is not to serve the user.

    Users who have done their own part may be content and gone by then; they are left out.
    """
    chosen, plans = [], []
    for episode in started(api, domain):
        done, _ = solution(api, domain, episode)
        if not any(isinstance(action, str) or _is_handover(action) for action in done):
            plans.append([*done, call(HAND_OVER, {"summary": "x"})])
            chosen.append(episode)
    ends = played(api, chosen, plans)
    assert {(r["reward"], r["stop_reason"]) for r in ends} == {(0.0, "transfer")}
    assert 1.0 in {r["info"]["would_be"] for r in ends}


@each_domain
@pytest.mark.parametrize(
    "message",
    [
        "Hello! How can I help you?",
        "I am sorry, but I cannot help you with that.",
        "Done! Is there anything else?",
        "...",
    ],
)
def test_an_agent_that_only_talks_scores_zero(api: Api, domain: str, message: str) -> None:
    """Useless words, a refusal or a false report at once: the user gives up, and the reward is 0."""
    begun = started(api, domain)
    ends = played(api, begun, [[message]] * len(begun))
    assert {(r["reward"], r["info"]["scored"]) for r in ends} == {(0.0, True)}


@each_domain
def test_an_agent_that_transfers_at_once_scores_zero(api: Api, domain: str) -> None:
    """Handing over without a look is never the answer."""
    begun = started(api, domain)
    ends = played(api, begun, [[call(HAND_OVER, {"summary": "x"})]] * len(begun))
    assert {(r["reward"], r["stop_reason"]) for r in ends} == {(0.0, "transfer")}
