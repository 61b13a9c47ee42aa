"""Refusals: sentences that say that something is impossible or not allowed."""

import re

from env_server.reading.sentences import scope
from env_server.reading.sentences.patterns import compiled, words_of
from env_server.reading.sentences.refusals import limits, remarks
from env_server.reading.sentences.refusals.impossible import every_impossible, impossible

_OWN = ("i ", "we ", "i'", "we'")
_IFS = frozenset({"if", "whenever", "case"})
_IF = compiled(r"\b(?:if|whenever|in case)\b ?")
_VERB = compiled(r"\b(?:is|are|was|were|has|have|had|been|did|does)\b|'s ")
_SUBJECT = compiled(r"(?<!\band )(?<!\bor )(?<!\bbut )\b(?:it|they|that|this|you|those|these)(?: \w{1,20})? ?$")
"""The subject of the main clause, after a clause with `if` and without a comma: `if it has shipped it`."""

_STAYS = compiled(
    r"\b(?:won't|will not|wouldn't|would not) be (?:touched|altered|interrupted)\b"
    r"|\bdefault(?: [\w'-]+){0,2} (?:won't|will not|wouldn't|would not) (?:be )?(?:change|move|delete|remove|lose|modif"
    r"|updat|replace)\w*",
)
"""What stays as it is beside a proposal. Alone it may refuse: `your address won't be altered`."""

_COSTS = compiled(
    r"(?:[$\u20ac\u00a3] ?\d[\d,.]*|\b(?:fee|charge|cost|price|extra)\b)[^.;?!$]{0,40}\b(?:as|since|because) "
    r"(?!(?:i|we)\b)",
)
"""An amount with its reason: `Cost: $45, as basic economy does not include free bags`."""

_DENIED = compiled(r"\b(?:not|cannot|no|never|unable|nor)\b|n't\b")

_SO_IT_WOULD = compiled(
    r"\b(?:only|must be the same)\b[^.?!]{0,200}\bso (?:the|that|it|this|they|those|these|your|you|both"
    r"|\w+\.? \w+) (?:\S+ ){0,3}?"
    r"(?:would|will|has to|have to)\b(?! (?:not|no|never)\b)"
)
"""A rule, and what a proposal does for its sake: `a cart can only hold one restaurant, so that would be emptied`."""

_DEVICE = compiled(
    r"\b(?:{devices}|texts?|(?:picture|photo)s?(?: messages?)?|apps?"
    r"|(?<!over the )(?<!by )phone(?:'s)?(?! numbers?\b)|device(?:'s)?|bluetooth|network mode|screen)\b"
    r"|\bbrowse the (?:internet|web)\b|\b(?:internet|data) (?:connection|speed)\b",
)
_RULES = compiled(
    r"\b(?:i|we)(?:'m|'re)?(?: am| are)? (?:\w+ ){0,2}?(?:can't|cannot|can not|unable|not|won't|don't|may not|must)\b"
    r"|\b(?:polic(?:y|ies)|rules?|eligible|allowed|permitted|contract|refund\w*|offer|stock|sorry|unfortunately|afraid"
    r"|plan|order|return\w*|exchang\w+|upgrade|variants?|versions?|models?|inventory|catalogue|catalog|speakers?"
    r"|headphones"
    r"|earbuds|keyboards?|laptops?|tablets?)\b"
)
_AFTERWARDS = compiled(
    r"undo|undone|revers|\bagain\b|\bonce (?:it|this|that|these|those|they|all|the|your|you|i|we|processed|submitted"
    r"|done|confirmed|upgraded"
    r"|changed|cancel+ed|exchanged|modified|added|booked|placed|issued|started|requested|an)\b"
    r"|\bafter (?:this|that|it|confirm|you|the (?:change|exchange|modif))"
    r"|\bplease note\b|\bnote that\b|\bkeep in mind\b|\bfurther (?:changes|modif)|\bonce per\b|\bonly once\b"
    r"|\bcan(?:'t|not| not) be \w+ afterwards?\b|\bonly (?:be )?\w+(?: \w+)? once\b|\bone[- ]time\b"
    r"|\blimited to (?:one|once|a single)\b|\bonly (?:one|a single) (?:\w+ )?(?:change|exchange|modification|return"
    r"|swap|update) |\b\w+ed later\b"
    r"|\bafter which\b|\bjust so you know\b|\bbe aware\b"
    r"|(?<!\bi )(?<!\bwe )\b(?:will|would) (?:\w+ )?(?:become|(?:change|be (?:set|marked|changed)) (?:\w+ ){0,3}?"
    r"(?:to|into|as))\b"
)
_ONLY = compiled(r"\b(can|could|may) only ")
_SORRY = compiled(
    r"\bsorry\b|\bapologi[sz]e\b|unfortunately|i'm afraid|\bi(?:'m| am) (?:unable|not able)|\bi can(?:'t|not)"
)
_CAUSE = compiled(r"(?<!^)\b(?:because|since|given that|for the reason that)\b")
"""Words that introduce the reason of an impossibility, rather than the time from which it holds."""

