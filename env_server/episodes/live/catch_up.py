"""Catching up: an episode in memory takes over the parts that other processes have played."""

from env_server.episodes.episode import Carry, Episode, Position
from env_server.episodes.live.restore import ended_by, stored_changes
from env_server.records import News


def catch_up(episode: Episode, news: News) -> bool:
    """Add to `episode` what was committed after its position. The cost is that of the new parts.

    Return whether its rows then have the stored hash. If they do not, the caller must drop the episode object.
    """
    last = news.last
    carry = Carry.load(last.carry)
    if episode.state.apply(stored_changes(news.rows)).hash != carry.state_hash:
        return False
    episode.position, episode.carry = Position(last.turn, last.part, last.seq), carry
    episode.ended = None if news.ending is None else ended_by(news.ending)
    episode.touched = max(episode.touched, last.at)
    return True
