"""Plain sentences of a message, without Markdown, typographic marks and emoji."""

import re
from typing import NamedTuple

from env_server.reading.words.changes import DEED
from env_server.reading.words.values import with_sums_in_digits

LONGEST = 8000
"""The maximum number of characters of a message that are read."""

_MARKS = str.maketrans(
    {
        **dict.fromkeys("\u2019\u2018\u201b\u02bc\u00b4", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2212", "-"),
        **dict.fromkeys("\u2013\u2014\u2015", " - "),
        **dict.fromkeys("\u00a0\u2007\u2009\u202f\u3000", " "),
        **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad\ufe0f\ufe0e", ""),
        "\u2026": "...",
        "\r": "\n",
        "\u2028": "\n",
        "\u2029": "\n",
    }
)
_TYPED = re.compile(r"[^\x00-\x7f]+")
_EMOJI = re.compile(r" ?[\u2190-\u2bff\ufffd\U0001f000-\U0001faff\U000e0020-\U000e007f]+")
_MARKUP = re.compile(
    r"(?<![*_`~])[*_`~]++(?=\W|$)|(?<!\w)[*_`~]++|\[([^\][\n]{1,200})\]\([^)\s]{1,300}\)|</?[a-z]{1,6} ?/?>"
)
# The pattern begins with a class of letters, for a fast search; look-behinds then check the text before the letter.
_NAMES = re.compile(
    r"[ACMOW](?:(?<=[ ,].)(?:(?<=[CMW])[aiu][nlyst]|(?<=O)R|(?<=A)\b)|(?:(?<=W)ill|(?<=C)an|(?<=M)ay)'s)"
)
_ENTRY = re.compile(
    r"(?i:[-+*\u2022\u25cf\u25aa\u00b7]|\(?(?:\d{1,2}|[a-h])[.)]|(?:step|option) \d{1,2} ?[:.)-]|\[[ x]\])\s+"
)
_BULLETS = frozenset("-+*\u2022\u25cf\u25aa\u00b7([0123456789")
_DOTS = frozenset((". ", ") "))
_STEPS = frozenset(("step", "opti"))
# Each alternative begins with its mark, for a fast search.
_QUOTED = re.compile(r"\"(?<!\w\")[^\"\n]{1,400}\"|'(?<!\w')(?:[^'\n]|(?<=\w)'(?=\w)){1,400}'(?!\w)")
_KEPT = re.compile(
    r"(?:[#\w@-]*\d[\w@-]*|yes|y|no|ok|okay|confirm|proceed|go ahead|yes please|i confirm|yes, [\w ]{1,20})[.,!]?"
)
_END = re.compile(
    r" (?:(?<=[.!?] )(?<!\b[A-Za-z]\.[A-Za-z]\. )(?<!\b(?:[MmDdSs][rst]|[Nn]o|[Vv]s|[Ee]x)\. )(?<!\b(?:[Mm]rs"
    r"|[Ee]st|[Ii]nc)\. )"
    r"|(?<=[.!?][\"')] )(?![a-z]))"
)
_STATE = re.compile(r"(?:,|\bstate(?:(?: is| to| of)?|:)) OR(?=\b and\b|[,.]? \d{5}\b|[,.]? ?(?:$|USA\b|[.?!]))")
_NAMED = re.compile(
    r"(?<=[A-Za-z0-9'&] )(?:Can|Will|May|Must|Might)(?='s\b|\b)(?!'t| (?i:you|i|we|it|this|that|these|the|be|not"
    r"|also|have|please|your|a)\b"
    r"| ?\d)"
    r"|\b(?:Can|Will|May)(?='s )|(?<=[a-z] )A\b"
)
"""Words in names that would be modal verbs elsewhere: with a capital inside a sentence, or with a possessive `'s`."""

_ENDED = re.compile(r"[.!?][\"')] ")
_ENDS = re.compile(r"[^.!?;]+[.!?;]?")
_INSIDE = re.compile(r"[.!?](?=\s)")
_CELLS = re.compile(r"(?:(?<!\s)\s++)?\|\s*")
_ENDING = frozenset(".,!?;:")
_FENCES = ("```", "~~~")
_FENCED = re.compile(r"(```|~~~)(.+?)\1(?!`)")
"""Code between two fences on one line."""

_HOUR = re.compile(r"(?<=[\d ])([AaPp])\.[Mm]\b(\.?)((?: \S|$)?)")
"""A time of day with dots, and the character after it."""

_IN_FULL = {
    "u": "you", "ur": "your", "pls": "please", "plz": "please", "thx": "thanks", "cant": "can't", "dont": "don't",
    **{f"{word}nt": f"{word}n't" for word in ("does", "did", "is", "was", "are", "could", "would", "has", "have")},
    "ive": "I've", "im": "I'm", **{f"{word}s": f"{word}'s" for word in ("that", "what")},
    **{f"{word}re": f"{word}'re" for word in ("you", "they")},
}  # fmt: skip
_TYPED_SHORT = {form for word in _IN_FULL for form in (word, word if len(word) < 3 else word.capitalize())}
_SHORTENED = re.compile(rf"(?<![\w#@./'-])(?<!\d )(?:{'|'.join(sorted(_TYPED_SHORT))})(?![\w@/'-]|\.\w)")
"""Words as in a chat. Those that are words of their own without the apostrophe (`ill`, `well`) are left."""

_SHORT_FORM = re.compile(r"(?<=[a-zI]) '(?=(?:re|ve|ll|m|s) [a-z])")
"""The apostrophe of a short form after a space, as speech is written down: `You 're booked`."""

_CODE = re.compile(r"(?<![`\w])(`{1,2})(?!`)([^`\n]+)\1(?!`)")
_BLOCK = re.compile(r"<(pre|code|blockquote|q)\b[^<>]*>(.*?)</\1>", re.DOTALL | re.IGNORECASE)
_WORDS_ALONE = {code: " " for code in range(128) if not (chr(code).isalnum() or chr(code) == "_")}
_MOST_NAMED = 3
"""The maximum number of words in code or between tags that are a name or a value. More of them are a quotation."""
_PLAN = re.compile(
    rf", (?=so (?:i|we)(?:'d|'ll| can| could| will| would| shall) (?:now |also |then |gladly )*{DEED}\b)"
)
_ID = re.compile(r" I D\b")
"""`ID` as speech is written down."""

_SPACES = re.compile(r"\s+")


class Piece(NamedTuple):
    """One sentence or list entry, as plain text."""

    text: str
    """Lower case, without marks, spaces single."""

    view: str
    """The agent's own words: `text` without quotations, and with modal verbs in names masked."""

    entry: bool
    """Whether it is an entry of a list, or a row of a table."""

    first: bool
    """Whether it begins a line."""

    quoted: bool
    """Whether the line as a whole is a quotation or code."""


def pieces(message: str) -> list[Piece]:
    """Split a message into plain sentences; the text after `LONGEST` characters is ignored."""
    found: list[Piece] = []
    code = False
    for bare in _unwrapped(_plain(message[:LONGEST])):
        if bare.startswith(_FENCES):
            found += _fence(bare)
            code = not (code or _FENCED.match(bare))
        elif bare:
            found += _line(bare, code=code)
    return found


def _fence(bare: str) -> list[Piece]:
    """Return the pieces of a line that begins with a fence: what stands between two fences, or the text after one. A
    single word there names a language.
    """
    closed = _FENCED.match(bare)
    if closed is None:
        rest = bare.lstrip("`~").strip()
        return _line(rest, code=True) if " " in rest else []
    after = bare[closed.end() :].strip()
    return [*_line(closed[2].strip(), code=True), *(_line(after, code=False) if after else [])]


def _plain(message: str) -> str:
    if not message.isascii():
        message = _TYPED.sub(lambda m: m[0].translate(_MARKS), message)
    if not message.isascii():
        message = _EMOJI.sub(_emoji, message)
    if ".m" in message or ".M" in message:
        message = _HOUR.sub(_hour, message)
    if " '" in message:
        message = _SHORT_FORM.sub("'", message)
    if not message.isascii() or not _TYPED_SHORT.isdisjoint(message.translate(_WORDS_ALONE).split()):
        message = _SHORTENED.sub(lambda m: _IN_FULL[m[0].lower()], message)
    message = with_sums_in_digits(message)
    if " I D" in message:
        message = _ID.sub(" ID", message)
    if "`" in message:
        message = _CODE.sub(_said, message)
    if "</" in message:
        message = _BLOCK.sub(_said, message)
    return message.replace("\r", "\n") if "\r" in message else message


def _hour(match: re.Match[str]) -> str:
    """Return `am` or `pm` for `a.m.` or `p.m.`, with a full stop if a sentence ends there."""
    return match[1] + "m" + ("." if match[2] and match[3] != match[3].lower() else "") + match[3]


def _said(match: re.Match[str]) -> str:
    """Return code, or text between tags, as words; in quotation marks, or between fences, if it is more than a name."""
    text = match[2].strip()
    if len(text.split()) <= _MOST_NAMED:
        return text
    return f'"{text}"' if "\n" not in text and '"' not in text else f"\n```\n{text}\n```\n"


def _unwrapped(message: str) -> list[str]:
    """Return the lines; a line that continues a sentence is joined with the one before."""
    lines: list[str] = []
    for line in message.split("\n"):
        bare = line.strip()
        last = lines[-1][-1:] if lines else ""
        if bare and "a" <= bare[0] <= "z" and (last == "," or "a" <= last <= "z") and not _ENTRY.match(bare):
            lines[-1] += " " + bare
        else:
            lines.append(bare)
    return lines


def _emoji(match: re.Match[str]) -> str:
    """Return the replacement for an emoji: a full stop if the next sentence begins with a capital, nothing before a
    mark of punctuation, else a space.
    """
    after = match.string[match.end() : match.end() + 2].strip()
    before = match.string[: match.start()].rstrip(" ")[-1:]
    if after[:1].isupper() and before.isalnum():
        return ". "
    return "" if after[:1] in _ENDING else " "


def _line(line: str, *, code: bool) -> list[Piece]:
    quoted = code or line.startswith(">")
    line = line.lstrip("># \t") if line.startswith((">", "# ", "##")) else line
    entry = False
    if line.startswith("|") or line.count("|") > 1:
        if not line.strip("|-: \t"):
            return []
        entry = True
        line = _CELLS.sub(", ", line.strip("| \t"))
    while (line[:1] in _BULLETS or line[1:3] in _DOTS or line[:4].lower() in _STEPS) and (start := _ENTRY.match(line)):
        entry = True
        line = line[start.end() :]
        if line.startswith("> "):
            quoted, line = True, line.lstrip("> ")
    if "*" in line or "_" in line or "`" in line or "](" in line or "~" in line or "<" in line:
        line = _MARKUP.sub(lambda m: m[1] or "", line)
    if "  " in line or "\t" in line:
        line = _SPACES.sub(" ", line)
    line = line.strip()
    if not line:
        return []
    quotes = '"' in line or " '" in line or line[0] == "'"
    if quotes:
        line = _QUOTED.sub(lambda m: _INSIDE.sub(";", m[0]), line)
    several = ". " in line or "? " in line or "! " in line or (quotes and _ENDED.search(line))
    parts = [part.strip().lower() for part in _END.split(line)] if several else [line.lower()]
    views = parts
    if _NAMES.search(line):
        named = _NAMED.sub(lambda m: f"x{m[0]}", _STATE.sub(lambda m: m[0][:-2] + "oregon", line))
        views = [part.strip().lower() for part in _END.split(named)] if several else [named.lower()]
    if ", so " in line.lower():
        parts, views = _with_plans_apart(parts), _with_plans_apart(views)
    return [
        Piece(part, _unquoted(view) if quotes else view, entry, index == 0, quoted)
        for index, (part, view) in enumerate(zip(parts, views, strict=True))
        if part
    ]


def _with_plans_apart(parts: list[str]) -> list[str]:
    """Return sentences with `so I will send it` after a reason as a sentence of its own."""
    return [half for part in parts for half in _PLAN.split(part)]


def _unquoted(part: str) -> str:
    """Remove quotations, except for a number or name with digits, or a word of consent."""
    view = _QUOTED.sub(lambda m: m[0][1:-1] if _KEPT.fullmatch(m[0], 1, len(m[0]) - 1) else '""', part)
    if view.count('"') % 2:
        at = view.rfind('"')
        view = view[: at + 1] if at and not view[at - 1].isdigit() else view
    return view


def quotations(piece: Piece) -> list[str]:
    """Return the quoted sentences of a piece: the whole piece, or the sentences in its quotation marks."""
    if piece.quoted:
        return [piece.text]
    marked = (found[0][1:-1] for found in _QUOTED.finditer(piece.text))
    return [part.strip() for text in marked if len(text.split()) > _MOST_NAMED for part in _ENDS.findall(text)]
