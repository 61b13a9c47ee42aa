"""Details that callers know of their wishes: the caller's words, the agent's words, and the forms the caller
recognises.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from zlib import crc32

from env_server.domains import kit
from env_server.domains.airline.scenarios import phrases, wordings
from env_server.domains.airline.scenarios.base import Case, Row, stored
from env_server.domains.airline.tables import AIRPORTS
from env_server.domains.kit import Form, Known, full_name, listed, number_word, spoken

_UNNUMBERED = 35
"""Per cent of the reservations whose number the caller never knows."""

_ALONE = ("alone", "only me", "just me", "nobody but me", "my own", "only myself", "only you", "just you")


@dataclass(frozen=True)
class Trip:
    """A reservation as a caller refers to it."""

    known: Known
    words: str
    """The words with which an agent refers to the reservation."""

    arguments: dict[str, str]
    """The arguments by which the caller would know a call about it."""


def trip(case: Case, row: Row, *, numbered: bool = False) -> Trip:
    """Return the reservation by number, or by route and day if these are unique among the caller's reservations."""
    ways = [_way(other) for other in case.world.reservations_of(case.customer)]
    unnumbered = ways.count(_way(row)) == 1 and crc32(row["reservation_id"].encode()) % 100 < _UNNUMBERED
    origin, destination, day = _way(row)
    if unnumbered and not numbered:
        way = f"from {origin} to {destination}, beginning on {spoken(day)}"
        known = Known(case.say(wordings.BY_WAY, way), says=(day, *places(origin, destination)))
        return Trip(known, f"your trip from {origin} to {destination} that begins on {spoken(day)}", {})
    number = row["reservation_id"]
    known = Known(case.say(wordings.BY_NUMBER, number), says=(number,))
    return Trip(known, f"reservation {number}", {"reservation_id": number})


def _way(row: Row) -> tuple[str, str, str]:
    return row["origin"], row["destination"], row["flights"][0]["date"]


def places(*airports: str) -> tuple[Form, ...]:
    """Return the ways to name airports together, each by its code or its city."""
    return tuple(product(*((code, AIRPORTS[code]) for code in airports)))


@dataclass(frozen=True)
class Paying:
    """Payment methods as a caller chooses them."""

    known: Known
    words: str
    """The words with which an agent repeats the payment methods."""


def paying(case: Case, *methods: Row) -> Paying:
    """Return the payment: one method, or one that is used up and another for the rest."""
    named = [phrases.method(row) for row in methods]
    text = case.say(wordings.PAY if len(methods) == 1 else wordings.PAY_WITH_TWO, *named)
    forms = tuple(_flat(parts) for parts in product(*(_forms(case.customer, row) for row in methods)))
    used = {row["id"] for row in methods}
    others = tuple(card["last_four"] for card in stored(case.customer, "credit_card") if card["id"] not in used)
    words = [phrases.yours(one) for one in named]
    return Paying(Known(text, forms, others), words[0] if len(words) == 1 else f"all of {words[0]} and then {words[1]}")


def _forms(user: Row, row: Row) -> list[tuple[str, ...]]:
    """Return the ways to name a payment method of the user."""
    alike = stored(user, row["source"])
    if row["source"] == "credit_card":
        brands = [card["brand"] for card in alike]
        return [(row["last_four"],), *([(row["brand"],)] if brands.count(row["brand"]) == 1 else [])]
    kinds = ["gift card"] if row["source"] == "gift_card" else ["certificate", "voucher"]
    return [(kind,) if len(alike) == 1 else (kind, f"{row['amount']:.0f}") for kind in kinds]


def _flat(parts: Iterable[tuple[str, ...]]) -> Form:
    """Return the texts of several forms as one form."""
    texts = tuple(text for part in parts for text in part)
    return texts[0] if len(texts) == 1 else texts


def cabin(case: Case, name: str, now: str = "") -> Known:
    """Return the wanted cabin. An agent may also name the present cabin `now`."""
    wanted = phrases.CABINS[name]
    others = [text for key, text in phrases.CABINS.items() if key not in {name, now} and text not in wanted]
    return Known(case.say(wordings.CABIN, wanted), (wanted,), tuple(others))


def bags(case: Case, number: int) -> Known:
    """Return the total number of checked bags."""
    if not number:
        nothing = ("no checked bag", "no bag", "without bag", "without checked bag", "no baggage", "no luggage")
        return Known(case.say(wordings.NO_BAGS), (*nothing, ("0", "bag"), ("bag", "none")))
    return Known(case.say(wordings.BAGS, str(number), kit.counted(number, "checked bag")), bag_forms(number))


def more_bags(case: Case, number: int) -> Known:
    """Return the number of checked bags to add."""
    text = case.say(wordings.MORE_BAGS, number_word(number), kit.counted(number, "checked bag"))
    return Known(text, bag_forms(number))


_ONE_BAG = tuple(
    f"{one} {noun}"
    for one in ("one more", "another", "a", "an additional", "an extra", "a single", "one", "lost", "missing")
    for noun in ("checked bag", "bag", "piece of luggage")
)


def bag_forms(number: int) -> tuple[Form, ...]:
    """Return the phrases for this number of bags."""
    counted = tuple((str(number), noun) for noun in ("bag", "baggage", "luggage", "suitcase"))
    return (*counted, *_ONE_BAG) if number == 1 else counted


def insurance(case: Case, answer: str) -> Known:
    """Return whether to take the insurance."""
    if answer == "yes":
        return Known(
            case.say(wordings.INSURED), ("insurance", "insured"), ("no insurance", "without insurance", "not insured")
        )
    without = [("insurance", no) for no in ("no", "not", "without", "none", "out", "decline", "declined")]
    return Known(case.say(wordings.UNINSURED), (*without, "uninsured", ("insured", "not")))


def passengers(case: Case, rows: Sequence[Row]) -> Known:
    """Return the passengers in order. The caller is `me`, since the profile has their name and date of birth."""
    me = phrases.me(case.customer)
    if list(rows) == [me]:
        alone = (me["first_name"], "one passenger", "1 passenger", "one traveler", "yourself", *_ALONE)
        return Known(case.say(wordings.ONLY_ME), alone)
    known = {full_name(me): f"me, {phrases.passenger(me)}"}
    who = listed(known.get(full_name(row)) or phrases.passenger(row) for row in rows)
    text = case.say(wordings.PASSENGERS, kit.counted(len(rows), "passenger"), who)
    many = len(rows)
    counted = [f"{n} {noun}" for n in (many, number_word(many)) for noun in ("passenger", "people", "traveler")]
    return Known(text, (tuple(row["first_name"] for row in rows if row != me), *counted))


def compensation(case: Case) -> Known:
    """Return the compensation that the caller expects for a disruption."""
    return Known(case.say(wordings.COMPENSATION), ("certificate", "voucher", "compensation"))
