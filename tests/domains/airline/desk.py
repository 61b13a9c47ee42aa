"""A small airline, and its desk: the tools under airline's builtin rules, called as an agent calls them."""

from typing import Any

from env_server.domains.airline import tools
from env_server.domains.airline.dialects import BUILTIN, AirlineDialect
from env_server.domains.airline.tables import TABLES
from env_server.domains.kit import tools_of
from env_server.domains.kit.shared import TOOLS
from env_server.state import Db, Snapshot, State
from env_server.tools.dispatch import CallOutcome, Toolset

Row = dict[str, Any]

CARD, SMALL_GIFT, BIG_GIFT, CERTIFICATE = "credit_card_1", "gift_card_1", "gift_card_2", "certificate_1"
JO = {"first_name": "Jo", "last_name": "Doe", "dob": "1990-01-01"}
ANN = {"first_name": "Ann", "last_name": "Roe", "dob": "1980-12-31"}
DAYS = ("2024-05-20", "2024-05-21", "2024-05-30", "2024-05-31", "2024-06-01")
PRICES = {"basic_economy": 50, "economy": 100, "business": 400}
GONE = {
    "2024-05-14": {"status": "landed", "actual_departure_time_est": "x", "actual_arrival_time_est": "y"},
    "2024-05-15": {"status": "delayed", "estimated_departure_time_est": "x", "estimated_arrival_time_est": "y"},
    "2024-05-16": {"status": "cancelled"},
}


def flight(number: str, origin: str, destination: str, leaves: str, lands: str) -> Row:
    """A flight that is on sale on each of DAYS, with five seats in each cabin."""
    seats = dict.fromkeys(PRICES, 5)
    on_sale = {day: {"status": "available", "available_seats": seats, "prices": PRICES} for day in DAYS}
    return {
        "flight_number": number,
        "origin": origin,
        "destination": destination,
        "scheduled_departure_time_est": leaves,
        "scheduled_arrival_time_est": lands,
        "dates": GONE | on_sale,
    }


def leg(number: str, origin: str, destination: str, day: str, price: int) -> Row:
    """A flight of a reservation."""
    return {"flight_number": number, "origin": origin, "destination": destination, "date": day, "price": price}


def reservation(reservation_id: str, cabin: str, legs: list[Row], people: list[Row], paid: dict[str, int]) -> Row:
    """A reservation of jo_doe_1 without bags and insurance; with two legs it is a round trip."""
    return {
        "reservation_id": reservation_id,
        "user_id": "jo_doe_1",
        "origin": "SEA",
        "destination": "BOS",
        "flight_type": "round_trip" if len(legs) > 1 else "one_way",
        "cabin": cabin,
        "flights": legs,
        "passengers": people,
        "payment_history": [{"payment_id": method, "amount": amount} for method, amount in paid.items()],
        "created_at": "2024-05-10T10:00:00",
        "total_baggages": 0,
        "nonfree_baggages": 0,
        "insurance": "no",
    }


ROWS = {
    "users": [
        {
            "user_id": "jo_doe_1",
            "name": {"first_name": "Jo", "last_name": "Doe"},
            "address": {
                "address1": "1 Elm Street",
                "address2": "",
                "city": "Seattle",
                "country": "USA",
                "state": "WA",
                "zip": "98101",
            },
            "email": "jo.doe@example.com",
            "dob": "1990-01-01",
            "payment_methods": {
                CARD: {"source": "credit_card", "id": CARD, "brand": "visa", "last_four": "1234"},
                SMALL_GIFT: {"source": "gift_card", "id": SMALL_GIFT, "amount": 60.0},
                BIG_GIFT: {"source": "gift_card", "id": BIG_GIFT, "amount": 2000.0},
                CERTIFICATE: {"source": "certificate", "id": CERTIFICATE, "amount": 150.0},
            },
            "saved_passengers": [ANN],
            "membership": "silver",
            "reservations": ["THERE1", "RETRN2", "MIXED3", "FLOWN4"],
        }
    ],
    "flights": [
        flight("KS1", "SEA", "BOS", "09:00:00", "15:00:00"),
        flight("KS2", "BOS", "SEA", "10:00:00", "13:00:00"),
        flight("KS3", "SEA", "DEN", "08:00:00", "11:00:00"),
        flight("KS4", "DEN", "BOS", "11:00:00", "15:00:00"),
        flight("KS5", "DEN", "BOS", "10:45:00", "14:45:00"),
        flight("KS6", "SEA", "DEN", "22:00:00", "01:00:00+1"),
        flight("KS7", "DEN", "BOS", "01:00:00", "05:00:00"),
    ],
    "reservations": [
        reservation("THERE1", "economy", [leg("KS1", "SEA", "BOS", DAYS[0], 90)], [JO], {CARD: 90}),
        reservation(
            "RETRN2",
            "business",
            [leg("KS1", "SEA", "BOS", DAYS[0], 300), leg("KS2", "BOS", "SEA", DAYS[2], 350)],
            [JO, ANN],
            {BIG_GIFT: 1300},
        ),
        reservation(
            "MIXED3",
            "economy",
            [leg("KS1", "SEA", "BOS", DAYS[1], 110)],
            [JO, ANN],
            {"certificate_9": 50, BIG_GIFT: 100, CARD: 70},
        ),
        reservation("FLOWN4", "economy", [leg("KS1", "SEA", "BOS", "2024-05-14", 80)], [JO], {CARD: 80}),
    ],
}


def chosen(*flights: tuple[str, str]) -> list[Row]:
    """Flights as the tools take them."""
    return [{"flight_number": number, "date": day} for number, day in flights]


def paid(**amounts: int) -> list[Row]:
    """Payments as `book_reservation` takes them."""
    return [{"payment_id": method, "amount": amount} for method, amount in amounts.items()]


BOOKING: Row = {
    "user_id": "jo_doe_1",
    "origin": "SEA",
    "destination": "BOS",
    "flight_type": "one_way",
    "cabin": "economy",
    "flights": chosen(("KS1", DAYS[0])),
    "passengers": [JO, ANN],
    "payment_methods": [{"payment_id": CARD, "amount": 200}],
    "total_baggages": 2,
    "nonfree_baggages": 0,
    "insurance": "no",
}


class Desk:
    """One episode at the desk."""

    base = Snapshot(TABLES, ROWS)
    tools = Toolset({t.name: t for t in (*tools_of(tools), *TOOLS)}, BUILTIN)

    def __init__(self, dialect: AirlineDialect = BUILTIN) -> None:
        """Open a fresh desk, under the builtin rules or others."""
        self.db = Db(State.at(self.base), dialect)
        if dialect is not BUILTIN:
            self.tools = Toolset(self.tools.tools, dialect)

    def call(self, name: str, **arguments: Any) -> CallOutcome:
        """Call a tool. A failed call, and any read, must leave the state unchanged."""
        before = self.db.state.hash
        outcome = self.tools.call(self.db, name, arguments)
        if outcome.fault is not None or (outcome.tool and outcome.tool.kind == "read"):
            assert self.db.state.hash == before
        return outcome

    def row(self, table: str, key: str) -> Row:
        """The present row."""
        found = self.db.state.overlay.get(table, key)
        assert found is not None
        return found

    def methods(self) -> Row:
        """The payment methods of jo_doe_1 by id."""
        methods: Row = self.row("users", "jo_doe_1")["payment_methods"]
        return methods

    def seats(self, number: str, day: str, cabin: str = "economy") -> int:
        """The seats left on a flight."""
        left: int = self.row("flights", number)["dates"][day]["available_seats"][cabin]
        return left
