"""The owner of a row that an argument names."""

from typing import Any

from env_server.domains.kit import Db
from env_server.domains.retail.tables import ORDERS, USERS


def owner(db: Db[Any], name: str) -> str | None:
    """Return the id of the customer who owns the order `name` or whose id is `name`. Return None
    for any other value.
    """
    if name in db[USERS]:
        return name
    order = db[ORDERS].get(name)
    return order["user_id"] if order is not None else None
