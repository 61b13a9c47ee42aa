"""Details that callers know of their wishes: line, bill, payment method, amount of data, plan and reason."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from env_server.domains.kit import Form, Known, Row
from env_server.domains.telecom.scenarios import phrases
from env_server.domains.telecom.scenarios.base import Case


@dataclass(frozen=True)
class Named(Known):
    """A detail with its name in a proposal to the owner."""

    noun: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    """The arguments by which the caller recognises a call."""


_LINE_BY_ID = (
    "It is line {}.",
    "I mean line {}.",
    "The line is {}.",
    "Line {}.",
    "That would be line {}.",
    "{} is the line I mean.",
    "The one with the id {}.",
    # Kept for the held-out split.
    "You will find it as line {}.",
    "I am talking about line {}.",
    "It goes by {}.",
    "My papers call the line {}.",
)
_LINE_BY_KIND = (
    "It is the line of my {}.",
    "I mean the one in my {}.",
    "The line that my {} uses.",
    "The one for my {}.",
    "My {} runs on it.",
    "That would be the line of my {}.",
    # Kept for the held-out split.
    "It is what my {} is connected with.",
    "I am speaking of the line in my {}.",
    "The {} that I own is what it belongs to.",
)
_BILL_BY_ID = (
    "It is bill {}.",
    "I mean bill {}.",
    "Bill {}.",
    "The bill is {}.",
    "That would be bill {}.",
    "{} is the bill in question.",
    # Kept for the held-out split.
    "You will find it as bill {}.",
    "The letter calls it bill {}.",
    "I have bill {} before me.",
)
_BILL_BY_MONTH = (
    "It is the bill for {}.",
    "The one for {}.",
    "I mean the {} bill.",
    "The bill of {}.",
    "That would be the one for {}.",
    "{} is the month of it.",
    # Kept for the held-out split.
    "The bill that covers {}.",
    "I am speaking of the {} bill.",
    "It has {} printed on it.",
)
_CHARGED = (
    "Please charge {}.",
    "Take it from {}.",
    "Use {}.",
    "Put it on {}.",
    "I want to pay with {}.",
    "With {}, please.",
    # Kept for the held-out split.
    "Let it go to {}.",
    "It should come off {}.",
    "I would like {} to be used.",
)
_REQUESTED = (
    "Please send me a payment request, I will pay on my phone.",
    "Send a payment request to my phone and I will pay it there.",
    "I prefer to pay on my phone, so send me a payment request.",
    "By payment request, please; I pay on the phone.",
    "I would rather get a payment request and pay it myself.",
    "Have a payment request sent to my phone, I will take it from there.",
    # Kept for the held-out split.
    "A payment request to my phone will do.",
    "I will pay it on my own phone, once you have sent me the payment request.",
    "Not by card. Send the payment request and I tap on it.",
)
_ADDED = (
    "Please add {} GB.",
    "{} GB, please.",
    "I need {} GB more.",
    "Make it {} GB.",
    "{} GB would do.",
    "Add {} GB to it.",
    # Kept for the held-out split.
    "I was thinking of {} GB.",
    "Another {} GB should be enough.",
    "It should be {} GB on top.",
)
_PLANNED = (
    "I'd like the plan {}.",
    "{}, please.",
    "The one called {}.",
    "Put it on {}.",
    "I want {}.",
    "It should be {}.",
    # Kept for the held-out split.
    "I have picked {}.",
    "My choice is {}.",
    "{} is the plan I want.",
)
_REASONS: Mapping[str, tuple[tuple[Form, ...], Sequence[str]]] = {
    "vacation": (
        ("vacation", "holiday", "away", "trip"),
        (
            "I am going on vacation.",
            "Because I am away on vacation.",
            "It is for my vacation.",
            "Vacation, I will not need it for a while.",
            "I leave for a long vacation.",
            "We are off on vacation.",
            # Kept for the held-out split.
            "My vacation is coming up.",
            "For the time of my vacation.",
            "I shall be on vacation for some weeks.",
        ),
    ),
    "lost phone": (
        ("lost",),
        (
            "The phone it is in is lost.",
            "I have lost the phone.",
            "My phone got lost.",
            "Because the phone is lost.",
            "I lost that phone somewhere.",
            # Kept for the held-out split.
            "That phone is lost, I cannot find it anywhere.",
            "It went missing, the phone is lost for good.",
            "The phone must have been lost on the train.",
        ),
    ),
    "stolen phone": (
        ("stolen", "theft"),
        (
            "The phone was stolen.",
            "Somebody has stolen the phone.",
            "My phone got stolen.",
            "Because that phone was stolen from me.",
            "The phone in question has been stolen.",
            # Kept for the held-out split.
            "A thief has it, the phone was stolen.",
            "It was stolen out of my bag.",
            "That phone is in the wrong hands, it was stolen.",
        ),
    ),
    "saving money": (
        ("saving money", "save money", "saving", "save"),
        (
            "To save money, nobody needs it right now.",
            "I want to save money.",
            "It is about saving money.",
            "Just saving money.",
            "We have to save money at the moment.",
            # Kept for the held-out split.
            "My wallet asks for it: saving money.",
            "I am cutting costs to save money.",
            "It is not used, and I need to save money.",
        ),
    ),
}
"""Reason as the tool takes it -> the forms that name it, and how callers say it."""

REASONS = tuple(_REASONS)
SOFT_REASONS = ("vacation", "saving money")
"""The reasons that fit a line in any device."""


def line(case: Case, row: Row, *, by_id: bool = False) -> Named:
    """Return a line by its id, or by its device if that is unique."""
    kinds = [phrases.kind(case, other) for other in case.world.lines_of(case.customer)]
    what = phrases.kind(case, row)
    if case.rng.random() < 0.4 and not by_id and what != "phone" and kinds.count(what) == 1:
        text = case.voice.pick(*_LINE_BY_KIND).format(what)
        others = tuple(sorted({other for other in kinds if other not in {what, "phone"}}))
        return Named(text, (what,), others, noun=f"the line of your {what}")
    line_id = row["line_id"]
    others = tuple(other for other in case.customer["line_ids"] if other != line_id)
    text = case.voice.pick(*_LINE_BY_ID).format(line_id)
    return Named(text, (line_id,), others, noun=f"line {line_id}", arguments={"line_id": line_id})


def bill(case: Case, row: Row) -> Named:
    """Return a bill by its id or its month."""
    if case.rng.random() < 0.5:
        bill_id = row["bill_id"]
        others = tuple(other for other in case.customer["bill_ids"] if other != bill_id)
        text = case.voice.pick(*_BILL_BY_ID).format(bill_id)
        return Named(text, (bill_id,), others, noun=f"bill {bill_id}", arguments={"bill_id": bill_id})
    return by_month(case, row)


def by_month(case: Case, row: Row) -> Named:
    """Return a bill by its month."""
    month = phrases.month(row)
    text = case.voice.pick(*_BILL_BY_MONTH).format(month)
    name, year = month.split()
    forms = (name, f"{name[:3]} {year}")
    own = (phrases.month(case.world.bills[bill_id]).split()[0] for bill_id in case.customer["bill_ids"])
    others = tuple(other for other in own if other != name)
    return Named(text, forms, others, noun=f"the bill for {month}")


def charged(case: Case, row: Row) -> Named:
    """Return a stored payment method, named by its kind and the last digits."""
    return _paying(case, row, case.voice.pick(*_CHARGED).format(f"my {phrases.method(row)}"))


def _paying(case: Case, row: Row, text: str) -> Named:
    last = row["account_number_last_4"]
    methods = case.customer["payment_methods"]
    kinds = [method["method_type"] for method in methods]
    alone = (row["method_type"],) if kinds.count(row["method_type"]) == 1 else ()
    others = tuple(m["account_number_last_4"] for m in methods if m["account_number_last_4"] != last)
    return Named(text, (last, *alone), others, noun=f"your {phrases.method(row)}")


def requested(case: Case) -> Named:
    """Return a payment request on the caller's own phone."""
    last = tuple(method["account_number_last_4"] for method in case.customer["payment_methods"])
    text = case.voice.pick(*_REQUESTED)
    return Named(text, ("request", "on your phone", "to your phone"), last, noun="a payment request to your phone")


def paying(case: Case, row: Row | None) -> Named:
    """Return the payment: a stored method, or a request if there is none."""
    return requested(case) if row is None else charged(case, row)


def amount(case: Case, gb: float) -> Named:
    """Return the amount of data to add."""
    said = phrases.gb(gb)
    text = case.voice.pick(*_ADDED).format(said)
    return Named(text, (said,), noun=f"{said} GB of data", arguments={"gb_amount": gb})


def plan(case: Case, row: Row, *others: Row) -> Named:
    """Return the wanted plan. `others` are the plans that the caller would correct."""
    name = row["name"]
    wrong = tuple(other["name"] for other in others)
    return Named(case.voice.pick(*_PLANNED).format(name), (name, name.split()[0]), wrong, noun=f"the plan {name}")


def reason(case: Case, name: str) -> Named:
    """Return the reason for a suspension."""
    forms, wordings = _REASONS[name]
    return Named(case.voice.pick(*wordings), forms, noun=_BECAUSE[name], arguments={"reason": name})


_BECAUSE = {
    "vacation": "vacation",
    "lost phone": "the lost phone",
    "stolen phone": "the stolen phone",
    "saving money": "saving money",
}
