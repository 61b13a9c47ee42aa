"""Rollouts on Ray: groups of episodes are played by tasks or actors anywhere in the cluster, on any number of servers.

    rollouts = RayRollouts(["http://a:8000", "http://b:8000"], make_policy, workers=8)
    for group in rollouts.play([{"domain": "retail", "index": i} for i in range(1000)], n=8):
        train_on(group.rollouts)

The state of episodes is on the servers, so another worker can take over. If a worker is lost, or a server does not
answer it, its groups go on elsewhere, each episode after its newest committed turn. Nothing is played twice.

The servers have one database (replicas), or are one address of a load balancer.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import uuid4

from agent_env_schemas import CLOSE_INFRASTRUCTURE, ErrorCode
from trainer_client.client import AsyncClient, AsyncEpisode
from trainer_client.client.calls import ActionLike
from trainer_client.client.errors import AgentEnvError, ServerError
from trainer_client.client.retry import described, may_pass
from trainer_client.integrations.needed import needed

with needed("ray", "ray"):
    import ray
    from ray.exceptions import RayActorError, RayError, RayTaskError

Policy = Callable[[AsyncEpisode], Awaitable[ActionLike]]
"""Returns the agent's next message for an episode. Several episodes ask at the same time."""

_BEHIND = {ErrorCode.TURN_CONFLICT, ErrorCode.EPISODE_OVER}
"""The errors that mean that a worker which counts as lost has played on meanwhile."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class RayRollout:
    """One episode as it ended. Without a reward it must not be trained on."""

    episode_id: str | None
    reward: float | None
    turns: int = 0
    stop_reason: str | None = None
    messages: list[dict[str, Any]] = field(default_factory=list, repr=False)
    error: str | None = None
    """Why there is no reward, if the policy or the servers failed."""


@dataclass(frozen=True)
class PlayedGroup:
    """The rollouts of one request, in the order of the group."""

    index: int
    request: Mapping[str, Any]
    rollouts: list[RayRollout]
    attempts: int
    """How many workers have played it: more than 1 where one was lost, or a server was away."""


@dataclass(frozen=True)
class _Group:
    """A group to be played. It is sent to workers."""

    index: int
    request: Mapping[str, Any]
    n: int
    key: str
    attempt: int = 0


@dataclass(frozen=True)
class _Access:
    """A worker's access to the servers: addresses, key and patience."""

    servers: tuple[str, ...]
    api_key: str | None
    patience_s: float

    def client(self, group: _Group) -> AsyncClient:
        """Return a client of the server for this attempt: each attempt asks the next one."""
        url = self.servers[(group.index + group.attempt) % len(self.servers)]
        return AsyncClient(url, self.api_key, patience_s=self.patience_s, connect_patience_s=self.patience_s)


class _Away(Exception):
    """The server has not answered in time, so another attempt may help. Ray carries this error to the caller."""


async def _play_group(group: _Group, access: _Access, policy: Policy) -> list[RayRollout]:
    """Begin the group, or find it if it has begun, and play its episodes to their ends.

    Raises:
        _Away: if the server does not answer, or is overloaded, for too long.
    """
    client = access.client(group)
    first: AgentEnvError | None = None
    tasks: list[asyncio.Task[RayRollout]] = []
    try:
        async with client, asyncio.TaskGroup() as playing:
            options: dict[str, Any] = {**group.request, "idempotency_key": group.key}
            begun = await client.reset_group(options.pop("domain"), group.n, **options)
            tasks += [playing.create_task(_play(client, each, group.attempt > 0, policy)) for each in begun]
    except* AgentEnvError as errors:
        first = _first(errors)
    if first is None:
        return [task.result() for task in tasks]
    if may_pass(first):
        raise _Away(f"{client.url}: {described(first)}")
    return [RayRollout(None, None, error=described(first))] * group.n


async def _play(client: AsyncClient, episode: AsyncEpisode, has_begun: bool, policy: Policy) -> RayRollout:
    if has_begun:  # another worker may have played some of it
        episode = await client.attach(episode.id)
    while not episode.done:
        try:
            action = await policy(episode)
        except Exception as e:  # the policy's failure is its own: the episode ends without a reward
            await episode.close(CLOSE_INFRASTRUCTURE)
            return RayRollout(episode.id, None, episode.turn, episode.stop_reason, episode.messages, described(e))
        try:
            await episode.step(action)
        except ServerError as e:
            if not has_begun or e.code not in _BEHIND:
                raise
            episode = await client.attach(episode.id)
    return RayRollout(episode.id, episode.reward, episode.turn, episode.stop_reason, episode.messages)


def _first(errors: BaseExceptionGroup[AgentEnvError]) -> AgentEnvError:
    """Return an error that may pass, if there is one, since then the other episodes can go on."""
    found: list[AgentEnvError] = []
    for error in errors.exceptions:
        found.append(_first(error) if isinstance(error, BaseExceptionGroup) else error)
    return next((error for error in found if may_pass(error)), found[0])