_MAIN = compiled(r", (?:i|we|it|they|you|this|that|the|your)\b")
"""The beginning of a main clause after a reason."""

_NOW = compiled(r"^(?:since|because|as|now that) .{1,80}\b(?:now|already|has been|have been|was|were)\b")
"""A reason that holds already: what it bars is barred now, and not only after a step."""

_WITH_REASON = compiled(
    r"\b(?:can't|cannot|can not|can no longer|(?:am|are|is) (?:unable|not able) to|isn't|aren't|is not"
    r"|are not) [^.]{1,120}?"
    r"(?:, as|,? because|, since) (?!of\b|you (?:confirm|agree)|soon\b)\w"
)
_HENCE = compiled(
    r"\b(?:is|was|has|have|are|were|isn't|wasn't|aren't)\b[^.]{1,120}, so (?:it|they|this|that|the \w+|i|we"
    r"|you) (?:\w+ )?"
    r"(?:can't|cannot|can not|won't|will not|isn't|is not|aren't|are not)\b"
    r"|, so (?:an?|the|your) [^,.;]{1,60}? (?:can't|cannot|can not)\b"
    r"|\b(?:your|the) (?:original|current|existing|old|previous) \w+ (?:can't|cannot|can not)\b"
)
"""What bars a step now: `note that it is delivered, so it can't be cancelled`."""

_POLICY = compiled(
    r"\bpolic(?:y|ies) (?:\w+ )?(?:doesn't|does not|do not|don't|won't|prohibits?|forbids?|excludes?|rules? out)\b"
)
_LIKE_YOURS = compiled(r"\blike (?:this|yours|your|these|those)\b")
"""The case of the user as an example of a rule: `basic fares like yours cannot be changed`."""

_STEP = compiled(r"undo|undone|revers|\bagain\b|\bonce\b|\bfurther\b|\bafter")
_AT_FIRST = compiled(
    r"\b(?:must|has to|have to|needs? to|can only|could only|may only) (?:only )?be [\w ]{1,30}? "
    r"(?:at the time of|at the|during|when|while|at|before|prior to)\b[^.]{0,60}\bcan(?:'t|not| not) be \w+ after"
)
"""A step that had to be taken earlier: `it must be added at booking and cannot be added afterwards`."""

_NOTE = compiled(r"^(?:please )?(?:note|keep in mind|be aware)(?: that)? ")
_GENERAL = compiled(
    r"\b(?:(?!this\b)[a-z]+s|we|i) (?:can|may) only (?:be )?\w+(?: \w+){0,4} (?:if|when|while|as long as"
    r"|provided) (?!you\b)"
    r"|^if (?:the|an|your) \w+ (?:has|have|is|was|were)\b[^,]{1,60}, (?:(?:we|i) can only|(?:it|they) (?:can't"
    r"|cannot))\b"
    r"|\b[a-z]+s (?:can|may) only be \w+ (?:for|on|within|with)\b"
    r"|\b[a-z]+s are only (?:possible|available|allowed|accepted) (?:for|on|if|when|within|with)\b"
    r"|\b(?:we|i) can only \w+ (?:an?|the) (?:whole|entire) \w+\b.*\bif\b"
)
_AND_NOT = compiled(r"\band (?:can't|cannot|can not|may not)\b")
_NOTES = ("please note", "note that", "keep in mind", "please keep in mind", "just so you know", "please be aware")
_TO_USER = compiled(
    r"^(?:(?:and|so|but|or|is it that),? )*(?:(?:are|were|would|is|was|have|do|did|can|could|will) (?:you|your|it"
    r"|that|there"
    r"|there's)|why|what(?:'s| is| was)?)\b[^,;]*$"
)
"""A question to the user up to the words of a refusal: `What is preventing you?`"""

