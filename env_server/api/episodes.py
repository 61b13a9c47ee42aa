"""Endpoints for episodes that have begun: list, read, fork, close, and sign tokens."""

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from agent_env_schemas import (
    CloseRequest,
    Diff,
    EpisodeList,
    EpisodeReply,
    EpisodeSummary,
    ErrorCode,
    ForkRequest,
    StateReply,
    StepReply,
    TokenReply,
    Trajectory,
    UserRequest,
)
from env_server.api.body import read
from env_server.api.context import EpisodeId, access, address, body_schema, caller, episodes, resolved
from env_server.api.problems import responses
from env_server.api.turns import TURN_ERRORS, answer

router = APIRouter(prefix="/episodes", tags=["episodes"])

Turn = Annotated[
    int | None, Query(ge=0, le=10**9, description="Show the rows after this turn. The default is the newest turn.")
]
_READ = responses(
    ErrorCode.EPISODE_NOT_FOUND, ErrorCode.TURN_AHEAD, ErrorCode.PACK_CHANGED, ErrorCode.STORAGE_UNAVAILABLE
)


@router.get("", summary="List episodes", response_model=EpisodeList, responses=_READ)
async def list_episodes(
    request: Request,
    run: Annotated[str | None, Query(description="List only the episodes of this run.")] = None,
    group_id: Annotated[str | None, Query(description="List only the episodes of this group.")] = None,
    domain: Annotated[str | None, Query(description="List only the episodes of this domain.")] = None,
    done: Annotated[bool | None, Query(description="List only the episodes that have ended, or have not.")] = None,
    forks: Annotated[
        bool | None, Query(description="Whether to list forks. The default is false if `run` is given, else true.")
    ] = None,
    limit: Annotated[int, Query(ge=1, le=500, description="Maximum number of episodes on the page.")] = 50,
    before: Annotated[str | None, Query(description="The last episode id of the previous page.")] = None,
) -> dict[str, Any]:
    """Return a page of episodes, newest first."""
    reader = episodes(request).reader
    return await asyncio.to_thread(
        reader.list,
        limit,
        before,
        run=run,
        group_id=group_id,
        domain=domain,
        done=done,
        forks=run is None if forks is None else forks,
    )


@router.get("/{episode_id}", summary="Look at an episode", response_model=EpisodeSummary, responses=_READ)
async def get_episode(request: Request, episode_id: EpisodeId) -> dict[str, Any]:
    """Return the present state of the episode."""
    return episodes(request).reader.summary(resolved(request, episode_id))


# Unset fields are excluded, so that the messages are equal to those of the replies.
@router.get(
    "/{episode_id}/trajectory",
    summary="Read the whole conversation",
    response_model=Trajectory,
    response_model_exclude_unset=True,
    responses=_READ,
)
async def get_trajectory(request: Request, episode_id: EpisodeId) -> dict[str, Any]:
    """Return the whole record: the observation of the reset, and every turn with its agent and user parts."""
    return await asyncio.to_thread(episodes(request).reader.trajectory, resolved(request, episode_id))


@router.get("/{episode_id}/state", summary="Read the rows", response_model=StateReply, responses=_READ)
async def get_state(
    request: Request,
    episode_id: EpisodeId,
    turn: Turn = None,
    everything: Annotated[
        bool, Query(description="Whether to return all rows, and not only the changed ones.")
    ] = False,
) -> dict[str, Any]:
    """Return the rows and the state hash."""
    return await episodes(request).reader.state(resolved(request, episode_id), turn, everything=everything)


@router.get("/{episode_id}/diff", summary="See which rows differ", response_model=Diff, responses=_READ)
async def get_diff(
    request: Request,
    episode_id: EpisodeId,
    since: Annotated[
        str, Query(description="`start`, `gold`, or the number of a turn.", pattern="^(start|gold|[0-9]{1,9})$")
    ] = "start",
    turn: Turn = None,
) -> dict[str, Any]:
    """Return the rows that differ: `before` at `since`, `after` in the episode."""
    return await episodes(request).reader.diff(resolved(request, episode_id), since, turn)


@router.post(
    "/{episode_id}/user",
    summary="Answer the agent as the user",
    response_model=StepReply,
    responses=responses(*TURN_ERRORS, ErrorCode.NOT_AWAITING_USER),
    openapi_extra=body_schema(UserRequest),
)
async def user(request: Request, episode_id: EpisodeId) -> Response:
    """Give the user's part of the turn, in an episode that has an `external` user and waits for it."""
    body = await read(request, UserRequest)
    return answer(await episodes(request).user(resolved(request, episode_id), body))


@router.post(
    "/{episode_id}/fork",
    summary="Try again from an earlier turn",
    response_model=EpisodeReply,
    responses=responses(
        ErrorCode.EPISODE_NOT_FOUND,
        ErrorCode.EPISODE_OVER,
        ErrorCode.TURN_AHEAD,
        ErrorCode.KEY_CONFLICT,
        ErrorCode.NOT_FORKABLE,
        ErrorCode.PACK_CHANGED,
        ErrorCode.STORAGE_UNAVAILABLE,
        ErrorCode.QUOTA_EXCEEDED,
    ),
    openapi_extra=body_schema(ForkRequest),
)
async def fork(request: Request, episode_id: EpisodeId) -> Response:
    """Begin a new episode that continues after a turn of this one; `observation` is the conversation so far."""
    body = await read(request, ForkRequest)
    return answer(await episodes(request).fork(resolved(request, episode_id), body, caller(request), address(request)))


@router.post(
    "/{episode_id}/close",
    summary="End an episode",
    response_model=StepReply,
    responses=responses(
        ErrorCode.EPISODE_NOT_FOUND,
        ErrorCode.PACK_CHANGED,
        ErrorCode.TURN_CLAIMED,
        ErrorCode.STORAGE_UNAVAILABLE,
        ErrorCode.TOOL_CRASHED,
        ErrorCode.STEP_TIMEOUT,
        ErrorCode.JUDGE_UNAVAILABLE,
        ErrorCode.SPEND_CAP,
    ),
    openapi_extra=body_schema(CloseRequest),
)
async def close(request: Request, episode_id: EpisodeId) -> Response:
    """End the episode. If it has already ended, return its last reply again."""
    body = await read(request, CloseRequest)
    return answer(await episodes(request).close(resolved(request, episode_id), body))


@router.post(
    "/{episode_id}/token",
    summary="Get a new token for the agent",
    response_model=TokenReply,
    responses=responses(ErrorCode.EPISODE_NOT_FOUND, ErrorCode.STORAGE_UNAVAILABLE),
)
async def token(request: Request, episode_id: EpisodeId) -> dict[str, str]:
    """Return a new token for the agent of this episode. It is needed when the token of the reset expires."""
    found = episodes(request).reader.row(resolved(request, episode_id)).episode_id
    return {"episode_id": found, **access(request, found)}
