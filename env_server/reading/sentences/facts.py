"""Facts: sentences that tell values or states from a look-up."""

from env_server.reading.sentences import scope
from env_server.reading.sentences.patterns import Rules, compiled
from env_server.reading.words.lexis import words as listed

_RECORD = (
    r"(?:reservations?|orders?|bookings?|{bookable}|accounts?|plans?|lines?|bills?|balance|items?"
    r"|prices?|totals?|cost"
    r"|costs|difference|charges?|fees?|membership|{things}|{services}|appointments?|tracking|status"
    r"|address|options?"
    r"|methods?|usage|allowance|window|cancellation|trip|number|amount|refund"
    r"|delivery|store|provider|visit|records?|speed|item id|contract"
    r"|profile|itinerary|class|certificates?|cards?|products?|variants?|models?|cart|tax|slots?|openings?)"
)
_STATES = (
    r"(?:is|was|were|are|has|have|had|includes?|contains?|shows?|costs?|departs?|arrives?|remains?"
    r"|does not (?:include|have)|doesn't (?:include|have))"
)
_STATE_CUES = (
    "is was were are has have had include includes contain contains show shows cost costs depart departs arrive "
    "arrives remain remains doesn't does"
)
_FACTS = Rules(
    (
        _STATE_CUES,
        r"\b(?:your|the|this|that|each|both|these|those|its) "
        rf"(?:[\w#'.,()-]+ ){{0,9}}?{_RECORD}(?:,? [\w#'.()-]+,?){{0,7}}? {_STATES}(?: already)? "
        r"(?!been |unable|fixed|strict|non-?ref|also been|processed\b|not (?:possible|allowed|affect)|correct"
        r"|clear|due to)",
    ),
    (
        "was were",
        r"\b(?:reservation|it|this|that|which|order|{bookable}|booking) (?:was|were) (?:made|booked|created|placed"
        r"|purchased"
        r"|delivered|shipped|cancelled on)\b|\b(?:{things}|it|they) (?:was|were) not (?:purchased|included|added)\b",
    ),
    (
        "you you're you've",
        r"\byou(?:'re| are)(?: currently)? (?:a|an|on|in|entitled|eligible|subscribed|confirmed as)\b"
        r"|\byou (?:currently |already |also |still |both )?(?:have|had|paid|owe|used|were charged|don't have"
        r"|do not have) "
        r"(?!any (?:other|more|further|questions|additional)|provided|further|more|additional|questions"
        r"|mentioned|requested|access"
        r"|it\b|these|the (?:details|reservation id|info))|\byou(?:'ve| have) (?:already )?used\b|\byes, you can\b"
        r"|\byou can (?:take|make|bring|use) (?:up to )?(?:a total of |up to )?(?:\w+ )?\d",
    ),
    (
        "found located see retrieved reviewed checked",
        r"\bi(?:'ve| have)? (?:also |now |successfully )?(?:found|located|see|retrieved|reviewed|checked)\b"
        r"(?! your (?:profile|account|identity)\b)|\bi see\b",
    ),
    (
        "here here's",
        r"\bhere (?:are|is|'s)\b(?! (?:the changes you|how|what (?:you|i need|we'll|i'll)))|\bhere's (?:a|the|your)\b",
    ),
    (
        "there there's available",
        r"\bthere(?:'s| are| is| was| were)\b(?! (?:anything|something|any|an issue|a (?:problem|reason)))"
        r"|\bavailable (?:options|{bookable}|slots|times|items)\b",
    ),
    (
        "it it's",
        r"\bit (?:looks like|seems that|appears that|shows)\b"
        r"(?! (?:there|i|we|you (?:didn't|haven't)|the (?:reservation|order) id is missing|to))"
        r"|\bit(?:'s| is) (?:an?|currently|priced|still)\b",
    ),
    (
        "according priced status",
        r"\baccording to\b|\bpriced at\b|\b(?:delivered|pending|shipped|processed)\b.{0,12}\bstatus\b",
    ),
)
_REASONS = Rules(
    (
        "since because as",
        r"\b(?:since|because|as) (?:it|your|the (?:order|reservation|{bookable}|booking)|you|this|travel|neither"
        r"|the reason)",
    ),
    (
        "your",
        r"\byour (?:\w+ )?(?:reservation|order|booking|appointment|plan|{bookable}|line|account|balance"
        r"|bill)\b.{0,30}"
        r"\b(?:is|was|has|does)\b",
    ),
    (
        "was are have do don't already is status found",
        r"\bit was\b|\byou (?:are|have|do not have|don't have|already)\b|\bwhich (?:is|was)\b|\border status\b"
        r"|\bstatus is\b|\bfound\b",
    ),
)
_DIGIT = compiled(r"\d")
_FUTURE = compiled(
    r"\b(?:we'll|we will|will be|you will receive|you'll receive|i will|i'll|will receive|should reflect"
    r"|will also be)\b"
)


