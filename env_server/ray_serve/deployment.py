"""`serve.run(env_server_app({"DATABASE_URL": "postgresql://..."}))`: replicas of the server behind Ray Serve's proxy.

Each replica starts a server process and passes requests on to it. Serve adds replicas as requests queue. All of them
need one database: PostgreSQL, or SQLite on one machine.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from threading import Thread
from typing import Any

import httpx2
from ray import serve
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

ONGOING = 32
"""Number of requests in progress per replica above which Serve adds a replica."""

MOST_ONGOING = 1_024
"""Maximum number of requests that a replica takes at a time. Further ones wait in Serve's queue."""

_HOPS = frozenset(b"connection keep-alive trailer transfer-encoding upgrade date".split())
"""Headers that belong to one connection, or that the proxy sets itself."""

AUTOSCALING = {"min_replicas": 1, "max_replicas": 8, "target_ongoing_requests": ONGOING}


class EnvServerReplica:
    """A replica: a server process, and a client that passes requests on to it."""

    def __init__(self, settings: Mapping[str, str], python: str) -> None:
        """Start a server with `settings`, which are ENV_SERVER_* without the prefix, by the interpreter `python`.

        Raises:
            RuntimeError: if it does not start.
        """
        ours = {f"ENV_SERVER_{name}": value for name, value in settings.items()}
        self._process = subprocess.Popen(
            [python, "-m", "env_server.ray_serve.child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **ours, "ENV_SERVER_LOG_FORMAT": "json"},
            text=True,
            errors="replace",
        )
        url = self._address()
        Thread(target=self._pass_on_the_log, daemon=True).start()
        self._http = httpx2.AsyncClient(
            base_url=url, timeout=None, limits=httpx2.Limits(max_connections=None, max_keepalive_connections=ONGOING)
        )

    async def __call__(self, request: Request) -> Response:
        """Pass a request on, and stream its answer back."""
        headers = [(name, value) for name, value in request.headers.raw if name.lower() not in _HOPS]
        sent = self._http.build_request(
            request.method, httpx2.URL(_target(request)), headers=headers, content=await request.body()
        )
        try:
            answer = await self._http.send(sent, stream=True)
        except httpx2.TransportError as e:  # Serve replaces this replica soon
            return Response(f"the server process of this replica did not answer: {type(e).__name__}", 502)
        response = StreamingResponse(answer.aiter_raw(), answer.status_code, background=BackgroundTask(answer.aclose))
        response.raw_headers = [(name, value) for name, value in answer.headers.raw if name.lower() not in _HOPS]
        return response

    async def check_health(self) -> None:
        """Answer Serve, which replaces the replica if this raises.

        Raises:
            RuntimeError: if the server process has ended, or does not answer.
        """
        if (status := self._process.poll()) is not None:
            raise RuntimeError(f"the server process has ended with status {status}")
        (await self._http.get("/healthz", timeout=10.0)).raise_for_status()

    def _address(self) -> str:
        """Return the URL that the server announces in its log. Pass on the lines before that."""
        for line in self._lines():
            if line.startswith("{") and (said := json.loads(line)).get("event") == "listening":
                return str(said["url"])
        raise RuntimeError(f"the server has ended with status {self._process.wait()}; its log says why")

    def _pass_on_the_log(self) -> None:
        for _ in self._lines():
            pass

    def _lines(self) -> Iterator[str]:
        """Yield the lines of the server's log, and write each to this process's own."""
        assert self._process.stdout is not None
        while line := self._process.stdout.readline():
            print(line, end="", flush=True)
            yield line


def env_server_app(
    settings: Mapping[str, str] | None = None,
    *,
    python: str = sys.executable,
    autoscaling: Mapping[str, Any] | None = None,
    ray_actor_options: Mapping[str, Any] | None = None,
) -> Any:
    """Return the application for `serve.run`.

    Args:
        settings: the server's settings without `ENV_SERVER_`. They need `DATABASE_URL`, and `API_KEYS` or
            `ALLOWED_HOSTS` as for any server that others reach.
        python: the interpreter that runs the server. It needs the extra `server`, but not Ray.
        autoscaling: Serve's `autoscaling_config`; the default is `AUTOSCALING`.
        ray_actor_options: what a replica takes of its machine; by default a whole core.
    """
    deployment = serve.deployment(
        name="env-server",
        max_ongoing_requests=MOST_ONGOING,
        autoscaling_config=dict(autoscaling or AUTOSCALING),
        ray_actor_options=dict(ray_actor_options or {"num_cpus": 1}),
        health_check_period_s=2.0,
    )(EnvServerReplica)
    return deployment.bind(dict(settings or {}), python)


def _target(request: Request) -> str:
    """Return path and query of a request as the client has written them."""
    raw: bytes = request.scope.get("raw_path") or request.url.path.encode()
    query: bytes = request.scope["query_string"]
    return (raw + (b"?" + query if query else b"")).decode("ascii")
