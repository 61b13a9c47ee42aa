"""The marks of a sentence: its words and pairs of neighbouring words, as numbers below `MARKS`.

All words with a digit count as one word. A word or a pair in a sentence that ends with a question mark has a mark of
its own beside the plain one. Different words may share a number.
"""

import re
from functools import lru_cache
from itertools import chain, pairwise
from zlib import crc32

from env_server.reading.words.envelope import opened
from env_server.reading.words.text import Piece, pieces

MARKS = 1 << 17
"""The number of different marks."""

_TOKENS = re.compile(r"\w+(?:[',.:/-]\w+)*|[?!.:]")
_DIGIT = re.compile(r"\d")
_BEGIN, _END, _FIGURE = (crc32(mark) % MARKS for mark in (b"<", b">", b"0"))


@lru_cache(maxsize=16_384)
def _between_spaces(text: str) -> tuple[int, ...]:
    """Return the marks of the words of a text without spaces."""
    tokens = _TOKENS.findall(text)
    return tuple(_FIGURE if _DIGIT.search(token) else crc32(token.encode()) % MARKS for token in tokens)


def marks_of(piece: Piece) -> frozenset[int]:
    """Return the marks of one sentence; a quotation has none."""
    view = "" if piece.quoted else piece.view
    words = [*chain.from_iterable(map(_between_spaces, view.split(" ")))]
    if not words:
        return frozenset()
    plain = [*words, *[(31 * left + right) % MARKS for left, right in pairwise([_BEGIN, *words, _END])]]
    asked = [(17 * mark + 5) % MARKS for mark in plain] if view.endswith("?") else []
    return frozenset(plain + asked)


def marks_in(message: str) -> frozenset[int]:
    """Return the marks of all sentences of a message."""
    return frozenset().union(*map(marks_of, pieces(opened(message))))
