"""Endpoints for liveness, readiness and metrics."""

import asyncio
from typing import Any

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from agent_env_schemas import ErrorCode
from env_server.api.context import episodes
from env_server.api.problems import responses
from env_server.telemetry import metrics

router = APIRouter(tags=["health"])


@router.get("/healthz", responses=responses())
async def healthz() -> dict[str, str]:
    """Return whether the process answers."""
    return {"status": "ok"}


@router.get("/readyz", responses=responses(ErrorCode.STORAGE_UNAVAILABLE))
async def readyz(request: Request) -> dict[str, Any]:
    """Return whether the database answers. A request waits for parts that are not loaded yet."""
    await asyncio.to_thread(request.app.state.store.alive)
    opened = request.app.state.episodes.value
    return {"status": "ready", "live_episodes": 0 if opened is None else len(opened.cache)}


@router.get("/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}, **responses()})
async def get_metrics(request: Request) -> Response:
    """Return the Prometheus metrics of this process."""
    metrics.LIVE.set(len(episodes(request).cache))
    return Response(generate_latest(metrics.REGISTRY), media_type=CONTENT_TYPE_LATEST)
