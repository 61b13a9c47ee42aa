"""The declared words as patterns and as plain words."""

import re
from functools import cache

from env_server.vocabulary.files import KINDS, declared

_PLACE = re.compile(r"\{(" + "|".join(KINDS) + r")\}")
_OPTIONAL = re.compile(r"(.)\?")


@cache
def either(kind: str) -> str:
    """Return a pattern for any of the words of a kind; one that matches nothing if there are none."""
    return f"(?:{'|'.join(declared().words[kind]) or '(?!)'})"


def filled(pattern: str) -> str:
    """Return `pattern` with `{things}` and the like replaced by a pattern for any of these words."""
    return _PLACE.sub(lambda match: either(match[1]), pattern)


@cache
def forms(kind: str) -> tuple[str, ...]:
    """Return the words of a kind with and without their optional letters: `flights?` is `flight` and `flights`."""
    return tuple(form for word in declared().words[kind] for form in _forms(word))


def _forms(word: str) -> list[str]:
    if (found := _OPTIONAL.search(word)) is None:
        return [word]
    start, rest = word[: found.start()], word[found.end() :]
    return [form for middle in ("", found[1]) for form in _forms(start + middle + rest)]
