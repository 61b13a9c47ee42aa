"""Messages in the form of a JSON object with headings, values and sentences: some models answer the user with one."""

import re

from env_server.reading.words.changes import CHANGED, DEEDS

_SENTENCE = 5
"""The minimum number of words of a text that is a sentence rather than a value."""

_DEEPEST = 6
_STATUS = "status"
_DONE = frozenset({"success", "successful", "succeeded", "completed", "complete", "done"})
_TEXTS = frozenset({"message", "content", "response", "reply"})
"""Keys of a text. The `status: success` beside one is about the reply itself."""


def spelled(held: dict[str, object]) -> str | None:
    """Return an object as lines of text: a heading for each object and list in it, entries for what they hold. None if
    it has no object and no list in it, or no sentence: then it is a record, or the values of a call.
    """
    nested = len(held) > 1 and any(isinstance(value, dict | list) for value in held.values())
    if not nested or not _speaks(held, 0):
        return None
    lines: list[str] = []
    alone = held.keys().isdisjoint(_TEXTS)
    for key, value in held.items():
        result = _result(key, value, first=alone and not lines)
        lines += [result] if result else _lines(key, value, 0)
    return "\n".join(lines)


def beside(held: dict[str, object]) -> list[str]:
    """Return the values beside a text as lines: `Order id: #W1`, and results and sentences as they are. A value that
    contradicts the text is not hidden, and a report in it is heard. `status: success` is about the reply itself.
    """
    lines: list[str] = []
    for key, value in held.items():
        if key == _STATUS and str(value).lower() in _DONE:
            continue
        result = _result(key, value, first=True)
        lines += [result] if result else [line.removeprefix("- ") for line in _lines(key, value, 0)]
    return lines


def _speaks(value: object, depth: int) -> bool:
    """Return whether a value holds a sentence."""
    if isinstance(value, str):
        return len(value.split()) >= _SENTENCE
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return depth < _DEEPEST and any(_speaks(one, depth + 1) for one in inner)


def _result(key: str, value: object, *, first: bool) -> str | None:
    """Return the result of a change as a sentence: `exchange_status: submitted`, or `status: booked` at the beginning.
    Other states are those of a record: `order_status: delivered`.
    """
    words = _words(key).lower().split()
    state = str(value).lower().replace("_", " ")
    if not words or words[-1] != _STATUS:
        return None
    of, _, done = state.rpartition(" ")
    if not (done in _DONE or done in CHANGED) or (of and of not in DEEDS):
        return None
    state = f"{of} {'completed' if done in _DONE else done}".strip()
    if len(words) > 1:
        return f"{' '.join(words[:-1]).capitalize()} {state}." if words[-2] in DEEDS and not of else None
    return f"{state.capitalize()}." if first else None


def _lines(key: str, value: object, depth: int) -> list[str]:
    """Return the lines of one key and its value."""
    if value is None or depth > _DEEPEST:
        return []
    heading = f"{_words(key)}:"
    if isinstance(value, dict):
        return [heading, *(line for inner, one in value.items() for line in _lines(inner, one, depth + 1))]
    if isinstance(value, list):
        return [heading, *(line for one in value for line in _entry(one))]
    if isinstance(value, bool):
        return _answer(key, yes=value)
    text = str(value).strip()
    if len(text.split()) < _SENTENCE:
        return [f"- {heading} {text}"] if text else []
    return [text] if depth == 0 else [heading, f"- {text}"]


def _answer(key: str, *, yes: bool) -> list[str]:
    """Return the line of `cancelled: true`. What has not happened has no line, and neither has `success`."""
    last = _words(key).lower().rpartition(" ")[2]
    if last in _DONE or (not yes and last in CHANGED):
        return []
    return [f"- {_words(key)}: {'yes' if yes else 'no'}"]


def _entry(value: object) -> list[str]:
    """Return the entry of a list. An object in a list is one entry."""
    if isinstance(value, dict):
        parts = [f"{_words(key)}: {one}" for key, one in value.items() if not isinstance(one, dict | list | None)]
        return [f"- {', '.join(parts)}"] if parts else []
    text = str(value).strip()
    return [f"- {text}"] if text and not isinstance(value, list) else []


def _words(key: str) -> str:
    """Return a key as words: `orderStatus` and `order_status` as `Order status`."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", key)
    return spaced.replace("_", " ").strip().capitalize()
