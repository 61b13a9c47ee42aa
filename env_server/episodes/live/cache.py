"""The live episodes of this process: a cache over SQL, bounded in bytes, that forgets without anyone noticing."""

from collections import OrderedDict
from collections.abc import Iterator

from env_server.episodes.episode import Episode


class Cache:
    """Episodes by id, least recently used first."""

    def __init__(self, max_bytes: int) -> None:
        """Keep about `max_bytes` bytes of episodes."""
        self._max_bytes = max_bytes
        self._bytes = 0
        self.dropped = 0
        """Episodes that were forgotten since somebody set this to 0."""
        self._sizes: dict[str, int] = {}
        self._live: OrderedDict[str, Episode] = OrderedDict()

    def __len__(self) -> int:
        """How many episodes are in memory."""
        return len(self._live)

    def __iter__(self) -> Iterator[Episode]:
        """The episodes, least recently used first."""
        return iter(list(self._live.values()))

    def get(self, episode_id: str) -> Episode | None:
        """The live episode, or None; it counts as used."""
        episode = self._live.get(episode_id)
        if episode is not None:
            self._live.move_to_end(episode_id)
        return episode

    def add(self, episode: Episode) -> None:
        """Keep `episode`, and note its size anew; the least recently used make room."""
        name = episode.episode_id
        size = episode.bytes()
        self._bytes += size - self._sizes.get(name, 0)
        self._sizes[name] = size
        self._live[name] = episode
        self._live.move_to_end(name)
        if self._bytes > self._max_bytes:
            self._make_room()

    def measure(self, episode: Episode) -> None:
        """Note the size of `episode` after it changed; it stays where it is in the order of use."""
        name = episode.episode_id
        if name in self._sizes and len(episode.state.overlay.changes) == 0:
            return
        self.add(episode)

    def drop(self, episode: Episode) -> None:
        """Forget `episode`; whoever holds the object sees that it is stale."""
        episode.stale = True
        if self._live.get(episode.episode_id) is episode:
            del self._live[episode.episode_id]
            self._bytes -= self._sizes.pop(episode.episode_id)
            self.dropped += 1

    def drop_idle(self, before: float) -> int:
        """Forget what was last used before `before` and is not in use now; returns how many."""
        idle = [e for e in self._live.values() if e.touched < before and not e.lock.locked()]
        for episode in idle:
            self.drop(episode)
        return len(idle)

    def _make_room(self) -> None:
        for episode in list(self._live.values())[:-1]:  # not the one just added: somebody is about to use it
            if self._bytes <= self._max_bytes:
                return
            if not episode.lock.locked():
                self.drop(episode)
