"""The owner of a row that an argument names: the user of a reservation."""

from typing import Any

from env_server.domains.airline.tables import RESERVATIONS, USERS
from env_server.domains.kit import Db


def owner(db: Db[Any], value: str) -> str | None:
    """Return the id of the user to whom a reservation id or user id belongs. Return None for any other value."""
    reservation = db[RESERVATIONS].get(value)
    if reservation is not None:
        return reservation["user_id"]
    return value if value in db[USERS] else None
