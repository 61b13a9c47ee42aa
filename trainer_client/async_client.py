"""`Client` for asyncio."""

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import TracebackType
from typing import Any, Self, TypeVar, Unpack

import httpx2

from schemas import (
    Diff,
    DomainList,
    EpisodeList,
    EpisodeReply,
    EpisodeSummary,
    ResetRequest,
    StateReply,
    StepReply,
    TaskDetail,
    TaskList,
    TokenReply,
    Trajectory,
)
from trainer_client import calls
from trainer_client.async_episode import AsyncEpisode
from trainer_client.batch import Batch, Batches
from trainer_client.calls import ActionLike, Call, R, ResetLike
from trainer_client.connection import PATIENCE_S, TIMEOUT_S, Connection
from trainer_client.errors import ServerError
from trainer_client.exchange import send_async
from trainer_client.leaving import Leave
from trainer_client.options import ResetOptions
from trainer_client.patience import Patience

T = TypeVar("T")


class AsyncClient:
    """A client for asyncio; see `trainer_client.client.Client`. It belongs to the event loop it is first used in."""

    def __init__(
        self,
        url: str = "http://127.0.0.1:8000",
        key: str | None = None,
        *,
        timeout_s: float = TIMEOUT_S,
        patience_s: float = PATIENCE_S,
        connections: int = 256,
    ) -> None:
        """Prepare; nothing is sent yet.

        Args:
            url: Where the server is.
            key: The trainer's key, if the server wants one.
            timeout_s: Seconds for one attempt; more than the server takes for a turn with its judge.
            patience_s: Seconds within which a failed call is sent again; 0 for never. More than `timeout_s`, or a call
                that got no answer is not.
            connections: Most connections at a time; further calls wait for a free one.

        Raises:
            ValueError: if the key is none that a header can carry.
        """
        self._connection = c = Connection(url, key, timeout_s, connections)
        self._http = httpx2.AsyncClient(headers=c.headers, timeout=c.times.timeout, limits=c.limits)
        self.patience = Patience(c.base_url, patience_s)
        """How long a failed call is sent again."""

    @property
    def url(self) -> str:
        """Where the server is."""
        return self._connection.base_url

    async def reset(self, domain: str, **options: Unpack[ResetOptions]) -> AsyncEpisode:
        """Begin an episode.

        Raises:
            ValueError: if an option is none, or of another type; it names the field.
        """
        request = ResetRequest.model_validate({"domain": domain, **options})
        return AsyncEpisode(self, await self._send(calls.reset(request)))

    async def reset_group(self, domain: str, n: int, **options: Unpack[ResetOptions]) -> list[AsyncEpisode]:
        """Begin `n` episodes of one task, in one commit."""
        request = ResetRequest.model_validate({"domain": domain, "n": n, **options})
        begun = calls.members(await self._send(calls.reset_group(request)), n)
        return [AsyncEpisode(self, reply) for reply in begun]

    async def batch_reset(self, requests: Sequence[ResetLike]) -> list[AsyncEpisode | ServerError]:
        """Begin several episodes; an episode or an error for each, in order.

        Raises:
            ValueError: if an item is no request; it names the item's index and the field.
        """
        return await self._batch(
            "/batch/reset", calls.reset_items(requests), EpisodeReply, lambda _, begun: AsyncEpisode(self, begun)
        )

    async def step(
        self, episode_id: str, turn: int, action: ActionLike, metadata: Mapping[str, Any] | None = None
    ) -> StepReply:
        """Play turn `turn` (1 for the first): one message of the agent."""
        return await self._send(calls.step(episode_id, turn, action, metadata))

    async def batch_step(self, steps: Sequence[tuple[AsyncEpisode, ActionLike]]) -> list[StepReply | ServerError]:
        """Play the next turn of several episodes; a reply or an error for each, in order.

        Raises:
            ValueError: if an episode is named twice.
        """
        return await self._batch(
            "/batch/step",
            calls.step_items([(episode.id, episode.turn + 1, action) for episode, action in steps]),
            StepReply,
            lambda i, reply: steps[i][0]._stepped(steps[i][1], reply),
        )

    async def user(
        self,
        episode_id: str,
        turn: int,
        content: str | None = None,
        tool_calls: list[Any] | None = None,
        seq: int | None = None,
    ) -> StepReply:
        """Supply the user's part of turn `turn`; `seq` numbers its pieces, 0 for the first."""
        return await self._send(calls.user(episode_id, turn, content, tool_calls, seq))

    async def close_episode(self, episode_id: str, reason: str | None = None) -> StepReply:
        """End an episode; with the reason `infrastructure` it is not scored."""
        return await self._send(calls.close(episode_id, reason))

    async def fork(self, episode_id: str, turn: int, seed: int | None = None) -> AsyncEpisode:
        """Continue after `turn` of an episode in a new one."""
        return AsyncEpisode(self, await self._send(calls.fork(episode_id, turn, seed)))

    async def token(self, episode_id: str) -> TokenReply:
        """Where an agent plays an episode over MCP, and a new token for it; the ones before it stay good."""
        return await self._send(calls.token(episode_id))

    async def episode(self, episode_id: str) -> EpisodeSummary:
        """Where an episode stands."""
        return await self._send(calls.episode(episode_id))

    async def episodes(self, **wanted: object) -> EpisodeList:
        """A page of episodes, newest first; `run`, `group_id`, `domain`, `done`, `forks`, `limit` and `before`."""
        return await self._send(calls.episodes(**wanted))

    async def trajectory(self, episode_id: str) -> Trajectory:
        """The whole record of an episode."""
        return await self._send(calls.trajectory(episode_id))

    async def state(self, episode_id: str, turn: int | None = None, *, everything: bool = False) -> StateReply:
        """The rows that the episode changed (all rows on request), after `turn`, and the state hash."""
        return await self._send(calls.state(episode_id, turn, everything=everything))

    async def diff(self, episode_id: str, since: str = "start", turn: int | None = None) -> Diff:
        """Which rows differ between `since` (`start`, `gold` or a turn's number) and `turn`."""
        return await self._send(calls.diff(episode_id, since, turn))

    async def domains(self) -> DomainList:
        """What there is to play."""
        return await self._send(calls.domains())

    async def tasks(self, domain: str, **wanted: object) -> TaskList:
        """A page of a domain's tasks; `pack`, `split`, `difficulty`, `order`, `offset` and `limit`."""
        return await self._send(calls.tasks(domain, **wanted))

    async def task(self, domain: str, task_id: str, pack: str = "builtin", *, gold: bool = False) -> TaskDetail:
        """One task, on request with its reference solution."""
        return await self._send(calls.task(domain, task_id, pack, gold=gold))

    async def close(self) -> None:
        """Close the connections; episodes stay as they are."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        """Nothing is opened before the first call."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the connections."""
        await self.close()

    async def _send(self, call: Call[R]) -> R:
        return await self.patience.acall(partial(self._once, call))

    async def _once(self, call: Call[R]) -> R:
        return await send_async(self._http, self._connection, call, self._connection.times)

    async def _leave(self, episode_id: str, reason: str | None) -> StepReply:
        call, leave = calls.close(episode_id, reason), Leave(reason, self._connection.timeout_s)
        return await self.patience.acall(
            lambda: send_async(self._http, self._connection, call, leave.times()), leave.within
        )

    async def _batch(
        self, path: str, items: list[dict[str, Any]], reply: type[R], take: Callable[[int, R], T]
    ) -> list[T | ServerError]:
        batches = Batches(path, items, reply, take)
        end = time.monotonic() + self.patience.seconds
        for batch in batches:
            with batches.keeping(batch):
                await self.patience.acall(partial(self._play, batch), within=end - time.monotonic())
        return batches.results

    async def _play(self, batch: Batch[Any]) -> None:
        batch.take(await self._once(batch.call()))
