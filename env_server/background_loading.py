"""Background loading: after the server is ready, it loads the code that plays episodes, the domains and MCP."""

import asyncio
from collections.abc import Sequence
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

import structlog

from env_server.domains import GROUP
from env_server.errors import ProblemError
from env_server.gc_tuning import begin_collecting
from env_server.lazy import LazyContext
from env_server.settings import Settings

if TYPE_CHECKING:
    from env_server.api.mcp.endpoints import Both
    from env_server.episodes import Episodes

SETTLE_S = 0.2
"""Seconds between the start and the loading, so that callers that wait for the server learn first that it is ready."""

GIVE_WAY_S = 0.02
"""Seconds that loading pauses before each part, and while a request waits for a domain. It checks after each pause."""

RETRY_S = 1.0
"""Seconds before the second try to open the episodes."""

LONGEST_PAUSE_S = 60.0
"""The longest pause between two tries, in seconds."""

log = structlog.get_logger(__name__)


def is_plain(settings: Settings) -> bool:
    """Return whether the server hosts only this package's generated domains. Their settings cannot be wrong."""
    given = settings.hosted() or settings.tau_directories() or settings.mcp_config or settings.mcp_tasks
    return not (given or entry_points(group=GROUP))


async def load(opened: "LazyContext[Episodes]", mcp: "LazyContext[Both]", settings: Settings) -> None:
    """Load everything, then run the housekeeper until cancelled. Log each failure and continue with the rest."""
    await asyncio.sleep(SETTLE_S)
    episodes = await _opened(opened)
    from env_server.episodes.expiry import Housekeeper  # noqa: PLC0415 - it needs the code that plays episodes
    from env_server.reading.sentences.patterns import compile_all  # noqa: PLC0415 - it imports the scripted user, which a server loads later

    keeper = Housekeeper(episodes, settings.expire_after_s, settings.evict_after_s)
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(keeper.run())
        if settings.preload:
            await _load_domains(episodes, list(episodes.library.sources))
        await _give_way(episodes)
        await asyncio.to_thread(compile_all)
        await _give_way(episodes)
        await asyncio.to_thread(episodes.library.warm)
        await _give_way(episodes)
        try:
            await mcp.get()
        except Exception:
            log.exception("MCP cannot be served")
        begin_collecting()


async def _give_way(episodes: "Episodes") -> None:
    """Let requests that waited for the episodes go first. Then wait until no request loads a domain."""
    await asyncio.sleep(GIVE_WAY_S)
    while episodes.library.is_loading:
        await asyncio.sleep(GIVE_WAY_S)


async def _opened(context: "LazyContext[Episodes]") -> "Episodes":
    """Return the episodes. Log each failure to open them, and try again after a pause that doubles up to a minute."""
    pause = RETRY_S
    while True:
        try:
            return await context.get()
        except Exception:
            log.exception("episodes cannot be played", next_try_s=pause)
        await asyncio.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE_S)


async def _load_domains(episodes: "Episodes", names: Sequence[str]) -> None:
    """Load the builtin packs one after another, so that the first reset is fast. Loads for requests go first."""
    for name in names:
        await _give_way(episodes)
        try:
            await episodes.library.current(name, "builtin")
        except Exception as e:  # for example a database failure; the first reset tries again
            why = e.detail if isinstance(e, ProblemError) else f"{type(e).__name__}: {e}"
            log.error("a domain cannot be loaded", domain=name, error=why)
