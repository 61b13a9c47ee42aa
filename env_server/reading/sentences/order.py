"""Detection of words in an impossible order.

Each word gets the letter of its class. Some classes never stand side by side in a sentence ("the of", "to was", "you
it"). Such neighbours occur in shuffled words, or in strings of sentence fragments.
"""

import re
from functools import lru_cache

from env_server.reading.words.lexis import words as listed

_CLASSES = {
    "D": "the a an your my our their its",
    "H": "this that these those",
    "P": "of from with at for by in on into onto under without within during per via about between through",
    "T": "to",
    "S": "i we they",
    "Y": "you it he she",
    "O": "me us him them",
    "M": "will would can could should shall may might must cannot",
    "B": "is are was were",
    "m": "am",
    "b": "be",
    "n": "been",
    "V": "have having",
    "v": "has",
    "w": "had",
    "U": "do does did",
    "N": "not never",
    "C": "and or but",
    "Q": "because since if as while unless whether although",
    "A": "sorry unable unfortunately however please",
}
_SHORT = {"'m": "m", "'re": "B", "'ve": "V", "'ll": "M", "'d": "M", "'s": "B"}
_CLASS = {word: letter for letter, words in _CLASSES.items() for word in listed(words)}
_CLASS |= {
    word + short: letter + follows
    for word, letter in _CLASS.items()
    if letter in "SYH"
    for short, follows in _SHORT.items()
}
_NO_GERUNDS = frozenset(listed("bring ring sing ping king thing string spring swing wing nothing something"))
# Letters come first, since most tokens are words; those before a digit are left to the number.
_TOKENS = re.compile(
    r"may (?=\d)|(?:asked|paid|wished|looking|talked) (?:for|about)(?= (?:has|have|is|are|was|were)(?:n't)?\b)"
    r"|[a-z]++(?!\d)(?:['-][a-z0-9]+)*|\"\"|[#$]?[a-z]*\d[\w.,:/'-]*(?<![.,:])(?: [ap]m\b)?"
    r"|[.?!]+|[,;:()\n]| - "
)
_NEVER = re.compile(
    r"D[DTPMCBSYVvwHNnbOUA.]|T[TMQSnwNA]|P[BbnVvU]|M[MTCBOnvw]|MG(?!b)|S[DTSYOnQHK#v]|(?<!M)Sb|(?<!XP)YS|Y[O#]"
    r"|(?<!B)YY|O[SYOnv]|B[MBbOVvU]"
    r"|b[SYOMBbnVvUC]"
    r"|n[SYOMBbnVvUCQ#.]|V[bVvU]|v[BbVU]|(?<!Y)(?<!YX)vM|U[Mbn]|N[MBv]|m[BMVvbUm]|[YHMTDBm]m|C[Cn.]|Q[OMbVn]|H[On]"
    r"|#[#Obn]|[,/][nO]"
    r"|D$|(?<![,/])C$|PXMN$"
)
_LONELY = re.compile(r"(?:^|[.,/])[^VvwBp.,/]*n|[^VvwBp]{7}n")
"""A `been` without a `have`."""

_CODE = r"(?:#\w+|\b(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{6,}\b|\b\d{6,}\b)"
_TWICE = re.compile(
    rf"({_CODE})(?:(?!\b(?:because|since|as|that|which|and|but|so|if)\b|[,:;()]| - |\bfrom\b|\bfor\b|\bto\b).)*\1(?!\w)"
)
"""A code, and the same code again in the same clause. Such a repetition does not occur in natural sentences."""

_DIGITS = re.compile(r"[0-9]\w*")
"""The ends of codes. The search for a repeated code is slow, and is done only if an end occurs twice."""

