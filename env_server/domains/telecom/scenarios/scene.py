"""Changes to the base before a call: the caller's own phone, its faults, and changed rows."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, cast

from env_server.domains.kit import Db, GoldCall, Row, State, Wish, thaw
from env_server.domains.telecom.checks import TelecomDb
from env_server.domains.telecom.dialects import BUILTIN, DRAFT, OVERDUE, PAID, SUSPENDED
from env_server.domains.telecom.scenarios.base import Carrier, Case
from env_server.domains.telecom.setups import set_user_info, simulate_network_search
from env_server.domains.telecom.statements import refuel_item, refuels
from env_server.domains.telecom.sync import sync
from env_server.domains.telecom.tables import BILLS, CUSTOMERS, DEVICES, LINES, Bill, Customer, Device, Line

Step = Callable[[TelecomDb], object]
Patch = dict[str, dict[str, dict[str, Any] | None]]


def scene(carrier: Carrier, customer: Row, *steps: Step) -> Patch:
    """Return the rows that differ from the base when `customer` calls from their own phone, after `steps`.

    Phone and company agree with each other, and the phone has looked for a network since, so that neither a further
    look nor a restart changes anything by itself.
    """
    state = State.at(carrier.base)
    db = Db(state, BUILTIN)
    set_user_info(db, customer["full_name"], customer["phone_number"])
    for step in steps:
        step(db)
    sync(db)
    simulate_network_search(db)
    patch: Patch = {}
    for table, key, row in state.take_changes():
        patch.setdefault(table, {})[key] = thaw(row)
    return patch


def settled(case: Case, part: Wish, writes: tuple[GoldCall, ...], refused: Iterable[Step], due: Iterable[Step]) -> Wish:
    """Return `part`, a refused or handed-over wish, after the steps `refused`, or its twin after the steps `due`."""
    if not case.due:
        return replace(part, initial=scene(case.world, case.customer, *refused))
    granted = replace(part, refusals=(), reason=None, handover=(), assertions=(), writes=writes)
    return replace(granted, initial=scene(case.world, case.customer, *due))


def line_is(line: Row, **fields: Any) -> Step:
    """Return a step that changes fields of a line."""

    def step(db: TelecomDb) -> None:
        db[LINES].put(cast(Line, {**db[LINES].edit(line["line_id"]), **fields}))

    return step


def line_is_suspended(line: Row, since: str, why: str) -> Step:
    """Return a step that suspends a line since a day."""
    return line_is(line, status=SUSPENDED, suspension_start_date=since, suspension_reason=why)


def device_is(line: Row, **fields: Any) -> Step:
    """Return a step that changes fields of the device of a line."""

    def step(db: TelecomDb) -> None:
        db[DEVICES].put(cast(Device, {**db[DEVICES].edit(line["device_id"]), **fields}))

    return step


def bill_is(bill: Row, **fields: Any) -> Step:
    """Return a step that changes fields of a bill."""

    def step(db: TelecomDb) -> None:
        db[BILLS].put(cast(Bill, {**db[BILLS].edit(bill["bill_id"]), **fields}))

    return step


def refuelled(case: Case, gb: float) -> tuple[Step, ...]:
    """Return the steps that add this much data to the case's line and list it on the draft bill."""
    line = {**case.line, "data_refueling_gb": gb}
    draft = case.world.bills_of(case.customer, DRAFT)[0]
    items = [item for item in draft["line_items"] if not refuels(item, line)]
    items += [refuel_item(case.plan, line)] if gb else []
    total = round(sum((item["amount"] for item in items), 0.0), 2)
    return line_is(line, data_refueling_gb=gb), bill_is(draft, line_items=items, total_due=total)


def nothing_is_overdue(case: Case) -> tuple[Step, ...]:
    """Return the steps that mark the caller's overdue bills as paid."""
    return tuple(bill_is(bill, status=PAID) for bill in case.world.bills_of(case.customer, OVERDUE))


def customer_is(customer: Row, **fields: Any) -> Step:
    """Return a step that changes fields of a customer."""

    def step(db: TelecomDb) -> None:
        db[CUSTOMERS].put(cast(Customer, {**db[CUSTOMERS].edit(customer["customer_id"]), **fields}))

    return step
