"""From what a model wrote to what the user says: private thoughts, role labels and stop tokens taken out."""

import re
from typing import NamedTuple

from env_server.users.base import STOP

LONGEST = 8_000
"""Characters of a message; a model that writes more has lost itself."""

# A model writes what it likes, and up to 100,000 characters of it. So no pattern may look twice at the same text: what
# repeats is possessive (`*+`), and what may begin anywhere in a run begins at its start only.
_THOUGHT = re.compile(r"<(think|thinking|thought|reasoning)>.*?(</\1>|\Z)", re.S | re.I)
_THOUGHT_END = re.compile(r"\A.*</(?:think|thinking|thought|reasoning)>", re.S | re.I)
_LABELLED = re.compile(r"\A\W*+(?:thoughts?|reflection)[*_ \t]*+:", re.I)
_STOPS = re.compile(r"(?<!#)#{2,}+\s*+(?:STOP|TRANSFER|OUT-OF-SCOPE)\s*+#{2,}+", re.I)
_MARK = r"^[ \t>*_#]*+"
_COLON = r"[*_ \t]*+:[*_]*+[ \t]*+"
_OTHER = re.compile(
    rf"{_MARK}(?:(?:customer )?(?:service|support) )?(?:agent|assistant|representative|rep)(?: \w++)?{_COLON}",
    re.I | re.M,
)
_SELF = re.compile(rf"{_MARK}(?:user|customer|caller|me)(?: response)?{_COLON}", re.I | re.M)
_SAYS = re.compile(rf"{_MARK}(?:user )?response{_COLON}", re.I | re.M)
_SAYS_INLINE = re.compile(r"(?:user )?response[*_]*+:[*_]*+", re.I)
_NEXT = re.compile(rf"{_MARK}(?:thoughts?|reflection|(?:user )?response){_COLON}", re.I | re.M)
_TALKING = re.compile(
    r"\?|\b(yes|yeah|yep|confirm\w*|correct|agreed?|go ahead|proceed|please|that's right|sounds good)\b", re.I
)


class Unusable(ValueError):
    """What a model wrote is nothing that the user could say; the message tells the model why."""


class UserLine(NamedTuple):
    """What the user says."""

    content: str
    stop: bool = False


def read_line(text: str, *, confirming: bool = False) -> UserLine:
    """The user's words in a model's answer.

    A stop token counts only on a line of its own. It ends the conversation if nothing else was said, or nothing that
    the agent still has to act on: a message that confirms, asks or requests something is delivered without its stop,
    as is any while the agent waits for a confirmation (`confirming`). A token within a sentence is taken out.

    Raises:
        Unusable: if there are none.
    """
    text = without_thoughts(text)
    if len(text) > LONGEST:
        raise Unusable("It was far too long. Write one short message.")
    said = _own_words(text)
    words = re.sub(r"[ \t]{2,}", " ", _STOPS.sub(" ", said)).strip()
    if _STOPS.search(said) and not re.search(r"\w", words):
        return UserLine(STOP, stop=True)
    if not re.search(r"\w", words):
        raise Unusable("It was empty. Write the words of the user.")
    if _stops_on_a_line(said) and not confirming and not _TALKING.search(words):
        return UserLine(STOP, stop=True)
    return UserLine("\n".join(line.rstrip() for line in words.splitlines()))


def labelled(text: str) -> tuple[str, str]:
    """The private part of an answer, and what it says after its label `User Response:` or `Response:`.

    Raises:
        Unusable: if nothing is labelled as said: it might all be thought.
    """
    clean = without_thoughts(text)
    at_start, inline = _SAYS.search(clean), list(_SAYS_INLINE.finditer(clean))
    found = at_start or (inline[-1] if inline else None)
    if found is not None:
        said = clean[found.end() :]
        following = _NEXT.search(said)
        return clean[: found.start()].strip(), said[: following.start()] if following else said
    if _STOPS.search(clean) and not re.search(r"\w", _STOPS.sub("", clean)):
        return "", STOP
    raise Unusable("No part of it was labelled as what the user says. Keep to the two labels that you were given.")


def without_thoughts(text: str) -> str:
    """`text` without blocks of thought, of which either end may be missing."""
    return _THOUGHT_END.sub("", _THOUGHT.sub("", text)).strip()


def is_labelled(text: str) -> bool:
    """Whether an answer begins with a thought that is labelled as one, asked for or not."""
    return _LABELLED.match(without_thoughts(text)) is not None


def _own_words(text: str) -> str:
    """`text` up to where it begins to speak for the agent, without labels of the user's own."""
    other = _OTHER.search(text)
    if other is not None:
        text = text[: other.start()]
        if not text.strip():
            raise Unusable("It spoke for the agent. You are the user: write only what the user says.")
    return _SELF.sub("", text)


def _stops_on_a_line(text: str) -> bool:
    return any(_STOPS.search(line) and not re.search(r"\w", _STOPS.sub("", line)) for line in text.splitlines())
