"""The client for asyncio and its handle on an episode.

`scripts/unasync.py` generates `sync_client.py` from this file: change this file, and run the script.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import TracebackType
from typing import Any, Self, TypeVar, Unpack

import httpx2

from agent_env_schemas import (
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
from trainer_client.client import calls
from trainer_client.client.batch import Batch, Batches
from trainer_client.client.beginning import begins
from trainer_client.client.calls import ActionLike, ApiCall, EpisodeFilters, R, ResetLike, ResetOptions, TaskFilters
from trainer_client.client.connection import (
    CONNECT_PATIENCE_S,
    DEFAULT_URL,
    PATIENCE_S,
    TIMEOUT_S,
    Connection,
    send_async,
)
from trainer_client.client.errors import ServerError
from trainer_client.client.leaving import Leave, close_reason, leaving
from trainer_client.client.progress import Progress, attached
from trainer_client.client.retry import Retrier

T = TypeVar("T")


class AsyncClient:
    """A client for asyncio; `Client` is the same for threads. It belongs to the event loop that first uses it.

    Every method raises `ServerError` if the server refuses the call, and `Unreachable` if the server cannot be
    reached; both are `AgentEnvError`. A call that fails on the way, or with a problem that may pass, is first sent
    again, unchanged, for `patience_s`. That is safe: a step carries its turn's number, a reset and a fork carry an
    idempotency key, and the server answers what it has already done from its records.
    """

    def __init__(
        self,
        url: str | None = None,
        api_key: str | None = None,
        *,
        timeout: float = TIMEOUT_S,
        patience_s: float = PATIENCE_S,
        connect_patience_s: float = CONNECT_PATIENCE_S,
        connections: int = 256,
        headers: Mapping[str, str] | None = None,
        http_client: httpx2.AsyncClient | None = None,
    ) -> None:
        """Prepare the client; nothing is sent yet.

        Args:
            url: The address of the server; by default `ENV_SERVER_URL`, or else http://127.0.0.1:8000.
            api_key: The trainer's key, if the server wants one; by default `ENV_SERVER_KEY`, or else none.
            timeout: Seconds for one attempt. It must exceed what the server takes for a turn and its judge.
            patience_s: Seconds within which a failed call is sent again; 0 for never. It must exceed `timeout`, or a
                call that got no answer is not sent again.
            connect_patience_s: Seconds within which a refused connection is tried again, as long as the server has
                never answered.
            connections: The most connections at a time; further calls wait for a free one.
            headers: Further headers of every request.
            http_client: The HTTP client to send with, with its own proxies, certificates and limits. Its owner closes
                it; `connections` does not apply.

        Raises:
            ValueError: if no header can carry the key.
        """
        url = url or os.environ.get("ENV_SERVER_URL") or DEFAULT_URL
        api_key = api_key if api_key is not None else os.environ.get("ENV_SERVER_KEY") or None
        self._connection = Connection(url, api_key, timeout, connections, dict(headers or {}))
        self._given = http_client
        self._http = http_client or self._opened()
        self.retrier = Retrier(self._connection.base_url, patience_s, connect_patience_s)
        """Sends failed calls again."""

    def __getstate__(self) -> dict[str, Any]:
        """Return the settings, for another process; connections stay here.

        Raises:
            TypeError: if the client was made with an `http_client`.
        """
        if self._given is not None:
            raise TypeError("a client with an `http_client` of its own cannot be pickled")
        return {name: value for name, value in self.__dict__.items() if name != "_http"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Prepare the client with the settings of another."""
        self.__dict__.update(state)
        self._http = self._opened()

    def _opened(self) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(timeout=self._connection.times.timeout, limits=self._connection.limits)

    @property
    def url(self) -> str:
        """The address of the server."""
        return self._connection.base_url

    @begins
    async def reset(self, domain: str, **options: Unpack[ResetOptions]) -> AsyncEpisode:
        """Begin an episode.

        Raises:
            ValueError: if an option does not exist or has another type; the error names the field.
        """
        request = ResetRequest.model_validate({"domain": domain, **options})
        return AsyncEpisode(self, await self._send(calls.reset(request)))

    async def reset_group(self, domain: str, n: int, **options: Unpack[ResetOptions]) -> list[AsyncEpisode]:
        """Begin `n` episodes of one task, in one commit."""
        request = ResetRequest.model_validate({"domain": domain, "n": n, **options})
        begun = calls.members(await self._send(calls.reset_group(request)), n)
        return [AsyncEpisode(self, reply) for reply in begun]

    @begins
    async def attach(self, episode_id: str) -> AsyncEpisode:
        """Return a handle on an episode that has begun, at its newest turn and with its whole conversation."""
        record = await self.trajectory(episode_id)
        reply = attached(record, await self.token(record.episode.episode_id))
        episode = AsyncEpisode(self, reply)
        episode._replayed(record)
        return episode

    async def batch_reset(self, requests: Sequence[ResetLike]) -> list[AsyncEpisode | ServerError]:
        """Begin several episodes; the result is an episode or an error for each, in order.

        Raises:
            ValueError: if an item is not a request; the error names the item's index and the field.
        """
        return await self._batch(
            "/batch/reset", calls.reset_items(requests), EpisodeReply, lambda _, begun: AsyncEpisode(self, begun)
        )

    async def step(
        self,
        episode_id: str,
        turn: int,
        action: ActionLike,
        metadata: Mapping[str, Any] | None = None,
        *,
        forced_action: bool = False,
    ) -> StepReply:
        """Play turn `turn` (1 for the first): one message of the agent.

        `forced_action` says that the trainer has put this message in the place of the model's. Shaped rewards have a
        weight for such messages.
        """
        return await self._send(calls.step(episode_id, turn, action, metadata, forced_action))

    async def batch_step(self, steps: Sequence[tuple[AsyncEpisode, ActionLike]]) -> list[StepReply | ServerError]:
        """Play the next turn of several episodes; the result is a reply or an error for each, in order.

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

    @begins
    async def fork(self, episode_id: str, turn: int, seed: int | None = None) -> AsyncEpisode:
        """Continue after `turn` of an episode in a new one."""
        return AsyncEpisode(self, await self._send(calls.fork(episode_id, turn, seed)))

    async def token(self, episode_id: str) -> TokenReply:
        """Ask for an episode's MCP address and a new token for its agent; earlier tokens stay valid."""
        return await self._send(calls.token(episode_id))

    async def episode(self, episode_id: str) -> EpisodeSummary:
        """Ask where an episode stands."""
        return await self._send(calls.episode(episode_id))

    async def episodes(self, **wanted: Unpack[EpisodeFilters]) -> EpisodeList:
        """List a page of episodes, newest first, by `run`, `group_id`, `domain`, `done`, `forks`, `limit`, `before`.

        Raises:
            TypeError: if there is no such filter.
        """
        return await self._send(calls.episodes(wanted))

    async def trajectory(self, episode_id: str) -> Trajectory:
        """Fetch the whole record of an episode."""
        return await self._send(calls.trajectory(episode_id))

    async def state(self, episode_id: str, turn: int | None = None, *, everything: bool = False) -> StateReply:
        """Fetch the rows that the episode changed (with `everything` all rows), as of `turn`, and the state hash."""
        return await self._send(calls.state(episode_id, turn, everything=everything))

    async def diff(self, episode_id: str, since: str = "start", turn: int | None = None) -> Diff:
        """Fetch the rows that differ between `since` (`start`, `gold` or a turn's number) and `turn`."""
        return await self._send(calls.diff(episode_id, since, turn))

    async def domains(self) -> DomainList:
        """List the domains and their packs."""
        return await self._send(calls.domains())

    async def tasks(self, domain: str, **wanted: Unpack[TaskFilters]) -> TaskList:
        """List a page of a domain's tasks, by `pack`, `split`, `difficulty`, `order`, `offset` and `limit`.

        Raises:
            TypeError: if there is no such filter.
        """
        return await self._send(calls.tasks(domain, wanted))

    async def task(self, domain: str, task_id: str, pack: str = "builtin", *, gold: bool = False) -> TaskDetail:
        """Fetch one task, on request with its reference solution."""
        return await self._send(calls.task(domain, task_id, pack, gold=gold))

    async def close(self) -> None:
        """Close the connections; episodes stay as they are. An `http_client` of the caller stays open."""
        if self._given is None:
            await self._http.aclose()

    async def __aenter__(self) -> Self:
        """Open nothing: the first call opens a connection."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the connections."""
        await self.close()

    async def _send(self, call: ApiCall[R]) -> R:
        return await self.retrier.acall(partial(self._once, call))

    async def _once(self, call: ApiCall[R]) -> R:
        return await send_async(self._http, self._connection, call, self._connection.times)

    async def _leave(self, episode_id: str, reason: str | None) -> StepReply:
        call, leave = calls.close(episode_id, reason), Leave(reason, self._connection.timeout)
        return await self.retrier.acall(
            lambda: send_async(self._http, self._connection, call, leave.times()), leave.within
        )

    async def _batch(
        self, path: str, items: list[dict[str, Any]], reply: type[R], take: Callable[[int, R], T]
    ) -> list[T | ServerError]:
        batches = Batches(path, items, reply, take)
        end = time.monotonic() + self.retrier.seconds
        for batch in batches:
            with batches.keeping(batch):
                await self.retrier.acall(partial(self._play, batch), within=end - time.monotonic())
        return batches.results

    async def _play(self, batch: Batch[Any]) -> None:
        batch.take(await self._once(batch.call()))


