"""`env-server play`: one episode in the terminal, played by a person or by the oracle."""

import asyncio
import logging
from contextlib import AbstractAsyncContextManager
from io import StringIO
from typing import Any, Protocol

from pydantic import ValidationError
from rich.console import Console

from env_server.commands.logs import configure_logs
from env_server.commands.output import console, fail, print_json, readable_errors
from env_server.commands.play.chosen import Chosen
from env_server.commands.play.oracle import follow_gold
from env_server.commands.play.person import BOTH_SIDES, Person, at_the_keyboard
from env_server.commands.play.screen import Screen
from env_server.commands.play.verdict import show_verdict
from env_server.commands.setup import read_settings
from env_server.errors import ProblemError
from env_server.game import Game
from env_server.local import in_process
from env_server.remote import on_server
from schemas import Action, EpisodeReply, ResetRequest, StepReply, StepRequest, UserRequest

SEATS = ("agent", "oracle")


class Player(Protocol):
    """Who decides what the agent does, and what a user who is played from outside says; None to leave."""

    def act(self) -> Action | None:
        """The agent's next message."""

    def speak(self) -> str | None:
        """The user's next words."""


def run(chosen: Chosen, *, as_json: bool) -> None:
    """Play one episode to its end, then explain its reward."""
    if chosen.seat not in SEATS:
        fail(f"--as is one of: {', '.join(SEATS)}")
    configure_logs(level=logging.WARNING)
    quiet = as_json and chosen.seat == "oracle"
    shown = Console(file=StringIO()) if quiet else console(as_json=as_json)
    try:
        request = chosen.reset()
    except ValidationError as e:
        fail("; ".join(error["msg"].removeprefix("Value error, ") for error in e.errors()))
    with readable_errors():
        begun, last = asyncio.run(_play(chosen, request, shown))
    show_verdict(shown, last)
    if as_json:
        print_json(_result(begun, last))


def _result(begun: EpisodeReply, last: StepReply) -> dict[str, Any]:
    return {
        "episode_id": begun.episode_id,
        "task_id": begun.info.task_id,
        "reward": last.reward,
        "turns": last.turn,
        "stop_reason": last.stop_reason,
        "breakdown": last.info.reward_breakdown,
    }


def _place(chosen: Chosen) -> AbstractAsyncContextManager[Game]:
    return in_process(read_settings()) if chosen.url is None else on_server(chosen.url, chosen.key)


async def _play(chosen: Chosen, request: ResetRequest, shown: Console) -> tuple[EpisodeReply, StepReply]:
    async with _place(chosen) as game:
        begun = await game.reset(request)
        screen = Screen(shown)
        screen.begin(begun, typed=chosen.seat == "agent")
        if chosen.seat == "oracle":
            return begun, await follow_gold(game, begun, screen)
        if begun.info.awaiting_user:
            screen.wish((await game.task(begun.info.domain, begun.info.pack, begun.info.task_id)).instruction)
            screen.hint(BOTH_SIDES)
        screen.hint("At `agent >`, type to the user or call a tool; :help says how.")
        with at_the_keyboard(screen.parameters):
            return begun, await rollout(game, begun, Person(shown, screen), screen)


async def rollout(game: Game, begun: EpisodeReply, player: Player, screen: Screen) -> StepReply:
    """Play an episode that has begun until it is done; returns the last reply.

    Raises:
        ProblemError: if the game cannot go on.
    """
    turn, awaiting = begun.turn, begun.info.awaiting_user
    while True:
        try:
            if awaiting:
                reply = await _user_part(game, begun.episode_id, turn, player)
            else:
                reply = await _agent_part(game, begun.episode_id, turn + 1, player, screen)
        except ProblemError as e:
            if not e.retryable or not isinstance(player, Person):
                raise
            screen.hint(f"{e.detail}; it may be tried again")
            continue
        turn, awaiting = reply.turn, reply.info.awaiting_user
        screen.reply(reply)
        if reply.done:
            return reply


async def _agent_part(game: Game, episode_id: str, turn: int, player: Player, screen: Screen) -> StepReply:
    action = player.act()
    if action is None:
        return await game.close(episode_id)
    screen.action(turn, action)
    return await game.step(StepRequest(episode_id=episode_id, turn=turn, action=action))


async def _user_part(game: Game, episode_id: str, turn: int, player: Player) -> StepReply:
    words = player.speak()
    if words is None:
        return await game.close(episode_id)
    return await game.user(episode_id, UserRequest(turn=turn, content=words))
