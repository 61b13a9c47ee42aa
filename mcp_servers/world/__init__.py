"""One offline world, generated from a seed: a market, companies, news, web pages and a Slack workspace."""

from functools import lru_cache

from mcp_servers.world.calendar import NOW
from mcp_servers.world.generate import generate
from mcp_servers.world.store import Base, Memory

__all__ = ["NOW", "base", "world"]


@lru_cache(maxsize=2)
def base(seed: int = 0) -> Base:
    """The world of `seed`, which nobody changes: the same bytes in every process. Takes a second or two, once."""
    return Base(generate(seed))


def world(seed: int = 0) -> Memory:
    """A store of its own over the world of `seed`; what is written to it changes no other."""
    return Memory(base(seed))
