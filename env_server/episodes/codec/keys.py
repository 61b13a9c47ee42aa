"""Idempotency keys of stored episodes: their scopes, and the episodes that a stored reply began."""

import re

_EPISODE = re.compile(r'"episode_id":"(ep_[A-Za-z0-9_-]+)"')


def scope_of(episode_id: str) -> str:
    """Return the scope of an episode's keys. It cannot equal a trainer's name, because such a name has no colon."""
    return f"episode:{episode_id}"


def episodes_in(reply: str) -> set[str]:
    """Return the ids of the episodes that the stored reply to a reset or a fork names."""
    return set(_EPISODE.findall(reply))
