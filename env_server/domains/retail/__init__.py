"""Retail: an online shop whose customers cancel, modify, return and exchange what they ordered."""

from env_server.domains.kit import Domain
from env_server.domains.retail import tools
from env_server.domains.retail.dialects import DIALECTS
from env_server.domains.retail.invariants import invariants
from env_server.domains.retail.owners import owner
from env_server.domains.retail.tables import TABLES
from env_server.domains.retail.tasks import TASKS, TOPICS
from env_server.domains.retail.world import world

domain = Domain(
    name="retail",
    description="An online shop: cancel or modify pending orders, return or exchange delivered ones, answer questions.",
    tables=TABLES,
    tools_module=tools,
    world=world,
    tasks=TASKS,
    topics=TOPICS,
    dialects=DIALECTS,
    invariants=invariants,
    owner=owner,
)
