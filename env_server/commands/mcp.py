"""`env-server mcp`: one episode over stdin and stdout, for clients that start their servers themselves."""

import asyncio
import logging
import sys

import structlog
from mcp.server.stdio import stdio_server
from pydantic import ValidationError

from env_server.api.mcp.episode import Seat, episode_server
from env_server.commands.logs import configure_logs
from env_server.commands.output import fail, readable_errors
from env_server.commands.play.chosen import Chosen
from env_server.commands.setup import read_settings
from env_server.local import in_process
from env_server.settings import Settings
from schemas import ResetRequest

log = structlog.get_logger(__name__)


def run(chosen: Chosen) -> None:
    """Begin an episode and serve it until the input ends. Only the protocol is written to the output."""
    configure_logs(sys.stderr)
    for chatty in ("alembic", "mcp"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
    try:
        request = chosen.reset()
    except ValidationError as e:
        fail("; ".join(error["msg"].removeprefix("Value error, ") for error in e.errors()))
    with readable_errors():
        asyncio.run(_serve(read_settings(), request))


async def _serve(settings: Settings, request: ResetRequest) -> None:
    async with in_process(settings) as local:
        begun = await local.reset(request)
        seat = Seat(local.episodes, begun.episode_id)
        server = episode_server(lambda _request: seat, settings.respond_wait_s)
        log.info("episode begun", episode=begun.episode_id, domain=begun.info.domain, task=begun.info.task_id)
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())
        summary = local.episodes.reader.summary(begun.episode_id)
        log.info("input ended", **{k: summary[k] for k in ("episode_id", "turn", "done", "stop_reason", "reward")})
