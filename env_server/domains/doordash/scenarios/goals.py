"""The caller's wishes in prose, in the second person, for people and language models who play them."""

import re
from collections.abc import Iterable, Mapping, Sequence

from env_server.domains.doordash.scenarios.base import Case
from env_server.domains.doordash.scenarios.details import Detail

WANTS = (
    "You want to {}.",
    "You would like to {}.",
    "You are in touch because you want to {}.",
    "Your wish is to {}.",
    "What you want is to {}.",
    "You have made up your mind to {}.",
    "You need to {}.",
    "It is your plan to {}.",
    # Kept for the held-out split.
    "Your aim is to {}.",
    "You intend to {}.",
    "You turn to the service in order to {}.",
    "All you are after is to {}.",
)
INSTEAD = (
    "Only if that is refused, you want to {}.",
    "Should that be refused, and only then, you want to {}.",
    "If you are told that this is not possible, you want to {}, but not otherwise.",
    "Only when that turns out to be impossible, you would like to {}.",
    "In case it is refused, but in no other, your wish is to {}.",
    "You want to {} only if the first wish is refused.",
    "If that cannot be done, and only then, you ask to {}.",
    "Being refused, you would rather {}; otherwise you do not bring it up.",
    # Kept for the held-out split.
    "Your second choice, for the case of a refusal alone, is to {}.",
    "A refusal would make you ask to {}; without one you keep silent about it.",
    "Were it refused, you would ask to {}.",
    "As long as nothing is refused, that is all; if it is, you want to {}.",
)
ANSWERS = (
    "Asked for details, you say: {}",
    "What you say when asked: {}",
    "You answer questions about it with: {}",
    "This is what you know and tell when asked: {}",
    "When the agent asks, you say: {}",
    "Your answers, as far as they are asked for: {}",
    "Details you give when asked: {}",
    "You can tell, if asked: {}",
    # Kept for the held-out split.
    "If questions come up, you reply: {}",
    "On being asked you tell: {}",
    "You keep these answers ready: {}",
    "To questions you reply with what you know: {}",
)
ACCEPTS = (
    "You accept it if you are refused.",
    "If it is refused with a reason, you let it be.",
    "A refusal you take as it comes.",
    "Should it be refused, you do not insist for long.",
    "You give in when you are refused.",
    "If the answer is no, you live with it.",
    # Kept for the held-out split.
    "A no is all right with you in the end.",
    "You put up with a refusal.",
    "Being refused is no drama to you.",
)
CHANGES_MIND = (
    'When the agent asks you to confirm, you say: "{}" That is final.',
    'Asked for your yes, you change your mind first: "{}" You stay with that.',
    'Before you confirm anything you change your mind and say: "{}" It stays so.',
    'As soon as you are to confirm, you say: "{}" After that nothing changes any more.',
    'Your first answer to a question for a yes is: "{}" Then you are sure.',
    'Instead of a first yes you say: "{}" This is your last word.',
    # Kept for the held-out split.
    'On the point of agreeing you say: "{}" And so it remains.',
    'Rather than to agree at once you reply: "{}" You do not change it again.',
    'You hesitate when asked to confirm: "{}" From then on you are sure.',
)
TRANSFERRED = (
    "You agree to being transferred if the agent cannot do that.",
    "If people have to settle it, you agree to being handed over.",
    "Should the agent offer to transfer you, you agree.",
    "You do not mind being put through to somebody else for that.",
    "A transfer is all right with you.",
    "If it takes a transfer to people, you say yes to it.",
    # Kept for the held-out split.
    "To an offer of being connected with people you say yes.",
    "Being passed on to people is fine with you.",
    "You let yourself be transferred if it has to be.",
)

_SECOND = {
    "i": "you",
    "me": "you",
    "my": "your",
    "mine": "yours",
    "am": "are",
    "we": "you",
    "our": "your",
    "us": "you",
    "myself": "yourself",
}
_FIRST = re.compile(rf"\b(?:{'|'.join(_SECOND)})\b", re.IGNORECASE)


def goal(case: Case, phrases: Sequence[str], details: Mapping[str, Detail] | None = None, *more: str) -> str:
    """A wish as prose: what is wanted, what the caller answers, and `more` sentences."""
    return " ".join((case.voice.pick(*WANTS).format(_wanted(case, phrases)), *answers(case, details or {}), *more))


def instead(case: Case, phrases: Sequence[str], details: Mapping[str, Detail] | None = None) -> str:
    """A wish that takes the place of a refused one, as prose; `details` are those that are new."""
    return " ".join((case.voice.pick(*INSTEAD).format(_wanted(case, phrases)), *answers(case, details or {})))


def accepts(case: Case) -> str:
    """That a refusal is the end of it."""
    return case.voice.pick(*ACCEPTS)


def transferred(case: Case) -> str:
    """That a transfer is welcome."""
    return case.voice.pick(*TRANSFERRED)


def revised(case: Case, words: str) -> str:
    """That the caller changes their mind, in `words`."""
    return case.voice.pick(*CHANGES_MIND).format(words)


def answers(case: Case, details: Mapping[str, Detail]) -> Iterable[str]:
    """What the caller answers, in quotes; nothing where there is nothing to say."""
    said = " ".join(detail.known.text for detail in details.values())
    return (case.voice.pick(*ANSWERS).format(f'"{said}"'),) if said else ()


def _wanted(case: Case, phrases: Sequence[str]) -> str:
    return _FIRST.sub(lambda found: _SECOND[found[0].lower()], case.voice.pick(*phrases))
