"""An agent's access to its episode over MCP, and the check whether the episode is over."""

from typing import NamedTuple

from trainer_client.client import AsyncEpisode
from trainer_client.client.calls import new_key
from trainer_client.client.progress import Progress

CALL_S = 120.0
"""Seconds that one attempt at a call may take: a language model that plays the user answers during the call."""

KEY = "agent-env-server/idempotency-key"
"""The field of a call's `_meta` that makes retries safe."""


class Access(NamedTuple):
    """An address and the headers to send there."""

    url: str
    headers: dict[str, str]


def access(episode: Progress) -> Access:
    """The address and the credential with which an agent plays `episode`.

    Raises:
        ValueError: if the server has no MCP endpoint.
    """
    if episode.reply.mcp_url is None:
        raise ValueError("this server has no MCP endpoint")
    return Access(episode.reply.mcp_url, {"Authorization": f"Bearer {episode.reply.agent_token}"})


def call_meta() -> dict[str, str]:
    """A new `_meta` for one call: the server plays the call once, however often it is sent."""
    return {KEY: new_key()}


async def is_over(episode: AsyncEpisode) -> bool:
    """Whether no turn will follow: the episode has ended, or waits only for its judge."""
    stands = await episode.refresh()
    return stands.done or stands.awaiting_judge
