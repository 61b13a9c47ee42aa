"""What the agent's message says to the question that the user has just asked back."""

from env_server.reading import Act
from env_server.understanding import ChangePlace, Heard
from env_server.understanding.ear import Ear
from env_server.understanding.offers import restates
from env_server.understanding.proposed import ProposedChange
from env_server.users.scripted import topics
from env_server.users.scripted.notes import UserMemory


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
    yes, or by the same report again.
    """
    if not memory.asked_done:
        return []
    reports = (*heard.unsure, *heard.doubtful)
    again = any(place in memory.asked_done for place in reports)
    return list(memory.asked_done) if again or topics.says_yes(heard.reading.text) else []


def first_time(places: list[ChangePlace], before: list[ChangePlace]) -> bool:
    """Note that the user asks back about `places`. Return whether they ask about any of them for the first time."""
    fresh = [place for place in places if place not in before]
    before += fresh
    return bool(fresh)
