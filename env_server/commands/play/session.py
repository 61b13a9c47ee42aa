"""Plays an episode that has begun. Each side is a person, a rule or a model."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from agent_env_schemas import CLOSE_INFRASTRUCTURE, USER_STOP, EpisodeReply, StepReply, StopReason, UserStrategy
from env_server.backends.base import EpisodeBackend
from env_server.backends.retrying import RetryingBackend, RetryingPolicy
from env_server.commands.play.agents import agent_of
from env_server.commands.play.keyboard import Interrupted, Keyboard
from env_server.commands.play.options import PlayOptions
from env_server.commands.play.person import Person
from env_server.commands.play.screen import Screen
from env_server.commands.play.shown_retry import Left, ShownRetryPolicy, after_a_pause, when_told
from env_server.commands.play.sides import agent_side, user_side
from env_server.policies import Policy, rollout
from env_server.policies.model import ContextFull
from env_server.policies.rollout import ExternalUser
from env_server.settings import Settings

YELLOW = 33


@dataclass(frozen=True)
class EpisodeInTerminal:
    """An episode that has begun, with the client, screen and keyboard that play it."""

    chosen: PlayOptions
    game: EpisodeBackend
    begun: EpisodeReply
    settings: Settings
    screen: Screen
    keyboard: Keyboard
    patience: ShownRetryPolicy

    @asynccontextmanager
    async def agent(self) -> AsyncIterator[Policy]:
        """Open the policy that plays the agent."""
        if self.chosen.plays_agent:
            yield Person(self.keyboard, self.screen, agent_side(self.begun, self.screen))
            return
        async with agent_of(self.chosen, self.game, self.begun, self.settings) as policy:
            yield RetryingPolicy(policy, self.patience)

    async def customer(self) -> ExternalUser | None:
        """Return the person who plays the user, or None if no person does.

        A person who plays the agent also plays the user if its strategy is external.
        """
        if not self.chosen.person or self.begun.info.user != UserStrategy.EXTERNAL:
            return None
        info = self.begun.info
        instruction = (await self.game.task(info.domain, info.pack, info.task_id)).instruction
        self.screen.wish(instruction)
        side = user_side(self.begun, self.screen, instruction, veiled=not self.chosen.plays_agent)
        return Person(self.keyboard, self.screen, side)


async def play(
    chosen: PlayOptions, game: EpisodeBackend, begun: EpisodeReply, settings: Settings, screen: Screen
) -> StepReply | None:
    """Play an episode that has begun to its end. Return its last reply, or None after Ctrl-C, which leaves it open.

    Raises:
        ProblemError: if it cannot continue.
        ModelUnavailable: if the agent's model does not answer and no person decides what to do.
    """
    screen.begin(begun, typed=chosen.plays_agent)
    keyboard = Keyboard(screen.console)
    again = after_a_pause(screen)
    if chosen.person:
        again = when_told(screen, lambda prompt: keyboard.ask(prompt, YELLOW, lambda _before, _word: []))
    table = EpisodeInTerminal(chosen, game, begun, settings, screen, keyboard, ShownRetryPolicy(screen, again))
    try:
        async with table.agent() as agent:
            customer = await table.customer()
            _say_how(table, asked=customer is not None)
            return await rollout(RetryingBackend(game, table.patience), begun, agent, screen, customer)
    except ContextFull as e:
        screen.hint(f"the agent gives up: {e}")
        return await game.close(begun.episode_id, StopReason.AGENT_ERROR)
    except Left:
        return await game.close(begun.episode_id, CLOSE_INFRASTRUCTURE)
    except (Interrupted, asyncio.CancelledError):  # the latter is Ctrl-C while the program waits for another side
        return None


def _say_how(table: EpisodeInTerminal, *, asked: bool) -> None:
    """Tell a person what to type at which prompt."""
    ways = []
    if table.chosen.plays_agent:
        ways.append("At `agent >`, type to the user or call a tool.")
    if asked:
        own = " or use what you have" if table.begun.info.user_tools else ""
        ways.append(f"At `user >`, type what the customer says{own}; {USER_STOP} there ends the episode.")
    if ways:
        table.screen.hint(" ".join([*ways, ":help says how."]))
