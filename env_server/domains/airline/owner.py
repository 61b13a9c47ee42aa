"""Whose a row is."""

from typing import Any

from env_server.domains.airline.tables import RESERVATIONS, USERS
from env_server.domains.kit import Db


def owner(db: Db[Any], value: str) -> str | None:
    """The id of the user that a reservation id or a user id stands for; None for anything else."""
    reservation = db[RESERVATIONS].get(value)
    if reservation is not None:
        return reservation["user_id"]
    return value if value in db[USERS] else None
