"""A new reservation as callers describe it: flights by a preference that singles one out, and who pays what."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import product
from typing import Any

from env_server.domains.airline.clock import DAYS, NOW
from env_server.domains.airline.rules import BAG_FEE, INSURANCE_FEE, paid_bags
from env_server.domains.airline.scenarios import changes, details, phrases, wordings
from env_server.domains.airline.scenarios.base import Case, Row, search, stored, write
from env_server.domains.airline.scenarios.wanted import Wanted
from env_server.domains.kit import Form, GoldCall, Known, Tell, Want, counted, full_name, listed, spoken

BUYING_DAYS = tuple(day for day in DAYS if day - NOW.date() >= timedelta(days=2))
"""Days on which every flight is either sold or cancelled."""

_AS = {
    "earliest": "the earliest direct flight",
    "latest": "the latest direct flight",
    "cheapest": "the cheapest direct flight",
}


@dataclass(frozen=True)
class Leg:
    """A chosen flight and the preference by which the caller chooses it."""

    flight: Row
    day: str
    kind: str
    """`number`, or the preference that selects exactly this flight: `earliest`, `latest` or `cheapest`."""

    def fare(self, cabin: str) -> int:
        """Return the price for one passenger, in dollars."""
        return _fare(self.flight, self.day, cabin)

    @property
    def words(self) -> str:
        """The agent's words for the flight."""
        which = _AS.get(self.kind, f"flight {self.flight['flight_number']}")
        return f"{which} {phrases.route(self.flight)} on {spoken(self.day)}"

    @property
    def says(self) -> Form:
        """The caller's words for the flight: the day and, if the caller knows it, the number."""
        return (self.flight["flight_number"], self.day) if self.kind == "number" else self.day

    def said(self, case: Case) -> str:
        """Return the caller's words for the flight."""
        route, number = phrases.route(self.flight), self.flight["flight_number"]
        return case.say(wordings.FLIGHT[self.kind], route, number, spoken(self.day))


def all_of(legs: Iterable[Leg]) -> Form:
    """Return the form that names all legs."""
    texts = [text for leg in legs for text in ((leg.says,) if isinstance(leg.says, str) else leg.says)]
    return tuple(dict.fromkeys(texts))


@dataclass(frozen=True)
class Plan:
    """A booking in all its parts."""

    user: Row
    legs: tuple[Leg, ...]
    cabin: str
    passengers: list[dict[str, Any]]
    bags: int
    insurance: str
    methods: tuple[Row, ...]
    """The payment methods, in order. Each pays its full balance until the rest is covered."""

    round_trip: bool = False

    @property
    def total(self) -> int:
        """The price, in dollars."""
        people = len(self.passengers)
        insured = INSURANCE_FEE * people if self.insurance == "yes" else 0
        return sum(leg.fare(self.cabin) for leg in self.legs) * people + BAG_FEE * self._paid_bags + insured

    @property
    def _paid_bags(self) -> int:
        return paid_bags(self.user["membership"], self.cabin, len(self.passengers), self.bags)

    @property
    def destination(self) -> str:
        """Where the trip goes."""
        return str((self.legs[0] if self.round_trip else self.legs[-1]).flight["destination"])

    @property
    def origin(self) -> str:
        """Where the trip begins."""
        return str(self.legs[0].flight["origin"])

    def payments(self) -> list[dict[str, Any]]:
        """Return the payment methods with the amount that each pays."""
        left, found = self.total, list[dict[str, Any]]()
        for method in self.methods:
            amount = left if method["source"] == "credit_card" else min(left, int(method["amount"]))
            found.append({"payment_id": method["id"], "amount": amount})
            left -= amount
        return found

    def known(self) -> dict[str, Any]:
        """Return the arguments that identify the call for the caller."""
        return {
            "origin": self.origin,
            "destination": self.destination,
            "flight_type": "round_trip" if self.round_trip else "one_way",
            "cabin": self.cabin,
            "total_baggages": self.bags,
            "insurance": self.insurance,
        }

    def call(self) -> GoldCall:
        """Return the write that makes the booking."""
        return write(
            "book_reservation",
            user_id=self.user["user_id"],
            **self.known(),
            flights=[{"flight_number": leg.flight["flight_number"], "date": leg.day} for leg in self.legs],
            passengers=self.passengers,
            payment_methods=self.payments(),
            nonfree_baggages=self._paid_bags,
        )

    def searches(self) -> tuple[GoldCall, ...]:
        """Return the searches that show the flights."""
        return tuple(search(leg.flight["origin"], leg.flight["destination"], leg.day) for leg in self.legs)

    def told(self, case: Case) -> dict[str, Known | str]:
        """Return the caller's answers about the booking."""
        return {
            "trip": Known(self._trip(case), details.places(self.origin, self.destination)),
            "flight": Known(" ".join(leg.said(case) for leg in self.legs), (all_of(self.legs),)),
            "cabin": details.cabin(case, self.cabin),
            "passenger": details.passengers(case, self.passengers),
            "bag": details.bags(case, self.bags),
            "insurance": details.insurance(case, self.insurance),
            "payment": details.paying(case, *self.methods).known,
        }

    def _trip(self, case: Case) -> str:
        way, first = f"from {self.origin} to {self.destination}", spoken(self.legs[0].day)
        if self.round_trip:
            return case.say(wordings.ROUND_TRIP, way, first, spoken(self.legs[-1].day))
        return case.say(wordings.ONE_WAY, way, first)

    def summary(self, pays: str) -> str:
        """Return the agent's summary of the booking before the caller confirms it."""
        kind = "a round trip" if self.round_trip else "a one-way trip"
        who = listed(full_name(row) for row in self.passengers)
        many = counted(len(self.passengers), "passenger")
        by = listed(leg.words for leg in self.legs)
        return (
            f"{kind} from {self.origin} to {self.destination} for {many} ({who}) in {phrases.CABINS[self.cabin]},"
            f" by {by}, with {phrases.bags(self.bags)}, {phrases.insured(self.insurance)}, paid with {pays}"
        )

    def wanted(
        self,
        case: Case,
        asks: Sequence[str],
        *,
        pays: details.Paying | None = None,
        wants: tuple[tuple[Want, Tell], ...] = (),
        said: dict[str, Known | str] | None = None,
        due: "Plan | None" = None,
    ) -> Wanted:
        """Return the wish for the booking. `said` replaces details. `due` holds the rows that would grant another
        booking.
        """
        pays = pays or details.paying(case, *self.methods)
        known = {**self.told(case), "payment": pays.known, **(said or {})}
        change = changes.booked(self.summary(pays.words), **self.known())
        return Wanted(asks, known, change, ((due or self).call(),), self.slots(), wants)

    def slots(self) -> dict[str, Any]:
        """Return the slots that identify the booking."""
        return {**self.call().arguments, "kinds": [leg.kind for leg in self.legs]}


