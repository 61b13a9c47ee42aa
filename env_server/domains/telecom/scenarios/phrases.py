"""How callers put things into words: money, data, months, what things are called, and a wish in prose."""

import re
from collections.abc import Iterable, Mapping, Sequence

from env_server.domains.kit import Known, Row
from env_server.domains.telecom.scenarios.base import Call

_MONTHS = {"2024-12": "December 2024", "2025-01": "January 2025", "2025-02": "February 2025", "2025-03": "March 2025"}

_GOALS = (
    "You want to {}.",
    "You would like to {}.",
    "You are calling to {}.",
    "Your wish is to {}.",
    "You need to {}.",
    "You have made up your mind to {}.",
    # Kept for the held-out split.
    "What brings you here is that you mean to {}.",
    "You got in touch in order to {}.",
    "It is your intention to {}.",
    "You hope to {} today.",
)
_ANSWERS = (
    'Asked {0}, you say: "{1}"',
    'When asked {0}, you answer: "{1}"',
    'If the agent asks {0}: "{1}"',
    'Your answer, when asked {0}, is: "{1}"',
    'Should you be asked {0}, you say: "{1}"',
    'You say, once asked {0}: "{1}"',
    # Kept for the held-out split.
    'To the question {0} you reply: "{1}"',
    'The agent may ask {0}; you then say: "{1}"',
    'Only when the agent asks {0} do you say: "{1}"',
)
_QUESTIONS = {
    "line": "which line it is",
    "bill": "which bill it is",
    "payment": "how you want to pay",
    "reason": "for the reason",
    "add": "how much data it is to be",
    "plan": "which plan it is to be",
    "entry": "which entry you mean",
    "bills": "which bills you mean",
    "lines": "which lines you mean",
    "travel": "where you are",
}
"""Topic -> how a question about it is spoken of; other details are not part of the prose."""

_PERSONS = (
    (r"\byou\b", "them"),
    (r"\bthem (have|keep)\b", r"they \1"),
    (r"\bmy\b", "your"),
    (r"\bmine\b", "yours"),
    (r"\bme\b", "you"),
    (r"\bI am\b", "you are"),
    (r"\bI\b", "you"),
)


def money(amount: float) -> str:
    """Dollars with two decimals: `54.10`."""
    return f"{amount:.2f}"


def gb(amount: float) -> str:
    """GB with no more decimals than needed: `1.5`."""
    return f"{round(amount, 2):g}"


def listed(parts: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    *head, last = parts
    return f"{', '.join(head)} and {last}" if head else last


def kind(case: Call, line: Row) -> str:
    """What the line is used in: `phone`, `tablet`, `watch` or `router`."""
    return str(case.world.devices[line["device_id"]]["device_type"])


def month(row: Row) -> str:
    """The month of a bill: `January 2025`."""
    return _MONTHS[row["period_start"][:7]]


def method(row: Row) -> str:
    """A payment method as others call it: `credit card ending in 4242`."""
    kind_of = f"{row['method_type']} account" if row["method_type"] == "PayPal" else row["method_type"].lower()
    return f"{kind_of} ending in {row['account_number_last_4']}"


def second_person(phrase: str) -> str:
    """What a caller says of themselves to an agent, as it is said to the caller."""
    for mine, yours in _PERSONS:
        phrase = re.sub(mine, yours, phrase)
    return phrase


def goal(case: Call, wishes: Sequence[str], details: Mapping[str, Known | str], *more: str) -> str:
    """A wish in prose: one of its phrases, what the caller answers when asked, and whatever else there is to say."""
    said = [case.voice.pick(*_GOALS).format(second_person(case.voice.pick(*wishes)))]
    for topic in (topic for topic in details if topic in _QUESTIONS):
        detail = details[topic]
        text = detail if isinstance(detail, str) else detail.text
        said.append(case.voice.pick(*_ANSWERS).format(_QUESTIONS[topic], text))
    return " ".join([*said, *more])


def only_then(case: Call, wishes: Sequence[str], details: Mapping[str, Known | str]) -> str:
    """The wish that comes in place of one that was refused, in prose."""
    then = second_person(case.voice.pick(*wishes))
    said = [case.voice.pick(*_INSTEADS).format(then)]
    for topic in (topic for topic in details if topic in _QUESTIONS):
        detail = details[topic]
        text = detail if isinstance(detail, str) else detail.text
        said.append(case.voice.pick(*_ANSWERS).format(_QUESTIONS[topic], text))
    return " ".join(said)


_INSTEADS = (
    "Only if that is refused do you want to {}.",
    "If, and only if, the agent refuses that, you want to {} instead.",
    "In case this cannot be done, you would rather {}.",
    "Should the answer be no, you want to {}; otherwise you do not bring that up.",
    "If the agent says that this is not possible, you ask to {}.",
    # Kept for the held-out split.
    "Once told that this is against the rules, but not before, you ask to {}.",
    "Your second choice, should the first be turned down, is to {}.",
    "Where that is denied, you want to {}.",
)


def accepts(case: Call) -> str:
    """That the caller takes a no for an answer, in prose."""
    return case.voice.pick(
        "You accept it if that is refused.",
        "Should the answer be no, you leave it at that.",
        "If it cannot be done, you do not insist for long.",
        "You can live with a refusal.",
        "A well-founded no is fine with you.",
        # Kept for the held-out split.
        "If you are told that it is impossible, and why, you let it rest.",
        "You take no for an answer if you must.",
        "Being turned down is no drama for you.",
    )


def hands_on(case: Call) -> str:
    """That the caller does as told with their phone, in prose."""
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
