"""Codes that an agent tells. After `your trip from ORD to DFW is VV6LA8` the user also knows the trip by its code."""

import re
from collections.abc import Iterator

from env_server.domains.kit import Value
from env_server.reading import Reading, Words

_CODE = r"(?:#[a-z]*|[a-z]+)\d[a-z0-9]+\b"
"""A word of letters and digits, in lower case."""

_ANY = re.compile(rf"(?<![\w$.#-]){_CODE}")
_UNSURE = re.compile(r"\b(?:not|never|nor|or|if|whether|might|may|other)\b|n't\b")


def codes(reading: Reading, topic: str, value: Value) -> Iterator[str]:
    """Yield the codes that follow the word `topic` in statements that name `value` by other words.

    A sentence with two codes tells none. A value that the user already knows by a code gets no further code. A code
    that the user knows to be of another thing is left out.
    """
    word = topic.replace("_", " ")
    if word not in reading.text or not _ANY.search(reading.text) or any(map(_has_code, value.says)):
        return
    named = re.compile(rf"\b{re.escape(word)}s?\b(?: (?:number|id|is))*,? \(?({_CODE})")
    for sentence in reading.sentences:
        told = _ANY.findall(sentence.text)
        if len(told) != 1 or sentence.quoted or "?" in sentence.text or _UNSURE.search(sentence.text):
            continue
        found = named.search(sentence.text)
        known = found is not None and found[1] in (other.lower() for other in value.others)
        if found and not known and Words(sentence.text.replace(found[1], " ")).names(value.says):
            yield found[1]


def _has_code(form: str | tuple[str, ...]) -> bool:
    return any(_ANY.search(text.lower()) for text in ((form,) if isinstance(form, str) else form))
