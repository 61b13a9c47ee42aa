"""Whose a row is."""

from env_server.domains.doordash.tables import ORDERS, USERS
from env_server.domains.kit import Db, Dialect


def owner(db: Db[Dialect], value: str) -> str | None:
    """The id of the user whom `value` names, by their own id or by an order of theirs; None where it names neither."""
    if value in db[USERS]:
        return value
    order = db[ORDERS].get(value)
    return None if order is None else order["user_id"]
