"""Base classes and calls of telecom's scenarios: the carrier's rows, one wish in a caller's case, and gold's usual
calls.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from env_server.domains import kit
from env_server.domains.kit import GoldCall, Row, Snapshot, read, write
from env_server.domains.telecom.dialects import ACTIVE, AWAITING, ISSUED, OVERDUE, SUSPENDED
from env_server.domains.telecom.plans import PHONE_PLANS, UNLIMITED
from env_server.domains.telecom.tables import TODAY

Subjects = Callable[["Carrier", Row], list[str]]

MOST_REFUEL = 3.0
"""GB of added data that a line may hold in a cycle (rule 14 of the policy)."""


class Carrier:
    """Look-ups in the rows of a base snapshot, for scenarios. The rows stay shared and frozen."""

    def __init__(self, base: Snapshot) -> None:
        """Read `base`."""
        self.base = base
        self.customers = self._rows("customers")
        self.lines: dict[str, Row] = self._rows("lines")
        self.bills: dict[str, Row] = self._rows("bills")
        self.plans: dict[str, Row] = self._rows("plans")
        self.devices: dict[str, Row] = self._rows("devices")

    def _rows(self, table: str) -> dict[str, Row]:
        return {key: dict(row) for key, row in self.base.tables[table].rows.items()}

    def owned(self, customer: Row) -> Iterable[str]:
        """Yield the ids, numbers and addresses that only this customer has."""
        yield from (customer["email"], *customer["line_ids"], *customer["bill_ids"])
        yield from (line["phone_number"] for line in self.lines_of(customer))
        yield from (method["payment_method_id"] for method in customer["payment_methods"])

    def lines_of(self, customer: Row) -> list[Row]:
        """Return the customer's lines; the first is that of the phone they call from."""
        return [self.lines[line_id] for line_id in customer["line_ids"]]

    def bills_of(self, customer: Row, *statuses: str) -> list[Row]:
        """Return the customer's bills with one of these statuses, oldest first."""
        bills = [self.bills[bill_id] for bill_id in customer["bill_ids"]]
        return [bill for bill in bills if bill["status"] in statuses]

    def plan_of(self, line: Row) -> Row:
        """Return the plan that a line is on."""
        return self.plans[line["plan_id"]]


@dataclass(frozen=True)
class Case(kit.Case[Carrier]):
    """A caller's case; `subject` is the id of the line or bill it is about."""

    @property
    def line(self) -> Row:
        """The line it is about."""
        return self.world.lines[self.subject]

    @property
    def bill(self) -> Row:
        """The bill it is about."""
        return self.world.bills[self.subject]

    @property
    def plan(self) -> Row:
        """The plan of the line it is about."""
        return self.world.plan_of(self.line)

    @property
    def methods(self) -> list[Row]:
        """The caller's payment methods that have not expired."""
        return [method for method in self.customer["payment_methods"] if not expired(method)]


def expired(method: Row) -> bool:
    """Return whether a payment method can no longer be charged."""
    month, year = method["expiration_date"].split("/")
    return f"{year}-{month}" < TODAY[:7]


def in_debt(carrier: Carrier, customer: Row) -> bool:
    """Return whether the customer has an overdue bill."""
    return bool(carrier.bills_of(customer, OVERDUE))


def can_pay(carrier: Carrier, customer: Row) -> bool:
    """Return whether the customer has no open payment request."""
    return not carrier.bills_of(customer, AWAITING)


def ended(line: Row) -> bool:
    """Return whether the line's contract has ended."""
    return bool(line["contract_end_date"] < TODAY)


def room(line: Row) -> float:
    """Return the GB that may still be added to the line in this cycle."""
    return float(MOST_REFUEL - line["data_refueling_gb"])


def lines(fits: Callable[[Carrier, Row], bool], *, debt: bool | None = False, own: bool | None = None) -> Subjects:
    """Return the customer's lines that `fits` accepts.

    `debt` says whether the customer has overdue bills and `own` whether the line is that of the phone they call from;
    None leaves it open.
    """

    def subjects(carrier: Carrier, customer: Row) -> list[str]:
        if debt is not None and in_debt(carrier, customer) != debt:
            return []
        first = customer["line_ids"][0]
        found = [line for line in carrier.lines_of(customer) if own is None or (line["line_id"] == first) == own]
        return [line["line_id"] for line in found if fits(carrier, line)]

    return subjects


def active(_: Carrier, line: Row) -> bool:
    """Return whether the line is in use."""
    return bool(line["status"] == ACTIVE)


def paused(_: Carrier, line: Row) -> bool:
    """Return whether the line is suspended and its contract runs on."""
    return bool(line["status"] == SUSPENDED) and not ended(line)


def limited(_: Carrier, line: Row) -> bool:
    """Return whether the line is in use on a plan whose data can run out."""
    return bool(line["status"] == ACTIVE and line["plan_id"] != UNLIMITED)


def for_phones(_: Carrier, line: Row) -> bool:
    """Return whether the line is in use on a plan for phones."""
    return bool(line["status"] == ACTIVE and line["plan_id"] in PHONE_PLANS)


def look_at_lines(case: Case) -> GoldCall:
    """Return the look-up of all the caller's lines."""
    return read("get_customer_lines", customer_id=case.customer["customer_id"])


def look_at_bills(case: Case) -> GoldCall:
    """Return the look-up of the caller's bills, however many are asked for."""
    arguments = {"customer_id": case.customer["customer_id"]}
    return GoldCall(name="get_bills_for_customer", arguments=arguments, compare=("customer_id",))


def look_at_usage(case: Case, line: Row) -> GoldCall:
    """Return the look-up of a line's data."""
    return read("get_data_usage", customer_id=case.customer["customer_id"], line_id=line["line_id"])


def on_line(case: Case, tool: str, line: Row, **more: Any) -> GoldCall:
    """Return a write about one of the caller's lines."""
    return write(tool, customer_id=case.customer["customer_id"], line_id=line["line_id"], **more)


def on_bill(case: Case, tool: str, bill: Row, **more: Any) -> GoldCall:
    """Return a write about one of the caller's bills."""
    return write(tool, customer_id=case.customer["customer_id"], bill_id=bill["bill_id"], **more)


def own(name: str, **arguments: Any) -> GoldCall:
    """Return a call of the caller's own phone. `actions` compares its name, `state` the rest."""
    return GoldCall(name=name, arguments=arguments, requestor="user", compare=())


OPEN = (ISSUED, OVERDUE, AWAITING)
"""The statuses of bills that are owed."""
