"""Pages that show episodes: the list, an episode, a turn, two rollouts side by side, live news, and its code."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from time import monotonic
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse

from agent_env_schemas import ErrorCode
from env_server.api.context import address, caller, episodes
from env_server.errors import ProblemError
from env_server.page.guard import sessions
from env_server.page.render import html
from env_server.page.views.code import curl, python, requests_of
from env_server.page.views.conversation import turns_of
from env_server.page.views.texts import Cut, html_size
from env_server.page.views.tool_form import form_of
from env_server.page.views.verdict import verdict_of

PER_PAGE = 50
MEMBERS = 24
"""The maximum number of a group's members shown."""

LONGEST_CODE = 60_000
"""Bytes of HTML that one program on a page may take."""

LOOK_S = 0.5
"""Seconds between two looks at the store for news of an episode."""

STREAM_S = 5.0
"""Seconds after which a stream of news ends and the browser asks again. No stream delays a shutdown for longer."""


async def newest(request: Request) -> Response:
    """Show a page of all episodes, newest first."""
    before = request.query_params.get("before")
    page = await asyncio.to_thread(episodes(request).reader.newest, PER_PAGE, before)
    return html(request, "episodes.html", page=page, more=len(page) == PER_PAGE)


async def latest(request: Request) -> Response:
    """Redirect to the page of the episode that the caller began last, and to the list if there is none."""
    found = await asyncio.to_thread(episodes(request).reader.latest, caller(request))
    return RedirectResponse(f"/page/episodes/{found}" if found else "/page/episodes", 303)


async def episode(request: Request) -> Response:
    """Show an episode: its conversation, its end, and what a person can do next."""
    return html(request, "episode.html", **await shown(request, request.path_params["id"]))


async def news(request: Request) -> Response:
    """Return the parts of an episode's page that have changed since turn `after`."""
    values = await shown(request, request.path_params["id"])
    after = _turn(request.query_params.get("after", "0"))
    return html(request, "news.html", after=after, **values)


async def shown(
    request: Request, id: str, typed: Mapping[str, str] | None = None, mistake: str | None = None
) -> dict[str, Any]:
    """Return the content of the page of an episode. `typed` fills its forms again, with the `mistake` in them."""
    found = episodes(request)
    record = await asyncio.to_thread(found.reader.trajectory, id)
    about, turns, tools = record["episode"], record["turns"], record["tools"]
    setup = await found.views.setup(id)
    names = {tool["function"]["name"] for tool in tools}
    typed = typed if typed is not None else request.query_params
    own = {tool["function"]["name"]: tool for tool in setup.user_tools}
    playable = own if about["awaiting_user"] else {tool["function"]["name"]: tool for tool in tools}
    chosen = playable.get(typed.get("tool", ""))
    changes = await _changes(request, id)
    return {
        "episode": about,
        "setup": setup,
        "turns": turns_of(record["observation"], turns, changes, names, Cut()),
        "verdict": verdict_of(about, turns[-1]["parts"][-1]["info"]) if about["done"] and turns else None,
        "tools": sorted(playable),
        "form": None if chosen is None else form_of(chosen, typed),
        "typed": typed,
        "mistake": mistake,
        "watching": typed.get("watch") == "1",
        "mark": found.views.mark(id),
        "members": await _members(request, about),
    }


