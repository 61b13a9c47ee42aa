"""Patterns with cue words. A pattern is tried only if one of its cue words occurs, for speed."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, count, pairwise
from typing import Any, cast

from env_server.vocabulary import filled

WORD = re.compile(r"[a-z][a-z'-]*+")


class _Late:
    """A pattern that is compiled when one of its methods is first used. It has the methods of `re.Pattern`."""

    def __init__(self, patterns: tuple[str, ...]) -> None:
        self._patterns = patterns

    def __getattr__(self, name: str) -> Any:
        made = _made(self._patterns)
        for method in _METHODS:
            setattr(self, method, getattr(made, method))  # the next call goes straight to the compiled pattern
        return getattr(made, name)


_METHODS = ("finditer", "fullmatch", "match", "search", "split", "sub")
_LATE: list[_Late] = []
"""All patterns that `compiled` has made, most of them during imports. `compile_all` compiles them."""


class HeardWords(frozenset[str]):
    """The words of a sentence, and the bits of the patterns of `Rules` that have one of them as a cue."""

    __slots__ = ("bits",)
    bits: int


def words_of(view: str) -> HeardWords:
    """Return the words of a plain sentence."""
    words = HeardWords(chain.from_iterable(map(_between_spaces, view.split(" "))))
    words.bits = _bits(words)
    return words


@lru_cache(maxsize=16_384)
def _between_spaces(text: str) -> tuple[str, ...]:
    return tuple(WORD.findall(text))


def compiled(*patterns: str) -> re.Pattern[str]:
    """Return a pattern of alternatives that is compiled at its first use. `{things}` and the like in them stand for
    the words that the domains declare (`env_server.vocabulary`).

    Compiling all patterns takes as long as importing the rest of the code that plays episodes. A reset needs none of
    them.
    """
    late = _Late(patterns)
    _LATE.append(late)
    return cast("re.Pattern[str]", late)


def compile_all() -> None:
    """Compile all patterns, so that no message has to wait for it. It takes some tenths of a second."""
    for late in _LATE:
        _ = late.search


def _made(patterns: tuple[str, ...]) -> re.Pattern[str]:
    """Compile alternatives. Those at word boundaries share one boundary test, which is much faster."""
    bounded: list[str] = []
    others: list[str] = []
    for part in _alternatives(filled("|".join(patterns))):
        (bounded if part.startswith(r"\b") else others).append(part)
    if not others and (letters := _led(r"(?:" + "|".join(part[2:] for part in bounded) + ")")):
        firsts, rest = letters
        return re.compile(f"[{firsts}](?<!\\w.){rest}")
    if len(bounded) > 1:
        others.append(r"\b(?:" + "|".join(part[2:] for part in bounded) + ")")
    else:
        others += bounded
    return re.compile("|".join(others))


def _led(pattern: str) -> tuple[str, str] | None:
    """Return the letters with which a pattern can begin, and the pattern after its first letter; None if it can begin
    with anything else. A search for one of several letters is much faster than one for a word boundary.
    """
    if re.match(r"[a-z](?![?*+{])", pattern):
        return pattern[0], f"(?<={pattern[0]}){pattern[1:]}"
    if not pattern.startswith("(?:"):
        return None
    end = _end(pattern)
    if pattern[end : end + 1] in {"?", "*", "+", "{"}:
        return None
    parts = [_led(part) for part in _alternatives(pattern[3 : end - 1])]
    led = [part for part in parts if part]
    if len(led) < len(parts):
        return None
    firsts = "".join(sorted({letter for letters, _ in led for letter in letters}))
    return firsts, "(?:" + "|".join(rest for _, rest in led) + ")" + pattern[end:]


def _end(pattern: str) -> int:
    """Return the index after the group at the beginning of a pattern."""
    return next(at + 1 for at, char, depth in _marks(pattern) if char == ")" and depth == 0)


def _alternatives(pattern: str) -> list[str]:
    """Split a pattern at the alternations outside of all brackets."""
    bars = [at for at, char, depth in _marks(pattern) if char == "|" and depth == 0]
    return [pattern[start + 1 : end] for start, end in pairwise([-1, *bars, len(pattern)])]


def _marks(pattern: str) -> Iterator[tuple[int, str, int]]:
    """Yield the brackets and bars that divide a pattern: index, character, and the open brackets after it."""
    depth = at = 0
    inside = False
    while at < len(pattern):
        char = pattern[at]
        if char == "\\":
            at += 1
        elif inside:
            inside = char != "]"
        elif char == "[":
            inside = True
            at += 1 if pattern[at + 1] != "^" else 2
        elif char in "()|":
            depth += {"(": 1, ")": -1, "|": 0}[char]
            yield at, char, depth
        at += 1


_BITS = count()
_MOST_CHOSEN = 1024
"""The maximum number of sets of patterns that one `Rules` object caches. Few sets occur in real messages. The bound
protects against messages that are made to differ.
"""

_CUED: dict[str, int] = {}
"""Cue word -> the bits of the patterns that it is a cue of. Each pattern of `Rules` has a bit of its own."""


class Rules:
    """Patterns with their cues; a pattern without cues is always tried."""

    __slots__ = ("_chosen", "_mask", "_parts", "cues", "parts")

    def __init__(self, *parts: tuple[str, str]) -> None:
        self.parts = tuple((frozenset(cues.split()), compiled(pattern)) for cues, pattern in parts)
        self.cues = frozenset(word for cues, _ in self.parts for word in cues)
        self._parts = [(_bit(cues), pattern) for cues, pattern in self.parts]
        self._mask = sum(bit for bit, _ in self._parts)
        self._chosen: dict[int, tuple[re.Pattern[str], ...]] = {}

    def _choose(self, bits: int) -> tuple[re.Pattern[str], ...]:
        if len(self._chosen) >= _MOST_CHOSEN:
            self._chosen.clear()
        self._chosen[bits] = chosen = tuple(pattern for bit, pattern in self._parts if not bit or bits & bit)
        return chosen

    def _tried(self, words: frozenset[str]) -> tuple[re.Pattern[str], ...]:
        bits = self._mask & (words.bits if isinstance(words, HeardWords) else _bits(words))
        chosen = self._chosen.get(bits)
        return self._choose(bits) if chosen is None else chosen

    def search(self, view: str, words: frozenset[str]) -> re.Match[str] | None:
        """Return the leftmost match of any pattern."""
        best: re.Match[str] | None = None
        for pattern in self._tried(words):
            found = pattern.search(view)
            if found and (best is None or found.start() < best.start()):
                best = found
        return best

    def found(self, view: str, words: frozenset[str]) -> bool:
        """Return whether any pattern matches."""
        for pattern in self._tried(words):  # noqa: SIM110 - a loop is what makes this fast
            if pattern.search(view):
                return True
        return False

    def every(self, view: str, words: frozenset[str]) -> list[re.Match[str]]:
        """Return all matches of all patterns."""
        return [found for pattern in self._tried(words) for found in pattern.finditer(view)]


def _bit(cues: frozenset[str]) -> int:
    """Return a new bit, and enter it for each of the cues; 0 if there are none."""
    if not cues:
        return 0
    bit = 1 << next(_BITS)
    for cue in cues:
        _CUED[cue] = _CUED.get(cue, 0) | bit
    return bit


def _bits(words: frozenset[str]) -> int:
    """Return the bits of the patterns that have one of the words as a cue."""
    bits = 0
    for word in words:
        if word in _CUED:
            bits |= _CUED[word]
    return bits