def choices(offers: list[Row], day: str, cabin: str, people: int, *, fares: bool = True) -> list[Leg]:
    """Return the flights on sale that day with enough seats. Each choice identifies exactly one flight."""
    if not offers:
        return []
    by_fare = sorted(offers, key=lambda flight: _fare(flight, day, cabin))
    by_time = sorted(offers, key=lambda flight: flight["scheduled_departure_time_est"])
    named = [(by_time[0], "earliest"), (by_time[-1], "latest"), *((flight, "number") for flight in offers)]
    if fares and (len(offers) == 1 or _fare(by_fare[0], day, cabin) < _fare(by_fare[1], day, cabin)):
        named.append((by_fare[0], "cheapest"))
    return [Leg(flight, day, kind) for flight, kind in named if seats(flight, day, cabin) >= people]


def seats(flight: Row, day: str, cabin: str) -> int:
    """Return how many seats are left."""
    left: int = flight["dates"][day]["available_seats"][cabin]
    return left


def _fare(flight: Row, day: str, cabin: str) -> int:
    fare: int = flight["dates"][day]["prices"][cabin]
    return fare


def plan(case: Case, *, round_trip: bool = False, people: int | None = None) -> Plan:
    """Return a booking by the caller for `people` passengers (by default some of those in the profile)."""
    rng = case.rng
    travellers = companions(case, people)
    while True:
        cabin = rng.choice(list(phrases.CABINS))
        legs = _legs(case, cabin, len(travellers), round_trip=round_trip)
        if legs:
            break
    made = Plan(
        user=case.customer,
        legs=legs,
        cabin=cabin,
        passengers=travellers,
        bags=rng.choice((0, len(travellers), len(travellers) + 1, 2 * len(travellers))),
        insurance=rng.choice(("yes", "no")),
        methods=(case.card(),),
        round_trip=round_trip,
    )
    return replace(made, methods=pay(case, made.total))


def companions(case: Case, people: int | None = None) -> list[dict[str, Any]]:
    """Return `people` passengers: the caller and people saved in the profile, as far as there are enough."""
    saved = [dict(p) for p in case.customer["saved_passengers"]]
    wanted = case.rng.randint(0, min(3, len(saved))) if people is None else min(people - 1, len(saved))
    return [phrases.me(case.customer), *case.rng.sample(saved, wanted)]


def _legs(case: Case, cabin: str, people: int, *, round_trip: bool) -> tuple[Leg, ...]:
    """Return the flight, or the flights there and back. Return an empty result if the draw found no flight."""
    rng = case.rng
    origin, destination = rng.choice(list(case.world.routes))
    there, back = sorted(day.isoformat() for day in rng.sample(BUYING_DAYS, 2))
    ways = [(origin, destination, there)]
    if round_trip:
        ways.append((destination, origin, back))
    found = [choices(case.world.offers(one, two, day), day, cabin, people) for one, two, day in ways]
    return tuple(rng.choice(legs) for legs in found) if all(found) else ()


def connection(case: Case, cabin: str, people: int) -> tuple[Leg, ...]:
    """Return two connecting flights on one day, at least an hour apart. Return an empty result if
    the draw found none.
    """
    rng, world = case.rng, case.world
    (origin, hub), day = rng.choice(list(world.routes)), rng.choice(BUYING_DAYS).isoformat()
    ends = [two for one, two in world.routes if one == hub and two != origin and (origin, two) not in world.routes]
    if not ends:
        return ()
    end = rng.choice(ends)
    free = (
        [flight for flight in world.offers(one, two, day) if seats(flight, day, cabin) >= people]
        for one, two in ((origin, hub), (hub, end))
    )
    pairs = [pair for pair in product(*free) if _in_time(*pair)]
    return tuple(Leg(flight, day, "number") for flight in rng.choice(pairs)) if pairs else ()


def _in_time(one: Row, two: Row) -> bool:
    landing, leaving = one["scheduled_arrival_time_est"], two["scheduled_departure_time_est"]
    return "+" not in landing and int(leaving[:2]) >= int(landing[:2]) + 2


def pay(case: Case, total: int) -> tuple[Row, ...]:
    """Return a credit card, a gift card that covers the price, or a card that pays the rest after a gift card or
    certificate.
    """
    card = case.card()
    ways: list[tuple[Row, ...]] = [(card,)]
    for gift in stored(case.customer, "gift_card"):
        ways.append((gift,) if gift["amount"] >= total else (gift, card))
    ways += [(paper, card) for paper in stored(case.customer, "certificate") if paper["amount"] < total]
    return case.rng.choice(ways)
