"""Patterns with cue words. A pattern is tried only if one of its cue words occurs, for speed."""

import re
from functools import lru_cache

WORD = re.compile(r"[a-z][a-z'-]*+")


def compiled(*patterns: str) -> re.Pattern[str]:
    """Compile a pattern of alternatives. Those at word boundaries share one boundary test, which is much faster."""
    bounded: list[str] = []
    others: list[str] = []
    for part in _alternatives("|".join(patterns)):
        (bounded if part.startswith(r"\b") else others).append(part)
    if len(bounded) > 1:
        others.append(r"\b(?:" + "|".join(part[2:] for part in bounded) + ")")
    else:
        others += bounded
    return re.compile("|".join(others))


def _alternatives(pattern: str) -> list[str]:
    """Split a pattern at the alternations outside of all brackets."""
    parts, depth, start, inside, at = [], 0, 0, False, 0
    while at < len(pattern):
        char = pattern[at]
        if char == "\\":
            at += 1
        elif inside:
            inside = char != "]"
        elif char == "[":
            inside = True
            at += 1 if pattern[at + 1] != "^" else 2
        elif char in "()":
            depth += 1 if char == "(" else -1
        elif char == "|" and depth == 0:
            parts.append(pattern[start:at])
            start = at + 1
        at += 1
    return [*parts, pattern[start:]]


class Rules:
    """Patterns with their cues; a pattern without cues is always tried."""

    __slots__ = ("_always", "_chosen", "cues", "parts")

    def __init__(self, *parts: tuple[str, str]) -> None:
        self.parts = tuple((frozenset(cues.split()), compiled(pattern)) for cues, pattern in parts)
        self.cues = frozenset(word for cues, _ in self.parts for word in cues)
        self._always = any(not cues for cues, _ in self.parts)
        # Few sets of cues occur in practice; the bound protects against texts that are made to be different.
        self._chosen = lru_cache(maxsize=1024)(self._choose)

    def _choose(self, heard: frozenset[str]) -> tuple[re.Pattern[str], ...]:
        return tuple(pattern for cues, pattern in self.parts if not cues or not heard.isdisjoint(cues))

    def _tried(self, words: frozenset[str]) -> tuple[re.Pattern[str], ...]:
        heard = words & self.cues
        return self._chosen(heard) if heard or self._always else ()

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