_WAITING = compiled(
    r"\b(?:can't|cannot|can not|won't|will not|unable to) (?:\w+ ){1,4}?without (?:(?:your|an?|the|having"
    r"|first) )*(?:\w+ )?"
    r"(?:confirm\w*|consent|approval|permission|yes|ok|okay|go-ahead)\b",
    r"\b(?:can't|cannot|can not|won't|will not|unable to) (?:\w+ ){1,4}?(?:until|unless|before) (?:you|i (?:have|get"
    r"|hear)) (?:\w+ )?"
    r"(?:confirm|agree|say|approve|yes|tell|your (?:yes|ok|okay|approval|consent|confirmation))\b",
)
_IN_A_COLUMN = frozenset({"unavailable", "sold out", "out of stock", "not available", "not in stock"})
"""The states of things in a column of a table."""

_ISNT = compiled(r"\b(?:is|are|was|it's|that's)(?: \w+)? $")
"""Words before the state of a thing in a sentence, rather than in a column of a table."""

_ROW = compiled(r"\d[^:]{0,60}(?:[,;]| -) $")
"""The earlier columns of a row with a figure: `HAT001: $120, no seats left`."""

_MET = compiled(
    r"\bonly [^.?!;]{1,80}[;,] (?:and |but )?(?:yours|this one|it|this|that) (?:is|was|has been)\b"
    r"(?! (?:not|still|no)\b)[^.?!;]{0,60},"
    r" so (?:(?:we're|you're|we are|you are|it's|that's|that is|all is) (?:all )?(?:good|fine|set|eligible"
    r"|possible|allowed|ok|okay)|(?:it|yours|this|that|the \w+) (?:qualifies|is (?:eligible|fine|allowed)))\b"
)
"""A rule that is met: `only delivered ones can go back; yours was delivered, so we're good`."""

_OPENS = ("if ", "once ", "when ", "in case ", "should ")


def refuses(view: str, words: frozenset[str], *, entry: bool) -> bool:
    """Return whether a sentence says that something is impossible or not allowed."""
    found = _found(view, words) or limits.limit(view, words)
    if found and (cut := limits.without_lookalikes(view)) != view:
        view = cut
        words = words_of(view)
        found = _found(view, words) or limits.limit(view, words)
    if not found or (entry and _of_a_row(view, found)) or _heads_states(view, found):
        return False
    if "so" in words and "only" in words and _MET.search(view):
        return False
    if _WAITING.search(view):
        return False
    if _DEVICE.search(view) and not _RULES.search(view):
        return False
    before = view[: found.start()]
    if view.endswith("?") and (" if " in before or " whether " in before or _TO_USER.match(before)):
        return False
    return not _opens(view, before)


def _of_a_row(view: str, found: re.Match[str]) -> bool:
    """Return whether words in an entry of a list only give the state of a thing, as in a column of a table."""
    before = view[: found.start()]
    if found[0] in _IN_A_COLUMN:
        return not _ISNT.search(before)
    return found[0].startswith("no ") and bool(_ROW.search(before))


def row(view: str, words: frozenset[str]) -> bool:
    """Return whether an entry of a list gives the state of a thing that can't be had, as in a column of a table."""
    if "no " not in view and not any(state in view for state in _IN_A_COLUMN):
        return False
    found = impossible(view, words)
    return found is not None and _of_a_row(view, found)


