"""Questions about another person or place: `your daughter's date of birth`, `the name of the new passenger`."""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from env_server.vocabulary import filled

_PERSONS = (
    r"(?:step-?)?(?:daughter|son|child|mother|father|parent|sister|brother|sibling)s?|children|kids?|baby|husband|wife"
    r"|spouse|partner|mom|mum|dad|grand(?:mother|father|parent|child|son|daughter)s?|aunt|uncle|niece|nephew|cousin"
    r"|friend|neighbou?r|colleague|roommate|fianc\w+|guardian|caregiver|proxy|persons?|people|companions?|guests?"
    r"|relative|dependents?|family members?|loved one|someone else|somebody else"
)
_OWN = filled("{clients}|{people}")
_SAME = tuple(re.compile(filled(kind)) for kind in ("{clients}", "{people}"))
"""Words for one role: a `passenger` is a `traveller`."""

_ROLES = rf"{_OWN}|recipients?|receivers?|attendees?"
_PLACES = filled("{parties}|provider|specialist|store|shop|driver|hotel|manager|employer|insurer|bank")
_ADDED = r"new|other|another|second|third|additional|extra|each|every|all|remaining|added"
_NOUN = rf"(?:(?P<role>{_ROLES})|(?P<place>{_PLACES})|(?P<person>{_PERSONS}))"
_WHO = (
    rf"(?:(?:your|the|this|that|a|an|any) )?(?P<added>(?:(?:{_ADDED}) )*)"
    rf"(?:(?!(?:and|or|the|your|full|of) )\w+ )?{_NOUN}"
)
_FACT = (
    r"(?:(?:full|first|last|legal|home|e-?mail|phone|mobile|contact|zip|postal|postcode) ?)*"
    r"(?:names?|dates? of birth|dob"
    r"|birth ?(?:date|day)s?|number|code|zip|e-?mail|phone|address|details|information)\b"
)
_OWNED = re.compile(rf"\b(?:{_WHO}(?:'s?(?!\w)| (?={_FACT}))|(?:his|her|their)(?= {_FACT}))")
"""A person or place before the facts asked for: `the patient's full name and date of birth`."""

_BY_NAME = re.compile(rf"\b(?P<person>[a-z][a-z-]+)(?:'s?|:)(?= {_FACT})(?P<role>(?!))?(?P<place>(?!))?(?P<added>)")
"""A name before the facts asked for: `Ada's date of birth`. The other groups stay empty."""

_OF = re.compile(rf"\b(?:of|(?P<for>for)|belonging to) {_WHO}\b(?!')")
"""A person or place after the facts asked for: `the full name of the new passenger`."""

_WHO_IS = re.compile(
    rf"\b(?:who(?:'s| is| will be| would be)|(?:for|about) (?:which|what)) (?:the |your )?(?P<role>{_OWN})\b"
    r"(?P<person>(?!))?(?P<place>(?!))?(?P<added>)"
)
"""A question for the person alone: `Who is the patient?`"""

_MINE = re.compile(rf"\byour (?:own )?{_FACT}")
"""The user's own facts."""

_JOINT = re.compile(rf",? (?:and|or|plus|as well as) (?:also )?|, (?=(?:the|your) {_FACT})")
"""Words between two facts that a question asks for."""

_CALLER = re.compile(r" (?:on|in|named|listed|calling|i'm|i am|who (?:made|placed|booked|opened|owns|is calling)\b)")
"""Words after `the person` that make it the user."""

_NAME = re.compile(r"\b[A-Z][\w'-]+ [A-Z][\w'-]+")
"""Two words with capital letters: a full name."""

TOPICS = re.compile(rf"(?:{_PERSONS}|{_ROLES})")
"""The topics of a script that are about another person."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A part of a question that is about somebody or something other than the user."""

    text: str
    """The words for the facts asked for."""

    noun: str = ""
    """The word for the person or place; empty for `his`, `her` and `their`."""

    place: bool = False
    """Whether it is a doctor, a restaurant or the like."""

    self: bool = False
    """Whether it is a word that may also mean the user: `the patient`, but not `the new patient`."""

    named: bool = False
    """Whether the word is the person's role in the task (`passenger`), not their relation to the user (`daughter`)."""


def apart(sentences: Iterable[str], names: Collection[str] = ()) -> tuple[list[str], list[Asked]]:
    """Return the lower-case `sentences` without the parts about other people and places, and those parts.

    `names` are the other people's names, in lower case.
    """
    own, others = list[str](), list[Asked]()
    for text in sentences:
        rest = text
        if (found := _named(text, names) or _OWNED.search(text)) is not None:
            end = _next(text, found.end())
            others.append(_asked(text[found.end() : end], found))
            rest = f"{text[: found.start()]} {text[end:]}"
        elif (found := _OF.search(text)) and (start := _first(text, found)) is not None:
            others.append(_asked(text[start : found.start()], found))
            rest = f"{text[:start]} {text[found.end() :]}"
        elif (found := _WHO_IS.search(text)) is not None:
            others.append(_asked("name", found))
            rest = f"{text[: found.start()]} {text[found.end() :]}"
        own.append(rest)
    return own, others


def names_in(known: Mapping[str, str]) -> list[str]:
    """Return the names of other people in the facts or details of a script, in lower case."""
    texts = (text for topic, text in known.items() if TOPICS.fullmatch(topic))
    return [name.lower() for text in texts for found in _NAME.findall(text) for name in found.split()]


def _named(text: str, names: Collection[str]) -> re.Match[str] | None:
    return next((found for found in _BY_NAME.finditer(text) if found["person"] in names), None)


def about(asked: Asked, known: Mapping[str, str]) -> str | None:
    """Return the topic of `known` that tells who the person is: by its name, by its words, or as the only person."""
    persons = {topic: text.lower() for topic, text in known.items() if TOPICS.fullmatch(topic)}
    noun = asked.noun.removesuffix("s")
    for topic, text in persons.items():
        if noun and (noun == topic or re.search(rf"\b{re.escape(noun)}", text) or _same_role(noun, topic)):
            return topic
    if asked.place or asked.named or len(persons) != 1:
        return None
    return next((topic for topic in persons if _NAME.search(known[topic])), None)


def _same_role(noun: str, topic: str) -> bool:
    return any(role.fullmatch(noun) and role.fullmatch(topic) for role in _SAME)


def _asked(text: str, found: re.Match[str]) -> Asked:
    groups = found.groupdict()
    noun = groups["role"] or groups["place"] or groups["person"] or ""
    caller = noun == "person" and _CALLER.match(found.string, found.end()) is not None
    itself = caller or (not groups["added"] and re.fullmatch(_OWN, noun) is not None)
    return Asked(text.strip(), noun, groups["place"] is not None, itself, groups["role"] is not None)


def _next(text: str, start: int) -> int:
    """Return where the user's own facts begin again: `the patient's name and your zip code`."""
    mine = _MINE.search(text, start)
    return mine.start() if mine else len(text)


def _first(text: str, found: re.Match[str]) -> int | None:
    """Return where the facts about the other person begin: after `your name and`, else at the beginning.

    Return None if there are none, as in `your phone number for the driver`.
    """
    mine = None
    for mine in _MINE.finditer(text, 0, found.start()):  # noqa: B007 - the last one counts
        pass
    if mine is None:
        return 0 if re.search(_FACT, text[: found.start()]) else None
    joint = _JOINT.search(text, mine.end(), found.start())
    return joint.end() if joint and not found["for"] else None
