"""Doordash: a food delivery service whose customers order, change, cancel and complain about deliveries."""

from env_server.domains.doordash import tools
from env_server.domains.doordash.dialects import DIALECTS
from env_server.domains.doordash.invariants import invariants
from env_server.domains.doordash.owners import owner
from env_server.domains.doordash.tables import TABLES
from env_server.domains.doordash.tasks import TASKS, TOPICS
from env_server.domains.doordash.world import world
from env_server.domains.kit import Domain

domain = Domain(
    name="doordash",
    description="Food delivery: find dishes, fill carts, place, change and cancel orders, refund what went wrong.",
    tables=TABLES,
    tools_module=tools,
    world=world,
    tasks=TASKS,
    topics=TOPICS,
    dialects=DIALECTS,
    invariants=invariants,
    owner=owner,
)
