"""The conversation as text for a judge: one JSON object per line, so that no text in it can imitate another speaker.

A conversation is a sequence of chat messages of the roles `user`, `assistant` and `tool`; a message of either side may
have `tool_calls`, each with a name and arguments. The `environment` may send messages to the agent. Texts over a limit
are cut, and the cut is marked. The middle of a long conversation is left out, but at least the name of every call stays
in the record.
"""

import json
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from env_server.domains.kit import ShownFact
from env_server.rewards.judge.results import Statements

LONGEST_WORDS = 20_000
"""The maximum number of characters of one agent message; a report is judged as a whole."""

LONGEST_RESULT = 6_000
"""The maximum number of characters of a tool result or a user message."""

LONGEST_ARGUMENTS, LEAST_ARGUMENTS = 30_000, 100
"""The maximum number of characters for the arguments of all calls in one message, and the minimum for each call."""

LONGEST_NAME = 200

MOST_CHARACTERS = 160_000
"""The maximum number of characters of the record. If it is longer, the middle is left out: the question and the outcome
stand at its ends.
"""

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_SPEAKERS = {"user": "user", "assistant": "agent", "tool": "tool", "environment": "environment"}


def conversation_text(
    conversation: Sequence[Mapping[str, Any]], hidden: Collection[str] = (), facts: Sequence[ShownFact] = ()
) -> str:
    """Return the conversation as text, without messages of other roles (the agent's policy).

    For a result of a tool named in `hidden`, the record has the findings of `Statements` in place of the text. `facts`
    are those that the task needs.
    """
    shown = [message for message in conversation if message["role"] in _SPEAKERS]
    said = Statements((str(m.get("content") or "") for m in shown if hidden and m["role"] == "assistant"), facts)
    lines = [_line(message, said if _is_hidden(message, hidden) else None) for message in shown]
    if sum(map(len, lines)) <= MOST_CHARACTERS:
        return "\n".join(lines)
    first, last = _ends([len(line) for line in lines])
    return "\n".join([*lines[:first], _gap(shown[first:last]), *lines[last:]])


def _is_hidden(message: Mapping[str, Any], hidden: Collection[str]) -> bool:
    """Return whether a message has the result of a hidden tool, or results of several tools in one text."""
    name = message.get("name")
    return message["role"] == "tool" and (name in hidden or (not name and bool(hidden)))


def _ends(sizes: Sequence[int]) -> tuple[int, int]:
    """Return the number of messages kept at the beginning (a quarter of the room), and the index of the first kept
    message at the end.
    """
    room, first = MOST_CHARACTERS, 0
    while sizes[first] <= room - MOST_CHARACTERS * 3 // 4:
        room -= sizes[first]
        first += 1
    last = len(sizes)
    while sizes[last - 1] <= room:
        room -= sizes[last - 1]
        last -= 1
    return first, last


def _gap(left_out: Sequence[Mapping[str, Any]]) -> str:
    """Return a line in place of the middle: the number of messages, and the number of calls of each side by name."""
    line: dict[str, Any] = {"left_out": f"{len(left_out)} messages in the middle of the conversation"}
    for role, speaker in _SPEAKERS.items():
        names = [_name(_inner(call)) for m in left_out if m["role"] == role for call in m.get("tool_calls") or ()]
        if names:
            line[f"calls_of_{speaker}"] = Counter(names)
    return _written(line)


def _line(message: Mapping[str, Any], said: Statements | None) -> str:
    speaker = _SPEAKERS[message["role"]]
    line: dict[str, Any] = {"from": speaker}
    if speaker == "tool" and message.get("name"):
        line["result_of"] = message["name"]
    if said is not None:
        return _written({**line, **said.seen(str(message.get("content") or ""))})
    words = str(message.get("content") or "")
    made = message.get("tool_calls") or ()
    room = max(LONGEST_ARGUMENTS // max(len(made), 1), LEAST_ARGUMENTS)
    calls = [_call(_inner(call), room) for call in made]
    if words or not calls:
        line["text"] = _cut(words, LONGEST_WORDS if speaker == "agent" else LONGEST_RESULT)
    if calls:
        line["calls"] = calls
    return _written(line)


def _inner(call: Any) -> Mapping[str, Any]:
    """Return the content of a call, whichever parts the model left out."""
    inner = call.get("function", call) if isinstance(call, Mapping) else {}
    return inner if isinstance(inner, Mapping) else {}


def _name(call: Mapping[str, Any]) -> str:
    return _cut(str(call.get("name")), LONGEST_NAME)


def _call(call: Mapping[str, Any], room: int) -> dict[str, str]:
    """Return a call with its name and its arguments as text."""
    arguments = call.get("arguments")
    text = arguments if isinstance(arguments, str) else _written(arguments)
    if len(text) > room and isinstance(arguments, Mapping):  # a long value must not hide the others
        each = room // len(arguments)
        text = _written({_cut(str(name), each): _cut(_text(value), each) for name, value in arguments.items()})
        room *= 2  # room for the names and for the marks of cut text
    return {"name": _name(call), "arguments": _cut(text, room)}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else _written(value)


def _cut(text: str, most: int) -> str:
    text = _CONTROL.sub("\ufffd", text)  # each control character would take six characters in JSON
    return text if len(text) <= most else f"{text[:most]}... [{len(text) - most} characters left out]"


def _written(value: Any) -> str:
    """Return JSON that cannot close a tag around it."""
    return json.dumps(value, ensure_ascii=False, default=str).replace("</", "<\\/")