def _heads_states(view: str, found: re.Match[str]) -> bool:
    """Return whether a line introduces the things in one state: `Out of stock:`."""
    return found[0] in _IN_A_COLUMN and found.start() == 0 and view.endswith(":") and view.count(" ") < 5


def _found(view: str, words: frozenset[str]) -> re.Match[str] | None:
    """Return the first refusal outside of the clauses with `if`."""
    if words.isdisjoint(_IFS) and not view.startswith(_OPENS):
        return impossible(view, words)
    places = sorted(every_impossible(view, words), key=lambda found: found.start())
    return next((found for found in places if not _supposed(view, found)), None)


def _opens(view: str, before: str) -> bool:
    """Return whether a sentence begins with a condition that governs what follows `before`."""
    return view.startswith(_OPENS) and "," not in before and scope.conditional(before)


def _supposed(view: str, found: re.Match[str]) -> bool:
    """Return whether a refusal stands in a clause with `if`, and not in the one after it."""
    before = view[: found.start()]
    if _opens(view, before):
        return True
    supposed = _IF.search(before, max(map(before.rfind, ",;:()?")) + 1)
    if supposed is None:
        return False
    gap = before[supposed.end() :]
    return not (gap and (found[0].startswith(_OWN) or (_VERB.search(gap) and _SUBJECT.search(gap))))


def explains(view: str) -> bool:
    """Return whether a sentence gives a rule as the reason of a proposal, or says what the proposal leaves as it is."""
    costs = _COSTS.search(view)
    return (
        follows(view)
        or (costs is not None and not _DENIED.search(view, 0, costs.end()))
        or (bool(_STAYS.search(view)) and not _SORRY.search(view))
    )


def follows(view: str) -> bool:
    """Return whether a sentence gives a rule and what would be done for its sake."""
    return ("only" in view or "same" in view) and bool(_SO_IT_WOULD.search(view))


def general(view: str) -> bool:
    """Return whether a sentence gives a rule for all, with its condition: `Orders can only be changed if pending.`"""
    general = ("only" in view or view.startswith("if ")) and bool(_GENERAL.search(view))
    return general and not (remarks.bars(view) or remarks.applied(view) or _AND_NOT.search(view))


def warns(view: str) -> bool:
    """Return whether a sentence says what is impossible after a step. Together with the step it is a warning and no
    refusal.
    """
    if remarks.aside(view) or remarks.checks(view):
        return True
    if _HENCE.search(view) and not _STEP.search(view):
        return False
    if " failed" in view:
        return False
    if "polic" in view and _POLICY.search(view) and not _STEP.search(view):
        return False
    if " like " in view and _LIKE_YOURS.search(view):
        return False
    if ("note" in view or "mind" in view) and remarks.bars(view) and not _STEP.search(view):
        return False
    if remarks.spends(view) and (remarks.applied(view) or remarks.spent(view) or remarks.bars(view)):
        return False
    if _NOW.search(view) or (_WITH_REASON.search(view) and not _AFTERWARDS.search(_NOTE.sub("", view))):
        return False
    cause = _CAUSE.search(view)
    if cause and not (_MAIN.search(view, cause.end()) or impossible(before := view[: cause.start()], words_of(before))):
        cause = None  # the reason of a step, and not of a refusal
    after = _AFTERWARDS.search(view, 0, cause.start() if cause else len(view))
    return bool(after) and (view.startswith(_NOTES) or not _SORRY.search(view))


def had_its_time(view: str) -> bool:
    """Return whether a sentence says that a step had to be taken earlier."""
    return "after" in view and bool(_AT_FIRST.search(view))


def restricts(view: str) -> bool:
    """Return whether a sentence only says what a change is limited to: `it can only go to your card`."""
    if remarks.applied(view):
        return False
    words = words_of(view)
    if limits.limit(view, words) and not impossible(view, words):
        return not _SORRY.search(view)
    bare = _ONLY.sub(r"\1 ", view)
    return bare != view and not impossible(bare, words_of(bare))
