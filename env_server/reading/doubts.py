"""Acts about which the rules and the second opinion disagree."""

from env_server.reading.acts import Act
from env_server.reading.line import Line
from env_server.reading.opinion.scores import scores
from env_server.reading.sentences.order import disordered
from env_server.reading.sentences.patterns import compiled
from env_server.reading.words.changes import DONE

AGAINST = {Act.PROPOSE: -100, Act.CLAIM: -100, Act.REFUSE: -80}
"""The score below which the words of a message speak against an act that the rules have found."""

FOR = {Act.PROPOSE: 10, Act.CLAIM: 20, Act.REFUSE: 10}
"""The score above which the words speak for an act that the rules have not found."""

_OWN = {
    Act.CLAIM: compiled(rf"\b(?:i|we)(?:'ve| have) (?:already |now |just |also |successfully ){{0,2}}{DONE}\b"),
    Act.REFUSE: compiled(
        r"\b(?:i|we) (?:can't|cannot|can not|won't)\b|\b(?:i'm|i am|we're|we are) (?:not able|unable)\b"
    ),
}
"""An agent's words for what it has done or cannot do itself. Free words around them put no such act in doubt."""


def settle(message: str, found: list[Line], acts: set[Act]) -> frozenset[Act]:
    """Return the acts that are in doubt, and remove them from `acts`, those of the rules.

    A report in doubt leaves its lines doubtful, a refusal leaves no trace. Where only the words speak for a report, the
    line whose words do so most becomes a doubtful report. Words in an impossible order speak for nothing.
    """
    score = scores(frozenset().union(*(line.marks for line in found)))
    against = {act for act, least in AGAINST.items() if act in acts and score[act] < least}
    against -= {act for act, own in _OWN.items() for line in found if act in line.acts and own.search(line.piece.view)}
    fresh = {act for act, most in FOR.items() if act not in acts and score[act] > most}
    if any(line.consent for line in found):  # the user answers a question for a yes without a change by itself
        fresh.discard(Act.PROPOSE)
    if fresh and disordered(message, [line.piece.view for line in found]):
        fresh.clear()
    acts -= against
    for line in found:
        if Act.CLAIM in against and Act.CLAIM in line.acts:
            line.firm = False
        if Act.REFUSE in against:
            line.acts.discard(Act.REFUSE)
    if Act.CLAIM in fresh and not any(Act.CLAIM in line.acts for line in found):
        _suppose(found)
    return frozenset(against | fresh)


def _suppose(found: list[Line]) -> None:
    """Make the line whose words speak most for a report a doubtful report."""
    told = [line for line in found if line.marks and not (line.consent or line.piece.view.endswith("?"))]
    best = max(told, key=lambda line: scores(line.marks)[Act.CLAIM], default=None)
    if best is not None:
        best.acts.add(Act.CLAIM)
        best.firm = False
