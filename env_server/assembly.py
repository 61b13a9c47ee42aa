"""Assembly of the episodes of an open database, with users, judge and packs. Its import takes as long as FastAPI's."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from env_server.domains.discovery import domains, hosted
from env_server.domains.packs import Packs
from env_server.episodes.packs.library import Library
from env_server.episodes.packs.outside import recorded_listings
from env_server.episodes.quotas import Quotas, rules_of
from env_server.episodes.score.stored_verdicts import StoredVerdicts
from env_server.episodes.service import Episodes, Limits
from env_server.errors import DomainError
from env_server.file_cache import kept
from env_server.lazy import LazyMapping
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
    quotas = Quotas(rules_of(settings.quotas), store)
    users = Users(Models(settings.user_models(), quotas, store if settings.response_cache else None))
    judging = settings.judge_models()
    judge = Judge(Models(judging, quotas), StoredVerdicts(store)) if judging is not None else None
    found: Mapping[str, Packs] = {}
    others = settings.hosted_beside_own()
    if others is not None:
        found = await asyncio.to_thread(
            hosted, others, settings.tau_directories(), settings.world_scale, kept(settings)
        )
    async with operators_domain(settings, store) as own:
        # The operator's domain is loaded last: its servers may take long to start.
        sources = LazyMapping({name: partial(_of, packs, name) for packs in (found, own) for name in packs})
        episodes = Episodes(store, Library(store, sources), secret, limits, users, judge, quotas)
        try:
            with cutting_off(settings.tool_timeout_s):
                yield episodes
        finally:
            await episodes.stop()
            await users.close()
            if judge is not None:
                await judge.close()


def _of(packs: Mapping[str, Packs], name: str) -> Packs:
    return packs[name]


@asynccontextmanager
async def operators_domain(settings: Settings, store: Store) -> AsyncIterator[Mapping[str, Packs]]:
    """Start the operator's MCP servers, if there are any, and return the domain that they make with their tasks.

    Raises:
        DomainError: if a file is wrong, or the domain's name is taken.
    """
    files = _operators_files(settings)
    if files is None:
        yield {}
        return
    # Most servers have no configuration, and the MCP SDK takes long to import.
    from env_server.configured_domain import configured_packs  # noqa: PLC0415

    async with configured_packs(settings.mcp_domain, *files, recorded_listings(store)) as packs:
        yield {settings.mcp_domain: packs}


def check_operators_domain(settings: Settings) -> None:
    """Read the files of the operator's domain, if there are any. No server is started.

    Raises:
        DomainError: if a file is wrong, or the domain's name is taken.
    """
    files = _operators_files(settings)
    if files is not None:
        from env_server.configured_domain import read_files  # noqa: PLC0415 - as above

        read_files(settings.mcp_domain, *files)


def _operators_files(settings: Settings) -> tuple[Path, Path, Path | None] | None:
    """Return configuration, tasks and policy of the operator's domain; None if there is no such domain."""
    if settings.mcp_config is None:
        if settings.mcp_tasks is not None:
            raise DomainError("ENV_SERVER_MCP_TASKS needs servers: set ENV_SERVER_MCP_CONFIG")
        return None
    if settings.mcp_tasks is None:
        raise DomainError("ENV_SERVER_MCP_CONFIG needs tasks: set ENV_SERVER_MCP_TASKS")
    if settings.mcp_domain in domains():
        raise DomainError(f"ENV_SERVER_MCP_DOMAIN: there is a domain {settings.mcp_domain!r} already")
    return settings.mcp_config, settings.mcp_tasks, settings.mcp_policy
