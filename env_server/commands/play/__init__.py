"""`env-server play`: one episode in the terminal. A person plays one side, both sides or none."""

import asyncio
import logging
from contextlib import AbstractAsyncContextManager
from io import StringIO
from typing import Any

from pydantic import ValidationError
from rich.console import Console

from agent_env_schemas import EpisodeReply, ResetRequest, StepReply
from env_server.backends.base import EpisodeBackend
from env_server.backends.local import in_process
from env_server.backends.remote import on_server
from env_server.commands.logs import configure_logs
from env_server.commands.output import console, fail, print_json, readable_errors
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
    show_verdict(shown, last, turns)
    if as_json:
        print_json(_result(begun, last, turns))


def _request(chosen: PlayOptions, settings: Settings) -> ResetRequest:
    """Return the reset request. End the program if the options contradict each other."""
    try:
        chosen.refuse_contradictions()
        check_agent(chosen, settings)
        check_user(chosen, settings)
        return chosen.reset()
    except ValidationError as e:
        fail("; ".join(error["msg"].removeprefix("Value error, ") for error in e.errors()))
    except ValueError as e:
        fail(str(e))


def _result(begun: EpisodeReply, last: StepReply, turns: int) -> dict[str, Any]:
    return {
        "episode_id": begun.episode_id,
        "task_id": begun.info.task_id,
        "reward": last.reward,
        "turns": turns,
        "stop_reason": last.stop_reason,
        "breakdown": last.info.reward_breakdown,
    }


def _place(chosen: PlayOptions, settings: Settings) -> AbstractAsyncContextManager[EpisodeBackend]:
    return in_process(settings) if chosen.url is None else on_server(chosen.url, chosen.key)


async def _play(
    chosen: PlayOptions, request: ResetRequest, settings: Settings, shown: Console
) -> tuple[EpisodeReply, StepReply, int]:
    """Return the first reply, the last reply, and the number of the agent's turns.

    Closing an episode adds no agent turn.
    """
    async with _place(chosen, settings) as game:
        screen = Screen(shown, veiled=chosen.seat == "user")
        with screen.waiting("episode"):
            begun = await game.reset(request)
        last = await play(chosen, game, begun, settings, screen)
        return begun, last, screen.turns
