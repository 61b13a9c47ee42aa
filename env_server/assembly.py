"""Assembly of the episodes of an open database, with users, judge and packs. Its import takes as long as FastAPI's."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from env_server.domains.discovery import hosted
from env_server.episodes.packs.library import Library
from env_server.episodes.score.verdicts import StoredVerdicts
from env_server.episodes.service import Episodes, Limits
from env_server.models import Models
from env_server.records import Store
from env_server.rewards.judge import Judge
from env_server.settings import Settings
from env_server.tools import cutting_off
from env_server.users import Users


@asynccontextmanager
async def playing(store: Store, secret: str, settings: Settings) -> AsyncIterator[Episodes]:
    """Open the episodes of `store` for the duration of the context. Agent tokens are signed with `secret`.

    Raises:
        DomainError: if a named domain does not exist, or a domain of another package cannot be used.
        PackError: if a directory of public data does not exist, or has data for no domain.
    """
    limits = Limits(
        settings.step_timeout_s,
        settings.cache_bytes,
        settings.allow_drift,
        settings.token_lifetime_s,
        user_attempts=settings.user_attempts,
        judge_timeout_s=settings.judge_timeout_s,
    )
    users = Users(Models(settings.user_models(), store, store if settings.response_cache else None))
    judging = settings.judge_models()
    judge = Judge(Models(judging, store), StoredVerdicts(store)) if judging is not None else None
    found = await asyncio.to_thread(hosted, settings.hosted(), settings.tau_directories(), settings.world_scale)
    episodes = Episodes(store, Library(store, found), secret, limits, users, judge)
    try:
        with cutting_off(settings.tool_timeout_s):
            yield episodes
    finally:
        await episodes.stop()
        await users.close()
        if judge is not None:
            await judge.close()
