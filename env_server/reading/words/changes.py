"""Words for the changes that an agent makes, with their forms."""

from itertools import groupby

from env_server.reading.words.lexis import words as listed

_VERBS = listed(
    "activate add adjust amend apply arrange assign authorise authorize book block cancel change clear close",
    "complete correct create credit deactivate decrease delete disable discard dispatch downgrade drop",
    "edit empty enable enrol enroll escalate exchange extend file finalise finalize fix forward grant halt",
    "implement increase initiate insert issue lift link lock log lower make mark merge modify move note order pay",
    "place postpone prepare process purchase raise reactivate reassign rebook record redirect reduce reenroll",
    "refill refuel refund register reissue remove renew reopen replace request requeue reschedule reserve reset",
    "reship resolve restore resume return reverse revert revise revoke release redeliver remake reroute resend "
    "route save schedule secure send set settle reinstate reimburse pause unfreeze freeze compensate attach detach",
    "shift split stop submit subtract suspend swap switch terminate tip top transfer transition trigger unblock",
    "undo unlink unlock unsuspend update upgrade void waive waitlist withdraw",
)
_DOUBLE = {
    "cancel",
    "transfer",
    "drop",
    "enrol",
    "refuel",
    "ship",
    "split",
    "stop",
    "submit",
    "swap",
    "tip",
    "top",
    "log",
    "reship",
}
_PAST = {
    "make": "made", "pay": "paid", "send": "sent", "reset": "reset", "set": "set", "split": "split",
    "undo": "undone", "withdraw": "withdrawn",
}  # fmt: skip
_NOUNS = listed(
    "activation addition adjustment amendment appointment booking cancellation change claim",
    "compensation correction credit deactivation downgrade enrollment enrolment exchange itinerary modification",
    "order payment purchase rebooking redirection refill refuel refueling refuelling refund removal renewal",
    "replacement request rescheduling reservation resumption return reversal suspension swap switch transaction",
    "update upgrade voucher waitlist certificate top-up",
)
_HANDS = listed("ship deliver put give take charge debit bill bring use buy sign email mail fill")
"""Verbs that are a change in an announcement of the agent, and ordinary words elsewhere."""


def _past(verb: str) -> list[str]:
    if verb in _PAST:
        return [_PAST[verb]]
    if verb.endswith("e"):
        return [verb + "d"]
    if verb.endswith("y") and verb[-2] not in "aeou":
        return [verb[:-1] + "ied"]
    forms = [verb + verb[-1] + "ed"] if verb in _DOUBLE else []
    return forms if forms and verb not in {"cancel", "refuel", "enrol"} else [*forms, verb + "ed"]


def _gerund(verb: str) -> list[str]:
    if verb.endswith("e"):
        return [verb[:-1] + "ing"]
    forms = [verb + verb[-1] + "ing"] if verb in _DOUBLE or verb in {"set", "reset"} else []
    return [*forms, verb + "ing"]


def either(words: list[str]) -> str:
    """Return a pattern for any of the words; of two that begin alike it takes the longer.

    It branches by letters, as a tree: a search then tries a few letters at each place, and not each of the words.
    """
    return f"(?:{_tree(sorted(set(words)))})"


def _tree(words: list[str]) -> str:
    """Return the alternatives of sorted words."""
    branches = []
    for letter, group in groupby((word for word in words if word), key=lambda word: word[0]):
        rest = [word[1:] for word in group]
        if rest == [""]:
            branches.append(letter)
        elif len(rest) == 1:
            branches.append(letter + rest[0])
        else:
            branches.append(f"{letter}(?:{_tree(rest)}){'?' if rest[0] == '' else ''}")
    return "|".join(branches)


CHANGE = frozenset(_VERBS)
CHANGED = frozenset(form for verb in _VERBS for form in _past(verb))
CHANGING = frozenset(form for verb in _VERBS for form in _gerund(verb))
CHANGES = frozenset(_NOUNS) | frozenset(noun + "s" for noun in _NOUNS)
_RECORDS = frozenset(
    listed("appointment booking claim itinerary order payment purchase reservation request transaction")
)
"""Nouns of changes that also name records."""

DEEDS = (CHANGE | CHANGED | CHANGING | {form for noun in set(_NOUNS) - _RECORDS for form in (noun, noun + "s")}) - {
    *("order", "book", "note", "file"),
}
ANY_CHANGE = CHANGE | CHANGED | CHANGING | CHANGES | {"sharing"}

VERB = either(list(CHANGE))
DEED = either([*CHANGE, *_HANDS])
DOING_SO = either([*CHANGING, *(form for verb in _HANDS for form in _gerund(verb)), "putting"])
DONE = either(list(CHANGED))
DOING = either(list(CHANGING))
NOUN = either(list(CHANGES))
