"""The owner of a row that an argument names: the user who placed an order."""

from env_server.domains.doordash.tables import ORDERS, USERS
from env_server.domains.kit import Db, Dialect


def owner(db: Db[Dialect], value: str) -> str | None:
    """Return the id of the user whom `value` names, by user id or order id. Return None for any other value."""
    if value in db[USERS]:
        return value
    order = db[ORDERS].get(value)
    return None if order is None else order["user_id"]
