"""A boat club: members reserve boats for Saturday."""

from env_server.domains.kit import Dialect, Domain

from . import tasks, tools, world

domain = Domain(
    name="boat_club",
    description="A boat club: members reserve boats for Saturday.",
    tables=(tools.MEMBERS, tools.BOATS),
    tools_module=tools,
    world=world.world,
    tasks=tasks.TASKS,
    dialects={"builtin": Dialect()},
)
