"""The builtin base: a seeded airline with customers, flights and reservations. The same rows in every process."""

from random import Random
from typing import Any

from env_server.domains.airline.network import flights
from env_server.domains.airline.people import users
from env_server.domains.airline.trips import reservations

SEED = 20240515
USERS = 500
RESERVATIONS = 2000


def world(*, scale: int = 1) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of `users`, `flights` and `reservations`. `scale` multiplies the number of customers and
    reservations.

    Every reservation's flights exist on their days and connect, payments come to what it costs and were made with
    methods of the user, and each user lists exactly their own reservations.
    """
    rng = Random(SEED)
    timetable = flights(rng)
    customers = users(rng, USERS * scale)
    booked = list(reservations(rng, customers, timetable, RESERVATIONS * scale))
    return {"users": customers, "flights": timetable, "reservations": booked}
