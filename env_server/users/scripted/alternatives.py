"""The alternatives that a refusal offers."""

from collections.abc import Collection
from dataclasses import replace

from env_server.domains.kit import UserScript
from env_server.reading import Act, Reading, Words
from env_server.understanding import ChangePlace, Heard, hear
from env_server.understanding.ear import Ear
from env_server.understanding.topics import about
from env_server.users.scripted import topics


def handed_over(script: UserScript, heard: Heard, focus: int) -> list[int]:
    """Return the wishes that the message leaves to people: refused ones with an offer or an announcement of a transfer,
    and the current one if the message gives a reason for the transfer. The user accepts this for wishes for which they
    would be transferred.
    """
    reading = heard.reading
    if not (reading.hands_over or reading.offers_transfer):
        return []
    reasoned = reading.hands_over and not heard.refusals and topics.reasons(reading.text)
    proposed = {offer.place.wish for offer in heard.offers}
    wishes = [*heard.refusals, *([focus] if reasoned and focus not in proposed else [])]
    return [w for w in wishes if "transfer" in script.requests[w].details]


def offered(script: UserScript, refused: int, reading: Reading) -> bool:
    """Return whether a refusal names, beside its reason, what the user would take instead."""
    after = script.requests[refused + 1 : refused + 2]
    words = Words("\n".join(s.text for s in reading.sentences if Act.REFUSE not in s.acts))
    return topics.reasons(reading.text) and any(
        about(change, words.flat) for wish in after if wish.instead for change in wish.changes
    )


def taken(script: UserScript, refused: int, open_wishes: Collection[int], reading: Reading) -> list[ChangePlace]:
    """Return the changes of the wish that replaces the `refused` one, if the refusal also proposes all of them with the
    right values. Return nothing otherwise, or if the user would change their mind about that wish.
    """
    w = refused + 1
    if w not in open_wishes or not script.requests[w].instead or script.requests[w].revise is not None:
        return []
    rest = replace(reading, sentences=tuple(s for s in reading.sentences if Act.REFUSE not in s.acts))
    heard = hear(Ear(script, w, [w]), rest)
    places = [offer.place for offer in heard.offers if offer.right and offer.place.wish == w]
    return places if len(places) == len(script.requests[w].changes) else []
