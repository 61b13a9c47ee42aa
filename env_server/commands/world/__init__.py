"""`env-server world show`: a company, a page or a channel of the offline world, for people to look at."""

from env_server.commands.world.show import run

__all__ = ["run"]