async def turn(request: Request) -> Response:
    """Show one turn in full: what was done and observed, the rows that it changed, and the turn as a request."""
    id, number = request.path_params["id"], _turn(request.path_params["turn"])
    found = episodes(request)
    record = await asyncio.to_thread(found.reader.trajectory, id)
    about, turns = record["episode"], record["turns"]
    if number > about["turn"]:
        raise ProblemError(ErrorCode.NOT_FOUND, f"the newest turn of this episode is {about['turn']}")
    changes = await _changes(request, id)
    names = {tool["function"]["name"] for tool in record["tools"]}
    cut = Cut(longest=40_000, budget=60_000)
    these = [each for each in turns if each["turn"] == number]
    opening = record["observation"] if number == 0 else []
    seen = turns_of(opening, these, changes, names, cut)
    setup = await found.views.setup(id)
    code = requests_of(about, these, setup.user)[1:]
    asks = sessions(request).ask
    return html(
        request,
        "turn.html",
        episode=about,
        number=number,
        turns=[each for each in seen if each.turn == number],
        info=these[-1]["parts"][-1]["info"] if these else None,
        state_hash=these[-1]["parts"][-1]["state_hash"] if these else None,
        curl=_room(curl(address(request), code, key=asks)),
        python=_room(python(address(request), code, key=asks)),
    )


async def compare(request: Request) -> Response:
    """Show two rollouts side by side, turn beside turn."""
    sides = []
    for name in ("left", "right"):
        id = request.query_params.get(name, "")
        record = await asyncio.to_thread(episodes(request).reader.trajectory, id)
        changes, names = await _changes(request, id), {tool["function"]["name"] for tool in record["tools"]}
        turns = turns_of(record["observation"], record["turns"], changes, names, Cut(3_000, 55_000))
        about = record["episode"]
        ended = about["done"] and record["turns"]
        verdict = verdict_of(about, record["turns"][-1]["parts"][-1]["info"]) if ended else None
        sides.append({"episode": about, "turns": {each.turn: each for each in turns}, "verdict": verdict})
    numbers = sorted({number for side in sides for number in side["turns"]})
    return html(request, "compare.html", sides=sides, numbers=numbers)


async def code(request: Request) -> Response:
    """Show the whole episode as commands of curl, and as a program in Python."""
    id = request.path_params["id"]
    record = await asyncio.to_thread(episodes(request).reader.trajectory, id)
    setup = await episodes(request).views.setup(id)
    requests, asks = requests_of(record["episode"], record["turns"], setup.user), sessions(request).ask
    return html(
        request,
        "code.html",
        episode=record["episode"],
        curl=_room(curl(address(request), requests, key=asks)),
        python=_room(python(address(request), requests, key=asks)),
    )


async def live(request: Request) -> Response:
    """Send an event whenever a part of the episode is committed, by this process or another."""
    id, seen = request.path_params["id"], request.query_params.get("mark", "")
    views = episodes(request).views
    await asyncio.to_thread(views.mark, id)  # an unknown episode is an error now, and not in the stream

    async def events() -> AsyncIterator[str]:
        last, until = seen, monotonic() + STREAM_S
        yield "retry: 300\n\n"
        while monotonic() < until:
            try:
                mark = await asyncio.to_thread(views.mark, id)
            except Exception:  # the store does not answer; the browser asks again
                return
            if mark != last:
                yield f"event: turn\nid: {mark}\ndata: {mark}\n\n"
                last = mark
            await asyncio.sleep(LOOK_S)

    return StreamingResponse(events(), media_type="text/event-stream", headers={"Cache-Control": "no-cache"})


async def _members(request: Request, about: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the other episodes of the group."""
    if about["group_id"] is None:
        return []
    found = await asyncio.to_thread(episodes(request).reader.newest, MEMBERS + 1, None, about["group_id"])
    return [each for each in found if each["episode_id"] != about["episode_id"]][:MEMBERS]


async def _changes(request: Request, id: str) -> Mapping[int, Any]:
    """Return the rows that each turn changed; none if the episode's pack can no longer be read."""
    with suppress(ProblemError):
        return await episodes(request).views.changes(id)
    return {}


def _turn(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise ProblemError(ErrorCode.NOT_FOUND, f"{text!r} is no turn")
    return int(text)


def _room(text: str) -> str:
    """Return `text` if a page has room for it."""
    return text if html_size(text) < LONGEST_CODE else "# Too long for a page: read /episodes/ID/trajectory."
