"""What the agent's message says to the question that the user has just asked back."""

import re

from env_server.domains.kit import WantedChange
from env_server.reading import Act, Reading, Words
from env_server.reading.words.changes import CHANGING, DONE
from env_server.understanding import ChangePlace, Heard
from env_server.understanding.ear import Ear
from env_server.understanding.offers import restates
from env_server.understanding.proposed import ProposedChange
from env_server.understanding.topics import verbs
from env_server.users.scripted import topics
from env_server.users.scripted.notes import UserMemory

_UNDONE = re.compile(
    r"\b(?:fail\w*|refus\w*|reject\w*|declin\w*|errors?|unable|tried|trying|attempt\w*|not(?! (?:only|be)\b)|yet|almost"
    r"|nearly|unfortunately|sadly|afraid|unless|in progress|under ?way|(?:one|a) (?:moment|minute|second)|hold|wait"
    r"|please confirm|rul(?:es?|ed) (?:\w+ ){0,3}out)\b"
    r"|\b(?:did|do|does|has|have|had|is|was|were|are)n't\b"
)
"""Words of an answer that something is not done, or not yet."""

_TO_COME = re.compile(
    r"\b(?:can|cannot|could|can't|impossible|will|would|may(?! \d)|might|must|shall|should|be|being|if|once|when"
    r"|whether|until|before|need|want|only|possible|but|soon|shortly|next|moment|(?:about|has|have|yet) to)\b"
    r"|'(?:ll|d)\b|(?:\b(?:am|is|are)|'(?:m|s|re))(?: \w+)? \w+ing\b"
)
"""Words of a sentence about what is to come, or what may be."""

_IS_DONE = re.compile(
    rf"\b(?:done|complete|through|worked|finished|successful|successfully|well|(?:is|all) (?:set|good)|{DONE})\b"
)
_WORKED = re.compile(
    r"\W*(?:it|that|this|everything|all)(?: has| all)? (?:worked|went (?:through|well)|gone through|did|was successful)"
    r"\b"
)
_SENTENCE = re.compile(r"[^.!?\n]*[.!?]*")


def proposed_again(memory: UserMemory, heard: Heard, ear: Ear) -> list[ProposedChange]:
    """Return the changes for which the agent wants a yes, as it confirms after the user has asked about it: by a plain
    yes, or by one and some of the values again. The question holds for one message.
    """
    asked, memory.asked_yes = memory.asked_yes, []
    if not asked:
        return []
    says_so = topics.says_yes(heard.reading.text, alone=True, asks=heard.vague)
    again = [*heard.guessed] if Act.PROPOSE in heard.reading.opposed else []  # the rules have heard it twice
    if topics.begins_with_yes(heard.reading.text):
        again += [place for place in asked if restates(ear, heard.reading, place)]
    return [ProposedChange(place) for place in asked if says_so or place in again]


def meant_no(memory: UserMemory, heard: Heard) -> list[int]:
    """Return the wish that the agent refuses, as it confirms after the user has asked whether that is a no."""
    asked, memory.asked_no = memory.asked_no, []
    return asked if asked and topics.says_yes(heard.reading.text, alone=True) else []


def meant_transfer(memory: UserMemory, heard: Heard) -> bool:
    """Return whether the agent transfers the user, as it confirms after the user has asked about it."""
    asked, memory.asked_transfer = memory.asked_transfer, False
    return asked and topics.says_yes(heard.reading.text, alone=True)


def done_now(memory: UserMemory, heard: Heard) -> list[ChangePlace]:
    """Return the changes that the agent has made, as it confirms after the user has asked whether they are done: by a
    plain yes, or by a report.
    """
    if not memory.asked_done:
        return []
    if Act.REFUSE in heard.reading.acts | heard.reading.doubted or _UNDONE.search(heard.reading.text):
        return []
    again = any(place in memory.asked_done for place in (*heard.unsure, *heard.doubtful))
    return list(memory.asked_done) if again or _says_done(heard) else []


def _says_done(heard: Heard) -> bool:
    """Return whether a message begins with a plain yes or with a yes and a report, and says nothing against it."""
    text = heard.reading.text
    if heard.reading.waits:
        return False
    first = _SENTENCE.match(text)
    assert first is not None
    if _TO_COME.search(first[0]):
        return False
    if topics.says_yes(first[0], alone=True) or _WORKED.match(text):
        return True
    return topics.says_yes(text) and _IS_DONE.search(first[0]) is not None


def may_be_done(change: WantedChange, reading: Reading) -> bool:
    """Return whether a sentence with the action of a change may report it: it is no plan and no failure, and the action
    is not under way.
    """
    return any(
        CHANGING.isdisjoint(flat[found.start() :].split()[: len(found[0].split())])
        for sentence in reading.sentences
        if not (_UNDONE.search(sentence.text) or _TO_COME.search(sentence.text))
        for flat in (Words(sentence.text).flat,)
        for found in verbs(change.verbs).finditer(flat)
    )


def first_time(places: list[ChangePlace], before: list[ChangePlace]) -> bool:
    """Note that the user asks back about `places`. Return whether they ask about any of them for the first time."""
    fresh = [place for place in places if place not in before]
    before += fresh
    return bool(fresh)
