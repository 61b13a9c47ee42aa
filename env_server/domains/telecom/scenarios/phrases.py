"""The callers' words for money, data, months, things and wishes."""

import re
from collections.abc import Mapping, Sequence

from env_server.domains.kit import Known, Row, prose, texts
from env_server.domains.telecom.scenarios.base import Case

_MONTHS = {"2024-12": "December 2024", "2025-01": "January 2025", "2025-02": "February 2025", "2025-03": "March 2025"}

_TOPICS = ("line", "bill", "payment", "reason", "add", "plan", "entry", "bills", "lines", "travel")
"""The topics that are part of the prose."""

_PERSONS = (
    (r"\byou\b", "them"),
    (r"\bthem (have|keep)\b", r"they \1"),
    (r"\bmy\b", "your"),
    (r"\bmine\b", "yours"),
    (r"\bme\b", "you"),
    (r"\bI am\b", "you are"),
    (r"\bI\b", "you"),
)


def gb(amount: float) -> str:
    """Return GB with no more decimals than needed: `1.5`."""
    return f"{round(amount, 2):g}"


def kind(case: Case, line: Row) -> str:
    """Return the kind of device of the line: `phone`, `tablet`, `watch` or `router`."""
    return str(case.world.devices[line["device_id"]]["device_type"])


def month(row: Row) -> str:
    """Return the month of a bill: `January 2025`."""
    return _MONTHS[row["period_start"][:7]]


def method(row: Row) -> str:
    """Return a payment method as others call it: `credit card ending in 4242`."""
    kind_of = f"{row['method_type']} account" if row["method_type"] == "PayPal" else row["method_type"].lower()
    return f"{kind_of} ending in {row['account_number_last_4']}"


def second_person(phrase: str) -> str:
    """Return a caller's text to an agent in the second person, as an instruction to the caller."""
    for mine, yours in _PERSONS:
        phrase = re.sub(mine, yours, phrase)
    return phrase


def goal(case: Case, wishes: Sequence[str], details: Mapping[str, Known | str], *more: str) -> str:
    """Return a wish in prose: one of its phrases, the caller's answers, and further sentences."""
    said = prose.wanted(case.voice, second_person(case.voice.pick(*wishes)))
    return " ".join([said, *_answered(case, details), *more])


def only_then(case: Case, wishes: Sequence[str], details: Mapping[str, Known | str]) -> str:
    """Return the wish that replaces a refused one, in prose."""
    said = prose.instead(case.voice, second_person(case.voice.pick(*wishes)))
    return " ".join([said, *_answered(case, details)])


def _answered(case: Case, details: Mapping[str, Known | str]) -> list[str]:
    return prose.answered(case.voice, [text for topic, text in texts(details).items() if topic in _TOPICS])


def hands_on(case: Case) -> str:
    """Return the sentence that the caller follows instructions on their phone."""
    return case.voice.pick(
        "You do on your phone what the agent asks you to, and tell what it shows.",
        "The agent may ask you to look at or change things on your phone; you do that and report what you see.",
        "With the phone in your hand, you follow the agent's instructions and say what happens.",
        "You carry out what you are asked to do on the phone and read out what it shows.",
        "Whatever the agent asks for on your phone, you do, and you tell the outcome.",
        # Kept for the held-out split.
        "You have the phone before you, do as you are told with it, and report each time.",
        "On your phone you do nothing unasked, but all that you are asked, and describe the result.",
        "You follow instructions about the phone to the letter and pass on what you see.",
    )
