"""Wishes for a new reservation."""

from collections.abc import Sequence
from dataclasses import replace

from env_server.domains.airline.scenarios import details, phrases
from env_server.domains.airline.scenarios.base import Case, Wish, about_caller, has
from env_server.domains.airline.scenarios.plan import Plan, companions, connection, pay, plan
from env_server.domains.airline.scenarios.wanted import goal, granted
from env_server.domains.kit import Known, prose, told, wish

BOOK_ASKS = (
    "book a flight",
    "book a trip",
    "make a new reservation",
    "reserve seats on a flight",
    "get a new booking made",
    "buy plane tickets",
    "have a journey booked",
    "arrange a trip by plane",
    # Kept for the held-out split.
    "travel somewhere and book that now",
    "get tickets for a flight",
    "set up a new trip",
    "have seats reserved on one of your planes",
)
BOOK_AND_HEAR_ASKS = (
    "book a round trip and know what it comes to in all",
    "book a trip there and back, and hear its total price",
    "make a reservation both ways and be told what the whole of it costs",
    "have a round trip booked and learn the sum that I pay",
    "get a return trip and know the full price of it",
    "reserve a trip there and back and hear how much it is altogether",
    # Kept for the held-out split.
    "go somewhere and come back, and be told the overall cost of that booking",
    "arrange a return journey and find out what I pay for it in total",
    "get tickets both ways, with the complete price told to me",
)


def _booked(case: Case, made: Plan) -> Wish:
    return granted(case, made.wanted(case, BOOK_ASKS), reads=made.searches())


def book(case: Case) -> Wish:
    """Book a one-way trip."""
    return _booked(case, plan(case))


def book_by_card(case: Case) -> Wish:
    """Book a one-way trip with a credit card, because other wishes of the caller may use the gift cards."""
    made = plan(case)
    return _booked(case, replace(made, methods=(case.card(),)))


def book_round_trip(case: Case) -> Wish:
    """Book a trip there and back, with a credit card."""
    made = plan(case, round_trip=True)
    return _booked(case, replace(made, methods=(case.card(),)))


def book_and_hear(case: Case) -> Wish:
    """Book a round trip and hear the price."""
    made = plan(case, round_trip=True)
    amount = str(made.total)
    value = told(
        amount, f"The total price is ${amount}.", "total", "price", "cost", "costs", "in all", "comes to", "altogether",
        "sum", "charge", "charged", "pay", "paid", "amount", "overall",
    )  # fmt: skip
    return granted(case, made.wanted(case, BOOK_AND_HEAR_ASKS, wants=(value,)), proof=made.searches())


def book_with_change(case: Case) -> Wish:
    """Book a one-way trip with a change of planes. The caller gives both flights by number."""
    rng = case.rng
    travellers = companions(case)
    cabin = rng.choice(list(phrases.CABINS))
    while not (legs := connection(case, cabin, len(travellers))):
        pass
    made = Plan(case.customer, legs, cabin, travellers, len(travellers), rng.choice(("yes", "no")), (case.card(),))
    return _booked(case, replace(made, methods=pay(case, made.total)))


def book_and_reconsider(case: Case) -> Wish:
    """Book a trip and change its bags and insurance when the agent asks for confirmation."""
    card = case.card()
    first = replace(plan(case), methods=(card,))
    final = replace(first, bags=first.bags + 2, insurance="no" if first.insurance == "yes" else "yes")
    pays = details.paying(case, card)
    wanted, then = first.wanted(case, BOOK_ASKS, pays=pays), final.wanted(case, BOOK_ASKS, pays=pays)
    revised: dict[str, Known | str] = {
        "bag": details.bags(case, final.bags),
        "insurance": details.insurance(case, final.insurance),
    }
    revise = " ".join([case.say(AFTER_ALL), *(d.text for d in revised.values() if isinstance(d, Known))])
    known = dict(wanted.details)
    return Wish(
        requests=(wish(case, *BOOK_ASKS, details=known, changes=(then.change,), revise=revise, revised=revised),),
        goal=f"{goal(case, BOOK_ASKS, known)} {prose.revised(case.voice, revise)}",
        reads=final.searches(),
        writes=(final.call(),),
        slots=final.slots() | {"first": first.bags},
    )


AFTER_ALL: Sequence[str] = (
    "Wait, I have changed my mind.",
    "One moment, I want it otherwise.",
    "Hold on, I have thought about it.",
    "Sorry, something has to be different.",
    "Not quite, I have to correct myself.",
    # Kept for the held-out split.
    "Stop, let me put that right.",
    "Hm, on second thoughts no.",
    "Excuse me, I see it differently now.",
)

BOOK = about_caller(book, has("credit_card"))
BOOK_BY_CARD = about_caller(book_by_card, has("credit_card"))
BOOK_ROUND_TRIP = about_caller(book_round_trip, has("credit_card"))
BOOK_AND_HEAR = about_caller(book_and_hear, has("credit_card"))
BOOK_WITH_CHANGE = about_caller(book_with_change, has("credit_card"))
BOOK_AND_RECONSIDER = about_caller(book_and_reconsider, has("credit_card"))
