"""Rows that differ from the base, so that a rule forbids or requires the caller's wish."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from env_server.domains.doordash import pricing
from env_server.domains.doordash.clock import NOW, later, minutes_between
from env_server.domains.doordash.scenarios.base import Case, Row
from env_server.domains.doordash.tables import Line, Promo, Restaurant
from env_server.domains.kit import Patch

TIMES = ("placed_at", "promised_at", "picked_up_at", "delivered_at")


def order(case: Case, **fields: Any) -> Patch:
    """Return the order with other `fields`."""
    return {"orders": {case.order_id: fields}}


def user(case: Case, **fields: Any) -> Patch:
    """Return the caller with other `fields`."""
    return {"users": {case.user_id: fields}}


def place(row: Row, **fields: Any) -> Patch:
    """Return a restaurant with other `fields`."""
    return {"restaurants": {row["restaurant_id"]: fields}}


def on_the_way(case: Case) -> dict[str, Any]:
    """Return the fields of an order that a courier picked up shortly before now."""
    rng = case.rng
    return {
        "status": "picked_up",
        "placed_at": later(NOW, -rng.randint(27, 48)),
        "picked_up_at": later(NOW, -rng.randint(4, 13)),
        "promised_at": later(NOW, rng.randint(3, 14)),
    }


def late_by(minutes: int) -> dict[str, Any]:
    """Return the fields of an order under way that is this many minutes late."""
    return {"placed_at": later(NOW, -minutes - 38), "promised_at": later(NOW, -minutes)}


def was_late_by(row: Row, minutes: int) -> dict[str, Any]:
    """Return the fields of a delivered order that came this many minutes after the promised time."""
    promised = later(row["delivered_at"], -minutes)
    return {"promised_at": promised, "placed_at": min(row["placed_at"], later(promised, -32))}


def days_ago(row: Row, days: int) -> dict[str, Any]:
    """Return the times of an order, all moved this many days earlier."""
    return {name: later(row[name], -days * 24 * 60) for name in TIMES if name in row}


def count(line: Row, quantity: int) -> dict[str, Any]:
    """Return a line with another quantity."""
    return dict(line) | {"quantity": quantity, "price": pricing.line_price(line["unit_price"], quantity)}


def billed(case: Case, changed: Sequence[Row]) -> dict[str, Any]:
    """Return the fields of the order with a new bill. These lines replace its lines of the same ids or are added."""
    row: Row = case.order
    lines: dict[str, Any] = {**row["lines"], **{line["line_id"]: dict(line) for line in changed}}
    restaurant = cast(Restaurant, case.place)
    promo = case.world.promos.get(row.get("promo_code", ""))
    bill = pricing.bill(
        cast("Sequence[Line]", list(lines.values())),
        restaurant,
        restaurant["miles"][row["address"]["zip"]],
        case.user["membership"],
        promo=cast("Promo | None", promo),
        tip=row["tip"],
    )
    return {"lines": {line["line_id"]: dict(line) for line in changed}, **bill}


def after(row: Row, fields: Mapping[str, Any]) -> Row:
    """Return the row after the change of `fields`. Lines are kept beside the changed ones."""
    lines = {**row["lines"], **fields.get("lines", {})}
    return {**row, **fields, "lines": lines}


def delivered_at(row: Row, moment: str) -> dict[str, Any]:
    """Return the times of a delivered order, all moved so that it came at `moment`."""
    minutes = minutes_between(row["delivered_at"], moment)
    return {name: later(row[name], minutes) for name in TIMES if name in row}
