"""Endpoints for playing: /reset, /step, and batches of them."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from time import perf_counter
from typing import Any, NamedTuple

import orjson
from fastapi import APIRouter, Request, Response
from fastapi.routing import APIRoute
from starlette.routing import Match
from starlette.types import ASGIApp, Receive, Scope, Send

from agent_env_schemas import (
    BatchReply,
    BatchResetRequest,
    BatchStepRequest,
    EpisodeReply,
    ErrorCode,
    GroupReply,
    ResetRequest,
    StepReply,
    StepRequest,
)
from env_server.api.admission import EVAL, TRAIN
from env_server.api.body import checked, read
from env_server.api.context import address, body_schema, caller, episodes, resolved
from env_server.api.problems import problem_fields, problem_response, responses, too_large
from env_server.episodes.codec.text import dumps
from env_server.episodes.outages import problem_of
from env_server.errors import ProblemError
from env_server.telemetry import metrics


class BodyRoute(APIRoute):
    """A route whose endpoint takes only the request and returns JSON text. Its path has no parameters.

    FastAPI documents it like any other route, but does not resolve arguments or convert results. That would take a
    third of the time of a step.
    """

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Return whether the request is for this route, without a regular expression for other paths."""
        return super().matches(scope) if scope["path"].endswith(self.path) else (Match.NONE, {})

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Call the endpoint directly."""
        if scope["method"] not in (self.methods or ()):
            await super().handle(scope, receive, send)
            return
        await _answered(self.endpoint, scope, receive, send)


class Direct:
    """ASGI middleware behind the gate. It calls the endpoints of this module itself.

    Their requests pass neither the router nor the middleware inside it, which would take a twentieth of a step.
    """

    def __init__(self, app: ASGIApp) -> None:
        """Pass all other requests to `app`."""
        self._app = app
        self._endpoints = {route.path: route.endpoint for route in router.routes if isinstance(route, BodyRoute)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the request, or pass it on. Problems are answered as the application's handlers do."""
        endpoint = self._endpoints.get(scope["path"]) if scope.get("method") == "POST" else None
        if endpoint is None:
            await self._app(scope, receive, send)
            return
        try:
            await _answered(endpoint, scope, receive, send)
        except Exception as e:
            problem = problem_of(e)
            if problem is None:
                raise
            await problem_response(problem, scope["state"]["request_id"])(scope, receive, send)


async def _answered(
    endpoint: Callable[[Request], Awaitable[bytes]], scope: Scope, receive: Receive, send: Send
) -> None:
    """Call an endpoint and send the JSON text that it returns."""
    content = await endpoint(Request(scope, receive))
    headers = [(b"content-length", b"%d" % len(content)), _JSON]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": content})


_JSON = (b"content-type", b"application/json")


ITEMS_AT_ONCE = 16
"""Number of items of a batch that begin in one iteration of the event loop."""

_EPISODE, _TURN = re.compile(rb'\{"episode_id":"([^"]+)"'), re.compile(rb'\{(?:"episode_id":"[^"]+",)?"turn":(\d+)')
"""The beginnings of the stored replies to a reset and to a step."""

router = APIRouter(tags=["play"], route_class=BodyRoute)

TURN_ERRORS = (
    ErrorCode.EPISODE_NOT_FOUND,
    ErrorCode.EPISODE_OVER,
    ErrorCode.TURN_CONFLICT,
    ErrorCode.TURN_AHEAD,
    ErrorCode.PACK_CHANGED,
    ErrorCode.TURN_CLAIMED,
    ErrorCode.STEP_TIMEOUT,
    ErrorCode.USER_UNAVAILABLE,
    ErrorCode.JUDGE_UNAVAILABLE,
    ErrorCode.SPEND_CAP,
    ErrorCode.STORAGE_UNAVAILABLE,
    ErrorCode.TOOL_CRASHED,
    ErrorCode.QUOTA_EXCEEDED,
)
_RESET = (
    ErrorCode.NOT_FOUND,
    ErrorCode.KEY_CONFLICT,
    ErrorCode.PACK_CHANGED,
    ErrorCode.STEP_TIMEOUT,
    ErrorCode.USER_UNAVAILABLE,
    ErrorCode.TOOLS_UNAVAILABLE,
    ErrorCode.SPEND_CAP,
    ErrorCode.STORAGE_UNAVAILABLE,
    ErrorCode.OVERLOADED,
    ErrorCode.QUOTA_EXCEEDED,
)


def answer(content: bytes) -> Response:
    """Return a response whose content is already JSON."""
    return Response(content, media_type="application/json")


