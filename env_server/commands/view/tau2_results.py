"""Result files of tau2-bench (https://github.com/sierra-research/tau2-bench, read at commit a2c0247).

One JSON file has `simulations`, or a folder has `results.json` and a file for each simulation in `simulations/`.
Recordings of speech are not read: a simulation without messages is an episode without turns.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from env_server.commands.view.chat import ChatMessage, record_of
from env_server.commands.view.found import FoundEpisode, Source, UnreadableSource, validated
from env_server.commands.view.verdicts import call_text, component, outcome, verdict
from env_server.evals.outcome import Spent
from env_server.page.views.verdict import ShownComponent, ShownVerdict

FOLDER, META = "simulations", "results.json"

Reward = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Cost = Annotated[float | None, Field(ge=0, allow_inf_nan=False)]
Id = Annotated[str, BeforeValidator(lambda value: str(value) if isinstance(value, int) else value)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore")


class _Action(_Part):
    name: str = ""
    func_name: str = ""
    arguments: Any = None


class _ActionCheck(_Part):
    action: _Action
    action_match: bool


class _EnvironmentCheck(_Part):
    env_assertion: _Action
    met: bool


class _Communicated(_Part):
    info: str
    met: bool
    justification: str = ""


class _Asserted(_Part):
    nl_assertion: str
    met: bool
    justification: str = ""


class _DatabaseCheck(_Part):
    db_match: bool


class _RewardInfo(_Part):
    reward: Reward
    db_check: _DatabaseCheck | None = None
    action_checks: list[_ActionCheck] | None = None
    env_assertions: list[_EnvironmentCheck] | None = None
    communicate_checks: list[_Communicated] | None = None
    nl_assertions: list[_Asserted] | None = None
    reward_breakdown: dict[str, float] | None = None
    info: Any = None


class _Usage(_Part):
    prompt_tokens: int = 0
    completion_tokens: int = 0


class _Message(ChatMessage):
    usage: _Usage | None = None
    tool_messages: list[ChatMessage] | None = None


class _Simulation(_Part):
    id: str
    task_id: Id
    trial: Annotated[int, Field(ge=0)] | None = None
    termination_reason: str
    agent_cost: Cost = None
    user_cost: Cost = None
    reward_info: _RewardInfo | None = None
    messages: list[_Message] | None = None


def is_results(value: Any) -> bool:
    """Return whether a JSON value claims to be a result file."""
    return isinstance(value, dict) and isinstance(value.get("simulations"), list)


def results(value: Mapping[str, Any]) -> Source:
    """Return the simulations of a result file."""
    return Source(_facts(value), _episodes(enumerate(value["simulations"])))


def is_folder(path: Path) -> bool:
    """Return whether a folder, or the file of a folder, has its simulations in files of their own."""
    folder = path if path.is_dir() else path.parent
    return (folder / META).is_file() and (folder / FOLDER).is_dir() and path in (folder, folder / META)


def folder(path: Path) -> Source:
    """Return the simulations of a results folder of tau2-bench, in the order of their files' names."""
    inside = path if path.is_dir() else path.parent
    meta = _read(inside / META)
    if not isinstance(meta, dict):
        raise UnreadableSource(f"{META} is no JSON object")
    files = sorted((inside / FOLDER).glob("*.json"))
    return Source(_facts(meta), _episodes((file.name, _read(file)) for file in files))


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as e:
        raise UnreadableSource(f"{path.name} is no JSON: {e}") from e


def _facts(value: Mapping[str, Any]) -> dict[str, str | None]:
    info = value.get("info")

    def text(*names: str) -> str | None:
        found: Any = info
        for name in names:
            found = found.get(name) if isinstance(found, dict) else None
        return found if isinstance(found, str) else None

    return {
        "format": "results of tau2-bench",
        "domain": text("environment_info", "domain_name"),
        "agent": text("agent_info", "llm") or text("agent_info", "implementation"),
        "user": text("user_info", "llm") or text("user_info", "implementation"),
        "made": value.get("timestamp") if isinstance(value.get("timestamp"), str) else None,
    }


def _episodes(values: Iterator[tuple[int | str, Any]] | enumerate[Any]) -> Iterator[FoundEpisode]:
    for where, value in values:
        yield _found(validated(_Simulation, value, f"simulation {where} is not one of tau2-bench"))


def _found(simulation: _Simulation) -> FoundEpisode:
    about = {"episode_id": simulation.id, "task_id": simulation.task_id, "done": True}
    flat: list[ChatMessage] = []
    for message in simulation.messages or []:
        flat += message.tool_messages or [message]
    record = record_of(flat, about)
    shown = _verdict(simulation)
    spent = [_spent(simulation, role) for role in ("assistant", "user")]
    return FoundEpisode(outcome(record, simulation.trial or 0, shown, *spent), lambda: record, shown)


def _spent(simulation: _Simulation, role: str) -> Spent:
    used = [m.usage for m in simulation.messages or () if m.role == role and m.usage is not None]
    return Spent(
        calls=len(used),
        prompt_tokens=sum(max(0, each.prompt_tokens) for each in used),
        completion_tokens=sum(max(0, each.completion_tokens) for each in used),
        cost=simulation.agent_cost if role == "assistant" else simulation.user_cost,
    )


def _verdict(simulation: _Simulation) -> ShownVerdict:
    found, stop = simulation.reward_info, simulation.termination_reason
    if found is None:
        return verdict(None, stop, ())
    shown = [_component(name, value, found) for name, value in (found.reward_breakdown or {}).items()]
    said = found.info.get("note") if isinstance(found.info, dict) else None
    return verdict(found.reward, stop, shown, said if isinstance(said, str) else f"the end by {stop}")


def _component(name: str, value: float, found: _RewardInfo) -> ShownComponent:
    kinds: Mapping[str, Sequence[tuple[str, str]]] = {
        "DB": _database(found),
        "ACTION": _missing(found),
        "ENV_ASSERTION": [
            ("not so", call_text(each.env_assertion.func_name, each.env_assertion.arguments))
            for each in found.env_assertions or ()
            if not each.met
        ],
        "COMMUNICATE": [("not said", each.info) for each in found.communicate_checks or () if not each.met],
        "NL_ASSERTION": [
            ("not so", f"{each.nl_assertion} {each.justification}".strip())
            for each in found.nl_assertions or ()
            if not each.met
        ],
    }
    reasons = kinds.get(name, ()) if value < 1 else ()
    return component(name, value, reasons or ([] if value == 1 else [("", "not fulfilled")]))


def _database(found: _RewardInfo) -> list[tuple[str, str]]:
    differs = found.db_check is not None and not found.db_check.db_match
    return [("", "the rows differ from the solution's"), *_missing(found)] if differs else _missing(found)


def _missing(found: _RewardInfo) -> list[tuple[str, str]]:
    checks = found.action_checks or ()
    return [
        ("not called", call_text(each.action.name, each.action.arguments)) for each in checks if not each.action_match
    ]
