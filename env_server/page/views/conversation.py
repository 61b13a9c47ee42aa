"""The turns of an episode as a person reads them: words, thinking, calls with their results, changed rows."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from agent_env_schemas import USER_STOP
from env_server.page.views.texts import Cut, ShownText, pretty
from env_server.page.views.verdict import ended_because
from env_server.state.fields import row_fields
from env_server.tools import parse_calls, parse_text

MOST_CALLS, MOST_ROWS = 40, 40
"""The maximum number of calls of one message, and of changed rows of one turn, that are shown."""

MOST_FIELDS = 12
"""The maximum number of changed fields of one row shown in a conversation."""

_THINKING = re.compile(r"<think(?:ing)?>(.*?)(?:</think(?:ing)?>|\Z)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class ShownCall:
    """A call and its result."""

    name: str
    brief: str
    """The arguments on one line, cut."""

    arguments: ShownText | None
    """The arguments as JSON, without `texts`; None if these are all."""

    texts: tuple[tuple[str, ShownText], ...]
    """Arguments of several lines, such as code, with their names."""

    result: ShownText | None
    error: str | None


@dataclass(frozen=True, slots=True)
class Bubble:
    """What one side did in a turn. `who` is `agent`, `user`, `server`."""

    who: str
    words: ShownText | None = None
    thinking: tuple[ShownText, ...] = ()
    calls: tuple[ShownCall, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Changed:
    """A row that a turn changed, field by field: name, before, after."""

    table: str
    key: str
    fields: tuple[tuple[str, str, str], ...]
    more: int


@dataclass(frozen=True, slots=True)
class ShownTurn:
    """One turn. `folded` says that the page has no room for it."""

    turn: int
    bubbles: tuple[Bubble, ...]
    rows: tuple[Changed, ...]
    at: float | None
    folded: bool = False


def turns_of(
    opening: Sequence[Mapping[str, Any]],
    turns: Sequence[Mapping[str, Any]],
    changes: Mapping[int, Sequence[Any]],
    known: Collection[str],
    cut: Cut,
) -> list[ShownTurn]:
    """Return the turns in order. The newest get room first, and turns without room are folded.

    `opening` is the observation of the reset, `known` has the names of the agent's tools, and `changes` the rows that
    each turn changed.
    """
    by_turn: dict[int, Sequence[Mapping[str, Any]]] = {0: ()} | {each["turn"]: each["parts"] for each in turns}
    shown: list[ShownTurn] = []
    for number in sorted(by_turn, reverse=True):
        if cut.left <= 0:
            shown.append(ShownTurn(number, (), (), None, folded=True))
            continue
        parts = by_turn[number]
        bubbles = [] if number else list(_opened(opening, cut))
        for part in parts:
            bubbles += _agent(part, known, cut) if part["part"] == "agent" else _user(part, cut)
        rows = tuple(_changed(row, cut) for row in changes.get(number, ())[:MOST_ROWS])
        shown.append(ShownTurn(number, tuple(bubbles), rows, parts[-1]["at"] if parts else None))
    return [turn for turn in reversed(shown) if turn.turn or turn.bubbles or turn.folded]


def _opened(opening: Sequence[Mapping[str, Any]], cut: Cut) -> Iterator[Bubble]:
    for message in opening:
        if message["role"] != "system":
            yield Bubble("user", cut.words(message["content"]))


def _agent(part: Mapping[str, Any], known: Collection[str], cut: Cut) -> Iterator[Bubble]:
    action, info, heard = part["action"], part["info"], list(part["observation"])
    if ended_by_server(action):
        why = f": {action['reason']}" if action.get("reason") else ""
        yield Bubble("server", note=f"Ended: {ended_because(str(action['end']))}{why}.")
        return
    if isinstance(action, str):
        parsed = parse_text(action, known)
    else:
        parsed = parse_calls(action.get("content"), action.get("tool_calls", ()), known)
    written, made = action if isinstance(action, str) else action.get("content") or "", info.get("calls") or []
    text = parsed.content if made or not parsed.calls else written
    if not made and (not text or info.get("parse_failure")):
        text = written
    results = heard[: len(made)] if made else []
    arguments = [call.arguments for call in parsed.calls]
    calls = _calls([call["name"] for call in made], arguments, results, [call.get("error") for call in made], cut)
    thinking = tuple(cut.words(found.strip()) for found in _THINKING.findall(written) if found.strip())
    said = _THINKING.sub("", text).strip()
    note = "not understood" if info.get("parse_failure") else ""
    if said or thinking or calls or note:
        yield Bubble("agent", cut.words(said) if said else None, thinking, calls, note)
    yield from _own_calls(info.get("user_calls") or (), cut)
    for message in heard[len(results) :]:
        is_user = message["role"] == "user" and not info.get("parse_failure")
        yield _spoken("user" if is_user else "server", message["content"], cut)


def _spoken(who: str, text: str, cut: Cut) -> Bubble:
    if text.strip() == USER_STOP:
        return Bubble(who, note="ends the conversation")
    return Bubble(who, cut.words(text))


def _user(part: Mapping[str, Any], cut: Cut) -> Iterator[Bubble]:
    """Yield the calls of an external user with their results, and the user's words."""
    action, info = part["action"], part["info"]
    results = info.get("user_observation") or []
    made = action.get("tool_calls") or ()
    arguments = [call.get("arguments", {}) for call in made]
    calls = _calls([call["name"] for call in made], arguments, results, [], cut)
    if calls or action.get("content"):
        spoken = _spoken("user", action.get("content") or "", cut)
        yield replace(spoken, words=spoken.words if action.get("content") else None, calls=calls)


