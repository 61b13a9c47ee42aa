"""`env-server new domain`: write a package with a small domain that can be played at once."""

from env_server.commands.new.domain import run

__all__ = ["run"]
