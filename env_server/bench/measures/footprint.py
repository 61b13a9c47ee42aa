"""Memory of an episode's live objects, measured in this process. Unlike the process size, it excludes freed memory."""

import asyncio
import gc
import tracemalloc
from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path

from env_server.app import open_episodes
from env_server.bench.measures.scoring import played
from env_server.bench.plans import SessionPlan
from env_server.settings import Settings

_MOST = 500
"""Maximum number of episodes that are measured. Tracing makes their steps slow."""


def episode_bytes(domain: str, plans: Sequence[SessionPlan], folder: Path, episodes: int, scale: int = 1) -> float:
    """Return the bytes of Python objects per live episode that plays `plans`, in a world `scale` times its usual size.

    Tasks are shared by their episodes, so they are loaded before the measurement.
    """
    return asyncio.run(_counted(domain, plans, folder, min(episodes, _MOST), scale))


async def _counted(domain: str, plans: Sequence[SessionPlan], folder: Path, count: int, scale: int) -> float:
    # `.env` belongs to the operator's server, so this one does not read it.
    settings = Settings(_env_file=None, database_url=f"sqlite:///{folder / 'footprint.db'}", world_scale=scale)
    async with open_episodes(settings) as episodes:
        for plan in plans:
            await played(episodes, domain, plan)
        gc.collect()
        tracemalloc.start()
        try:
            for plan in islice(cycle(plans), count):
                await played(episodes, domain, plan)
            gc.collect()
            grown, _ = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    return grown / count
