"""The OpenAPI document and its interactive page. The server ships the page's files, so no other host is needed."""

import asyncio
import threading
from collections.abc import Callable
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

import orjson
from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.openapi.utils import get_openapi
from pydantic.json_schema import models_json_schema
from starlette.responses import HTMLResponse
from starlette.staticfiles import StaticFiles

from agent_env_schemas import (
    BatchResetRequest,
    BatchStepRequest,
    CloseRequest,
    ErrorCode,
    ForkRequest,
    Problem,
    ResetRequest,
    StepRequest,
    UserRequest,
    Wire,
)
from env_server.api.pages import OPEN_PATHS, SECURITY
from env_server.errors import ProblemError

if TYPE_CHECKING:
    from env_server.episodes import Episodes

try:
    VERSION = version("agent-env-server")
except PackageNotFoundError:  # the code runs from a checkout that is not installed
    VERSION = "0+unknown"

BODIES: tuple[type[Wire], ...] = (
    ResetRequest,
    StepRequest,
    UserRequest,
    ForkRequest,
    CloseRequest,
    BatchResetRequest,
    BatchStepRequest,
    Problem,
)
"""Models that the document refers to and FastAPI does not see: bodies that endpoints parse themselves, and problems."""

SUMMARY = """Play episodes of tool-use domains by hand. {first}

1. *Begin an episode*: press **Execute**. The reply has the policy, the user's first words and the tools.
2. *Play a turn*: choose **Turn 1** among the examples and press **Execute**, then Turn 2, and so on. They play the
   episode that you began last (`latest`). The last reply has the reward with its reasons.

These examples play **{domain}**. Choose another domain: {others}.

The policies, as a person reads them: {policies}. The [pages](/) show domains, tasks, episodes and runs.
"""

TAGS = {
    "play": "Begin episodes and play the agent's side.",
    "episodes": "Look at episodes, play the user's side, fork and end them.",
    "domains": "The domains of this server, and their tasks.",
    "health": "Probes for orchestrators, and metrics for Prometheus.",
    "openenv": "For OpenEnv's clients, which play at `WS /ws`.",
}
"""The groups of operations."""

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>agent-env-server</title>
<link rel="stylesheet" href="/docs/static/swagger-ui.css">
<link rel="icon" href="/docs/static/favicon.png">
<script src="/docs/static/swagger-ui-bundle.js" defer></script>
<script src="/docs/start.js" defer></script>
</head>
<body><div id="swagger-ui"></div></body>
</html>
"""
SCRIPT = """SwaggerUIBundle({
  url: "/openapi.json" + location.search, dom_id: "#swagger-ui", deepLinking: true,
  defaultModelsExpandDepth: 0, tryItOutEnabled: true,
  presets: [SwaggerUIBundle.presets.apis], layout: "BaseLayout",
});
"""

router = APIRouter(include_in_schema=False)


async def docs(request: Request) -> Response:  # noqa: ARG001 - the signature of a page
    """Return the interactive page of the OpenAPI document."""
    return HTMLResponse(PAGE, headers=SECURITY)


@router.get("/docs/start.js")
async def start() -> Response:
    """Return the script that starts the page. It is a file, because the page allows no script in its text."""
    return Response(SCRIPT, media_type="text/javascript")


async def openapi(request: Request) -> Response:
    """Return the OpenAPI document, with examples of the domain that the query names.

    The first request makes it, in a thread, because that takes seconds.
    """
    encoded: Callable[[str | None], bytes] = request.app.state.openapi
    domain = request.query_params.get("domain")
    return Response(await asyncio.to_thread(encoded, domain), media_type="application/json")


def install(app: FastAPI, *, keys: bool) -> None:
    """Add the OpenAPI document and the files of its page to `app`. `keys` says whether callers need a key."""
    app.mount("/docs/static", StaticFiles(packages=[("fastapi_offline", "static")]))
    making = threading.Lock()

    def document(domain: str | None = None) -> dict[str, Any]:
        sources = app.state.episodes.value.library.sources
        chosen = next(iter(sources)) if domain is None else domain
        if chosen not in sources:
            raise ProblemError(ErrorCode.NOT_FOUND, f"no domain {chosen!r}")
        with making:  # concurrent first requests make it once
            return made(chosen)

    @cache
    def encoded(domain: str | None) -> bytes:
        return orjson.dumps(document(domain))

    @cache
    def made(domain: str) -> dict[str, Any]:
        from env_server.api.examples import examples  # noqa: PLC0415 - plays episodes, which a server does later

        episodes: Episodes = app.state.episodes.value
        found = get_openapi(
            title=app.title,
            version=app.version,
            description=_summary(domain, list(episodes.library.sources), keys=keys),
            routes=app.routes,
            tags=[{"name": name, "description": text} for name, text in TAGS.items()],
        )
        schemas = found["components"]["schemas"]
        _, bodies = models_json_schema(
            [(model, "validation") for model in BODIES], ref_template="#/components/schemas/{model}"
        )
        for name, schema in bodies["$defs"].items():
            schemas.setdefault(name, schema)
        for path, shown in examples(episodes, domain).items():
            found["paths"][path]["post"]["requestBody"]["content"]["application/json"]["examples"] = shown
        _name_what_there_is(found, episodes, domain)
        if keys:
            _lock(found)
        return found

    app.state.openapi = encoded
    app.openapi = document  # type: ignore[method-assign]  # FastAPI documents this way of replacing it


def _summary(domain: str, domains: list[str], *, keys: bool) -> str:
    """Return the text at the top of the page."""
    others = ", ".join(f"[{name}](/docs?domain={name})" for name in domains if name != domain)
    policies = ", ".join(f"[{name}](/page/domains/{name}/policy)" for name in domains)
    first = "Press **Authorize** first, and enter your key." if keys else ""
    return SUMMARY.format(first=first, domain=domain, others=others or "there is none", policies=policies)


def _lock(document: dict[str, Any]) -> None:
    """Say in the document that every operation but those of `OPEN_PATHS` needs a key."""
    document["components"]["securitySchemes"] = {"key": {"type": "http", "scheme": "bearer"}}
    document["security"] = [{"key": []}]
    for path in OPEN_PATHS & document["paths"].keys():
        for operation in document["paths"][path].values():
            operation["security"] = []


def _name_what_there_is(document: dict[str, Any], episodes: "Episodes", domain: str) -> None:
    """Put the discovered domains and the id of an existing task of `domain` into the document."""
    domains = list(episodes.library.sources)
    document["components"]["schemas"]["ResetRequest"]["properties"]["domain"]["enum"] = domains
    task = episodes.library.sources[domain]["builtin"].task_at("test", 0)
    for path in document["paths"].values():
        for operation in path.values():
            for parameter in operation.get("parameters", ()):
                if parameter["name"] == "domain" and parameter["in"] == "path":
                    parameter["schema"]["enum"] = domains
                    parameter["example"] = domain
                if parameter["name"] == "task_id":
                    parameter["example"] = task.task_id
