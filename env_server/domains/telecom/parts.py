"""The two rows of table `user`: the phone and the surroundings."""

from typing import Any, cast

from env_server.domains.kit import Db, ToolError, thaw
from env_server.domains.telecom.tables import NOBODY, USER, Phone, Surroundings

DEVICE, SURROUNDINGS = "device", "surroundings"


def phone_of(db: Db[Any]) -> Phone:
    """Return the phone, read-only. Raise a ToolError if the user has none."""
    row = db[USER].get(DEVICE)
    if row is None:
        raise ToolError("the user has no phone")
    return cast(Phone, row)


def change_phone(db: Db[Any]) -> Phone:
    """Return a mutable copy of the phone. `db[USER].put` stores it."""
    return thaw(phone_of(db))


def around_of(db: Db[Any]) -> Surroundings:
    """Return the surroundings, read-only."""
    return cast(Surroundings, db[USER].get(SURROUNDINGS) or NOBODY)


def change_around(db: Db[Any]) -> Surroundings:
    """Return a mutable copy of the surroundings. `db[USER].put` stores it."""
    return thaw(around_of(db))
