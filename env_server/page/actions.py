"""Actions of a person on the pages: begin an episode, call a tool, write, play the user, fork, and close."""

from collections.abc import Awaitable, Mapping
from urllib.parse import quote

import orjson
from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from agent_env_schemas import (
    Action,
    CloseRequest,
    EpisodeReply,
    ErrorCode,
    ForkRequest,
    ResetRequest,
    StepRequest,
    ToolCall,
    UserRequest,
    UserSpec,
    UserStrategy,
)
from env_server.api.context import address, caller, episodes
from env_server.api.problems import from_validation
from env_server.errors import ProblemError
from env_server.page.demonstrations import POLICIES, Demonstrations
from env_server.page.guard import fields
from env_server.page.render import html
from env_server.page.views.tool_form import WrongValue, arguments_of, form_of
from env_server.page.watch import shown


async def begin(request: Request) -> Response:
    """Begin an episode, and let a policy play it if the person asks for that."""
    given = fields(request)
    agent, user = given.get("agent", "me"), given.get("user") or None
    try:
        asked = ResetRequest(
            domain=given.get("domain", ""),
            pack=given.get("pack", "builtin"),
            task_id=given.get("task_id", ""),
            seed=int(given.get("seed") or 0),
            user=UserSpec(strategy=user),
        )
    except ValidationError as e:
        raise from_validation(e) from e
    except ValueError as e:
        raise ProblemError(ErrorCode.INVALID_REQUEST, "the seed is a whole number") from e
    begun = EpisodeReply.model_validate_json(await episodes(request).reset(asked, caller(request), address(request)))
    if agent in POLICIES:
        demonstrations: Demonstrations = await request.app.state.demonstrations.get()
        demonstrations.begin(episodes(request), begun, agent)
    watches = agent != "me" and user != UserStrategy.EXTERNAL
    return _to(begun.episode_id, "?watch=1" if watches else "")


async def say(request: Request) -> Response:
    """Play a message of the agent to the user."""
    given, id = fields(request), request.path_params["id"]
    step = StepRequest(episode_id=id, turn=_next(given), action=Action(content=given.get("content", "")))
    return await _played(request, episodes(request).step(step))


async def call(request: Request) -> Response:
    """Play a call of one tool, by the agent or by an external user."""
    given, id = fields(request), request.path_params["id"]
    schemas = await _tools(request, id, as_user=given.get("as") == "user")
    schema = schemas.get(given.get("tool", ""))
    if schema is None:
        raise ProblemError(ErrorCode.INVALID_REQUEST, f"no tool {given.get('tool')!r}")
    try:
        arguments = arguments_of(form_of(schema, given), given)
    except WrongValue as e:
        return html(request, "episode.html", 422, **await shown(request, id, given, str(e)))
    calls = [ToolCall(name=given["tool"], arguments=arguments)]
    if given.get("as") == "user":
        user = UserRequest(turn=_next(given) - 1, tool_calls=calls)
        return await _played(request, episodes(request).user(id, user))
    step = StepRequest(episode_id=id, turn=_next(given), action=Action(tool_calls=calls))
    return await _played(request, episodes(request).step(step))


async def answer(request: Request) -> Response:
    """Play the words of an external user."""
    given = fields(request)
    user = UserRequest(turn=_next(given) - 1, content=given.get("content", ""))
    return await _played(request, episodes(request).user(request.path_params["id"], user))


async def fork(request: Request) -> Response:
    """Begin an episode that continues after a turn of this one."""
    asked = ForkRequest(turn=_next(fields(request)) - 1)
    reply = await episodes(request).fork(request.path_params["id"], asked, caller(request), address(request))
    return _to(orjson.loads(reply)["episode_id"])


async def close(request: Request) -> Response:
    """End the episode."""
    await episodes(request).close(request.path_params["id"], CloseRequest())
    return _to(request.path_params["id"])


async def _played(request: Request, play: Awaitable[bytes]) -> Response:
    """Show the episode after a turn; if the turn was refused, show why beside what was typed."""
    id = request.path_params["id"]
    try:
        await play
    except ProblemError as e:
        if e.code is ErrorCode.EPISODE_NOT_FOUND:
            raise
        return html(request, "episode.html", int(e.status), **await shown(request, id, fields(request), e.detail))
    return _to(id, anchor="#now")


async def _tools(request: Request, id: str, *, as_user: bool) -> Mapping[str, Mapping[str, object]]:
    found = episodes(request)
    tools = (await found.views.setup(id)).user_tools if as_user else found.reader.trajectory(id)["tools"]
    return {tool["function"]["name"]: tool for tool in tools}


def _next(given: Mapping[str, str]) -> int:
    """Return the number of the turn that a form plays. It makes a second click on the same button a retry."""
    text = given.get("turn", "")
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise ProblemError(ErrorCode.INVALID_REQUEST, "the form does not say which turn it plays")
    return int(text)


def _to(id: str, query: str = "", anchor: str = "") -> Response:
    return RedirectResponse(f"/page/episodes/{quote(id, safe='')}{query}{anchor}", 303)
