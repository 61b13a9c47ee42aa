"""The agent's assumptions about the user's wish: `You're looking to cancel an order, correct?`"""

import re
from dataclasses import dataclass

from env_server.domains.kit import UserScript
from env_server.reading import Act, Reading, Words
from env_server.reading.sentences import checks
from env_server.reading.words.changes import DEEDS

_CODE = re.compile(r"#?[a-z0-9_-]*\d[a-z0-9_-]{3,}")
"""A code of at least four characters, in lower case."""


@dataclass(frozen=True)
class Assumption:
    """A sentence in which the agent says what the user wants, and the sentence that asks whether it is right."""

    text: str
    asked: str


def assumptions(reading: Reading) -> list[Assumption]:
    """Return the assumptions about a wish that a message asks about, in one sentence or in two."""
    found, before = [], ""
    for sentence in reading.sentences:
        text = sentence.text
        if Act.ASK in sentence.acts and not sentence.consent:
            if checks.assumes(text) and checks.of_facts(text):
                found.append(Assumption(text, text))
            elif checks.assumes(before) and checks.right(text):
                found.append(Assumption(before, text))
        before = text
    return found


def fits(script: UserScript, wish: int, text: str) -> bool:
    """Return whether what the agent assumes may be a wish of the user: its action, and no value that is another."""
    deed = checks.assumed(text)
    verbs = tuple(verb for request in script.requests for change in request.changes for verb in change.verbs)
    return not (deed in DEEDS and not deed.startswith(verbs)) and not contradicted(script, wish, text)


def contradicted(script: UserScript, wish: int, text: str) -> list[str]:
    """Return the topics of a wish for which the agent names another value than the user's, or a code of its own."""
    words, codes = Words(text), set(_CODE.findall(text))
    found = []
    for topic, value in script.requests[wish].values.items():
        own = {code for form in value.says for code in _CODE.findall(str(form).lower())}
        named = words.names(value.says) or (own and own & codes)
        if not named and (any(map(words.name, value.others)) or (own and codes)):
            found.append(topic)
    return found
