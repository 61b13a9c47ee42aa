"""The caller's wishes in prose, in the second person, for people and language models who play them."""

from collections.abc import Iterable, Mapping, Sequence

from env_server.domains.doordash.scenarios.base import Case
from env_server.domains.doordash.scenarios.details import Detail
from env_server.domains.kit import prose, turned

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


def goal(case: Case, phrases: Sequence[str], details: Mapping[str, Detail] | None = None, *more: str) -> str:
    """Return a wish in prose: the wish, the caller's answers, and `more` sentences."""
    return " ".join((prose.wanted(case.voice, _wanted(case, phrases)), *answers(case, details or {}), *more))


def instead(case: Case, phrases: Sequence[str], details: Mapping[str, Detail] | None = None) -> str:
    """Return the wish that replaces a refused one, in prose. `details` are the new ones."""
    return " ".join((prose.instead(case.voice, _wanted(case, phrases)), *answers(case, details or {})))


def answers(case: Case, details: Mapping[str, Detail]) -> Iterable[str]:
    """Return the caller's answers in quotes, or nothing if there are none."""
    return prose.answered(case.voice, [text for detail in details.values() if (text := detail.known.text)])


def _wanted(case: Case, phrases: Sequence[str]) -> str:
    return turned(case.voice.pick(*phrases), _SECOND, any_case=True)