@router.post(
    "/reset",
    summary="Begin an episode",
    response_model=EpisodeReply | GroupReply,
    responses=responses(*_RESET),
    openapi_extra=body_schema(ResetRequest),
)
async def reset(request: Request) -> bytes:
    """Begin an episode, or with `n` a group of episodes of one task."""
    reply = await _begun(request, await read(request, ResetRequest))
    _name_for_the_log(request, _EPISODE, reply, "episode")
    return reply


@router.post(
    "/step",
    summary="Play a turn",
    response_model=StepReply,
    responses=responses(*TURN_ERRORS, ErrorCode.AWAITING_USER),
    openapi_extra=body_schema(StepRequest),
)
async def step(request: Request) -> bytes:
    """Play one turn: one message of the agent. Return the whole reply."""
    body = await read(request, StepRequest)
    reply = await _step(request, body)
    if body.turn is None:
        _name_for_the_log(request, _TURN, reply, "turn")
    else:
        request.scope["state"]["turn"] = body.turn
    return reply


def _name_for_the_log(request: Request, pattern: re.Pattern[bytes], reply: bytes, name: str) -> None:
    """Copy a field from the beginning of a reply into the request's state, for its line in the log."""
    if found := pattern.match(reply):
        value = found[1].decode()
        request.scope["state"][name] = int(value) if name == "turn" else value


@router.post(
    "/batch/reset",
    summary="Begin several episodes",
    response_model=BatchReply,
    responses=responses(),
    openapi_extra=body_schema(BatchResetRequest),
)
async def batch_reset(request: Request) -> bytes:
    """Begin several episodes. Return one reply or problem for each item, in order."""
    body = await read(request, BatchResetRequest)
    return await _batch(request, body.items, _reset)


@router.post(
    "/batch/step",
    summary="Play a turn in several episodes",
    response_model=BatchReply,
    responses=responses(),
    openapi_extra=body_schema(BatchStepRequest),
)
async def batch_step(request: Request) -> bytes:
    """Play several steps. Return one reply or problem for each item, in order.

    Each item is committed as soon as it is played. A slow item delays the reply, but no other commit.
    """
    body = await read(request, BatchStepRequest)
    return await _batch(request, body.items, _step_item)


async def _reset(request: Request, item: object) -> bytes:
    return await _begun(request, checked(item, ResetRequest))


async def _begun(request: Request, body: ResetRequest) -> bytes:
    await request.app.state.admission.admit(caller(request), EVAL if body.purpose == "eval" else TRAIN)
    return await episodes(request).reset(body, caller(request), address(request))


async def _step_item(request: Request, item: object) -> bytes:
    return await _step(request, checked(item, StepRequest))


async def _step(request: Request, body: StepRequest) -> bytes:
    began, ours = perf_counter(), episodes(request)
    ours.quotas.take_step(caller(request))
    reply = await ours.step(resolved(request, body))
    metrics.STEP_SECONDS.observe(perf_counter() - began)
    return reply


class _TooLarge(NamedTuple):
    """Stands for an item of a batch with more than `most` bytes."""

    most: int


async def _batch(request: Request, items: list[Any], play: Callable[[Request, object], Awaitable[bytes]]) -> bytes:
    most: int = request.app.state.max_body_bytes
    length = request.headers.get("content-length", "")
    if not length.isdigit() or int(length) > most:  # the limits of one request hold for each item
        items = await asyncio.to_thread(_measured, items, most)
    async with asyncio.TaskGroup() as group:
        tasks = []
        for number, item in enumerate(items, 1):
            tasks.append(group.create_task(_settled(request, item, play)))
            if number % ITEMS_AT_ONCE == 0:
                await asyncio.sleep(0)  # other requests go on in between
    return b'{"results":[%s]}' % b",".join(task.result() for task in tasks)


def _measured(items: list[Any], most: int) -> list[Any]:
    """Return `items` with those that are too large replaced."""
    return [_TooLarge(most) if len(dumps(item).encode()) > most else item for item in items]


async def _settled(request: Request, item: object, play: Callable[[Request, object], Awaitable[bytes]]) -> bytes:
    try:
        if isinstance(item, _TooLarge):
            raise too_large(item.most)
        return await play(request, item)
    except ProblemError as e:
        return orjson.dumps(problem_fields(e, request.state.request_id))
    except Exception as e:
        problem = ProblemError(ErrorCode.INTERNAL, f"{type(e).__name__}; see the server's log")
        metrics.log_defect(request.url.path, e)
        return orjson.dumps(problem_fields(problem, request.state.request_id))
