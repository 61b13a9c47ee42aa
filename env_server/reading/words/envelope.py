"""Messages in an envelope: some models answer with a JSON object that holds what they say, or begin with one."""

import json
import re

from env_server.reading.words.forms import beside, spelled

_SAID = ("message", "content", "response", "reply")
_BESIDE = frozenset({"type", "role"})
_VALUES = re.compile(r'\{(?:\s*+"[a-z_]{1,40}"\s*+:\s*+(?:"[^"\\a-zA-Z]{0,80}"|[\d.]{1,20})\s*+,?+){1,9}+\s*+\}\s*+')
"""An object with figures only, as the arguments of a call that a model writes before its words."""

_CALLS = frozenset({"name", "tool", "tool_name", "function", "action", "arguments", "args", "parameters", "tool_calls"})
"""Keys of a call of a tool."""

_SPOKEN = frozenset({"message", "text", "response", "reply", "assistant"})


def opened(message: str) -> str:
    """Return what a message says if it is no more than a JSON object with a text, as `{"message": "Done."}`, and the
    other values beside it as lines below; an object of sentences under headings as its lines; else the message. A call
    of a tool is no text.
    """
    bare = message.strip()
    if bare.startswith("{") and not bare.endswith("}"):
        return _after_values(bare) or message
    if not (bare.startswith("{") and bare.endswith("}")):
        return message
    try:
        held = json.loads(bare, strict=False)
    except (ValueError, RecursionError):
        return message
    if not held.keys().isdisjoint(_CALLS):
        return message
    form = spelled(held)
    if form is not None:
        return form
    said = [held[key] for key in _SAID if key in held]
    kinds = [str(held[key]) for key in _BESIDE if key in held]
    spoken = all(kind in _SPOKEN for kind in kinds)
    if not (spoken and len(said) == 1 and isinstance(said[0], str)):
        return message
    others = {key: value for key, value in held.items() if key not in _BESIDE and key not in _SAID}
    return "\n".join([said[0], *beside(others)])


def _after_values(bare: str) -> str:
    """Return what follows an object of figures at the beginning of a message, and the figures as lines below; nothing
    if there is no such object.
    """
    found = _VALUES.match(bare)
    if not found:
        return ""
    try:
        held = json.loads(found[0])
    except ValueError:
        held = {}
    return "\n".join([bare[found.end() :], *beside(held)])