def _play_as_task(group: _Group, access: _Access, make_policy: Callable[[], Policy]) -> list[RayRollout]:
    return asyncio.run(_play_group(group, access, make_policy()))


class _RayWorker:
    """A process with a policy, which plays several groups at the same time."""

    def __init__(self, access: _Access, make_policy: Callable[[], Policy]) -> None:
        self._access, self._policy = access, make_policy()

    async def play(self, group: _Group) -> list[RayRollout]:
        """Play a group."""
        return await _play_group(group, self._access, self._policy)


class RayRollouts:
    """Plays groups of episodes on a Ray cluster.

    With `workers`, that many actors make one policy each and play `groups_each` groups at a time. Without it, each
    group is a Ray task that makes a policy for itself, and `groups_each` of them run at the same time.
    """

    def __init__(
        self,
        servers: Sequence[str],
        make_policy: Callable[[], Policy],
        *,
        workers: int | None = None,
        groups_each: int = 4,
        attempts: int = 8,
        patience_s: float = 60.0,
        api_key: str | None = None,
        ray_options: Mapping[str, Any] | None = None,
    ) -> None:
        """Play on `servers`; `ray_options` are Ray's for each task or actor, such as `num_gpus`.

        A group is given up after `attempts` workers. Each of them tries its server for `patience_s` seconds.

        Raises:
            ValueError: if there is no server.
        """
        if not servers:
            raise ValueError("name at least one server")
        self._access = _Access(tuple(servers), api_key, patience_s)
        self._make_policy, self._attempts = make_policy, attempts
        self.workers: list[Any] = []
        """The actors. One that is lost is replaced."""
        options = dict(ray_options or {})
        if workers is None:
            self._free: list[int | None] = [None] * groups_each
            self._task = ray.remote(_play_as_task).options(max_retries=0, **options)
        else:
            options.setdefault("max_concurrency", groups_each)
            self._actor = ray.remote(_RayWorker).options(**options)
            self._free = [*range(workers)] * groups_each
            self.workers = [self._new_worker() for _ in range(workers)]

    def play(self, requests: Iterable[Mapping[str, Any]], n: int = 1, name: str | None = None) -> Iterator[PlayedGroup]:
        """Play a group of `n` episodes for each request, and yield the groups as they end.

        A request is taken from `requests` when a worker is free for it and the caller asks for a group, so that no more
        episodes are open than are played. With the same `name`, a driver that was started again finds the groups that
        it had begun, and goes on with them.
        """
        batch = name or uuid4().hex
        coming = enumerate(requests)
        waiting: list[_Group] = []
        running: dict[Any, tuple[_Group, int | None, Any]] = {}
        try:
            while True:
                while self._free and (group := waiting.pop() if waiting else _next(coming, n, batch)) is not None:
                    slot = self._free.pop(0)
                    worker = None if slot is None else self.workers[slot]
                    running[self._started(worker, group)] = group, slot, worker
                if not running:
                    return
                done, _ = ray.wait(list(running))
                group, slot, worker = running.pop(done[0])
                self._free.append(slot)  # behind the others, so that a lost group goes on elsewhere
                played = self._result(done[0], group, slot, worker)
                if played is None:
                    waiting.append(replace(group, attempt=group.attempt + 1))
                else:
                    yield played
        finally:  # the caller wants no more groups
            for reference, (_, slot, _) in running.items():
                ray.cancel(reference)
                self._free.append(slot)

    def _new_worker(self) -> Any:
        return self._actor.remote(self._access, self._make_policy)

    def _started(self, worker: Any, group: _Group) -> Any:
        if worker is None:
            return self._task.remote(group, self._access, self._make_policy)
        return worker.play.remote(group)

    def _result(self, reference: Any, group: _Group, slot: int | None, worker: Any) -> PlayedGroup | None:
        """Return the result of a group, or None if another attempt is needed.

        Raises:
            ray.exceptions.RayTaskError: for an error in the code of a task or an actor.
        """
        try:
            rollouts = ray.get(reference)
        except RayError as e:
            if isinstance(e, RayTaskError) and not isinstance(e, _Away):
                raise
            if isinstance(e, RayActorError) and slot is not None and self.workers[slot] is worker:
                self.workers[slot] = self._new_worker()
                with suppress(RayError):
                    ray.kill(worker)  # it may only be out of reach
            log.warning("group %d has lost its worker or server: %s", group.index, described(e))
            if group.attempt + 1 < self._attempts:
                return None
            rollouts = [RayRollout(None, None, error=described(e))] * group.n
        return PlayedGroup(group.index, group.request, rollouts, group.attempt + 1)


def _next(coming: Iterator[tuple[int, Mapping[str, Any]]], n: int, batch: str) -> _Group | None:
    found = next(coming, None)
    return None if found is None else _Group(*found, n, f"{batch}/{found[0]}")
