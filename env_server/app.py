"""The application: settings, store, packs and endpoints put together."""

import asyncio
import gc
import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress

from fastapi import FastAPI, Request, Response
from fastapi.telemetry import TelemetryConfig

from env_server.api import document, domains, episodes, gate, health, play, problems
from env_server.api.mcp.catalogue import catalogue_server
from env_server.api.mcp.endpoint import Endpoint, anybody, existing_episode, seat_of_request
from env_server.api.mcp.episode import episode_server
from env_server.api.mcp.paths import McpPaths
from env_server.api.openenv import routes as openenv
from env_server.domains.discovery import hosted
from env_server.episodes import Episodes
from env_server.episodes.address import CATALOGUE
from env_server.episodes.expiry import Housekeeper
from env_server.episodes.judging import StoredVerdicts
from env_server.episodes.library import Library
from env_server.episodes.service import Limits
from env_server.errors import ProblemError
from env_server.models import Models
from env_server.records import StorageUnavailable, Store
from env_server.rewards.judge import Judge
from env_server.settings import Settings
from env_server.tools import cutting_off
from env_server.users import Users
from schemas import ErrorCode

TELEMETRY: TelemetryConfig = {"tracing": False, "metrics": False, "logs": False}
"""FastAPI's own OpenTelemetry hooks look at the environment in every request; `env_server.telemetry` does without."""


@asynccontextmanager
async def open_episodes(settings: Settings) -> AsyncIterator[Episodes]:
    """The episodes of the configured database, open for as long as the context lasts.

    Raises:
        StorageUnavailable: if the database cannot be reached.
    """
    store = Store.open(settings.database_url, settings.sqlite_synchronous)
    try:
        secret = await _secret(store, settings)
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
        found = hosted(settings.hosted(), settings.tau_directories(), settings.world_scale)
        episodes = Episodes(store, Library(store, found), secret, limits, users, judge)
        try:
            with cutting_off(settings.tool_timeout_s):
                yield episodes
        finally:
            await episodes.stop()
            await users.close()
            if judge is not None:
                await judge.close()
    finally:
        await store.close()


def create_app(settings: Settings | None = None) -> FastAPI:
    """The ASGI application. Nothing is opened before it starts."""
    settings = settings or Settings()
    play_server = episode_server(seat_of_request, settings.respond_wait_s)
    playing = Endpoint(play_server, existing_episode, streams=settings.mcp_streams)
    catalogue = Endpoint(catalogue_server(), anybody, streams=settings.mcp_streams)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[Mapping[str, object]]:
        async with open_episodes(settings) as opened:
            app.state.episodes = opened
            app.state.tokens = opened.tokens
            app.state.public_url = settings.public_url and settings.public_url.rstrip("/")
            if settings.preload:
                await _warm(opened)
            keeper = Housekeeper(opened, settings.expire_after_s, settings.evict_after_s)
            task = asyncio.create_task(keeper.run())
            try:
                async with playing.run(), catalogue.run():
                    yield {}
            finally:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task

    app = FastAPI(
        title="agent-env-server",
        version=document.VERSION,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        telemetry=TELEMETRY,
    )
    for router in (play.router, episodes.router, domains.router, health.router, openenv.router, document.router):
        app.router.routes.extend(router.routes)  # flat: an included router would match every request twice
    problems.install(app)
    document.install(app)

    @app.exception_handler(StorageUnavailable)
    async def on_outage(request: Request, error: StorageUnavailable) -> Response:
        problem = ProblemError(ErrorCode.STORAGE_UNAVAILABLE, str(error))
        return problems.problem_response(problem, request.state.request_id)

    app.state.mcp = {CATALOGUE: catalogue}
    app.add_middleware(McpPaths, exact=app.state.mcp, episode=playing)
    app.add_middleware(gate.Gate, settings=settings)
    return app


async def _secret(store: Store, settings: Settings) -> str:
    if settings.token_secret is not None:
        return settings.token_secret.get_secret_value()
    return await store.secret("agent_token", lambda: secrets.token_urlsafe(32))


async def _warm(opened: Episodes) -> None:
    """Load the builtin packs, so that the first reset need not."""
    gc.disable()  # hardly anything of what is made here is garbage, and every collection would look at all of it
    try:
        for domain in opened.library.sources:
            await opened.library.current(domain, "builtin")
    finally:
        gc.enable()
    gc.collect()
    gc.freeze()  # base rows live as long as the process: no collection need look at them again
    gc.set_threshold(50_000, 50, 100)
