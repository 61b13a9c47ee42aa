"""Messages in an envelope: some models answer with a JSON object that holds what they say."""

import json

_SAID = ("message", "content", "response", "reply")
_BESIDE = frozenset({"type", "role"})
_SPOKEN = frozenset({"message", "text", "response", "reply", "assistant"})


def opened(message: str) -> str:
    """Return what a message says if it is no more than a JSON object with one text, as `{"message": "Done."}`; else the
    message. A call of a tool is no text.
    """
    bare = message.strip()
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
