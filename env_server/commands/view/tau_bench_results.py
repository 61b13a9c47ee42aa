"""Result files of tau-bench (https://github.com/sierra-research/tau-bench, read at commit 59a200c).

A file is a JSON list of objects with `task_id`, `trial`, `reward`, `info` and `traj`, the chat messages.
"""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from agent_env_schemas import USER_STOP
from env_server.commands.view.chat import ChatCall, ChatMessage, record_of
from env_server.commands.view.found import FoundEpisode, Source, validated
from env_server.commands.view.verdicts import call_text, component, outcome, verdict
from env_server.evals.outcome import Spent
from env_server.page.views.verdict import ShownComponent, ShownVerdict

ANSWER, RESULT = "respond", "API output: "
"""For an agent without native calls: the action that speaks to the user, and the prefix of other actions' results."""

_ACTION = re.compile(r"\s*Action:\s*(?=\{)")
_FAILED = "error"


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore")


class _Action(_Part):
    name: str
    kwargs: dict[str, Any] = {}
    arguments: dict[str, Any] = {}

    @property
    def given(self) -> dict[str, Any]:
        return self.kwargs or self.arguments


class _Scores(_Part):
    r_actions: float | bool | None = None
    r_outputs: float | bool | None = None
    outputs: dict[str, bool] | None = None


class _RewardInfo(_Part):
    info: _Scores = _Scores()
    actions: list[_Action] = []


class _Info(_Part):
    reward_info: _RewardInfo | None = None
    error: str | None = None
    user_cost: Annotated[float | None, Field(ge=0, allow_inf_nan=False)] = None


class _Run(_Part):
    task_id: Annotated[str, BeforeValidator(lambda value: str(value) if isinstance(value, int) else value)]
    trial: Annotated[int, Field(ge=0)] = 0
    reward: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
    info: _Info = _Info()
    traj: list[ChatMessage] = []


def is_results(value: Any) -> bool:
    """Return whether a JSON value claims to be a result file."""
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict) and "traj" in value[0]


def results(values: Sequence[Any]) -> Source:
    """Return the conversations of a result file."""
    return Source({"format": "results of tau-bench"}, _episodes(values))


def _episodes(values: Sequence[Any]) -> Iterator[FoundEpisode]:
    for number, value in enumerate(values):
        yield _found(validated(_Run, value, f"result {number} is not one of tau-bench"))


def _found(run: _Run) -> FoundEpisode:
    about = {"episode_id": f"task-{run.task_id}-trial-{run.trial}", "task_id": run.task_id, "done": True}
    record = record_of([_called(_marked(message)) for message in _results_as_such(run.traj)], about)
    shown = _verdict(run, record)
    user = Spent(cost=run.info.user_cost)
    return FoundEpisode(outcome(record, run.trial, shown, user=user), lambda: record, shown)


def _results_as_such(messages: Sequence[ChatMessage]) -> Iterator[ChatMessage]:
    """Yield the messages. Results that an agent without native calls gets in the user's role become results again."""
    for message in messages:
        content = message.content or ""
        if message.role == "user" and content.startswith(RESULT):
            yield ChatMessage(role="tool", content=content.removeprefix(RESULT))
        else:
            yield message


def _marked(message: ChatMessage) -> ChatMessage:
    is_error = message.role == "tool" and (message.content or "").casefold().startswith(_FAILED)
    return message.model_copy(update={"error": True}) if is_error else message


def _called(message: ChatMessage) -> ChatMessage:
    """Return a message of an agent without native calls with its call. Other messages stay as they are."""
    text = message.content or ""
    found = _ACTION.search(text) if message.role == "assistant" and not message.tool_calls else None
    if found is None:
        return message
    try:
        action, _ = json.JSONDecoder().raw_decode(text, found.end())
        call = ChatCall(name=action["name"], arguments=action.get("arguments"))
    except (ValueError, RecursionError, KeyError, TypeError):
        return message
    thought = text[: found.start()].removeprefix("Thought:").strip()
    before = f"<think>{thought}</think>" if thought else ""
    if call.name == ANSWER:
        return message.model_copy(update={"content": f"{before}{call.arguments.get('content', '')}"})
    return message.model_copy(update={"content": before, "tool_calls": [call]})


def _verdict(run: _Run, record: dict[str, Any]) -> ShownVerdict:
    last = run.traj[-1].content or "" if run.traj else ""
    stop = "error" if run.info.error else "user stop" if USER_STOP in last else "end of the file"
    if run.info.error:
        return verdict(run.reward, stop, (), f"an error of the program: {run.info.error[:300]}")
    if run.info.reward_info is None:
        return verdict(run.reward, stop, (), "a conversation that did not end")
    return verdict(run.reward, stop, list(_components(run.info.reward_info, record)))


def _components(found: _RewardInfo, record: dict[str, Any]) -> Iterator[ShownComponent]:
    scores = found.info
    if scores.r_actions is not None:
        value = float(scores.r_actions)
        yield component("actions", value, [] if value >= 1 else _differing(found.actions, record))
    if scores.r_outputs is not None:
        missing = [("not said", text) for text, said in (scores.outputs or {}).items() if not said]
        yield component("outputs", float(scores.r_outputs), missing)


def _differing(expected: Sequence[_Action], record: dict[str, Any]) -> list[tuple[str, str]]:
    parts = [part for turn in record["turns"] for part in turn["parts"] if part["part"] == "agent"]
    made = [(call["name"], call["arguments"]) for part in parts for call in part["action"]["tool_calls"]]
    missing = [action for action in expected if (action.name, action.given) not in made]
    calls = [("in the solution, and not called like this", call_text(each.name, each.given)) for each in missing]
    return [("", "the database differs from the solution's"), *calls]
