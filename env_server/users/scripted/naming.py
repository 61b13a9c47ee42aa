"""Which of the user's wishes the agent's sentences are about: the one that they, or the words before them, name."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from env_server.domains.kit import UserScript
from env_server.reading import Act, Sentence, Words
from env_server.reading.words.lexis import words as listed
from env_server.understanding.topics import about
from env_server.users.scripted import topics

_FRAMES = frozenset(
    listed(
        "after with this that about also another back been could does find from give given great have hear here",
        "help just know like looking made make mine more need only ones other over please prefer second choice some",
        "something take tell them then there they upon want well were what when where which will wish work would",
        "your able into",
    )
)
"""Words that occur in wishes of any kind, or in questions about them. They do not tell one wish from another."""

_LEAST = 4
"""The minimum length of a word by which a wish is told from another."""

_HEADING = re.compile(
    r"(?:(?:ok|okay|so|and|great|perfect|thanks|thank you|alright|all right|good|well|right|sure|certainly|happy to)"
    r"\b[,.! ]*)*(?:now|next|then|first|firstly|second|secondly|third|last|lastly|finally|on to|onto|moving on|let's"
    r"|let us|let me|as for|regarding|concerning|about|with regard to|turning to|for|that leaves|which leaves"
    r"|this leaves|(?:the|your|my) (?:next|last|other|first|second|third|final|remaining)|still to come|to begin"
    r"|we(?:'ll| will| can) (?:begin|start|go on|continue|move on|do|take)"
    r"|i(?:'ll| will) (?:begin|start|go on|continue|move on|do|take))\b"
)
"""The beginning of a sentence that says what the next question is about: `Next, the passenger change.`"""

_SHORT = 5
"""The maximum number of words of a heading that begins in another way: `The suitcases.`"""


def _by_action(script: UserScript, wishes: Iterable[int], flat: str) -> list[int]:
    """Return those `wishes` whose action the flat words name."""
    return [w for w in wishes if any(about(change, flat) for change in script.requests[w].changes)]


def named(script: UserScript, wishes: Sequence[int], text: str) -> int | None:
    """Return the wish that a text names by its action or by words that no other of `wishes` has. Return None if the
    text names none or several.
    """
    flat = Words(text).flat
    acts, words = _by_action(script, wishes, flat), _by_words(script, wishes, flat)
    return _only(_both(acts, words))


def another(script: UserScript, wishes: Sequence[int], focus: int, text: str) -> int | None:
    """Return the wish that a question names, if it is not `focus`. A question that names the action of `focus` is about
    that wish, unless it has only another wish's own words.
    """
    if all(w == focus for w in wishes):
        return None
    flat = Words(text).flat
    acts, words = _by_action(script, wishes, flat), _by_words(script, wishes, flat)
    found = _both(acts, words)
    if focus in found or not found or (len(found) > 1 and (focus in acts or not acts)):
        return None
    return found[0]


def contexts(
    script: UserScript, wishes: Sequence[int], focus: int, sentences: Iterable[Sentence], patterns: Mapping[str, str]
) -> dict[str, int]:
    """Return the wishes of the questions that name none but follow words about a wish other than `focus`: a heading, or
    another question. A report ends what a heading has begun.
    """
    found, now = dict[str, int](), None
    for sentence in sentences if len(wishes) > 1 else ():
        text = sentence.text
        if Act.CLAIM in sentence.acts:
            now = None
        elif text.endswith("?") or sentence.acts & {Act.ASK, Act.IDENTIFY}:
            before, colon, _ = text.partition(": ")
            if colon and _heads(before):
                headed = _headed(script, wishes, before, patterns)
                now = headed if headed is not None else now
            other = another(script, wishes, focus, text)
            now = other if other is not None else None if named(script, wishes, text) == focus else now
            if now is not None and now != focus:
                found[text] = now
        elif not sentence.acts and _heads(text):
            headed = _headed(script, wishes, text, patterns)
            now = headed if headed is not None else now
    return found


def _heads(text: str) -> bool:
    return _HEADING.match(text) is not None or len(text.split()) <= _SHORT


def _headed(script: UserScript, wishes: Sequence[int], text: str, patterns: Mapping[str, str]) -> int | None:
    """Return the wish that a heading names: by its action, its own words, or a topic that no other wish has."""
    flat = Words(text).flat
    found = _both(_by_action(script, wishes, flat), _by_words(script, wishes, flat))
    if len(found) == 1:
        return found[0]
    of = {w: frozenset(topics.asked([text], script.requests[w].details, patterns)) for w in wishes}
    own = [w for w in wishes if of[w] - _union(of[o] for o in wishes if o != w)]
    return _only([w for w in own if w in found] or ([] if found else own))


def _both(acts: list[int], words: list[int]) -> list[int]:
    """Return the wishes that a text names in both ways, else by their action, else by their words."""
    return [w for w in acts if w in words] or acts or words


def _only(found: Sequence[int]) -> int | None:
    return found[0] if len(found) == 1 else None


def _by_words(script: UserScript, wishes: Sequence[int], flat: str) -> list[int]:
    """Return the wishes whose own words occur in a text. Own words are words that no other of `wishes` has."""
    of = {w: _words(request.ask, *request.again) for w in wishes for request in [script.requests[w]]}
    said = frozenset(map(_singular, flat.split()))
    return [w for w, own in of.items() if said & own - _union(of[o] for o in of if o != w)]


@lru_cache(maxsize=1024)
def _words(*wordings: str) -> frozenset[str]:
    """Return the words of a wish's wordings, without short words and `_FRAMES`."""
    said = Words(" ".join(wordings)).flat.split()
    return frozenset(_singular(word) for word in said if len(word) >= _LEAST and word not in _FRAMES)


def _singular(word: str) -> str:
    return word[:-1] if word.endswith("s") and len(word) > _LEAST else word


def _union(sets: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset().union(*sets)
