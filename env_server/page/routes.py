"""The table of pages. A page's code is imported at its first request, so that the server starts at once."""

import asyncio
from collections.abc import Sequence
from importlib import import_module

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

EPISODE = "/page/episodes/{id}"

GET = {
    "/": "browse.home",
    "/page/domains/{domain}": "browse.domain",
    "/page/domains/{domain}/card": "browse.card",
    "/page/domains/{domain}/policy": "browse.policy",
    "/page/domains/{domain}/tasks/{task_id:path}": "browse.task",
    "/page/episodes": "watch.newest",
    "/page/compare": "watch.compare",
    "/page/runs": "runs.newest",
    "/page/runs/compare": "runs.compare",
    "/page/run": "runs.run",
    "/page/run/episodes": "runs.members",
    "/page/run/export": "runs.export",
    "/page/search": "runs.search",
    "/page/episodes/latest": "watch.latest",
    EPISODE: "watch.episode",
    f"{EPISODE}/news": "watch.news",
    f"{EPISODE}/live": "watch.live",
    f"{EPISODE}/code": "watch.code",
    f"{EPISODE}/turns/{{turn}}": "watch.turn",
    f"{EPISODE}/world": "world.overview",
    f"{EPISODE}/world/market": "world.prices",
    f"{EPISODE}/world/web": "world.pages",
    f"{EPISODE}/world/slack": "world.talk",
    f"{EPISODE}/world/python": "world.code",
    f"{EPISODE}/world/python/files": "world.files",
}
POST = {
    "/page/episodes": "actions.begin",
    f"{EPISODE}/say": "actions.say",
    f"{EPISODE}/call": "actions.call",
    f"{EPISODE}/answer": "actions.answer",
    f"{EPISODE}/fork": "actions.fork",
    f"{EPISODE}/close": "actions.close",
    "/page/sign-out": "browse.sign_out",
}
SIGN_IN = {"GET": "browse.sign_in_form", "POST": "browse.sign_in"}
"""The pages that everybody may see."""


class LatePage:
    """An endpoint behind the guard, imported at its first request."""

    def __init__(self, name: str, *, is_open: bool = False) -> None:
        """Take the `module.function` in this folder. An `is_open` page asks for no session."""
        self.module, self.function = name.split(".")
        self.is_open = is_open

    async def __call__(self, request: Request) -> Response:
        """Answer the request."""
        guard = await asyncio.to_thread(import_module, "env_server.page.guard")
        module = await asyncio.to_thread(import_module, f"env_server.page.{self.module}")
        page = guard.guarded(getattr(module, self.function), is_open=self.is_open)
        response: Response = await page(request)
        return response


def routes() -> Sequence[BaseRoute]:
    """Return the routes of all pages and of their files."""
    return [
        Mount("/page/static", StaticFiles(packages=[("env_server.page", "static")])),
        *(_route("/page/sign-in", LatePage(name, is_open=True), method) for method, name in SIGN_IN.items()),
        *(_route(path, LatePage(name), "POST") for path, name in POST.items()),
        *(_route(path, LatePage(name), "GET") for path, name in GET.items()),
        *(_route("/page" + rest, LatePage("browse.missing"), "GET", "POST") for rest in ("", "/{path:path}")),
    ]


def _route(path: str, page: LatePage, *methods: str) -> Route:
    async def endpoint(request: Request) -> Response:
        return await page(request)

    return Route(path, endpoint, methods=list(methods))
