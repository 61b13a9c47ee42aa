"""Formats figures, dates and quarters for texts."""

from datetime import date

ORDINALS = ("first", "second", "third", "fourth")
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
BILLION, MILLION = 1_000_000_000, 1_000_000


def money(amount: float) -> str:
    """Return an amount in dollars: $1.24 billion, $310 million, $4.5 million, $12,500."""
    if amount < 0:
        return f"-{money(-amount)}"
    if amount >= BILLION:
        return f"${_short(amount / BILLION, 2)} billion"
    if amount >= MILLION:
        value = amount / MILLION
        return f"${_short(value, 1 if value < 100 else 0)} million"
    return f"${amount:,.0f}"


def _short(value: float, places: int) -> str:
    text = f"{value:,.{places}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def price(amount: float) -> str:
    """Return an amount per share: $1.24, -$0.08, $0.063."""
    sign = "-" if amount < 0 else ""
    if round(amount, 2) == amount or abs(amount) >= 1:
        return f"{sign}${abs(amount):,.2f}"
    return f"{sign}${abs(amount):.4f}".rstrip("0")


def percent(share: float) -> str:
    """Return a share as a percentage without its sign: 4.2%."""
    return f"{abs(share) * 100:.1f}%"


def day(text: str) -> str:
    """Return a date as April 3, 2025, or a month as April 2025."""
    if len(text) == len("2025-04"):
        return f"{MONTHS[int(text[5:7]) - 1]} {text[:4]}"
    return f"{MONTHS[int(text[5:7]) - 1]} {int(text[8:10])}, {text[:4]}"


def short_day(text: str) -> str:
    """Return a date as April 3."""
    return f"{MONTHS[int(text[5:7]) - 1]} {int(text[8:10])}"


def weekday(text: str) -> str:
    """Return the weekday of a date."""
    return WEEKDAYS[date.fromisoformat(text[:10]).weekday()]


def quarter(number: int) -> str:
    """Return the name of a quarter: third quarter."""
    return f"{ORDINALS[number - 1]} quarter"


def listed(items: list[str]) -> str:
    """Return several items as a list: a, b and c."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def changed(share: float, up: str = "rose", down: str = "fell") -> str:
    """Return a change in words: rose 4.2%, fell 0.8%, was unchanged."""
    if round(abs(share), 3) == 0:
        return "was unchanged"
    return f"{up if share > 0 else down} {percent(share)}"


def capital(text: str) -> str:
    """Return `text` with a capital first letter."""
    return text[:1].upper() + text[1:]


def several(noun: str) -> str:
    """Return the plural of a noun: works, factories, switches, plants."""
    if noun.endswith("works"):
        return noun
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"


def one(noun: str) -> str:
    """Return a noun with its article: a fab, an estate."""
    return f"{'an' if noun[0] in 'aeiouAEIOU' else 'a'} {noun}"


def plural(count: int, noun: str) -> str:
    """Return a number with its noun: 1 day, 3 days."""
    return f"{count:,} {noun if count == 1 else several(noun)}"
