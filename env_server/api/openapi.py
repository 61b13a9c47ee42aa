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
    ForkRequest,
    Problem,
    ResetRequest,
    StepRequest,
    UserRequest,
    Wire,
)
from env_server.api.pages import SECURITY

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

SUMMARY = """Play episodes of tool-use domains.

`POST /reset` begins an episode, `POST /step` plays one message of the agent, and the last reply carries the reward with
its breakdown. Press *Try it out* and *Execute* on `/reset`, then on `/step`: the examples play the episode you just
began (`latest`).
"""

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
  url: "/openapi.json", dom_id: "#swagger-ui", deepLinking: true, defaultModelsExpandDepth: 0, tryItOutEnabled: true,
  presets: [SwaggerUIBundle.presets.apis], layout: "BaseLayout",
});
"""

router = APIRouter(include_in_schema=False)


@router.get("/docs")
async def docs() -> Response:
    """Return the interactive page of the OpenAPI document."""
    return HTMLResponse(PAGE, headers=SECURITY)


@router.get("/docs/start.js")
async def start() -> Response:
    """Return the script that starts the page. It is a file, because the page allows no script in its text."""
    return Response(SCRIPT, media_type="text/javascript")


@router.get("/openapi.json")
async def openapi(request: Request) -> Response:
    """Return the OpenAPI document. The first request makes it, in a thread, because that takes seconds."""
    encoded: Callable[[], bytes] = request.app.state.openapi
    return Response(await asyncio.to_thread(encoded), media_type="application/json")


def install(app: FastAPI) -> None:
    """Add the OpenAPI document and the files of its page to `app`."""
    app.mount("/docs/static", StaticFiles(packages=[("fastapi_offline", "static")]))
    making = threading.Lock()

    def document() -> dict[str, Any]:
        with making:  # concurrent first requests make it once
            return made()

    @cache
    def encoded() -> bytes:
        return orjson.dumps(document())

    @cache
    def made() -> dict[str, Any]:
        from env_server.api.examples import examples  # noqa: PLC0415 - plays episodes, which a server does later

        episodes: Episodes = app.state.episodes.value
        found = get_openapi(title=app.title, version=app.version, description=SUMMARY, routes=app.routes)
        schemas = found["components"]["schemas"]
        _, bodies = models_json_schema(
            [(model, "validation") for model in BODIES], ref_template="#/components/schemas/{model}"
        )
        for name, schema in bodies["$defs"].items():
            schemas.setdefault(name, schema)
        for path, shown in examples(episodes).items():
            found["paths"][path]["post"]["requestBody"]["content"]["application/json"]["examples"] = shown
        _name_what_there_is(found, episodes)
        found["components"]["securitySchemes"] = {"key": {"type": "http", "scheme": "bearer"}}
        found["security"] = [{}, {"key": []}]
        return found

    app.state.openapi = encoded
    app.openapi = document  # type: ignore[method-assign]  # FastAPI documents this way of replacing it


def _name_what_there_is(document: dict[str, Any], episodes: "Episodes") -> None:
    """Put the discovered domains and the id of an existing task into the document."""
    domains = list(episodes.library.sources)
    document["components"]["schemas"]["ResetRequest"]["properties"]["domain"]["enum"] = domains
    task = episodes.library.sources[domains[0]]["builtin"].task_at("test", 0)
    for path in document["paths"].values():
        for operation in path.values():
            for parameter in operation.get("parameters", ()):
                if parameter["name"] == "domain" and parameter["in"] == "path":
                    parameter["schema"]["enum"] = domains
                if parameter["name"] == "task_id":
                    parameter["example"] = task.task_id
