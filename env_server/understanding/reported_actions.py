"""Actions that an agent says it has done, whether or not the user wished for them. Movements of money are in
`reported_payments`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from env_server.domains.kit import UserScript
from env_server.reading import Act, Reading, Sentence, Words
from env_server.reading.sentences.scope import without_object
from env_server.understanding.topics import verbs

_ADVERBS = r"(?:(?:also|now|just|then|even|gladly|instead|went ahead and|\w+ly) )*"
_GIVEN = "deleted|upgraded|downgraded"
"""Actions that are a favour or a loss for the user (`Deed.gives`)."""

_DONE = (
    f"cancell?ed|closed|terminated|suspended|resumed|blocked|unblocked|booked|rebooked|purchased|exchanged|rescheduled"
    f"|removed|reinstated|reactivated|enrolled|{_GIVEN}"
)
_OWN = re.compile(rf"\bi(?:'ve| have)? {_ADVERBS}(?:({_DONE})\b(?! (?:with|to|from)\b)|(done) (?:it|that|this|so)\b)")
"""The agent's own action: `I have cancelled`, `I have done it`."""

_PASSIVE = re.compile(rf"\b(?:has|have) {_ADVERBS}been {_ADVERBS}({_GIVEN})\b")
"""An action without the one who did it: `it has been upgraded`."""

_GENERAL = re.compile(
    rf"\b(?:(?:it|that|this|everything)(?: has|'s) {_ADVERBS}been {_ADVERBS}(done|granted|handled|sorted|taken care of)"
    rf"|your (?:\w+ )?requests? (?:has|have) {_ADVERBS}been {_ADVERBS}"
    r"(processed|completed|granted|handled|fulfilled)"
    rf"|your (?:\w+ )?(?:issues?|problems?|matters?|concerns?|cases?) (?:(?:has|have) {_ADVERBS}been|is|are) {_ADVERBS}"
    r"(resolved|solved|settled|fixed|sorted))\b"
)
"""A report that names no action: `it has been done`, `your request has been processed`."""

_BEFORE = re.compile(r"\b(?:already|once|twice|before|earlier|previously|last|ago|since|by)\b")
"""Words that show that the action was done earlier, or by another person."""


@dataclass(frozen=True, slots=True)
class Deed:
    """One action that a sentence reports as done now."""

    verb: str
    own: bool
    """Whether the agent says `I have`."""

    wishes: tuple[int, ...]
    """The wishes that have this verb."""

    about: tuple[int, ...]
    """The wishes of which the sentence names a value."""

    general: bool = False
    """Whether it names no action (`it has been done`)."""

    @property
    def gives(self) -> bool:
        """Whether the action is a favour or a loss. No other change has it as a side effect."""
        return re.fullmatch(_GIVEN, self.verb) is not None


def deeds(script: UserScript, reading: Reading) -> tuple[Deed, ...]:
    """Return the actions that `reading` reports as done now, without contents of records and events of the past."""
    return tuple(
        deed
        for sentence in reading.doing(Act.CLAIM)
        if sentence.firm and not sentence.acts & {Act.REFUSE, Act.PROPOSE} and not _past(sentence)
        for deed in _deeds(script, sentence)
    )


def _past(sentence: Sentence) -> bool:
    """Return whether a sentence tells an earlier event: it has a date, or a word such as `already`."""
    return _BEFORE.search(sentence.text) is not None or bool(Words(sentence.text).days)


def _deeds(script: UserScript, sentence: Sentence) -> Iterator[Deed]:
    words = Words(sentence.text)
    requests = script.requests
    about = tuple(
        w for w, request in enumerate(requests) if any(words.names(value.says) for value in request.values.values())
    )
    for pattern in (_OWN, _PASSIVE, _GENERAL):
        for found in pattern.finditer(sentence.text):
            verb = next(filter(None, found.groups()))
            wishes = (w for w, r in enumerate(requests) if any(verbs(c.verbs).match(f" {verb} ") for c in r.changes))
            if not without_object(sentence.text, found.end()):
                yield Deed(verb, pattern is _OWN, tuple(wishes), about, pattern is _GENERAL or verb == "done")
