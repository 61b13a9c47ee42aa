"""`env-server world show`: print a company, a page or a channel of the offline world."""

from env_server.commands.world.show import run

__all__ = ["run"]
