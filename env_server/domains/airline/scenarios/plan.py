"""A new reservation as callers describe it: flights by a preference that singles one out, and who pays what."""

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from env_server.domains.airline.clock import DAYS, NOW, spoken
from env_server.domains.airline.rules import BAG_FEE, INSURANCE_FEE, paid_bags
from env_server.domains.airline.scenarios import phrases
from env_server.domains.airline.scenarios.base import Case, Row, search, stored, write
from env_server.domains.kit import GoldCall

BUYING_DAYS = tuple(day for day in DAYS if day - NOW.date() >= timedelta(days=2))
"""Days on which every flight is either sold or cancelled."""


@dataclass(frozen=True)
class Leg:
    """A flight chosen, and how the caller says which one."""

    flight: Row
    day: str
    words: str

    def fare(self, cabin: str) -> int:
        """Dollars for one passenger."""
        return _fare(self.flight, self.day, cabin)


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
    """What pays, in order; each gives all it has until the rest is covered."""

    round_trip: bool = False

    @property
    def total(self) -> int:
        """The price, in dollars."""
        people = len(self.passengers)
        paid = paid_bags(self.user["membership"], self.cabin, people, self.bags)
        insured = INSURANCE_FEE * people if self.insurance == "yes" else 0
        return sum(leg.fare(self.cabin) for leg in self.legs) * people + BAG_FEE * paid + insured

    @property
    def destination(self) -> str:
        """Where the trip goes."""
        return str((self.legs[0] if self.round_trip else self.legs[-1]).flight["destination"])

    def payments(self) -> list[dict[str, Any]]:
        """Who pays what."""
        left, found = self.total, list[dict[str, Any]]()
        for method in self.methods:
            amount = left if method["source"] == "credit_card" else min(left, int(method["amount"]))
            found.append({"payment_id": method["id"], "amount": amount})
            left -= amount
        return found

    def call(self) -> GoldCall:
        """The write that books it."""
        return write(
            "book_reservation",
            user_id=self.user["user_id"],
            origin=self.legs[0].flight["origin"],
            destination=self.destination,
            flight_type="round_trip" if self.round_trip else "one_way",
            cabin=self.cabin,
            flights=[{"flight_number": leg.flight["flight_number"], "date": leg.day} for leg in self.legs],
            passengers=self.passengers,
            payment_methods=self.payments(),
            total_baggages=self.bags,
            nonfree_baggages=paid_bags(self.user["membership"], self.cabin, len(self.passengers), self.bags),
            insurance=self.insurance,
        )

    def searches(self) -> tuple[GoldCall, ...]:
        """The searches that show the flights."""
        return tuple(search(leg.flight["origin"], leg.flight["destination"], leg.day) for leg in self.legs)

    def details(self) -> dict[str, str]:
        """What the caller answers about it."""
        return {
            "trip": self._trip(),
            "flight": " ".join(leg.words for leg in self.legs),
            "cabin": f"In {phrases.CABINS[self.cabin]}, please.",
            "passenger": phrases.passengers(self.user, self.passengers),
            "bag": phrases.bags(self.bags),
            "insurance": phrases.insurance(self.insurance),
            "payment": self._paying(),
        }

    def _trip(self) -> str:
        origin, first = self.legs[0].flight["origin"], spoken(self.legs[0].day)
        if self.round_trip:
            back = spoken(self.legs[-1].day)
            return f"It is a round trip from {origin} to {self.destination}, there on {first} and back on {back}."
        return f"It is a one-way trip from {origin} to {self.destination} on {first}."

    def _paying(self) -> str:
        first, *rest = map(phrases.method, self.methods)
        return f"Please use all of {first} and then {rest[0]}." if rest else f"Please charge {first}."

    def slots(self) -> dict[str, Any]:
        """What identifies it."""
        return {**self.call().arguments, "words": [leg.words for leg in self.legs]}


def choices(offers: list[Row], day: str, cabin: str, people: int) -> list[Leg]:
    """The flights on sale that day with the seats, each named so that no other can be meant.

    The cheapest, earliest and latest are so among all flights on sale, not only among those with the seats.
    """
    if not offers:
        return []
    route = f"from {offers[0]['origin']} to {offers[0]['destination']}"
    wish, when = "I would like the direct flight", f"on {spoken(day)}"
    by_fare = sorted(offers, key=lambda flight: _fare(flight, day, cabin))
    by_time = sorted(offers, key=lambda flight: flight["scheduled_departure_time_est"])
    named = [
        (by_time[0], f"{wish} {route} that leaves earliest {when}."),
        (by_time[-1], f"{wish} {route} that leaves latest {when}."),
        *((flight, f"I would like flight {flight['flight_number']} {route} {when}.") for flight in offers),
    ]
    if len(offers) == 1 or _fare(by_fare[0], day, cabin) < _fare(by_fare[1], day, cabin):
        named.append((by_fare[0], f"{wish} {route} with the lowest fare {when}."))
    seated = (pair for pair in named if pair[0]["dates"][day]["available_seats"][cabin] >= people)
    return [Leg(flight, day, words) for flight, words in seated]


def _fare(flight: Row, day: str, cabin: str) -> int:
    fare: int = flight["dates"][day]["prices"][cabin]
    return fare


def plan(case: Case, *, round_trip: bool = False, people: int | None = None) -> Plan:
    """A booking by the caller for `people` passengers (by default some of those in the profile)."""
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
    """The caller and people saved in the profile: `people` of them all, where there are so many."""
    saved = [dict(p) for p in case.customer["saved_passengers"]]
    wanted = case.rng.randint(0, min(3, len(saved))) if people is None else min(people - 1, len(saved))
    return [phrases.me(case.customer), *case.rng.sample(saved, wanted)]


def _legs(case: Case, cabin: str, people: int, *, round_trip: bool) -> tuple[Leg, ...]:
    """The flight, or the flights there and back; none where the draw has led nowhere."""
    rng = case.rng
    origin, destination = rng.choice(list(case.world.routes))
    there, back = sorted(day.isoformat() for day in rng.sample(BUYING_DAYS, 2))
    ways = [(origin, destination, there)]
    if round_trip:
        ways.append((destination, origin, back))
    found = [choices(case.world.offers(one, two, day), day, cabin, people) for one, two, day in ways]
    return tuple(rng.choice(legs) for legs in found) if all(found) else ()


def pay(case: Case, total: int) -> tuple[Row, ...]:
    """A credit card, a gift card that covers it all, or a card after a gift card or certificate that does not."""
    card = case.card()
    ways: list[tuple[Row, ...]] = [(card,)]
    for gift in stored(case.customer, "gift_card"):
        ways.append((gift,) if gift["amount"] >= total else (gift, card))
    ways += [(paper, card) for paper in stored(case.customer, "certificate") if paper["amount"] < total]
    return case.rng.choice(ways)