# A capital in the middle of a sentence, and a small letter at the beginning of one.
_CAPITAL = re.compile(
    r" (?=[A-Z])(?:(?<=[a-z0-9,] )|(?<=\bI ))(?:The|Your|If|Would|You|This|Please|Once|Could|Here|It|We|Are|Is|Do"
    r"|Let|Thank|There|That"
    r"|Unfortunately"
    r"|Shall|Should|Our|Just|Done|All|No|So|With|Good|Sorry|To)\b(?! [A-Z])"
)
_LOWER = re.compile(r"[.!?](?:(?<=[a-z]{3}\.)|(?<=[a-z)]{2}[!?])) +[a-z](?![a-z]*(?: [a-z]+)?\?)")
_STARTS = re.compile(r"[^A-Za-z]*[a-z]")
_SENTENCES = re.compile(r"[.?!](?<=[a-z0-9].) +[A-Z]")
_COMMON = (
    r"(?:The|An?|Your?|If|Would|This|That|These|Those|Please|Once|Can|Could|Here|It|We|Are|Is|Do|Does|Did|Let|Thanks?"
    r"|There|Unfortunately|Shall|Should|May(?! \d)|Our|Just|Done|All|No|Not|So|With|Good|Great|Sorry|To|What|Which|Who"
    r"|When|Where|How|Why|My|And|But|Or|For|On|In|At|As|Since|Because|Has|Have|Yes|Okay|OK|Hello|Hi|Sure|Of|By|From|Now"
    r"|Then|First|Next|Before|After|While|Any|Anything|Also|Both|Each|Everything|Nothing)\b"
)
_BEGINS = re.compile(rf"(?:^|(?<!\b[DdMmSs][rst])\.|[?!\n]) *{_COMMON}")
"""A common word with a capital at the beginning of a sentence. Codes, names and `I` have capitals in any style."""

_AMID = re.compile(rf"(?<=[a-z0-9,:;]) {_COMMON}(?! [A-Z])")
"""Such a word within a sentence."""

_I = re.compile(r"\bI\b")
"""A chat in which `I` is a capital has marks, too."""

_SPANS = re.compile(r" (?:[ap]m\b|- -|-$)|\bmay \d|^- |[dg] (?:for|about) (?:ha|is|are|w)")
"""Words whose class depends on the word beside them. All others have a class by themselves."""

_ENDS = re.compile(r"[a-z)]{2}[.?!] ")
_LABEL = re.compile(r"[.?!] +(?:[A-Z][A-Za-z #]{1,30}: [^.?!:]{1,60}|[Yy]es ?(?:/|or) ?no)$")
"""A value with its name, or `Yes/no`, at the end of a message. It needs no mark: `Reservation ID: ABC123`."""

_WORDS = re.compile(r"[a-z']+")


HASTE = 40
"""The number of words per tolerated slip."""


@lru_cache(maxsize=256)
def slips(view: str) -> int:
    """Return the number of impossible neighbours in a plain sentence."""
    classes = _together(view) if _SPANS.search(view) else "".join(map(_between_spaces, view.split(" ")))
    ends = _DIGITS.findall(view)
    twice = len(_TWICE.findall(view)) if len(set(ends)) < len(ends) else 0
    return len(_NEVER.findall(classes)) + (len(_LONELY.findall(classes)) if "n" in classes else 0) + twice


def disordered(message: str, views: list[str]) -> bool:
    """Return whether a message has more slips than `HASTE` tolerates; `views` are its plain sentences."""
    found = sum(map(slips, views)) + len(_CAPITAL.findall(message))
    text = "\n".join(views)
    last = message.rstrip().rpartition("\n")[2]
    unended = bool(last[-1:].isalnum() and _ENDS.search(last) and not _LABEL.search(last))
    if _chats(message):
        found += len(_AMID.findall(message)) + (unended and _I.search(message) is not None)
    else:
        if message != text and any(char.isupper() for char in message[:400]):
            found += len(_LOWER.findall(message))
        # an agent that writes sentences begins the first with a capital, and ends the last one with a mark
        found += bool(_SENTENCES.search(message) and _STARTS.match(message)) + unended
    return bool(found) and found * HASTE > len(_WORDS.findall(text))


def _chats(message: str) -> bool:
    """Return whether sentences begin with small letters, as in a chat, and none with a common word in capitals."""
    return bool(_STARTS.match(message) or _LOWER.search(message)) and not _BEGINS.search(message)


def _together(text: str) -> str:
    return "".join(map(_class, _TOKENS.findall(text)))


@lru_cache(maxsize=16_384)
def _between_spaces(text: str) -> str:
    """Return the classes of the text between two spaces."""
    return "," if text == "-" else _together(text)


@lru_cache(maxsize=8192)
def _class(token: str) -> str:
    """Return the letter of a token's class; two letters for two words in one (`i'll`)."""
    known = _CLASS.get(token)
    if known is not None:
        return known
    if token.endswith("'s"):
        return "p"
    if token.endswith("n't"):
        return ("M" if token in {"can't", "won't"} else _CLASS.get(token[:-3], "X")) + "N"
    if token[0] in ".?!":
        return "."
    if token in ",;:()" or token == " - ":
        return ","
    if token == "\n":
        return "/"
    if token[0].isalpha() and not any(char.isdigit() for char in token):
        return "G" if token.endswith("ing") and token not in _NO_GERUNDS else "X"
    return "X" if token in {'""', "may "} else "#" if token[0] == "#" else "K"
