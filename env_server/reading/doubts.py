"""Acts about which the rules and the second opinion disagree: heard if the opinion is sure, in doubt if it is not."""

from typing import NamedTuple

from env_server.reading.acts import Act
from env_server.reading.line import SEEKS, WEIGHTY, Line
from env_server.reading.opinion.scores import scores
from env_server.reading.opinion.triples import strange
from env_server.reading.sentences.consent import asks_for_yes
from env_server.reading.sentences.order import disordered
from env_server.reading.sentences.patterns import compiled
from env_server.reading.words.changes import DONE

AGAINST = {Act.PROPOSE: -70, Act.CLAIM: -100, Act.REFUSE: -75}
"""The score below which the words of a message speak against an act that the rules have found."""

OWN = {Act.CLAIM: -25, Act.REFUSE: 20}
"""The score of a report's or a refusal's own line from which no words around it put it in doubt."""

FOR = {Act.PROPOSE: 10, Act.CLAIM: 20, Act.REFUSE: 10}
"""The score above which the words speak for an act that the rules have not found."""

SURE = {Act.PROPOSE: 50, Act.CLAIM: 85, Act.REFUSE: 75}
"""The score above which an act that the rules have not found is heard."""

STRANGE = 1 / 6
"""The share of unknown triples above which the second opinion is not sure. One in twenty messages of agents with an odd
manner has more, and hardly one of the others.
"""

_FIRST_PERSON = {
    Act.CLAIM: compiled(
        rf"\b(?:i|we)(?:'ve| have)? (?:already |now |just |also |successfully |gone ahead and |went ahead and ){{0,2}}"
        rf"{DONE}\b"
    ),
    Act.REFUSE: compiled(
        r"\b(?:i|we) (?:can't|cannot|can not|won't)\b|\b(?:i'm|i am|we're|we are) (?:not able|unable)\b"
    ),
}
"""An agent's words for what it has done or cannot do itself. Such a line is never in doubt."""


_OPEN = compiled(r"\b(?:or|which|what|how|when|where|who|whose|whether)\b")
"""Words of a question to which a yes is no answer."""


class Doubts(NamedTuple):
    """The acts in doubt."""

    opposed: frozenset[Act]
    """Found by the rules, while the words speak against them."""

    supposed: frozenset[Act]
    """Not found by the rules, while the words speak for them."""


def settle(message: str, found: list[Line], acts: set[Act]) -> Doubts:
    """Return the acts in doubt, and remove them from `acts`, those of the rules. Add to `acts` those of which the
    second opinion is sure.

    A report in doubt leaves its lines doubtful, a refusal leaves no trace. Words in an impossible order speak for
    nothing.
    """
    score = scores(frozenset().union(*(line.marks for line in found)))
    opposed = {act for act, least in AGAINST.items() if act in acts and score[act] < least and _weak(found, act)}
    supposed = {act for act, most in FOR.items() if act not in acts and score[act] > most}
    if any(line.consent for line in found):  # the user asks what a question for a yes without a change is about
        supposed.discard(Act.PROPOSE)
    if supposed and disordered(message, [line.piece.view for line in found]):
        supposed.clear()
    likely = {act for act in supposed if score[act] > SURE[act]}
    sure = {act for act in likely if not _strange(found) and _give(found, act)}
    supposed -= sure
    acts |= sure
    if Act.PROPOSE in sure:
        acts -= SEEKS
    acts -= opposed
    for line in found:
        if Act.CLAIM in opposed and Act.CLAIM in line.acts:
            line.firm = False
        if Act.REFUSE in opposed:
            line.acts.discard(Act.REFUSE)
    return Doubts(frozenset(opposed), frozenset(supposed))


def _strange(found: list[Line]) -> bool:
    """Return whether the words of a message follow each other as those of no agent."""
    return strange((line.piece.view for line in found if line.marks), share=STRANGE, least=3)


def _give(found: list[Line], act: Act) -> bool:
    """Give an act to the line whose words speak for it most, and a proposal to the question. Return whether there is
    such a line: a message with other or open questions proposes nothing, neither does one whose question for a yes the
    rules have dropped, and one that asks for a yes refuses nothing.
    """
    asking = [line for line in found if line.acts & SEEKS or (line.piece.view.endswith("?") and not line.acts)]
    if act is Act.PROPOSE and (
        len(asking) > 1
        or any(_OPEN.search(line.piece.view) for line in asking)
        or any(asks_for_yes(line.piece.view, line.words) for line in found)
    ):
        return False
    if act is Act.REFUSE and any(line.consent for line in found):
        return False
    free = [line for line in found if line.marks and not (line.consent or line.acts & WEIGHTY)]
    if act is Act.PROPOSE:
        free = asking or free
    if not free:
        return False
    line = max(free, key=lambda one: scores(one.marks)[act])
    line.acts.add(act)
    line.firm = True
    if act is Act.PROPOSE:
        line.acts -= SEEKS
        line.consent = True
    return True


def _weak(found: list[Line], act: Act) -> bool:
    """Return whether no line by itself does `act` for certain. A proposal needs more than one line. The score of a
    refusal's own line counts only in a message that asks for a yes: only there would an agent gain by hiding it.
    """
    if act not in OWN:
        return True
    alone = act is Act.CLAIM or any(line.consent for line in found)
    return not any(
        _FIRST_PERSON[act].search(line.piece.view) or (alone and scores(line.marks)[act] >= OWN[act])
        for line in found
        if act in line.acts and (line.firm or act is not Act.CLAIM)
    )
