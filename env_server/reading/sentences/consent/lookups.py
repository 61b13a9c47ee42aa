"""Questions for a yes to a look-up: a yes to them changes nothing yet."""

from env_server.reading.sentences.patterns import compiled

_LOOK = (
    r"(?:search\w*|look(?:ing)? (?:up|for|into|at|through)|check\w*(?! (?:you|them|us|me|everyone)\b)|fetch\w*"
    r"|pull(?:ing)?|find(?:ing)?|explor\w+|list(?:ing)?|retrieve|retrieving|review\w*|compar\w+|verify(?:ing)?"
    r"|see(?:ing)? (?:if|what|whether|which)|show\w*|investigat\w+|(?:[\w-]+ )?(?:look-?ups?|search(?:es)?|checks?)\b)"
)
_BETWEEN = r"(?:(?:also|first|now|then|just|quickly|help|you|to|the|an?|and|by) ){0,4}"
_START = r"(?:proceed|continue|go ahead|start|begin|confirm|call|run|perform)(?: with| to| by)?"
_QUESTION = compiled(
    r"\b(?:(?:want|like|prefer|have|need) (?:me|us) to|(?:shall|should|can|may|could) (?:i|we)"
    rf"|(?:confirm|okay|ok|happy|like|want|prefer|ready|good) to {_START}"
    rf"|(?:shall|should|can|may|could) (?:i|we) (?:now |then )?{_START}) {_BETWEEN}{_LOOK}\b"
    r"(?![^?]{0,200}\band (?:then )?(?:cancel|book|submit)\b)"
)
_YES_TO = compiled(
    r"(?<!if )\b(?:yes|confirm|go-ahead|ok|okay)\b[^.?!]{0,25}? "
    r"(?:(?:to|(?:so|and) (?:that )?(?:i|we)(?:'ll| will| can)?) (?:then |now |also )?"
    rf"(?:{_START} )?"
    rf"|(?:if|that) you(?:'d| would)? (?:like|want|need|prefer) (?:me|us) to ){_BETWEEN}{_LOOK}\b",
    rf"\bi (?:can|could) {_BETWEEN}{_LOOK}\b[^.?!]{{1,120}}\b(?:just|please) (?:confirm|say yes)\b",
    r"\byes (?:for|to) (?:an? |the |be )?(?:transfer|human)",
)


_NEXT = compiled(
    r"^(?:(?:once|when|after) [^,]{1,40}, |then,? |after that,? |next,? )?(?:i|we)(?:'ll| will) (?:then "
    r"|next )?(?:search|look)"
    r" (?:for|into|up)\b(?=.*\b(?:then|next|right away|options|available|{bookable}|first)\b)"
)


_WH = ("what ", "which ", "how ", "where ", "and what ", "and which ")


def follows(view: str) -> bool:
    """Return whether a sentence says that a search will follow: `I'll search for available options next.`"""
    return _NEXT.match(view) is not None


def asked(view: str) -> bool:
    """Return whether a question asks for a yes to a look-up: `Shall I search for flights on May 4?`"""
    return view.endswith("?") and not view.startswith(_WH) and _QUESTION.search(view) is not None


def demanded(view: str) -> bool:
    """Return whether a sentence demands the word yes for a look-up: `Say yes, and I'll fetch the list.`"""
    return ("yes" in view or "confirm" in view) and _YES_TO.search(view) is not None
