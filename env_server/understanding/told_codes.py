"""Codes that an agent tells: `your trip from ORD to DFW is VV6LA8` lets the user know the trip by its code, too."""

import re
from collections.abc import Iterator

from env_server.domains.kit import Value
from env_server.reading import Reading, Words

_CODE = r"#?(?=[a-z#]*\d)(?!\d+\b)[a-z0-9]{4,}\b"
"""A word of letters and digits, in lower case."""

_ANY = re.compile(rf"(?<![\w$.-]){_CODE}")


def codes(reading: Reading, topic: str, value: Value) -> Iterator[str]:
    """Yield the codes that follow the word `topic` in sentences that name `value` by other words."""
    word = topic.replace("_", " ")
    if word not in reading.text or not _ANY.search(reading.text):
        return
    named = re.compile(rf"\b{re.escape(word)}s?\b(?: (?:number|id|is))* \(?({_CODE})")
    for sentence in reading.sentences:
        found = None if sentence.quoted else named.search(sentence.text)
        if found and Words(sentence.text.replace(found[1], " ")).names(value.says):
            yield found[1]
