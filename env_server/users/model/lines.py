"""Extraction of the user's message from a model's answer: private thoughts, role labels and stop tokens are removed."""

import re
from typing import NamedTuple

from agent_env_schemas import USER_OUT_OF_SCOPE, USER_STOP, USER_TRANSFERRED

LONGEST = 8_000
"""The maximum number of characters of a message. A longer answer is unusable."""

# A model may write any text of up to 100,000 characters. So no pattern may scan the same text twice: repetitions are
# possessive (`*+`), and a pattern that could match anywhere in a run matches only at its start.
_THOUGHT = re.compile(r"<(think|thinking|thought|reasoning)>.*?(</\1>|\Z)", re.S | re.I)
_THOUGHT_END = re.compile(r"\A.*</(?:think|thinking|thought|reasoning)>", re.S | re.I)
_LABELLED = re.compile(r"\A\W*+(?:thoughts?|reflection)[*_ \t]*+:", re.I)
_STOP_WORDS = "|".join(re.escape(line.strip("#")) for line in (USER_STOP, USER_TRANSFERRED, USER_OUT_OF_SCOPE))
_STOPS = re.compile(rf"(?<!#)#{{2,}}+\s*+(?:{_STOP_WORDS})\s*+#{{2,}}+", re.I)
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
    """A model's answer holds no usable user message. The exception's text tells the model why."""


class UserLine(NamedTuple):
    """A message of the user."""

    content: str
    stop: bool = False


def read_line(text: str, *, confirming: bool = False) -> UserLine:
    """Return the user's message in a model's answer.

    A stop token counts only on a line of its own. It ends the conversation in two cases: if the answer has no other
    words, or if the agent does not have to act on the other words. A message that confirms, asks or requests something
    is delivered without its stop token. So is any message while the agent waits for a confirmation (`confirming`). A
    token within a sentence is removed.

    Raises:
        Unusable: if the answer holds no such message.
    """
    text = without_thoughts(text)
    if len(text) > LONGEST:
        raise Unusable("It was far too long. Write one short message.")
    said = _own_words(text)
    words = re.sub(r"[ \t]{2,}", " ", _STOPS.sub(" ", said)).strip()
    if _STOPS.search(said) and not re.search(r"\w", words):
        return UserLine(USER_STOP, stop=True)
    if not re.search(r"\w", words):
        raise Unusable("It was empty. Write the words of the user.")
    if _stops_on_a_line(said) and not confirming and not _TALKING.search(words):
        return UserLine(USER_STOP, stop=True)
    return UserLine("\n".join(line.rstrip() for line in words.splitlines()))


def labelled(text: str) -> tuple[str, str]:
    """Return the private part of an answer, and the message after its label `User Response:` or `Response:`.

    Raises:
        Unusable: if no part is labelled as the message, since all of it might be private thought.
    """
    clean = without_thoughts(text)
    at_start, inline = _SAYS.search(clean), list(_SAYS_INLINE.finditer(clean))
    found = at_start or (inline[-1] if inline else None)
    if found is not None:
        said = clean[found.end() :]
        following = _NEXT.search(said)
        return clean[: found.start()].strip(), said[: following.start()] if following else said
    if _STOPS.search(clean) and not re.search(r"\w", _STOPS.sub("", clean)):
        return "", USER_STOP
    raise Unusable("No part of it was labelled as what the user says. Keep to the two labels that you were given.")


def without_thoughts(text: str) -> str:
    """Return `text` without blocks of thought. A block may lack its start tag or its end tag."""
    return _THOUGHT_END.sub("", _THOUGHT.sub("", text)).strip()


def is_labelled(text: str) -> bool:
    """Return whether an answer begins with a labelled thought, whether or not the prompt asked for one."""
    return _LABELLED.match(without_thoughts(text)) is not None


def _own_words(text: str) -> str:
    """Return `text` up to the point where it speaks for the agent, without the user's own role labels."""
    other = _OTHER.search(text)
    if other is not None:
        text = text[: other.start()]
        if not text.strip():
            raise Unusable("It spoke for the agent. You are the user: write only what the user says.")
    return _SELF.sub("", text)


def _stops_on_a_line(text: str) -> bool:
    return any(_STOPS.search(line) and not re.search(r"\w", _STOPS.sub("", line)) for line in text.splitlines())
