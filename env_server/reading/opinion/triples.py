"""Triples of neighbouring words that occur in messages of agents. A string of phrases has many that do not.

A word is known by itself if it is one of the most frequent ones (`frequent.txt`) or a short form such as `i've`,
otherwise by its ending. Marks within a sentence count as one word, whichever and however many they are. The triples of
the training messages are bits of a table (`triples.bin`), in which different triples may share a bit.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from zlib import crc32

BITS = 1 << 21
"""The number of bits of the table."""

FREQUENT = Path(__file__).with_name("frequent.txt")
"""The most frequent words of the training messages, one on each line."""

TRIPLES = Path(__file__).with_name("triples.bin")
"""The table, in which bit 0 of the first byte is the first bit."""

_TOKENS = re.compile(r"\w+(?:[',.:/-]\w+)*|[?!.:,;()/-]+")
_SHORT = re.compile(r"(?:i|you|we|they|it|he|she|that|there|what|who|here)'(?:m|ve|ll|d|re|s)")
_DIGIT = re.compile(r"\d")
_ENDINGS = ("ing", "ed", "ly", "s")


def tokens(view: str) -> list[str]:
    """Return the words of a plain sentence, and a comma for all marks between two of them."""
    found: list[str] = []
    for token in _TOKENS.findall(view):
        word = token[0].isalnum() or token[0] == "_"
        if word or (found and found[-1] != ","):
            found.append(token if word else ",")
    return found[:-1] if found and found[-1] == "," else found


def triples_of(words: Sequence[str], frequent: frozenset[str]) -> list[int]:
    """Return the bit of each triple of a sentence, whose beginning and end count as words."""
    kinds = ["<", "<", *(_kind(word, frequent) for word in words), ">"]
    return [crc32(" ".join(triple).encode()) % BITS for triple in zip(kinds, kinds[1:], kinds[2:], strict=False)]


def strange(views: Iterable[str], *, share: float, least: int) -> bool:
    """Return whether more than a `share` of the triples of some plain sentences, and at least `least`, are not in the
    table.
    """
    counts = [*map(_unknown, views)]
    missing, among = sum(one for one, _ in counts), sum(of for _, of in counts)
    return missing >= least and missing > share * among


@lru_cache(maxsize=8192)
def _unknown(view: str) -> tuple[int, int]:
    """Return how many triples of a sentence are not in the table, and how many it has in all."""
    frequent, table = _known()
    bits = triples_of(tokens(view), frequent) if view else []
    return sum(not table[bit >> 3] >> (bit & 7) & 1 for bit in bits), len(bits)


@lru_cache(maxsize=8192)
def _kind(word: str, frequent: frozenset[str]) -> str:
    if _DIGIT.search(word):
        return "0" if word[0].isdigit() and not word[-1].isalpha() else "#"
    if word in frequent or word == "," or _SHORT.fullmatch(word):
        return word
    return next((f"*{ending}" for ending in _ENDINGS if word.endswith(ending)), "*")


@lru_cache(maxsize=1)
def _known() -> tuple[frozenset[str], bytes]:
    return frozenset(FREQUENT.read_text(encoding="utf-8").split()), TRIPLES.read_bytes()
