"""The application: it puts settings, store, packs and endpoints together.

The application is ready as soon as its database is open. It then loads the code that plays episodes, the domains and
MCP in the background. A request that needs one of them earlier waits for it.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from fastapi import FastAPI, Request, Response
from fastapi.telemetry import TelemetryConfig
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from env_server.api import domains, episodes, gate, health, problems, turns
from env_server.api import openapi as document
from env_server.api.admission import Admission
from env_server.api.context import AppState
from env_server.api.mcp.paths import McpPaths
from env_server.api.openenv import routes as openenv
from env_server.api.pages import DOCUMENT, is_page
from env_server.background_loading import is_plain, load
from env_server.episodes.codec.tokens import Tokens
from env_server.episodes.outages import outage
from env_server.episodes.quotas import rules_of
from env_server.gc_tuning import uncollected
from env_server.lazy import LazyContext
from env_server.page import routes as pages
from env_server.page.session import Sessions
from env_server.records import StorageUnavailable, Store
from env_server.settings import Settings
from env_server.telemetry import traces

if TYPE_CHECKING:
    from env_server.api.mcp.endpoints import Both
    from env_server.episodes import Episodes
    from env_server.page.demonstrations import Demonstrations

TELEMETRY: TelemetryConfig = {"tracing": False, "metrics": False, "logs": False}
"""Settings without FastAPI's OpenTelemetry hooks, which read the environment in every request.

`env_server.telemetry` does not need them.
"""


class _Application(FastAPI):
    """FastAPI's application with fewer layers around the gate.

    Those that are left out count requests for telemetry, which is off, and limit bodies, which the gate does. Together
    they would take a hundredth of a step.
    """

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request as FastAPI does."""
        if scope["type"] == "lifespan" or self.middleware_stack is None:
            await super().__call__(scope, receive, send)
            return
        scope["app"] = self
        await self.middleware_stack(scope, receive, send)

    def build_middleware_stack(self) -> ASGIApp:
        """Return the handler of unexpected errors, with the gate directly in it."""
        errors: Any = super().build_middleware_stack()
        while not isinstance(errors.app, gate.Gate):
            errors.app = errors.app.app
        return cast(ASGIApp, errors)


@asynccontextmanager
async def open_episodes(settings: Settings) -> "AsyncIterator[Episodes]":
    """Open the episodes of the configured database for the duration of the context.

    Raises:
        StorageUnavailable: if the database cannot be reached.
    """
    async with _stored(settings) as (store, secret), _playing(store, secret, settings) as opened:
        yield opened


def create_app(settings: Settings | None = None) -> FastAPI:
    """Return the ASGI application. It opens nothing before it starts.

    Raises:
        ValueError: if the settings need keys for callers, and have none.
    """
    settings = settings or Settings()
    if settings.needs_keys:
        raise ValueError("ENV_SERVER_MCP_CONFIG needs keys for callers: set ENV_SERVER_API_KEYS=name:key")

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[Mapping[str, object]]:
        settings.judge_models()  # these raise at startup if these settings are wrong
        settings.user_models()
        rules_of(settings.quotas)
        async with AsyncExitStack() as open_now:
            open_now.enter_context(traces.sent_to(settings.traces_url))
            store, secret = await open_now.enter_async_context(_stored(settings))
            app.state.store = store
            app.state.tokens = Tokens(secret, settings.token_lifetime_s)
            app.state.page_sessions = Sessions(secret, settings.keys())
            app.state.public_url = settings.public_url and settings.public_url.rstrip("/")
            opened = app.state.episodes = LazyContext(lambda: _playing(store, secret, settings))
            mcp = app.state.mcp = LazyContext(lambda: _mcp(settings))
            demonstrations = app.state.demonstrations = LazyContext(_demonstrations)
            if not is_plain(settings):
                await opened.get()
            async with AsyncExitStack() as closing:  # each step runs even if an earlier one fails
                closing.push_async_callback(opened.close)
                closing.push_async_callback(mcp.close)
                closing.push_async_callback(demonstrations.close)
                closing.push_async_callback(_cancelled, asyncio.create_task(load(opened, mcp, settings)))
                yield {}

    app = _Application(
        title="agent-env-server",
        version=document.VERSION,
        lifespan=lifespan,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        telemetry=TELEMETRY,
    )
    app.state = AppState()
    app.state.max_body_bytes = settings.max_body_bytes
    app.state.admission = Admission(settings.max_lag_s, settings.reset_wait_s)
    for router in (turns.router, episodes.router, domains.router, health.router, openenv.router, document.router):
        app.router.routes.extend(router.routes)  # flat, because an included router would match every request twice
    app.router.routes.extend(pages.routes())
    app.router.routes.append(Route("/docs", _page_of_the_document, methods=["GET"]))
    app.router.routes.append(Route(DOCUMENT, _document, methods=["GET"]))
    problems.install(app)
    document.install(app, keys=bool(settings.keys()))

    @app.exception_handler(StorageUnavailable)
    async def on_outage(request: Request, error: StorageUnavailable) -> Response:
        return problems.problem_response(outage(error), request.state.request_id)

    app.add_middleware(McpPaths)
    app.add_middleware(turns.Direct)
    app.add_middleware(gate.Gate, settings=settings)
    return app


