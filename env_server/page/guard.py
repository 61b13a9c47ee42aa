"""The guard of every page: the session, the token of a form, the headers, and errors as pages."""

from collections.abc import Awaitable, Callable, Mapping
from time import time
from urllib.parse import parse_qsl, quote

import structlog
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from agent_env_schemas import ErrorCode
from env_server.api.pages import SECURITY
from env_server.episodes.outages import outages_told
from env_server.errors import ProblemError
from env_server.page.render import html
from env_server.page.session import LIFETIME_S, Session, Sessions

SESSION, VISITOR = "env_server_session", "env_server_visitor"
TOKEN = "form_token"
MANY_FIELDS = 500
"""The maximum number of fields in a form."""

Page = Callable[[Request], Awaitable[Response]]
log = structlog.get_logger(__name__)


def sessions(request: Request) -> Sessions:
    """Return the maker of sessions."""
    found: Sessions = request.app.state.page_sessions
    return found


def fields(request: Request) -> Mapping[str, str]:
    """Return the fields of the form that was sent."""
    found: Mapping[str, str] = request.state.fields
    return found


def guarded(page: Page, *, is_open: bool = False) -> Page:
    """Return `page` behind the guard. An `is_open` page does not ask for a session; its forms need their token, too."""

    async def behind(request: Request) -> Response:
        known = _session(request)
        session = known or sessions(request).visit(time())
        state = request.state
        state.session, state.token = session, sessions(request).form_token(session)
        state.caller = sessions(request).caller(session)
        response = await _answered(page, request, session, is_open=is_open)
        if known is None and response.status_code != 303:
            keep(response, request, VISITOR, session)
        response.headers.update(SECURITY)
        response.headers.setdefault("Cache-Control", "no-store")
        return response

    return behind


def keep(response: Response, request: Request, name: str, session: Session) -> None:
    """Set the cookie of a session.

    The browser sends a visitor's cookie also when it follows a link from another site. Else the server would replace
    it.
    """
    response.set_cookie(
        name,
        sessions(request).cookie(session),
        max_age=LIFETIME_S,
        httponly=True,
        secure=request.url.scheme == "https" or (request.app.state.public_url or "").startswith("https:"),
        samesite="strict" if name == SESSION else "lax",
    )


async def _answered(page: Page, request: Request, session: Session, *, is_open: bool) -> Response:
    try:
        if request.method == "POST":
            request.state.fields = await _form(request)
            if not sessions(request).is_form_token(session, request.state.fields.get(TOKEN, "")):
                raise ProblemError(ErrorCode.FORBIDDEN, "this form is too old, or not of this page; load it again")
        if request.state.caller is None and not is_open:
            if request.method == "GET":
                path = quote(f"{request.url.path}?{request.url.query}" if request.url.query else request.url.path)
                return RedirectResponse(f"/page/sign-in?next={quote(path, safe='')}", 303)
            raise ProblemError(ErrorCode.UNAUTHORIZED, "your session has ended; sign in again")
        with outages_told():
            return await page(request)
    except ProblemError as e:
        return html(request, "problem.html", int(e.status), problem=e)
    except Exception as e:
        log.exception("a page failed", path=request.url.path)
        problem = ProblemError(ErrorCode.INTERNAL, f"{type(e).__name__}; see the server's log")
        return html(request, "problem.html", 500, problem=problem)


def _session(request: Request) -> Session | None:
    """Return the session of the request's cookies. A session that has signed in comes first."""
    for name in (SESSION, VISITOR):
        found = sessions(request).read(request.cookies.get(name, ""), time())
        if found is not None and bool(found.name) == (name == SESSION):
            return found
    return None


async def _form(request: Request) -> dict[str, str]:
    try:
        text = (await request.body()).decode()
        return dict(parse_qsl(text, keep_blank_values=True, max_num_fields=MANY_FIELDS))
    except ValueError as e:
        raise ProblemError(ErrorCode.INVALID_REQUEST, "this form cannot be read") from e
