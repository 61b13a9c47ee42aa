"""What an agent needs to reach its episode over MCP."""

from typing import NamedTuple

from trainer_client.client import AsyncEpisode
from trainer_client.client.calls import new_key
from trainer_client.client.progress import Progress

CALL_S = 120.0
"""Seconds a call may take: a user that is a language model answers within one."""

KEY = "agent-env-server/idempotency-key"
"""The field of a call's `_meta` that makes sending it again safe."""


class Access(NamedTuple):
    """An address and the headers to send there."""

    url: str
    headers: dict[str, str]


def access(episode: Progress) -> Access:
    """Where an agent plays `episode`, and with which credential.

    Raises:
        ValueError: if the server has no MCP endpoint.
    """
    if episode.reply.mcp_url is None:
        raise ValueError("this server has no MCP endpoint")
    return Access(episode.reply.mcp_url, {"Authorization": f"Bearer {episode.reply.agent_token}"})


def call_meta() -> dict[str, str]:
    """A `_meta` for one call: however often it is sent with this, it is played once."""
    return {KEY: new_key()}


async def is_over(episode: AsyncEpisode) -> bool:
    """Whether no turn will follow: the episode has ended, or all it waits for is its judge."""
    stands = await episode.refresh()
    return stands.done or stands.awaiting_judge
