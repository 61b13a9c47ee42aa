"""Messages in an envelope: some models answer with a JSON object that holds what they say, or begin with one."""

import json
import re

_SAID = ("message", "content", "response", "reply")
_BESIDE = frozenset({"type", "role"})
_VALUES = re.compile(r'\{(?:\s*+"[a-z_]{1,40}"\s*+:\s*+(?:"[^"\\a-zA-Z]{0,80}"|[\d.]{1,20})\s*+,?+){1,9}+\s*+\}\s*+')
"""An object with figures only, as the arguments of a call that a model writes before its words. It says nothing."""

_SPOKEN = frozenset({"message", "text", "response", "reply", "assistant"})


def opened(message: str) -> str:
    """Return what a message says if it is no more than a JSON object with one text, as `{"message": "Done."}`; else the
    message. A call of a tool is no text.
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
    said = [held[key] for key in _SAID if key in held]
    beside = {key: value for key, value in held.items() if key not in _SAID}
    spoken = beside.keys() <= _BESIDE and all(value in _SPOKEN for value in map(str, beside.values()))
    return said[0] if spoken and len(said) == 1 and isinstance(said[0], str) else message


def _after_values(bare: str) -> str:
    """Return what follows an object of figures at the beginning of a message; nothing if there is no such object."""
    found = _VALUES.match(bare)
    return bare[found.end() :] if found else ""
