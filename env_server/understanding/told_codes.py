"""Codes that an agent tells. After `your trip from ORD to DFW is VV6LA8` the user also knows the trip by its code."""

import re
from collections.abc import Iterator

from env_server.domains.kit import Value
from env_server.reading import Reading, Words

_CODE = r"(?:(?:#[a-z]*|[a-z]+)\d[a-z0-9]+|\d+(?=[a-z]+\d)[a-z0-9]{4,})\b"
"""A word of letters and digits, in lower case. One that begins with digits also ends with one, unlike `18th`."""

_ANY = re.compile(rf"(?<![\w$.#-]){_CODE}")
_THAT_IS = rf"(?:\b(?:that|it|this)(?:'s| is)(?: now)?|\bfound it(?:,|:| -)) ({_CODE})(?:,| -) (?:the|your) "
"""A code beside another name of the same thing: `that's 7LMX77, the trip from PHX to PHL`."""

_UNSURE = re.compile(r"\b(?:not|never|nor|or|if|whether|might|(?<!of )(?<!\d )may(?! \d)|other)\b|n't\b")


def codes(reading: Reading, topic: str, value: Value) -> Iterator[str]:
    """Yield the codes of statements that name `value` by other words. The code follows the word `topic`, or `that is`.

    A sentence with two codes tells none. A value that the user already knows by a code gets no further code. A code
    that the user knows to be of another thing is left out.
    """
    word = topic.replace("_", " ")
    if not _ANY.search(reading.text) or any(map(_has_code, value.says)):
        return
    named = re.compile(rf"\b{re.escape(word)}s?\b(?: (?:number|id|is))*,? \(?({_CODE})|{_THAT_IS}")
    for sentence in reading.sentences:
        told = _ANY.findall(sentence.text)
        if len(told) != 1 or sentence.quoted or "?" in sentence.text or _UNSURE.search(sentence.text):
            continue
        found = named.search(sentence.text)
        if found is None:
            continue
        code = found[1] or found[2]
        known = code in (other.lower() for other in value.others)
        if not known and Words(sentence.text.replace(code, " ")).names(value.says):
            yield code


def _has_code(form: str | tuple[str, ...]) -> bool:
    return any(_ANY.search(text.lower()) for text in ((form,) if isinstance(form, str) else form))