_DEVICE = compiled(
    r"\b(?:{devices}|[2-5]g|network mode|status bar|reboot\w*|your (?:phone|device|photos)|permissions?)\b"
)
# General rules, announced look-ups and failures of a tool are not results of a look-up.
_GENERAL = compiled(
    r"\b(?:polic(?:y|ies)|guidelines?|typically|in general|there (?:is|are|was"
    r"|seems to be) (?:still )?(?:an? )?(?:issue|problem|error))\b"
    r"|^(?:\S+ ){0,20}?(?:i'll|i will|let me|let's|i need to|i have to|i'd like to) (?:now |first |also |just "
    r"|quickly )*(?:search"
    r"|look|check|find|try|need|see|verify|confirm|make sure|double-check"
    r"|pull|retrieve|explore)\b|^(?:i'm |i am |we're )?(?:so |very |really )?sorry (?:to hear|about|for the)\b"
    r"|\b(?:could not|couldn't|can't|cannot|unable to|did not|didn't) (?:find|locate) (?:an?|any|the"
    r"|your) (?:\w+ )?(?:order|reservation"
    r"|account|user|booking)\b"
)
_ACCOUNT = compiled(r"\b(?:located|found|find|verified|pulled up) (?:\w+ ){0,3}?(?:account|profile|user id)\b")
_PLAN = compiled(
    r"^(?:add|search|find|modify|change|upgrade|cancel|book|update|remove|exchange|return|move|switch|check|apply"
    r"|refund)\b(?!ed|ing)"
)
"""The beginning of an entry that is a step of a plan, and no record."""

_NOT_FOUND = compiled(
    r"(?:can't|cannot|can not|unable to|couldn't|could not|didn't|did not|not able to|don't|wasn't able to"
    r"|\bno) .{0,14}?"
    r"(?:find|locate|match|matching|found|verify|see|pull up|account|user|profile)\b.{0,50}?"
    r"(?:account|user|profile|customer|e-?mail|name|zip|you\b|record|member|{clients}|phone|details|identity)"
)
_THINGS = compiled(
    r"\b(?:orders?|reservations?|{bookable}|items?|appointments?|bookings?|variants?|products?|options?)\b"
)
_MISSING = frozenset(
    listed(
        "not unable cannot no can't couldn't didn't don't wasn't",
    )
)


def values(view: str, *, entry: bool) -> bool:
    """Return whether a sentence's figures may come from a look-up, rather than from a device or the user's identity."""
    if entry and "$" not in view and _PLAN.search(view):
        return False
    if not _DIGIT.search(view) or _DEVICE.search(view) or _identifies(view):
        return False
    if "$" in view or "%" in view:
        return True
    return not _FUTURE.search(view) and not _GENERAL.search(view)


def amounts(view: str) -> bool:
    """Return whether a sentence tells an amount of money. In a report of a change only amounts count as told."""
    return "$" in view


def tells(view: str, words: frozenset[str]) -> bool:
    """Return whether a sentence states the result of a look-up."""
    if view.endswith("?"):
        return False
    found = _FACTS.search(view, words)
    if found is None or _DEVICE.search(view) or _identifies(view):
        return False
    return not scope.hypothetical(view[: found.end()]) and not _GENERAL.search(view)


def reasons(view: str, words: frozenset[str]) -> bool:
    """Return whether a refusal also tells its reason from a record."""
    return _REASONS.found(view, words)


def promises(view: str) -> bool:
    """Return whether a sentence is about the future."""
    return bool(_FUTURE.search(view))


def _identifies(view: str) -> bool:
    return ("account" in view or "profile" in view or "user id" in view) and bool(_ACCOUNT.search(view))


def lost(view: str, words: frozenset[str]) -> bool:
    """Return whether a sentence says that the user or their account was not found."""
    if words.isdisjoint(_MISSING):
        return False
    found = _NOT_FOUND.search(view)
    return found is not None and not _THINGS.search(found[0])
