"""The two rows of table `user`: the phone and the surroundings."""

from typing import Any, cast

from env_server.domains.kit import Db, ToolError
from env_server.domains.telecom.tables import NOBODY, USER, Phone, Surroundings
from env_server.state import thaw

DEVICE, SURROUNDINGS = "device", "surroundings"


def phone_of(db: Db[Any]) -> Phone:
    """The phone, to read; a ToolError where the user has none."""
    row = db[USER].get(DEVICE)
    if row is None:
        raise ToolError("the user has no phone")
    return cast(Phone, row)


def change_phone(db: Db[Any]) -> Phone:
    """A copy of the phone, free to change; `db[USER].put` stores it."""
    return thaw(phone_of(db))


def around_of(db: Db[Any]) -> Surroundings:
    """The surroundings, to read."""
    return cast(Surroundings, db[USER].get(SURROUNDINGS) or NOBODY)


def change_around(db: Db[Any]) -> Surroundings:
    """A copy of the surroundings, free to change; `db[USER].put` stores it."""
    return thaw(around_of(db))
