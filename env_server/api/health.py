"""Endpoints for liveness, readiness and metrics."""

from typing import Any

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from agent_env_schemas import ErrorCode
from env_server.api.context import episodes
from env_server.api.problems import responses
from env_server.episodes.outages import outages_told
from env_server.errors import ProblemError
from env_server.telemetry import metrics

router = APIRouter(tags=["health"])

UNHEALTHY = (ErrorCode.STORAGE_UNAVAILABLE, ErrorCode.STORAGE_DAMAGED)


@router.get("/healthz", summary="Is the process alive?", responses=responses())
async def healthz() -> dict[str, str]:
    """Return whether the process answers."""
    return {"status": "ok"}


async def check_storage(request: Request) -> None:
    """Check that the database answers and takes commits.

    Raises:
        ProblemError: `storage_unavailable` or `storage_damaged` if it does not.
    """
    try:
        with outages_told():
            await request.app.state.store.check()
    except TimeoutError as e:
        raise ProblemError(ErrorCode.STORAGE_UNAVAILABLE, "the database does not answer in time") from e


@router.get("/readyz", summary="Is the server ready?", responses=responses(*UNHEALTHY))
async def readyz(request: Request) -> dict[str, Any]:
    """Return whether the database answers and takes commits.

    Some parts of the server may still be loading. A request that needs such a part waits until it is loaded.
    """
    await check_storage(request)
    opened = request.app.state.episodes.value
    return {"status": "ready", "live_episodes": 0 if opened is None else len(opened.cache)}


@router.get(
    "/metrics",
    summary="Metrics for Prometheus",
    response_class=Response,
    responses={200: {"content": {"text/plain": {}}}, **responses()},
)
async def get_metrics(request: Request) -> Response:
    """Return the Prometheus metrics of this process."""
    metrics.LIVE.set(len(episodes(request).cache))
    return Response(generate_latest(metrics.REGISTRY), media_type=CONTENT_TYPE_LATEST)
