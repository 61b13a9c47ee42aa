"""The agent's assumptions about the user's wish: `You're looking to cancel an order, correct?`"""

import re
from dataclasses import dataclass

from env_server.domains.kit import UserScript
from env_server.reading import Act, Reading, Words
from env_server.reading.sentences import checks
from env_server.reading.words.changes import DEEDS
from env_server.reading.words.lexis import words as listed
from env_server.understanding.offers import COMMON, words_and_figures
from env_server.understanding.proposal_scope import texts_of

_CODE = re.compile(r"(?=[#\w-]{4})(?=#?\d*[a-z_-]|#)#?[a-z0-9_-]*\d[a-z0-9_-]*")
"""A code of at least four characters, in lower case, with a letter or a `#`."""

_FRAMES = COMMON - {"new", "more", "extra", "additional", "altogether", "name", "card"} | set(
    listed(
        "you're you are were you'd like want wish to looking trying hoping wanting calling writing asking contacting",
        "reaching out here interested about in for regarding is that it did i get this right correct so sounds seems",
        "looks just know and yes hi hello thanks thank sure see understand understood i've got the our my me",
        "us whether some something one any please help have had do be",
    )
)
"""Words with which an agent says what it takes for the user's wish."""


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
    """Return whether what the agent assumes is a wish of the user: its action, in no words and figures but the wish's
    own.
    """
    return not (of_another_action(script, text) or contradicted(script, wish, text) or _strange(script, wish, text))


def of_another_action(script: UserScript, text: str) -> bool:
    """Return whether the agent assumes an action that none of the user's wishes has."""
    deed = checks.assumed(text)
    verbs = tuple(verb for request in script.requests for change in request.changes for verb in change.verbs)
    return deed in DEEDS and not deed.startswith(verbs)


def _strange(script: UserScript, wish: int, text: str) -> frozenset[str]:
    """Return the words and figures of an assumption that are not of the wish."""
    request = script.requests[wish]
    texts = [request.ask, *request.again, *request.details.values(), *(change.plan for change in request.changes)]
    texts += [str(name) for want in request.wants for name in want.of]
    texts += [form for value in request.values.values() for form in texts_of(value)]
    return words_and_figures(text) - words_and_figures(" ".join(texts).lower()) - _FRAMES


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