async def _page_of_the_document(request: Request) -> Response:
    """Return the page of the OpenAPI document. If there are keys, a person has to sign in first, as for every page."""
    guard = await asyncio.to_thread(import_module, "env_server.page.guard")
    found: Response = await guard.guarded(document.docs)(request)
    return found


async def _document(request: Request) -> Response:
    """Return the OpenAPI document: to a program with its key, or to that page."""
    if not is_page(request.scope):
        return await document.openapi(request)
    guard = await asyncio.to_thread(import_module, "env_server.page.guard")
    found: Response = await guard.guarded(document.openapi)(request)
    return found


async def _cancelled(task: "asyncio.Task[None]") -> None:
    """Cancel `task` and wait until it has ended."""
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


@asynccontextmanager
async def _stored(settings: Settings) -> AsyncIterator[tuple[Store, str]]:
    """Open the configured database. Yield it with the secret that signs agent tokens."""
    store = Store.open(
        settings.database_url, settings.sqlite_synchronous, settings.archive_dir, settings.statement_timeout_s
    )
    try:
        yield store, await _secret(store, settings)
    finally:
        await store.close()


async def _secret(store: Store, settings: Settings) -> str:
    if settings.token_secret is not None:
        return settings.token_secret.get_secret_value()
    return await store.secret("agent_token", lambda: secrets.token_urlsafe(32))


@asynccontextmanager
async def _playing(store: Store, secret: str, settings: Settings) -> "AsyncIterator[Episodes]":
    """Yield the episodes of an open database. Import the code that plays them first."""
    await asyncio.to_thread(_imported, "env_server.assembly")
    from env_server.assembly import playing  # noqa: PLC0415 - slow to import; done after the server is ready

    async with playing(store, secret, settings) as opened:
        yield opened


@asynccontextmanager
async def _mcp(settings: Settings) -> "AsyncIterator[Both]":
    """Yield the MCP endpoints. Import the MCP SDK first."""
    await asyncio.to_thread(_imported, "env_server.api.mcp.endpoints")
    from env_server.api.mcp.endpoints import both  # noqa: PLC0415 - slow to import; done after the server is ready

    async with both(settings.respond_wait_s, streams=settings.mcp_streams) as opened:
        yield opened


@asynccontextmanager
async def _demonstrations() -> "AsyncIterator[Demonstrations]":
    """Yield the demonstrations of the page. Import the policies first."""
    await asyncio.to_thread(_imported, "env_server.page.demonstrations")
    from env_server.page.demonstrations import demonstrating  # noqa: PLC0415 - slow to import; few servers need it

    async with demonstrating() as opened:
        yield opened


def _imported(module: str) -> None:
    with uncollected():
        import_module(module)
