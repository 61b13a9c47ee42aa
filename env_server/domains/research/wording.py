"""Names of dates, units and quarters in requests, each in several notations."""

from collections.abc import Mapping
from datetime import date, datetime
from random import Random

from mcp_servers.world.companies.words import MONTHS, ORDINALS, WEEKDAYS

PREFACES: Mapping[str, tuple[str, ...]] = {
    "train": (
        "", "For the morning note: ", "Quick one. ", "Please check this for me. ", "I am preparing a client call. ",
        "For a table that I am filling in: ", "Just this: ", "When you have a minute: ", "Next item. ",
        "Something for the file. ", "A colleague is out today, so I ask you. ",
        "Could you look this up? ", "I need this before lunch. ", "Small request from the desk. ", "For my model: ",
    ),
    "val": (
        "The committee would like to know: ", "I am checking an old slide. ", "Please verify before print. ",
        "From the evening desk: ", "One more for today. ", "The chairman has a question. ",
    ),
    "test": (
        "A reader has written in. ", "Before the meeting at ten: ", "To settle an argument: ", "I have lost my notes. ",
        "One thing for the weekly letter. ", "Our auditor insists on this one. ", "Fact check, please. ",
        "This came up at dinner with a client. ", "The intern and I got different results. ",
        "For the footnote on page four: ", "Somebody in the front row will ask. ", "Nobody here remembers. ",
        "The printer waits. ", "Settle this, please. ", "Our translator stumbled over a figure. ", "Urgent-ish. ",
        "I owe a journalist an answer: ", "Before I sign anything: ", "An old hand doubts my slide. ", "Quiz time. ",
        "My screen is frozen. ", "Legal would like a source. ", "Second opinion wanted: ", "Nine minutes left. ",
        "While you are at it: ", "The board pack has a gap. ", "Do not trust my memory here. ", "Spot check: ",
        "One figure stands between me and the weekend. ", "A pupil on work experience wondered: ",
    ),
}  # fmt: skip
"""Split -> what a request may begin with. The splits share none, so that their requests do not begin alike."""


def spoken_day(rng: Random, day: str) -> str:
    """Return an ISO date in one of its usual notations."""
    when = date.fromisoformat(day)
    month = MONTHS[when.month - 1]
    return rng.choice(
        (
            f"{month} {when.day}, {when.year}",
            f"{when.day} {month} {when.year}",
            day,
            f"{WEEKDAYS[when.weekday()]}, {month} {when.day}, {when.year}",
        )
    )


def spoken_month(day: str) -> str:
    """Return the month of an ISO date, such as March 2025."""
    return f"{MONTHS[int(day[5:7]) - 1]} {day[:4]}"


def spoken_quarter(rng: Random, year: int, quarter: int) -> str:
    """Return a fiscal quarter in one of its usual notations."""
    return rng.choice(
        (
            f"the {ORDINALS[quarter - 1]} quarter of fiscal {year}",
            f"fiscal Q{quarter} {year}",
            f"Q{quarter} of fiscal year {year}",
        )
    )


def spoken_now(now: datetime) -> str:
    """Return a time as the requests state it."""
    return f"{WEEKDAYS[now.weekday()]}, {MONTHS[now.month - 1]} {now.day}, {now.year}, {now:%H:%M} UTC"


def listed(parts: list[str], word: str = "and") -> str:
    """Return several parts as a list: `a, b and c`."""
    return f"{', '.join(parts[:-1])} {word} {parts[-1]}"


def short(name: str) -> str:
    """Return the first word of a company's name."""
    return name.split(maxsplit=1)[0]


def plain(value: float) -> str:
    """Return a number in digits, without a needless fraction."""
    return str(int(value)) if float(value).is_integer() else f"{value:.4f}".rstrip("0").rstrip(".")
