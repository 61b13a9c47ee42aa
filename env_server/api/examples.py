"""Examples for the OpenAPI document: a whole episode of a domain, made from the domain's first suitable test task."""

from collections.abc import Coroutine
from typing import Any

from agent_env_schemas import USER_STOP, Action, GoldSpec, Message, ToolCall, UserStrategy
from env_server.domains.kit import Task
from env_server.domains.kit.shared import TOOLS as SHARED
from env_server.domains.pack import Pack
from env_server.episodes import Episodes
from env_server.policies.base import Brief
from env_server.policies.oracle.oracle import talking
from env_server.policies.oracle.phrasing import PHRASINGS
from env_server.users import OwnTools
from env_server.users.scripted.user import SCRIPTED

SPLIT = "test"
MOST = 8
"""Maximum number of examples of one operation, and so of turns in the example. A person looks through all of them."""

LONGEST = 40
"""Maximum number of agent messages that are played to make an example."""

TRIED = 100
"""Maximum number of tasks in the search for a short one."""


def _no_tool(_name: str, _arguments: object) -> str:
    """Return an empty observation: the results of the user's own tools are not known here."""
    return ""


NO_HANDS = OwnTools({}, _no_tool, None)
Examples = dict[str, dict[str, Any]]


def examples(episodes: Episodes, domain: str) -> dict[str, Examples]:
    """Return the examples by path and name: an episode of `domain`, and resets of other domains.

    The steps, executed in order, play the episode of the first reset to its reward. A domain of another package may
    have no task that can be shown; then nothing is played.
    """
    pack = episodes.library.sources[domain]["builtin"]
    try:
        index, steps = _short(pack)
    except Exception:  # a domain of another package may fail
        index, steps = 0, {}
    person = {"strategy": UserStrategy.EXTERNAL.value, "first_message": "Hello, I need help with an order."}
    resets = {
        domain: _example(f"Begin the episode of {domain} that /step plays", _first(domain, index)),
        "group": _example(f"Begin a group of 4 episodes of one task of {domain}", _group(pack)),
        "external_user": _example("Play the user yourself", {**_first(domain, 0), "user": person}),
    }
    for other in [name for name in episodes.library.sources if name != domain][: MOST - len(resets)]:
        resets[other] = _example(f"Begin an episode of {other}", _first(other, 0))
    users = {
        "speak": _example("Answer the agent", {"content": "Yes, please."}),
        "stop": _example("End the conversation", {"content": USER_STOP}),
    }
    return {
        "/reset": resets,
        "/step": steps or {"hello": _example("Say something", _step("Hello! How can I help you?"))},
        "/episodes/{episode_id}/user": users,
        "/episodes/{episode_id}/fork": {"start": _example("Try again from the first message", {"turn": 0})},
        "/episodes/{episode_id}/close": {"give_up": _example("Give up", {"reason": "context_full"})},
        "/batch/reset": {"two": _example("Two resets", {"items": [r["value"] for r in resets.values()][:2]})},
        "/batch/step": {"one": _example("One step", {"items": [_step("Hello! How can I help you?")]})},
    }


async def moves(task: Task) -> list[Action]:
    """Return the actions of an agent that solves `task` with the scripted user, up to its last report.

    The user's words are those of seed 0. Where users have tools of their own, the agent asks them to use these tools
    and assumes that they did: the results of the user's tools are not known here. Without a user, the actions are
    gold's calls.
    """
    if task.user is None:
        return [Action(tool_calls=[ToolCall(name=c.name, arguments=c.arguments)]) for c in task.gold.actions]
    script = task.user.model_dump(mode="json")
    gold = GoldSpec.model_validate(task.gold.model_dump(mode="json", exclude={"actions": {"__all__": {"compare"}}}))
    transfers = tuple(tool.name for tool in SHARED if tool.transfers)
    policy = talking(
        Brief((), gold, script, [due.model_dump(mode="json") for due in task.dues], transfers=transfers), PHRASINGS[0]
    )
    said = await SCRIPTED.first(task, 0)
    heard, found = [Message(role="user", content=said.content)], list[Action]()
    while not said.stop and len(found) <= LONGEST and (move := await policy.move(heard)) is not None:
        found.append(move.action)
        heard = []
        if isinstance(move.action.content, str):
            said = await SCRIPTED.reply(task, 0, said.notes, move.action.content, NO_HANDS)
            heard = [Message(role="user", content=said.content)]
    return found


def _short(pack: Pack) -> tuple[int, Examples]:
    """Return the index of the first task of the split that can be shown in few turns, and its steps.

    Its gold has no calls of the user's own tools. If all tasks are longer, the shortest of them is cut off.
    """
    shortest: tuple[int, Examples] | None = None
    for index in range(min(pack.splits[SPLIT], TRIED)):
        task = pack.task_at(SPLIT, index)
        if any(call.requestor != "agent" for call in task.gold.actions):
            continue
        steps = _steps(task)
        if len(steps) <= MOST:
            return index, steps
        if shortest is None or len(steps) < len(shortest[1]):
            shortest = index, steps
    if shortest is None:
        return 0, {}
    return shortest[0], dict(list(shortest[1].items())[:MOST])


def _steps(task: Task) -> Examples:
    found: Examples = {}
    for i, action in enumerate(_without_waiting(moves(task)), 1):
        does = "speak to the user" if action.content is not None else f"call {(action.tool_calls or [])[0].name}"
        found[f"turn_{i}"] = _example(f"Turn {i}: {does}", _step(action.plain()))
    return found


def _without_waiting(moves: Coroutine[Any, Any, list[Action]]) -> list[Action]:
    """Return the result of a coroutine that never suspends. It needs no event loop, and one may be running here.

    Raises:
        RuntimeError: if the coroutine suspends.
    """
    try:
        moves.send(None)
    except StopIteration as e:
        found: list[Action] = e.value
        return found
    raise RuntimeError("an example waits for something")


def _first(domain: str, index: int) -> dict[str, Any]:
    return {"domain": domain, "split": SPLIT, "index": index}


def _group(pack: Pack) -> dict[str, Any]:
    split = "train" if "train" in pack.splits else SPLIT
    return {"domain": pack.domain.name, "split": split, "seed": 1, "n": 4}


def _step(action: Any) -> dict[str, Any]:
    return {"episode_id": "latest", "action": action}


def _example(summary: str, value: Any) -> dict[str, Any]:
    return {"summary": summary, "value": value}
