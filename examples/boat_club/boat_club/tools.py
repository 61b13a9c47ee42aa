"""Tables and tools. A tool's schema comes from its signature and its docstring."""

from typing import Any

from typing_extensions import TypedDict

from env_server.domains.kit import READ, WRITE, Db, Index, Table, refuse, tool


class Member(TypedDict):
    """Somebody with a licence for some boats."""

    member_id: str
    name: str
    boat_names: list[str]


class Boat(TypedDict):
    """A boat, what is damaged on it, and the member who has it on Saturday."""

    boat_id: str
    boat_name: str
    in_repair: str | None
    saturday: str | None


MEMBERS = Table("members", Member, key="member_id", indexes=(Index("name", lambda row: (row["name"].lower(),)),))
BOATS = Table("boats", Boat, key="boat_id", indexes=(Index("name", lambda row: (row["boat_name"].lower(),)),))


@tool(kind=READ, identifies=True)
def find_member(db: Db[Any], full_name: str) -> Member:
    """Find a member and the names of the boats for which they have a licence.

    Args:
        full_name: First and last name.
    """
    found = db[MEMBERS].find("name", full_name.lower())
    return found[0] if found else refuse("no member is called {name!r}", name=full_name)


@tool(kind=READ)
def find_boat(db: Db[Any], boat_name: str) -> Boat:
    """Find a boat, what is damaged on it, and who has it on Saturday.

    Args:
        boat_name: The boat's name, such as 'Grey Heron'.
    """
    found = db[BOATS].find("name", boat_name.lower())
    return found[0] if found else refuse("no boat is called {name!r}", name=boat_name)


@tool(kind=WRITE)
def reserve_boat(db: Db[Any], boat_id: str, member_id: str) -> Boat:
    """Reserve a boat for a member on Saturday.

    Args:
        boat_id: The boat, such as 'B1'.
        member_id: The member, such as 'M1'.
    """
    boat = db[BOATS].get(boat_id) or refuse("there is no boat {boat_id!r}", boat_id=boat_id)
    member = db[MEMBERS].get(member_id) or refuse("there is no member {member_id!r}", member_id=member_id)
    if boat["in_repair"] or boat["saturday"] or boat["boat_name"] not in member["boat_names"]:
        refuse("boat {boat_id!r} cannot be reserved for {member_id!r}", boat_id=boat_id, member_id=member_id)
    reserved = db[BOATS].edit(boat_id)
    reserved["saturday"] = member_id
    return db[BOATS].put(reserved)
