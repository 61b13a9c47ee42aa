"""`env-server play`: one episode in the terminal. A person plays one side, both sides or none."""

import asyncio
import logging
import shlex
from contextlib import AbstractAsyncContextManager
from io import StringIO
from typing import Any

import typer
from pydantic import ValidationError
from rich.console import Console
from rich.text import Text

from agent_env_schemas import EpisodeReply, ResetRequest, StepReply
from env_server.backends.base import EpisodeBackend
from env_server.backends.local import in_process
from env_server.backends.remote import on_server
from env_server.commands.logs import configure_logs
from env_server.commands.output import INTERRUPTED, console, fail, plain, print_json, program, readable_errors
from env_server.commands.play.agents import check_agent
from env_server.commands.play.options import PlayOptions
from env_server.commands.play.screen import Screen
from env_server.commands.play.session import play
from env_server.commands.play.users import check_user
from env_server.commands.play.verdict import show_verdict
from env_server.commands.setup import read_settings
from env_server.models import ModelUnavailable
from env_server.settings import Settings


def run(chosen: PlayOptions, *, as_json: bool) -> None:
    """Play one episode to its end, then explain its reward."""
    settings = read_settings()
    request = _request(chosen, settings)
    configure_logs(level=logging.ERROR)
    shown = console(as_json=as_json) if chosen.person or not as_json else Console(file=StringIO())
    with readable_errors():
        try:
            begun, last, turns = asyncio.run(_play(chosen, request, settings, shown))
        except ModelUnavailable as e:
            fail(f"the agent's model does not answer: {e}")
    if last is not None:
        show_verdict(shown, last, turns)
    else:
        _say_how_to_go_on(shown, chosen, begun.episode_id)
    if as_json:
        print_json(_result(begun, last, turns))
    if last is None:
        raise typer.Exit(INTERRUPTED)


def _say_how_to_go_on(shown: Console, chosen: PlayOptions, episode_id: str) -> None:
    """Say that the episode is open, with the command that goes on with it."""
    options = ["--as", chosen.seat]
    for option, value in (("--agent", chosen.agent), ("--policy-url", chosen.policy_url), ("--url", chosen.url)):
        options += [] if value is None else [option, value]
    command = shlex.join([program(), "play", "--resume", episode_id, *options])
    shown.print(Text(f"The episode is open. This goes on with it:\n  {plain(command)}"), soft_wrap=True)


def _request(chosen: PlayOptions, settings: Settings) -> ResetRequest | None:
    """Return the reset request; None to resume. End the program if the options contradict each other."""
    try:
        chosen.refuse_contradictions()
        check_agent(chosen, settings)
        check_user(chosen, settings)
        return chosen.reset() if chosen.resume is None else None
    except ValidationError as e:
        fail("; ".join(error["msg"].removeprefix("Value error, ") for error in e.errors()))
    except ValueError as e:
        fail(str(e))


def _result(begun: EpisodeReply, last: StepReply | None, turns: int) -> dict[str, Any]:
    return {
        "episode_id": begun.episode_id,
        "task_id": begun.info.task_id,
        "reward": last and last.reward,
        "turns": turns,
        "stop_reason": last and last.stop_reason,
        "breakdown": last and last.info.reward_breakdown,
    }


def _place(chosen: PlayOptions, settings: Settings) -> AbstractAsyncContextManager[EpisodeBackend]:
    return in_process(settings) if chosen.url is None else on_server(chosen.url, chosen.key)


async def _begun(chosen: PlayOptions, request: ResetRequest | None, game: EpisodeBackend) -> EpisodeReply:
    return await game.resume(chosen.resume or "") if request is None else await game.reset(request)


async def _play(
    chosen: PlayOptions, request: ResetRequest | None, settings: Settings, shown: Console
) -> tuple[EpisodeReply, StepReply | None, int]:
    """Return the first reply, the last one (None if the episode was left open), and the number of the agent's turns.

    Closing an episode adds no agent turn.
    """
    async with _place(chosen, settings) as game:
        screen = Screen(shown, veiled=chosen.seat == "user")
        with screen.waiting("episode"):
            begun = await _begun(chosen, request, game)
        last = await play(chosen, game, begun, settings, screen)
        return begun, last, screen.turns
