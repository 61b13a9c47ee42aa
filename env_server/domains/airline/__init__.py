"""Airline: a carrier whose customers book, change and cancel flights."""

from env_server.domains.airline import tools
from env_server.domains.airline.dialects import DIALECTS
from env_server.domains.airline.invariants import invariants
from env_server.domains.airline.owners import owner
from env_server.domains.airline.tables import TABLES
from env_server.domains.airline.tasks import TASKS, TOPICS
from env_server.domains.airline.world import world
from env_server.domains.kit import Domain

domain = Domain(
    name="airline",
    description="An airline: book trips, change or cancel reservations, compensate for cancelled and delayed flights.",
    tables=TABLES,
    tools_module=tools,
    world=world,
    tasks=TASKS,
    topics=TOPICS,
    dialects=DIALECTS,
    invariants=invariants,
    owner=owner,
)
