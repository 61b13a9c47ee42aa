"""Examples for the OpenAPI document: a whole episode of each domain, made from the domain's own first test task."""

from typing import Any

from env_server.domains.kit import Task
from env_server.domains.pack import Pack
from env_server.episodes import Episodes

SPLIT = "test"
CLOSING = "All done. {outputs} Is there anything else?"

Examples = dict[str, dict[str, Any]]


def examples(episodes: Episodes) -> dict[str, Examples]:
    """Path -> name -> example. Executed one after another, those of a domain play one episode to its reward."""
    resets: Examples = {}
    steps: Examples = {}
    for domain, packs in episodes.library.sources.items():
        pack = packs["builtin"]
        try:
            task = pack.task_at(SPLIT, 0)
        except Exception:  # a domain from outside may have no such task, or fail: the document goes on without it
            continue
        resets[domain] = _example(f"Begin an episode of {domain}", {"domain": domain, "split": SPLIT, "index": 0})
        steps |= _steps(pack, task)
        resets[f"{domain}_group"] = _example(f"Begin a group of 4 episodes of {domain}", _group(pack))
    first = next(iter(episodes.library.sources))
    person = {"strategy": "external", "first_message": "Hello, I need help with an order."}
    resets["external_user"] = _example(
        "Play the user yourself", {"domain": first, "split": SPLIT, "index": 0, "user": person}
    )
    users = {
        "speak": _example("Answer the agent", {"content": "Yes, please."}),
        "stop": _example("End the conversation", {"content": "###STOP###"}),
    }
    return {
        "/reset": resets,
        "/step": steps,
        "/episodes/{episode_id}/user": users,
        "/episodes/{episode_id}/fork": {"start": _example("Try again from the first message", {"turn": 0})},
        "/episodes/{episode_id}/close": {"give_up": _example("Give up", {"reason": "context_full"})},
        "/batch/reset": {"two": _example("Two resets", {"items": [r["value"] for r in resets.values()][:2]})},
        "/batch/step": {"one": _example("One step", {"items": [next(iter(steps.values()))["value"]]})},
    }


def _steps(pack: Pack, task: Task) -> Examples:
    found: Examples = {}
    domain, hands = pack.domain.name, pack.domain.hands
    for i, call in enumerate(task.gold.actions, 1):
        action: Any = {"tool_calls": [{"name": call.name, "arguments": call.arguments}]}
        does = f"call {call.name}"
        if call.requestor == "user" and hands is not None:
            action, does = hands.instruct(call), f"have the user call {call.name}"
        found[f"{domain}_{i}"] = _example(f"{domain}, turn {i}: {does}", _step(action))
    words = CLOSING.format(outputs=" ".join(task.gold.outputs))
    last = len(task.gold.actions) + 1
    found[f"{domain}_{last}"] = _example(f"{domain}, turn {last}: speak to the user, until it stops", _step(words))
    return found


def _group(pack: Pack) -> dict[str, Any]:
    split = "train" if "train" in pack.splits else SPLIT
    return {"domain": pack.domain.name, "split": split, "seed": 1, "n": 4}


def _step(action: Any) -> dict[str, Any]:
    return {"episode_id": "latest", "action": action}


def _example(summary: str, value: Any) -> dict[str, Any]:
    return {"summary": summary, "value": value}
