"""The files of words: where they are, and what they hold."""

import importlib.util
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any, NamedTuple

import env_server
from env_server.errors import DomainError

NAME = "vocabulary.toml"
GROUP = "env_server.domains"
"""The group of entry points by which other packages offer domains."""

KINDS = {
    "things": "what the records hold, as sentences with facts name it",
    "details": "what else an agent asks about",
    "bookable": "things that can be booked up or sold out",
    "parties": "businesses and professions outside that take part",
    "carers": "those who treat the customer: what is passed on to them is done",
    "papers": "what is written for the customer and sent on",
    "people": "persons in the customer's records, who may be others",
    "clients": "persons in the records for whom the customer calls, or the customer",
    "identity": "what identifies a customer, beside name, address and account",
    "devices": "words that show that a sentence is about the customer's own device",
    "services": "services that the agent and the customer's own device both switch on and off",
    "switches": "settings of a device that a step may name without a verb",
    "handled": "what the steps of customers themselves are about: parts of a device, papers, whom to call",
    "grades": "classes of a service",
    "rates": "prices with rules of their own",
    "amounts": "other amounts of money, as fields of records are named",
    "counts": "numbers of things, as fields of records are named",
    "wishes": "what an agent wishes at the end: a good ...",
    "instructions": "what an agent tells customers to do themselves, as whole messages",
}
"""The lists that a file may have, all of them lower case but for the instructions."""

SYNONYMS = "synonyms"
"""The table of a file: the first word of a tool's name -> the pattern of other words for it."""


class Vocabulary(NamedTuple):
    """The words of one file or of several."""

    words: Mapping[str, tuple[str, ...]]
    """Kind -> its words. A word may be a pattern in which a letter is optional, such as `flights?`."""

    synonyms: Mapping[str, tuple[str, ...]]
    """The first word of a tool's name -> patterns of other words for it."""


@cache
def declared() -> Vocabulary:
    """Return the words of all domains together, whether or not a server offers them. No domain is imported.

    Raises:
        DomainError: if a file cannot be used; it names the file and the reason.
    """
    return _together(in_file(path) for path in paths())


def paths() -> list[Path]:
    """Return the files of words of this package's domains and of those that entry points name."""
    own = sorted((Path(env_server.__file__).parent / "domains").glob(f"*/{NAME}"))
    return [*own, *(path for point in sorted(entry_points(group=GROUP)) for path in _offered(point))]


def in_file(path: Path) -> Vocabulary:
    """Return the words of one file.

    Raises:
        DomainError: if it is no TOML, has an unknown list, or a word that is no pattern.
    """
    try:
        return _checked(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, re.error) as e:
        raise DomainError(f"{path}: {e}") from e


def _checked(found: Mapping[str, Any]) -> Vocabulary:
    if unknown := found.keys() - KINDS.keys() - {SYNONYMS}:
        raise ValueError(f"unknown lists: {', '.join(sorted(unknown))}; there are: {', '.join([*KINDS, SYNONYMS])}")
    synonyms = found.get(SYNONYMS, {})
    if not isinstance(synonyms, dict) or not all(isinstance(pattern, str) for pattern in synonyms.values()):
        raise ValueError(f"{SYNONYMS} is a table of texts")
    words = {kind: values for kind, values in found.items() if kind != SYNONYMS}
    for kind, values in words.items():
        if not isinstance(values, list) or not all(isinstance(word, str) and word.strip() for word in values):
            raise ValueError(f"{kind} is a list of words")
    for pattern in (*synonyms.values(), *(word for values in words.values() for word in values)):
        re.compile(pattern)
    return Vocabulary(
        {kind: tuple(values) for kind, values in words.items()}, {verb: (same,) for verb, same in synonyms.items()}
    )


def _together(files: Iterable[Vocabulary]) -> Vocabulary:
    words: dict[str, dict[str, None]] = {kind: {} for kind in KINDS}
    synonyms: dict[str, list[str]] = {}
    for one in files:
        for kind, values in one.words.items():
            words[kind].update(dict.fromkeys(values))
        for verb, patterns in one.synonyms.items():
            synonyms.setdefault(verb, []).extend(patterns)
    return Vocabulary(
        {kind: tuple(values) for kind, values in words.items()},
        {verb: tuple(patterns) for verb, patterns in synonyms.items()},
    )


def _offered(point: EntryPoint) -> Iterator[Path]:
    """Yield the file of words beside the module of an entry point. The module is not imported."""
    top, *below = point.module.split(".")
    spec = importlib.util.find_spec(top)
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        beside = {Path(folder, *below, NAME): None, Path(folder, *below[:-1], NAME): None}
        yield from (path for path in beside if path.is_file())
