"""Changes to a user's saved addresses: add, remove, and choose the default one."""

from collections.abc import Mapping
from typing import cast

from env_server.domains.doordash import ids
from env_server.domains.doordash.checks import address_of
from env_server.domains.doordash.tables import Address, Label, User
from env_server.domains.kit import ToolError

MOST_ADDRESSES = 20
"""The maximum number of addresses of a user."""


def add(user: User, label: Label, parts: Mapping[str, str]) -> None:
    """Give `user` (a mutable copy) an address of `parts` (the fields after its label).

    Repeated white space becomes one space. The id follows from the user and the parts.

    Raises:
        ToolError: if the user has the address already, or has `MOST_ADDRESSES` addresses.
    """
    known = cast("Mapping[str, Mapping[str, str]]", user["addresses"])
    parts = {name: " ".join(part.split()) for name, part in parts.items()}
    for address_id, address in known.items():
        if all(address[name] == part for name, part in parts.items()):
            raise ToolError(f"user {user['user_id']!r} has that address already: {address_id!r}")
    if len(known) >= MOST_ADDRESSES:
        raise ToolError(
            f"user {user['user_id']!r} has {len(known)} addresses already, the most allowed; remove one first"
        )
    new = ids.address_id(user["user_id"], parts, lambda found: found in known)
    user["addresses"][new] = cast("Address", {"address_id": new, "label": label, **parts})


def remove(user: User, address_id: str) -> None:
    """Take an address from `user` (a mutable copy).

    Raises:
        ToolError: if the user has no such address, or it is the default one.
    """
    address_of(user, address_id)
    if user["default_address_id"] == address_id:
        raise ToolError(f"{address_id!r} is the default address; make another one the default first")
    del user["addresses"][address_id]


def make_default(user: User, address_id: str) -> None:
    """Make an address of `user` (a mutable copy) the default one.

    Raises:
        ToolError: if the user has no such address, or it is the default one already.
    """
    address_of(user, address_id)
    if user["default_address_id"] == address_id:
        raise ToolError(f"{address_id!r} is the default address already")
    user["default_address_id"] = address_id
