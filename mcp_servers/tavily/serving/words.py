"""Words, sentences and passages of a text, as the offline search compares and quotes them."""

import re
from collections.abc import Iterable, Iterator, Mapping

_WORD = re.compile(r"[a-z0-9]+(?:[.,][0-9]+)*")
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[]?[A-Z0-9$])")
_MARKUP = re.compile(r"^\s*(?:#+|[-*+>]|\d+\.)\s+|[*_`]{1,3}")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_ENDING = re.compile(r"(?<=.{4})(?:ing|ed|ee|ie|e|(?<=[^aeiou])y)$")
_MENU = re.compile(r"^\s*[-*+]\s+\[[^\]]*\]\([^)]*\)\s*$", re.MULTILINE)
_PASSAGE = 500

STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a about an and are as at be been but by can did do does for from had has have how i if in into is it its many "
        "me more much of on or s so t than that the their them then there these they this to was we were what when "
        "where which who whom whose why will with would you your",
    )
)


def words(text: str) -> list[str]:
    """Return the stems of the words of `text` in lower case.

    Numbers lose their thousands separators. Stop words stay.
    """
    return [stem(word) for word in _WORD.findall(text.lower())]


def terms(query: str) -> list[str]:
    """Return the distinct words of a query in their order, without stop words.

    If only stop words remain, return all words.
    """
    found = _WORD.findall(query.lower())
    telling = [word for word in found if word not in STOP_WORDS]
    return list(dict.fromkeys(map(stem, telling or found)))


def stem(word: str) -> str:
    """Return `word` without the endings of a plural or a verb form, or a number without its separators."""
    if word[0].isdigit():
        return word.replace(",", "")
    if len(word) > 3 and word[-1] == "s" and word[-2] not in "sui":
        word = word[:-1]
    return _ENDING.sub("", word)


def prose(markdown: str) -> str:
    """Return Markdown without lines that are only a link, and without the addresses of links."""
    return _LINK.sub(r"\1", _MENU.sub("", markdown))


def plain(markdown: str) -> str:
    """Return the text of Markdown without heading marks, bullets, emphasis and the addresses of links."""
    return "\n".join(_MARKUP.sub("", _LINK.sub(r"\1", line)) for line in markdown.splitlines())


def sentences(markdown: str) -> list[str]:
    """Return the sentences of Markdown, without markup. A heading, a bullet or a table row counts as a sentence.

    Lines that are only a link are left out, because they repeat the title of another page.
    """
    return [
        sentence
        for line in plain(_MENU.sub("", markdown)).splitlines()
        for sentence in (part.strip() for part in _SENTENCE_END.split(line))
        if sentence
    ]


def passages(markdown: str, weights: Mapping[str, float], most: int) -> list[str]:
    """Return at most `most` passages of about 500 characters with the most weighted words, in the text's order.

    If no passage contains any of the words, return only the beginning of the text.
    """
    pieces = list(_pieces(sentences(markdown)))
    scored = [(sum(weights.get(word, 0.0) for word in set(words(piece))), -at) for at, piece in enumerate(pieces)]
    best = sorted(((score, at) for score, at in scored if score > 0), reverse=True)[:most]
    return [pieces[-at] for _, at in sorted(best, key=lambda found: -found[1])] or pieces[:1]


def _pieces(parts: Iterable[str]) -> Iterator[str]:
    """Yield `parts` joined to pieces of about `_PASSAGE` characters. A longer part becomes its own piece."""
    piece = ""
    for part in parts:
        if piece and len(piece) + len(part) >= _PASSAGE:
            yield piece
            piece = part
        else:
            piece = f"{piece} {part}" if piece else part
    if piece:
        yield piece
