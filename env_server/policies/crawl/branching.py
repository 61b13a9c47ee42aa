"""One crawl with several ends: the look-ups are computed once."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from agent_env_schemas import Message
from env_server.policies.base import AgentMove, Policy
from env_server.policies.crawl.crawler import Crawler


@dataclass
class Trunk:
    """A crawler whose moves up to its closing are stored."""

    crawler: Crawler
    moves: list[AgentMove | None] = field(default_factory=list)
    """Its moves before the closing."""

    _last: Crawler | None = None
    """The crawler before its first closing message."""

    async def move(self, heard: Sequence[Message]) -> AgentMove | None:
        """Return the crawler's move."""
        if self.crawler.opening:
            return await self.crawler.move(heard)
        self._last = self.crawler.copy(self.crawler.closing)
        move = await self.crawler.move(heard)
        if not self.crawler.opening:
            self.moves.append(move)
        return move

    def branch(self, crawler: Crawler) -> Policy:
        """Return the policy that plays the same crawl, against the same user, and ends as `crawler` does.

        Until the stored crawl has reached its closing, return `crawler` itself.
        """
        if self._last is None or not self.crawler.opening:
            return crawler
        return Branch(list(self.moves), self._last.copy(crawler.closing))


@dataclass
class Branch:
    """A policy that plays the stored moves of another crawler, then continues by itself."""

    moves: list[AgentMove | None]
    crawler: Crawler

    async def move(self, heard: Sequence[Message]) -> AgentMove | None:
        """Return the next stored move, or a new one after the last."""
        return self.moves.pop(0) if self.moves else await self.crawler.move(heard)


@dataclass
class Grove:
    """The policies of one task. Their crawlers share one crawl."""

    trunk: Trunk | None = None

    def policy(self, policy: Policy) -> Policy:
        """Return a policy that plays like `policy`. The policies have to be played one after the other."""
        if not isinstance(policy, Crawler):
            return policy
        if self.trunk is not None:
            return self.trunk.branch(policy)
        self.trunk = Trunk(policy)
        return self.trunk
