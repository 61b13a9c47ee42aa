"""One offline world, generated from a seed: a market, companies, news, web pages and a Slack workspace."""

from functools import lru_cache

from mcp_servers.world.calendar import NOW
from mcp_servers.world.store import Base, MemoryStore

__all__ = ["NOW", "base", "world"]


@lru_cache(maxsize=2)
def base(seed: int = 0) -> Base:
    """Return the shared, immutable world of `seed`. It has the same bytes in every process.

    The first call takes one or two seconds.
    """
    # A process that reads stored rows needs no generator, which takes long to import.
    from mcp_servers.world.generate import generate  # noqa: PLC0415

    return Base(generate(seed))


def world(seed: int = 0) -> MemoryStore:
    """Return a separate store over the world of `seed`. Writes to it change no other store."""
    return MemoryStore(base(seed))
