"""`env-server mcp`: one episode over stdin and stdout, for clients that start their servers themselves."""

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

import anyio
import structlog
from mcp.server.lowlevel import Server
from pydantic import ValidationError

from agent_env_schemas import ResetRequest, UserStrategy
from env_server.api.mcp.calls import playing
from env_server.api.mcp.episode import McpEpisode, episode_server
from env_server.backends.local import LocalBackend, in_process
from env_server.commands.logs import configure_logs
from env_server.commands.mcp.answers import serve
from env_server.commands.mcp.input import Lines
from env_server.commands.mcp.messages import messages
from env_server.commands.mcp.output import Output
from env_server.commands.output import fail, readable_errors
from env_server.commands.play.options import PlayOptions
from env_server.commands.setup import all_packs, read_settings
from env_server.settings import Settings

ENDINGS = (signal.SIGTERM, signal.SIGINT)
"""Signals that end the program, as the end of the input does. The episode is closed in either case."""

PATIENCE_S = 2.0
"""If the client reads no byte of an answer for this many seconds after the end of the input, it counts as gone."""

log = structlog.get_logger(__name__)


def run(chosen: PlayOptions) -> None:
    """Begin an episode, serve it until the input ends, and close it. Stdout carries only protocol messages."""
    configure_logs(sys.stderr)
    for chatty in ("alembic", "mcp"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
    if chosen.user == UserStrategy.EXTERNAL:
        fail(
            "--user external: nobody can speak as the user over stdio; begin the episode on a server "
            "(`env-server serve`), and give the agent its `mcp_url`"
        )
    try:
        request = chosen.reset()
    except ValidationError as e:
        fail("; ".join(error["msg"].removeprefix("Value error, ") for error in e.errors()))
    settings = read_settings()
    with readable_errors():
        known = list(all_packs(settings))
        own = settings.mcp_domain if settings.mcp_config is not None else None
        if chosen.domain not in (*known, own):
            fail(f"no domain {chosen.domain!r}; there are: {', '.join(filter(None, (*known, own)))}")
        if chosen.domain != own:  # the other domains and servers are not needed
            settings = settings.model_copy(update={"domains": chosen.domain, "mcp_config": None, "mcp_tasks": None})
        asyncio.run(_play(settings, request))


async def _play(settings: Settings, request: ResetRequest) -> None:
    lines, output = Lines(sys.stdin.fileno()), Output(_taken(sys.stdout.fileno()))
    async with in_process(settings) as local:
        begun = await local.reset(request)
        seat = McpEpisode(local.episodes, begun.episode_id)
        log.info("episode begun", episode=begun.episode_id, domain=begun.info.domain, task=begun.info.task_id)
        try:
            async with playing(settings.respond_wait_s) as player:
                server = episode_server(lambda _request: seat, player)
                await _until_told_to_end(_serve(server, lines, output))
        finally:
            await _close(local, begun.episode_id)


def _taken(descriptor: int) -> int:
    """Return a duplicate of `descriptor`, and redirect `descriptor` to stderr.

    Later prints then cannot mix with messages.
    """
    own = os.dup(descriptor)
    os.dup2(sys.stderr.fileno(), descriptor)
    return own


async def _serve(server: Server[Any], lines: Lines, output: Output) -> None:
    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_give_up, lines, output)
            await serve(server, messages(lines), output)
            tasks.cancel_scope.cancel()
    except* anyio.BrokenResourceError:  # the client has closed its end of the output
        log.info("the client reads no more")


async def _give_up(lines: Lines, output: Output) -> None:
    """Raise BrokenResourceError when the input has ended and the client reads no more answers."""
    await lines.ended.wait()
    await output.stuck(PATIENCE_S)
    raise anyio.BrokenResourceError


async def _until_told_to_end(serving: Coroutine[Any, Any, None]) -> None:
    """Wait for `serving`, which the signals `ENDINGS` cancel."""
    task, loop = asyncio.create_task(serving), asyncio.get_running_loop()
    for number in ENDINGS:
        with suppress(NotImplementedError):  # Windows has no such handlers: there a signal ends the program at once
            loop.add_signal_handler(number, task.cancel)
    with suppress(asyncio.CancelledError):
        await task


async def _close(local: LocalBackend, episode_id: str) -> None:
    """Close the episode, unless it has ended, and log its reward."""
    last = await local.close(episode_id)
    worth = {"reward": last.reward}
    if last.info.would_be is not None:
        worth["would_be"] = last.info.would_be
    log.info("episode closed", episode=episode_id, turn=last.turn, stop_reason=last.stop_reason, **worth)