def _own_calls(calls: Sequence[Mapping[str, Any]], cut: Cut) -> Iterator[Bubble]:
    """Yield the calls of their own tools that a simulated user made."""
    if calls:
        arguments = [call.get("arguments", {}) for call in calls]
        errors = [call.get("error") for call in calls]
        made = _calls([call["name"] for call in calls], arguments, (), errors, cut)
        yield Bubble("user", None, (), made, "with their own tools")


def _calls(
    names: Sequence[Any],
    arguments: Sequence[Any],
    results: Sequence[Mapping[str, Any]],
    errors: Sequence[str | None],
    cut: Cut,
) -> tuple[ShownCall, ...]:
    """Return the first calls of a message with their arguments, results and errors, as far as they are known."""
    made = []
    for i, name in enumerate(names[:MOST_CALLS]):
        given = arguments[i] if i < len(arguments) else {}
        result = cut.words(pretty(results[i]["content"])) if i < len(results) else None
        error = errors[i] if i < len(errors) else None
        long = _long(given)
        texts = tuple((cut.value(key), cut.words(value)) for key, value in long.items())
        rest = {key: value for key, value in given.items() if key not in long} if long else given
        shown = cut.words(pretty(rest)) if rest or not long else None
        made.append(ShownCall(cut.value(name), cut.value(given), shown, texts, result, error))
    return tuple(made)


def _long(arguments: Any) -> dict[str, str]:
    """Return the arguments that have several lines. They are hard to read as JSON."""
    if not isinstance(arguments, Mapping):
        return {}
    return {key: value for key, value in arguments.items() if isinstance(value, str) and "\n" in value}


def _changed(row: Any, cut: Cut) -> Changed:
    # All fields of a new or a deleted row are shown.
    found = list(row_fields(row.before or {}, row.after or {}))
    fields = [(cut.value(name), cut.value(before), cut.value(after)) for name, before, after in found[:MOST_FIELDS]]
    return Changed(row.table, cut.value(row.key), tuple(fields), max(0, len(found) - MOST_FIELDS))


def ended_by_server(action: str | Mapping[str, Any]) -> bool:
    """Return whether the server wrote this action of a trajectory, because it ended the episode."""
    return isinstance(action, Mapping) and "end" in action and not action.keys() & {"content", "tool_calls"}
