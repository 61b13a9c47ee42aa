"""Whose a row is that an argument names."""

from typing import Any

from env_server.domains.kit import Db
from env_server.domains.retail.tables import ORDERS, USERS


def owner(db: Db[Any], name: str) -> str | None:
    """The id of the customer to whom an order belongs, or whose id `name` is; None for anything else."""
    if name in db[USERS]:
        return name
    order = db[ORDERS].get(name)
    return order["user_id"] if order is not None else None
