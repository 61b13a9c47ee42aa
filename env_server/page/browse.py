"""Pages to look around: domains, tasks, one task, a policy, and signing in."""

from collections.abc import Mapping
from time import time
from urllib.parse import urlencode

from pydantic import TypeAdapter, ValidationError
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from agent_env_schemas import Difficulty, ErrorCode
from env_server.api.context import episodes
from env_server.episodes.packs.task_filter import TaskFilter
from env_server.errors import ProblemError
from env_server.page.demonstrations import POLICIES
from env_server.page.guard import SESSION, fields, keep, sessions
from env_server.page.render import html

PER_PAGE = 50
NEWEST = 8
"""The number of the newest episodes on the first page."""

_DIFFICULTY: TypeAdapter[Difficulty] = TypeAdapter(Difficulty)


async def home(request: Request) -> Response:
    """Show the domains and the newest episodes."""
    found = episodes(request)
    return html(request, "home.html", domains=list(found.library.sources), newest=found.reader.newest(NEWEST))


async def card(request: Request) -> Response:
    """Return the description of a domain for the first page, which does not wait until all domains are loaded."""
    return html(request, "card.html", domain=await episodes(request).catalogue.domain(request.path_params["domain"]))


async def domain(request: Request) -> Response:
    """Show a page of the tasks of a domain, filtered by split, template and difficulty."""
    name, asked = request.path_params["domain"], request.query_params
    catalogue = episodes(request).catalogue
    known = await catalogue.domain(name)
    pack = next((each for each in known["packs"] if each["name"] == asked.get("pack", "builtin")), known["packs"][0])
    if pack.get("error"):
        return html(request, "domain.html", domain=known, pack=pack, tasks=None)
    offset = _number(asked.get("offset", "0"))
    split = asked.get("split") or ("test" if "test" in pack["splits"] else next(iter(pack["splits"])))
    wanted = TaskFilter(split, _difficulty(asked.get("difficulty")), "id", asked.get("template") or None)
    page = await catalogue.tasks(name, pack["name"], wanted, offset, PER_PAGE)
    overview = await catalogue.overview(name, pack["name"])
    kept = {"pack": pack["name"], "split": split, "difficulty": wanted.difficulty, "template": wanted.template}
    link = {key: value for key, value in kept.items() if value}
    return html(
        request,
        "domain.html",
        domain=known,
        pack=pack,
        tasks=page["tasks"],
        total=page["total"],
        wanted=wanted,
        levels=overview["levels"].get(split, {}),
        templates=overview["templates"].get(split, {}),
        offset=offset,
        last=min(offset + PER_PAGE, page["total"]),
        earlier=_link(link, offset - PER_PAGE) if offset else None,
        later=_link(link, offset + PER_PAGE) if offset + PER_PAGE < page["total"] else None,
    )


async def policy(request: Request) -> Response:
    """Show what the agents of a domain must obey."""
    name, pack = request.path_params["domain"], request.query_params.get("pack", "builtin")
    overview = await episodes(request).catalogue.overview(name, pack)
    return html(request, "policy.html", domain=name, pack=pack, policy=overview["policy"])


async def task(request: Request) -> Response:
    """Show one task, and a form that begins an episode of it. The solution comes only on request."""
    name, pack = request.path_params["domain"], request.query_params.get("pack", "builtin")
    solved = request.query_params.get("solution") == "1"
    shown = await episodes(request).catalogue.task(name, pack, request.path_params["task_id"], gold=solved)
    return html(request, "task.html", task=shown, solved=solved, policies=POLICIES)


async def sign_in_form(request: Request) -> Response:
    """Show the form to sign in."""
    return html(request, "sign_in.html", next=_local(request.query_params.get("next", "/")), wrong=False)


async def sign_in(request: Request) -> Response:
    """Begin a session of the owner of a key."""
    given = fields(request)
    session, after = sessions(request).sign_in(given.get("key", ""), time()), _local(given.get("next", "/"))
    if session is None:
        return html(request, "sign_in.html", 401, next=after, wrong=True)
    response = RedirectResponse(after, 303)
    keep(response, request, SESSION, session)
    return response


async def sign_out(_request: Request) -> Response:
    """End the session."""
    response = RedirectResponse("/page/sign-in", 303)
    response.delete_cookie(SESSION, httponly=True, samesite="strict")
    return response


async def missing(request: Request) -> Response:
    """Say that there is no such page."""
    raise ProblemError(ErrorCode.NOT_FOUND, f"no page {request.url.path}")


def _local(path: str) -> str:
    """Return `path` if it is a page of this server, else the first page."""
    good = path == "/" or path.startswith("/page/")
    return path if good and "\\" not in path and path.isprintable() else "/"


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise ProblemError(ErrorCode.INVALID_REQUEST, f"{text!r} is no number")
    return int(text)


def _difficulty(text: str | None) -> Difficulty | None:
    try:
        return _DIFFICULTY.validate_python(text) if text else None
    except ValidationError as e:
        raise ProblemError(ErrorCode.INVALID_REQUEST, "a difficulty is a level from 1 to 5, or a range") from e


def _link(kept: Mapping[str, object], offset: int) -> str:
    return "?" + urlencode({**kept, "offset": max(0, offset)})
