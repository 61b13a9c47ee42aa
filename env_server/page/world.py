"""Pages of the offline world in which an episode plays, as it is at the time of its task and after its newest turn."""

import asyncio
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from agent_env_schemas import ErrorCode
from env_server.api.context import episodes
from env_server.episodes.read.views import WorldSeen
from env_server.errors import ProblemError
from env_server.page.render import html
from env_server.page.views import market, notebook, slack, web
from env_server.page.views.texts import Cut

LONGEST_TEXT = 200


async def overview(request: Request) -> Response:
    """Redirect to the prices, the first of these pages."""
    return RedirectResponse(f"{_here(request)}/market", 303)


async def prices(request: Request) -> Response:
    """Show all companies and pairs with their prices, or one with its chart."""
    seen, asked = await _seen(request), request.query_params
    ticker, span = _text(request, "ticker"), asked.get("span", "1y")
    if not ticker:
        lines = await asyncio.to_thread(market.market, seen.store, seen.now)
        return await _shown(request, "world_market.html", seen, lines=lines)
    if span not in market.SPANS:
        raise ProblemError(ErrorCode.INVALID_REQUEST, f"a span is one of {', '.join(market.SPANS)}")
    subject = await asyncio.to_thread(market.subject, seen.store, ticker, seen.now, span)
    if subject is None:
        raise _unknown(f"the world has no ticker {ticker!r}")
    return await _shown(request, "world_subject.html", seen, subject=subject, span=span, spans=market.SPAN_NAMES)


async def pages(request: Request) -> Response:
    """Show the newest pages that hold a text, or one page."""
    seen, url, text = await _seen(request), request.query_params.get("url", ""), _text(request, "text")
    if not url:
        found = await asyncio.to_thread(web.found, seen.store, seen.now, text)
        return await _shown(request, "world_pages.html", seen, pages=found, text=text, most=web.PER_PAGE)
    page = await asyncio.to_thread(web.web_page, seen.store, url, seen.now, f"{_here(request)}/web")
    if page is None:
        raise _unknown(f"the world has no page {url[:LONGEST_TEXT]!r}")
    return await _shown(request, "world_page.html", seen, page=page)


async def talk(request: Request) -> Response:
    """Show the channels of the Slack workspace, and one of them with its threads."""
    seen, name, before = await _seen(request), _text(request, "channel"), request.query_params.get("before", "")
    rooms = await asyncio.to_thread(slack.channels, seen.store, seen.now)
    name = name or (rooms[0]["name"] if rooms else "")
    try:
        float(before or "0")
        shown = await asyncio.to_thread(slack.channel, seen.store, seen.begun, name, seen.now, before)
    except ValueError as e:
        raise ProblemError(ErrorCode.INVALID_REQUEST, f"{before[:LONGEST_TEXT]!r} is no timestamp") from e
    if shown is None:
        raise _unknown(f"the world has no channel {name!r}")
    return await _shown(request, "world_slack.html", seen, rooms=rooms, channel=shown)


async def code(request: Request) -> Response:
    """Show the code that the episode ran, with outputs and files."""
    seen = await _seen(request)
    record = await asyncio.to_thread(episodes(request).reader.trajectory, request.path_params["id"])
    cells = notebook.cells(record["turns"], seen.remembering, Cut(longest=20_000))
    return await _shown(request, "world_code.html", seen, cells=cells)


async def files(request: Request) -> Response:
    """Show what is in the files that the episode has written. Its code is run again for that."""
    seen = await _seen(request)
    found = await episodes(request).views.files(request.path_params["id"], notebook.LONGEST_FILE)
    shown = notebook.shown_files(found, Cut(longest=notebook.LONGEST_FILE))
    return await _shown(request, "world_files.html", seen, files=shown, more=len(found) - len(shown))


async def _seen(request: Request) -> WorldSeen:
    found = await episodes(request).views.world(request.path_params["id"])
    if found is None:
        raise _unknown("this episode plays in no offline world")
    return found


async def _shown(request: Request, template: str, seen: WorldSeen, **values: Any) -> Response:
    id = request.path_params["id"]
    about = await asyncio.to_thread(episodes(request).reader.summary, id)
    now = seen.now.strftime("%Y-%m-%d %H:%M")
    return html(request, template, id=id, about=about, here=_here(request), now=now, **values)


def _here(request: Request) -> str:
    return f"/page/episodes/{quote(request.path_params['id'], safe='')}/world"


def _text(request: Request, name: str) -> str:
    return request.query_params.get(name, "").strip()[:LONGEST_TEXT]


def _unknown(what: str) -> ProblemError:
    return ProblemError(ErrorCode.NOT_FOUND, what)
