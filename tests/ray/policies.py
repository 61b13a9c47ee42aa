"""Policies that the workers of the tests make. They stand in a module so that Ray can send them by name."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from trainer_client import AsyncEpisode

TURNS = 6
THINK = {"tool_calls": [{"name": "think", "arguments": {"thought": "hm"}}]}
DONE = {"tool_calls": [{"name": "transfer_to_human_agents", "arguments": {"summary": "done"}}]}


def thinker(notes: str, pause_s: float = 0.0) -> Callable[[], Callable[[AsyncEpisode], Awaitable[Any]]]:
    """Return what makes a policy that thinks `TURNS` times and then hands over.

    Each worker writes a file with its process id into the folder `notes`, and the turns that it has been asked for.
    """

    def make() -> Callable[[AsyncEpisode], Awaitable[Any]]:
        mine = Path(notes) / str(os.getpid())

        async def act(episode: AsyncEpisode) -> Any:
            with mine.open("a", encoding="utf-8") as file:
                file.write(f"{episode.id} {episode.turn + 1}\n")
            await asyncio.sleep(pause_s)
            return THINK if episode.turn < TURNS else DONE

        return act

    return make


def failing() -> Callable[[AsyncEpisode], Awaitable[Any]]:
    """Return a policy that fails at its second turn, in every second episode of a group."""
    seen: list[str] = []

    async def act(episode: AsyncEpisode) -> Any:
        if episode.id not in seen:
            seen.append(episode.id)
        if episode.turn == 1 and seen.index(episode.id) % 2:
            raise ValueError("the model has no answer")
        return THINK if episode.turn < TURNS else DONE

    return act