class AsyncEpisode(Progress):
    """One episode. Every method may raise what the client's methods raise, and may then be called again unchanged.

    As a context manager it closes the episode on leaving. An exception inside is the caller's own failure, so the
    episode is then closed with the reason `infrastructure` and not scored. Leaving does not wait for a server that is
    away; it does wait for a server that took the request, so that the reward is known afterwards.
    """

    def __init__(self, client: AsyncClient, reply: EpisodeReply) -> None:
        """Only `AsyncClient.reset` and the client's other methods make an episode."""
        super().__init__(reply, client.retrier)
        self._client = client

    async def step(
        self, action: ActionLike, metadata: Mapping[str, Any] | None = None, *, forced_action: bool = False
    ) -> StepReply:
        """Play the next turn: one message of the agent. `forced_action` is as in the client's `step`."""
        reply = await self._client.step(self.id, self.turn + 1, action, metadata, forced_action=forced_action)
        return self._stepped(action, reply)

    async def refresh(self) -> EpisodeSummary:
        """Ask where the episode stands, for a handle whose episode others play too, over MCP for example."""
        return self._refreshed(await self._client.episode(self.id))

    async def user(self, content: str | None = None, tool_calls: list[Any] | None = None) -> StepReply:
        """Supply (a piece of) the user's part of the turn that waits for it, whoever played that turn."""
        if self._unanswered is None:
            await self.refresh()
        turn, piece = self._asked()
        try:
            reply = await self._client.user(self.id, turn, content, tool_calls, piece)
        except ServerError as error:
            self._refused(error)
            raise
        return self._answered(reply)

    async def close(self, reason: str | None = None) -> StepReply:
        """End the episode. If it has ended already, the last reply comes again."""
        return self._took(await self._client.close_episode(self.id, reason))

    @begins
    async def fork(self, turn: int | None = None, seed: int | None = None) -> AsyncEpisode:
        """Continue after `turn` (the newest by default) in a new episode."""
        return await self._client.fork(self.id, self.turn if turn is None else turn, seed)

    async def trajectory(self) -> Trajectory:
        """Fetch the whole record so far."""
        return await self._client.trajectory(self.id)

    async def __aenter__(self) -> Self:
        """Open nothing: the episode has begun."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the episode unless it has ended."""
        if not self.done:
            with leaving(self, error):
                self._took(await self._client._leave(self.id, close_reason(self, error)))
