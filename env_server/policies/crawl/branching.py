"""Playing one crawl to several ends: the look-ups are worked out once."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from agent_env_schemas import Message
from env_server.policies.base import AgentMove, Policy
from env_server.policies.crawl.crawler import Crawler


@dataclass
class Trunk:
    """A crawler whose way up to its closing is kept."""

    crawler: Crawler
    moves: list[AgentMove | None] = field(default_factory=list)
    """Its moves up to there."""

    _last: Crawler | None = None
    """The crawler before its first word of closing."""

    async def move(self, heard: Sequence[Message]) -> AgentMove | None:
        """What the crawler does."""
        if self.crawler.opening:
            return await self.crawler.move(heard)
        self._last = self.crawler.copy(self.crawler.closing)
        move = await self.crawler.move(heard)
        if not self.crawler.opening:
            self.moves.append(move)
        return move

    def branch(self, crawler: Crawler) -> Policy:
        """The policy that plays the same crawl, against the same user, and ends as `crawler` does.

        Until it came to its closing that is `crawler` itself.
        """
        if self._last is None or not self.crawler.opening:
            return crawler
        return Branch(list(self.moves), self._last.copy(crawler.closing))


@dataclass
class Branch:
    """Makes the moves of another crawler, then goes on by itself."""

    moves: list[AgentMove | None]
    crawler: Crawler

    async def move(self, heard: Sequence[Message]) -> AgentMove | None:
        """The next of the moves, or what comes after them."""
        return self.moves.pop(0) if self.moves else await self.crawler.move(heard)


@dataclass
class Grove:
    """The policies of one task, whose crawlers share their crawl."""

    trunk: Trunk | None = None

    def policy(self, policy: Policy) -> Policy:
        """What plays as `policy` does; one after the other."""
        if not isinstance(policy, Crawler):
            return policy
        if self.trunk is not None:
            return self.trunk.branch(policy)
        self.trunk = Trunk(policy)
        return self.trunk
