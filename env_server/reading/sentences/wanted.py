"""Lists of what the user is asked to tell: the lines that head them, the headings within them, and their entries."""

from env_server.reading.sentences.patterns import compiled
from env_server.reading.words.lexis import words as listed

_CUES = frozenset(
    listed("need needed require required missing questions include mention share tell send give provide details add")
)
_FOLLOWING = frozenset(listed("details questions things facts points pieces bits"))
_UNENDED = (".", "!", "?", ",", ";")
_THINGS = r"(?:details?|information|info|things?|facts?|data|points|particulars|questions)"
_NEED = (
    r"(?:i|we)(?:'ll|'d| will| would)? (?:(?:still|also|just|then|only|now) ){0,2}(?:need|require)"
    r"(?: (?:to know|to have|to ask|to get))?(?: (?:from|of) you)?"
)
_PURPOSE = (
    r"(?:,? (?:now|next|first|today|then|(?:in order )?to [^:;.?!]{3,60}|before (?:i|we) [^:;.?!]{3,60}"
    r"|for (?:this|that|it"
    r"|the [\w -]{3,30})))?"
)
_HEAD = compiled(
    r"^(?:(?:so|and|also|then|first|next|now|okay|ok|great|sure)[,:]? ){0,2}(?:(?:here's|here is|here are|this is|these"
    r" are|below is) )?(?:"
    rf"(?:what|all|everything)(?: else)? (?:that )?{_NEED}{_PURPOSE}"
    rf"|(?:the |some |a few |other |more )?{_THINGS} (?:that )?{_NEED}{_PURPOSE}"
    rf"|(?:the |some |a few )?{_THINGS} (?:(?:still|also) )?(?:needed|required|missing)(?: from you)?{_PURPOSE}"
    rf"|(?:still |also )?(?:needed|required|missing)(?: {_THINGS})?(?: from you)?{_PURPOSE}"
    rf"|(?:a few |some |my |two |three |open |remaining )?questions(?: for you)?{_PURPOSE}"
    r"|(?:feel free to|you (?:can|could|may|might)|(?:it )?(?:helps|would help) (?:if you|to)) (?:(?:also|already"
    r"|always"
    r"|just|then|even) ){0,2}(?:include|mention|tell me|share|send(?: me)?|give me|provide|add)(?: with me)?"
    r"(?: (?:already|now|too|as well|right away|at once|any of (?:these|this|the following)|these|this|the following))?"
    r" ?(?=:$)"
    r"|please (?:also )?(?:provide|share|send(?: me)?|tell me|give me|include)"
    r") ?:?$"
)
_CHECKED = compiled(
    r"^(?:[^:;.?!]{3,80}, )?(?:please (?:confirm|verify)(?: the following| these(?: details)?)?"
    r"|(?:i|we) (?:(?:first|also|still) )?(?:need|have) to (?:verify|confirm|check) [^:;.?!]{3,80}):$"
)
_INLINE = compiled(
    r"^(?:and |also |still )?(?:need(?:ed)?|required|missing|(?:id|identity) check)(?: from you)?(?: [a-z]{3,12})?"
    r"(?::| -) "
    r"(?P<things>[^.?!]{3,120})[.?]?$"
)
_ANNOUNCED = compiled(
    r"\b(?:a few|some|several|two|three|four|a couple of|these|more) (?:(?:more|quick|basic|small|short|last) )?"
    r"(?:details|questions|things|facts|points|pieces of information|bits of information)\b"
)
_TITLE = (
    r"(?:identification|identity|verification|account|contact|profile|booking|trip|order|delivery|payment|items?|return"
    r"|exchange|refund|appointment|visit|line|plan|address|drop-off|{bookable}|{things}|{details}|{parties}|{people})s?"
)
_SUBHEAD = compiled(
    r"^(?:(?:and |also )?(?:about|for|regarding|on) (?:you|your [\w' -]{2,30}|the [\w' -]{2,30}"
    r"|[\w'-]{2,20}(?: [\w'-]{2,20})?)"
    r"|(?:step|part) (?:\d|one|two|three)(?: ?[:-] ?(?:the |your |about )?[\w' -]{2,30})?"
    r"|(?:the |your )?(?:[\w'-]{2,20} ){0,3}(?:details|information|info|data|preferences|particulars)"
    r"|(?:the|your) (?!(?:current|existing|recent|past|open|upcoming|saved)\b)[\w'-]{2,20}(?: itself)?"
    rf"|(?:new |the new |your new )?(?:[\w'-]{{2,20}} )?{_TITLE}(?: (?:and|&|/) (?:[\w'-]{{2,20}} )?{_TITLE})?"
    r"|(?:optional(?:ly)?|required|also|and|then|if (?:you know(?: it| them)?|known|possible|any|it applies"
    r"|applicable))"
    r")(?: \([^()]{1,60}\))? ?[:.]?$"
)
_OLD = compiled(r"\b(?:current|existing|recent|past|upcoming|saved|found|booked|proposed|available|i|we|here)\b")
_BRACKETS = compiled(r"\([^()]{0,120}\)")
_LAST_DIGITS = compiled(r"\blast \d (?:digits|numbers|characters)\b")
_LEFT_OPEN = compiled(
    r"\b(?:or|if|whether|which|what|how|who|when|where|e\.g|for example|such as|your|any"
    r"|please)\b|/|\?"
)


def heads(view: str, words: frozenset[str]) -> bool:
    """Return whether a line heads a list of what the user is asked to tell: `What I still need:`, `Details needed`."""
    ends = view.endswith(_UNENDED)
    return not (ends or words.isdisjoint(_CUES) or len(view) > _LONGEST) and _HEAD.match(view) is not None


def checks(view: str) -> bool:
    """Return whether a line heads a list of what the agent wants to check. The entries tell whether it asks for them
    (`Your date of birth`) or reads them to the user (`Born: May 1, 1980`).
    """
    return view.endswith(":") and len(view) <= _LONGEST and _CHECKED.match(view) is not None


def inline(view: str) -> str | None:
    """Return what a line without a verb asks for: `Needed: full name, zip code`. Return None if it asks for nothing."""
    found = _INLINE.match(view)
    return found["things"] if found and left_open(found["things"]) else None


def announces(view: str, words: frozenset[str]) -> bool:
    """Return whether a request says that its things follow: `I just need a few details.`"""
    if words.isdisjoint(_FOLLOWING) or len(view) > _LONGEST or view.endswith("?"):
        return False
    return _ANNOUNCED.search(view) is not None


_LONGEST = 160
"""The maximum length in characters of a line that heads a list."""


def subheads(view: str) -> bool:
    """Return whether a line is a heading within a list of requested things: `About the patient`, `Trip details:`."""
    return len(view) <= _LONGEST and _SUBHEAD.match(view) is not None and not _OLD.search(view)


def left_open(view: str) -> bool:
    """Return whether an entry of a list names a thing without its value: `Cabin: economy or business`, `Order number`.
    `Cabin: economy` and `Order #W1` have one.
    """
    bare = _BRACKETS.sub("", view) if "(" in view else view
    _, colon, rest = bare.partition(": ")
    if any(map(str.isdigit, bare)) and not _LAST_DIGITS.search(bare):
        return False
    return not (colon and rest.strip()) or _LEFT_OPEN.search(rest) is not None
