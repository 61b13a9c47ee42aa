"""Lending: a village library, the smallest whole domain; a test installs it beside the server's own."""

from env_server.domains.kit import Dialect, Domain

from . import tools
from .tables import TABLES
from .tasks import TASKS
from .world import world

domain = Domain(
    name="lending",
    description="A village library: members borrow books and bring them back.",
    tables=TABLES,
    tools_module=tools,
    world=world,
    tasks=TASKS,
    dialects={"builtin": Dialect()},
)
