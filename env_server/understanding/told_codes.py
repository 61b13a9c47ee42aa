"""Codes that an agent tells. After `your trip from ORD to DFW is VV6LA8` the user also knows the trip by its code."""

import re
from collections.abc import Iterator
from functools import lru_cache

from env_server.domains.kit import Value
from env_server.reading import Reading, Words
from env_server.reading.words.dates import as_day

_CODE = r"(?:(?:#[a-z]*|[a-z]+)\d[a-z0-9]+|\d+(?=[a-z]+\d)[a-z0-9]{4,})\b"
"""A word of letters and digits, in lower case. One that begins with digits also ends with one, unlike `18th`."""

_ANY = re.compile(rf"(?<![\w$.#-]){_CODE}")
_DIGIT = re.compile(r"\d")
_THAT_IS = re.compile(rf"(?:\b(?:that|it|this)(?:'s| is)(?: now)?|\bfound it(?:,|:| -)) {_CODE}(?:,| -) (?:the|your) ")
"""A code beside another name of the same thing: `that's 7LMX77, the trip from PHX to PHL`."""

_UNSURE = re.compile(r"\b(?:not|never|nor|or|if|whether|might|(?<!of )(?<!\d )may(?! \d)|other)\b|n't\b")


def tellings(reading: Reading) -> list[tuple[str, str]]:
    """Return the statements that may tell a code, each with its only code. A sentence with two codes tells none."""
    stated = (s.text for s in reading.sentences if not s.quoted and "?" not in s.text and _DIGIT.search(s.text))
    found = ((text, _ANY.findall(text)) for text in stated)
    return [(text, told[0]) for text, told in found if len(told) == 1 and not _UNSURE.search(text)]


def codes(told: list[tuple[str, str]], topic: str, value: Value) -> Iterator[str]:
    """Yield the codes of statements that name `value` by other words. The code follows the word `topic`, or `that is`.

    `told` comes from `tellings`. A value that the user already knows by a code gets no further code. A code that the
    user knows to be of another thing is left out.
    """
    if not told or any(map(_has_code, value.says)):
        return
    for text, code in told:
        known = code in (other.lower() for other in value.others)
        topical = _topic(topic).search(text)
        if known or not (topical or _THAT_IS.search(text)):
            continue
        # the date of a thing is also that of its parts: `it's KS123, the flight of May 16`
        undated = tuple(form for form in value.says if isinstance(form, tuple) or as_day(form) is None)
        forms = value.says if topical else undated
        if Words(text.replace(code, " ")).names(forms):
            yield code


@lru_cache(maxsize=256)
def _topic(topic: str) -> re.Pattern[str]:
    """Return a pattern for a code after the name of a topic."""
    word = re.escape(topic.replace("_", " "))
    return re.compile(rf"\b{word}s?\b(?: (?:number|id|is))*,? \(?{_CODE}")


@lru_cache(maxsize=1024)
def _has_code(form: str | tuple[str, ...]) -> bool:
    return any(_ANY.search(text.lower()) for text in ((form,) if isinstance(form, str) else form))
