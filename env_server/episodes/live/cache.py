"""The live episodes of this process: a cache over SQL with a limit in bytes.

An evicted episode is restored from SQL.
"""

from collections import OrderedDict
from collections.abc import Iterator

from env_server.episodes.episode import Episode


class Cache:
    """Episodes by id, least recently used first."""

    def __init__(self, max_bytes: int) -> None:
        """Set the limit to about `max_bytes` bytes of episodes."""
        self._max_bytes = max_bytes
        self._bytes = 0
        self.dropped = 0
        """Number of episodes dropped since the last reset of this counter."""
        self._sizes: dict[str, int] = {}
        self._live: OrderedDict[str, Episode] = OrderedDict()

    def __len__(self) -> int:
        """Return the number of episodes in memory."""
        return len(self._live)

    def __iter__(self) -> Iterator[Episode]:
        """Iterate over the episodes, least recently used first."""
        return iter(list(self._live.values()))

    def get(self, episode_id: str) -> Episode | None:
        """Return the live episode, or None. It becomes the most recently used."""
        episode = self._live.get(episode_id)
        if episode is not None:
            self._live.move_to_end(episode_id)
        return episode

    def add(self, episode: Episode) -> None:
        """Add `episode` and record its current size. Drop the least recently used episodes if the limit is exceeded."""
        name = episode.episode_id
        size = episode.bytes()
        self._bytes += size - self._sizes.get(name, 0)
        self._sizes[name] = size
        self._live[name] = episode
        self._live.move_to_end(name)
        if self._bytes > self._max_bytes:
            self._make_room()

    def measure(self, episode: Episode) -> None:
        """Record the size of `episode` after a change.

        It becomes the most recently used, unless it has no changed rows.
        """
        name = episode.episode_id
        if name in self._sizes and len(episode.state.overlay.changes) == 0:
            return
        self.add(episode)

    def drop(self, episode: Episode) -> None:
        """Drop `episode` and mark it as stale, so that current holders of the object notice."""
        episode.stale = True
        if self._live.get(episode.episode_id) is episode:
            del self._live[episode.episode_id]
            self._bytes -= self._sizes.pop(episode.episode_id)
            self.dropped += 1

    def drop_idle(self, before: float) -> list[Episode]:
        """Drop the episodes that were last used before `before` and are not in use now. Return them."""
        idle = [e for e in self._live.values() if e.touched < before and not e.busy]
        for episode in idle:
            self.drop(episode)
        return idle

    def _make_room(self) -> None:
        for episode in list(self._live.values())[:-1]:  # without the episode just added, which is about to be used
            if self._bytes <= self._max_bytes:
                return
            if not episode.busy:
                self.drop(episode)
