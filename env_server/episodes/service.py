"""The entry point of the episode state machine: one method for each API operation that plays or ends episodes."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from time import monotonic, time
from typing import Final

import orjson

from agent_env_schemas import (
    CloseRequest,
    ErrorCode,
    ForkRequest,
    ResetRequest,
    StepRequest,
    StopReason,
    ToolOptions,
    UserRequest,
)
from agent_env_schemas.reasons import CLOSE_INFRASTRUCTURE
from env_server.episodes.begin.beginner import Beginner, metadata_text, new_id
from env_server.episodes.begin.fork import Forker
from env_server.episodes.begin.idempotency import IdempotencyKeys, PendingEpisodes
from env_server.episodes.codec.reply import render
from env_server.episodes.codec.text import dumps
from env_server.episodes.codec.tokens import Tokens
from env_server.episodes.episode import AGENT, USER, Episode, Position
from env_server.episodes.failures import Failures, HungWork, has_failed
from env_server.episodes.live.cache import Cache
from env_server.episodes.live.lock import EpisodeLocks, Stale, unknown
from env_server.episodes.live.user_wait import UserWait
from env_server.episodes.outages import outages_told
from env_server.episodes.packs.catalogue import Catalogue
from env_server.episodes.packs.gold import Golds
from env_server.episodes.packs.library import Library
from env_server.episodes.quotas import Quotas
from env_server.episodes.read.reader import EpisodeReader
from env_server.episodes.read.runs import RunViews
from env_server.episodes.read.views import EpisodeViews
from env_server.episodes.score.background import BackgroundScoring
from env_server.episodes.score.judging import Judging
from env_server.episodes.turn.agent import Plain, play_agent
from env_server.episodes.turn.channel import STEP, Channel, Move
from env_server.episodes.turn.claim import claimed
from env_server.episodes.turn.commit import kept_answers
from env_server.episodes.turn.ending import Scorer, ending_part
from env_server.episodes.turn.outside_calls import EffectLog, interrupted
from env_server.episodes.turn.part import TurnPart
from env_server.episodes.turn.retries import StoredAnswers, key_row, over, turn_of_key
from env_server.episodes.turn.user import play_user
from env_server.errors import ProblemError
from env_server.records import Claim, KeyRow, Store, Unit
from env_server.rewards.judge import Judge
from env_server.users import Users

CALLS_SHARE: Final = 0.8
"""The share of a turn's time in which its calls to servers have to end. A call that takes longer is answered as timed
out, and the rest is for the user's part and the commit.
"""


@dataclass(frozen=True)
class Limits:
    """Limits that the operator sets. Times in seconds, sizes in bytes."""

    step_timeout_s: float = 60.0
    cache_bytes: int = 512 * 1024 * 1024
    allow_drift: bool = False
    token_lifetime_s: float = 86_400.0
    user_attempts: int = 5
    """Number of the user's failures in one turn after which the episode ends without a score."""
    judge_timeout_s: float = 60.0


class Episodes:
    """All episodes, live or stored. API methods return the bytes of the reply or raise ProblemError."""

    def __init__(
        self,
        store: Store,
        library: Library,
        secret: str,
        limits: Limits,
        users: Users | None = None,
        judge: Judge | None = None,
        quotas: Quotas | None = None,
    ) -> None:
        """Use `store` and the packs of `library`. Agent tokens are signed with `secret`."""
        self.quotas = quotas or Quotas([], store)
        self.store = store
        self.library = library
        self.limits = limits
        self.users = users or Users()
        self.tokens = Tokens(secret, limits.token_lifetime_s)
        self.golds = Golds(store, library)
        self.scorer = Scorer(self.golds, library, limits.allow_drift, judge is not None)
        self.judging = Judging(store, library, self.scorer, judge, limits.judge_timeout_s)
        self._retries = StoredAnswers(store, library, self.judging.settle)
        self.cache = Cache(limits.cache_bytes)
        self.reader = EpisodeReader(store, library, self.golds)
        self.views = EpisodeViews(store, library, self.reader)
        self.runs = RunViews(store, library, self.reader)
        self.catalogue = Catalogue(library)
        self._beginner = Beginner(store, library, self.golds, self.users, limits.step_timeout_s, judge is not None)
        self._once = IdempotencyKeys(store, library, self.cache, self.tokens)
        self._forker = Forker(store, library, self.users, judge is not None)
        self._failures = Failures[tuple[int, int]](limits.user_attempts)
        self._hangs = HungWork[tuple[int, Position, int]]()
        self._waiting = UserWait(store, self.cache)
        self._locks = EpisodeLocks(store, library, self.users, self.cache)
        self.scoring = BackgroundScoring(store, self._locks, self.judging, self.cache)

    async def reset(self, request: ResetRequest, caller: str, address: str | None = None) -> bytes:
        """Begin an episode or a group. With an idempotency key, do so at most once.

        `address` is this server's address for MCP clients, such as http://host:port; None if MCP is not offered.
        """

        async def begin() -> PendingEpisodes:
            group_id = request.group_id or (new_id("grp") if request.n is not None else None)
            await counted.aclose()  # ends the count of an earlier attempt
            await counted.enter_async_context(self.quotas.beginning(caller, request.n or 1))
            begun = await self._beginner.begin(request, caller, group_id, address)
            replies = [render(b.episode.episode_id, b.reply) for b in begun]
            answer = replies[0]
            if request.n is not None:
                answer = b'{"group_id":%s,"episodes":[%s]}' % (orjson.dumps(group_id), b",".join(replies))
            metadata = metadata_text(request.metadata)
            turns = [b.turn._replace(metadata=metadata) for b in begun]
            memos = [memo for b in begun for memo in kept_answers(b.answers)]
            return PendingEpisodes(
                answer, Unit(episodes=[b.row for b in begun], turns=turns, memos=memos), [b.episode for b in begun]
            )

        asked = ["reset", request.model_dump_json()]
        async with AsyncExitStack() as counted:
            return await self._once.begin(caller, request.idempotency_key, asked, begin)

    async def fork(self, episode_id: str, request: ForkRequest, caller: str, address: str | None = None) -> bytes:
        """Begin a new episode that continues after a turn of `episode_id`. `address` is as in `reset`."""

        async def begin() -> PendingEpisodes:
            row = self.store.reads.episode_by_id(episode_id)
            if row is None:
                raise unknown(episode_id)
            await counted.aclose()  # ends the count of an earlier attempt
            await counted.enter_async_context(self.quotas.beginning(caller, 1))
            episode, reply, unit = await self._forker.fork(row, request, caller, address)
            return PendingEpisodes(render(episode.episode_id, reply), unit, [episode])

        asked = ["fork", episode_id, request.model_dump_json()]
        async with AsyncExitStack() as counted:
            return await self._once.begin(caller, request.idempotency_key, asked, begin)

    async def step(self, request: StepRequest | Move, key: str | None = None, channel: Channel = STEP) -> bytes:
        """Play the agent's message, which came by `channel`. Answer a retry of it from the store.

        A caller that does not count turns makes a `key` for each message instead. Each key is played once.
        """
        episode_id, given, message = request.episode_id, request.turn, request.action
        plain = message if isinstance(message, str | dict) else message.plain()
        action = dumps(plain)
        live = self.cache.get(episode_id)
        if live is None and given is not None:
            known = await self._retries.unrestored(episode_id, given, action)
            if known is not None:
                return known
        if not channel.waits and live is not None and live.carry.unscored is not None:
            return await self._retries.while_judged(live, key, action, channel)

        async def attempt(episode: Episode) -> bytes:
            await self._locks.refresh(episode, behind=channel.looks if given is None else given > episode.turn + 1)
            turn = given or episode.turn + 1
            if turn <= episode.turn:
                return await self._retries.turn(episode, turn, action)
            if episode.side.outside and await self._finished(episode, channel):
                raise Stale
            if (known := turn_of_key(self.store, episode, key, action)) is not None:
                return await self._retries.turn(episode, known, action, channel)
            self._may_play(episode, turn)
            row = key_row(episode, key, action, turn)
            if _too_late(episode):
                return await self._end(episode, ending_part(episode, StopReason.DEADLINE, action=action), row)
            metadata = metadata_text(request.metadata)
            if not episode.user.remote and not episode.side.outside:  # nothing blocks this turn: no claim, no timeout
                part = await self._play_alone(episode, turn, plain, action, channel)
                part.metadata, part.forced = metadata, request.forced_action
                return await self._commit(episode, part, key=row, channel=channel)
            if self._failures.too_many((episode.key, turn)):
                return await self._end(episode, ending_part(episode, StopReason.USER_ERROR, action=action), row)
            async with self._held(episode, turn) as claim:
                part = await self._play(episode, turn, plain, action, channel, claim, row)
                part.metadata, part.forced = metadata, request.forced_action
                return await self._commit(episode, part, claim, part.once, channel)

        return await self._locks.attempt(episode_id, attempt)

    async def user(self, episode_id: str, request: UserRequest) -> bytes:
        """Commit the user's part of the awaited turn. Answer a retry of it from the store."""
        action = dumps(request.plain())

        async def attempt(episode: Episode) -> bytes:
            await self._locks.refresh(episode, behind=request.turn is None or request.turn > episode.turn)
            turn = episode.turn if request.turn is None else request.turn
            if turn == episode.turn and episode.carry.awaiting and not episode.stopped:
                same = self._retries.piece(episode, request, action)
                if same is None and _too_late(episode):
                    return await self._commit(episode, ending_part(episode, StopReason.DEADLINE, action=action))
                return same or await self._commit(episode, self._played_user(episode, request, action))
            known = await self._retries.user_part(episode, turn, action)
            if known is not None:
                return known
            if await self._locks.refresh(episode, behind=True):
                raise Stale
            if turn > episode.turn:
                raise ProblemError(ErrorCode.TURN_AHEAD, f"the newest turn is {episode.turn}", episode_id)
            if episode.stopped and turn >= episode.turn:
                raise over(episode)
            if any(t.part == USER for t in self.store.reads.turns(episode.key, turn, turn)):
                raise ProblemError(
                    ErrorCode.TURN_CONFLICT,
                    f"the user's part of turn {turn} is committed with another body",
                    episode_id,
                )
            raise ProblemError(ErrorCode.NOT_AWAITING_USER, "the episode is not waiting for its user", episode_id)

        return await self._locks.attempt(episode_id, attempt)

    async def heard(self, episode_id: str, turn: int | None, seconds: float) -> bytes | None:
        """Return the reply to an external user's part of `turn` (default: the newest).

        Wait up to `seconds` for it. Return None if it does not come in that time.
        """
        with outages_told(episode_id):
            return await self._waiting.reply(self.reader.row(episode_id), turn, seconds)

    async def close(self, episode_id: str, request: CloseRequest) -> bytes:
        """End the episode. If it has ended, return the last reply again, and score it first if the score is missing."""
        reason = request.reason

        async def attempt(episode: Episode) -> bytes:
            await self._locks.refresh(episode, behind=True)
            if episode.stopped and not episode.ended and reason == CLOSE_INFRASTRUCTURE:
                return await self.judging.abandon(episode)
            if episode.stopped:
                return await self._retries.part(episode, self.store.reads.turns(episode.key, episode.turn)[-1])
            if episode.side.outside and await self._finished(episode):
                raise Stale
            stop = StopReason.AGENT_ERROR if reason == StopReason.AGENT_ERROR else StopReason.CLOSED
            return await self._end(episode, ending_part(episode, stop, reason))

        if reason == CLOSE_INFRASTRUCTURE:  # must not wait in the queue behind the judge
            await self.scoring.leave(episode_id)
        return await self._locks.attempt(episode_id, attempt)

    async def stop(self) -> None:
        """Cancel the background work. A later request for a missing score makes that score."""
        await self.scoring.stop()
        await self.library.aclose()

    async def settle(self, episode_id: str) -> None:
        """Wait until the turn that is played in this process, if any, is committed or has failed."""

        async def attempt(episode: Episode) -> bytes:
            await self._locks.refresh(episode, behind=True)
            return b""

        await self._locks.attempt(episode_id, attempt)

    async def expire(self, episode_id: str, unless_touched_since: float) -> None:
        """End an episode that had no requests for too long, unless one has come since `unless_touched_since`."""

        async def attempt(episode: Episode) -> bytes:
            await self._locks.refresh(episode, behind=True)
            if episode.ended or episode.touched > unless_touched_since:
                return b""
            if episode.side.outside and not episode.stopped and await self._finished(episode):
                raise Stale
            if episode.stopped:
                await self.judging.expire(episode)
            else:
                await self._end(episode, ending_part(episode, StopReason.EXPIRED))
            return b""

        await self._locks.attempt(episode_id, attempt, touch=False)

    async def episode(self, episode_id: str) -> Episode:
        """Return the live episode, from memory or SQL.

        Raises:
            ProblemError: if there is no such episode.
        """
        return await self._locks.episode(episode_id)

    def _may_play(self, episode: Episode, turn: int) -> None:
        if episode.stopped:
            raise over(episode)
        if turn > episode.turn + 1:
            raise ProblemError(
                ErrorCode.TURN_AHEAD, f"turn {turn} is not the next turn; the newest turn is {episode.turn}"
            )
        if episode.carry.awaiting:
            raise ProblemError(ErrorCode.AWAITING_USER, f"the user's part of turn {episode.turn} comes first")
        if episode.drifted and not self.limits.allow_drift:
            raise ProblemError(ErrorCode.PACK_CHANGED, "the pack's tools have changed since this episode began")

    async def _play_alone(self, episode: Episode, turn: int, action: Plain, stored: str, channel: Channel) -> TurnPart:
        """Play a turn that asks no model and no live server. Only tools of sealed servers may take long."""
        with self._hangs.watched(_message(episode, stored)):
            if not episode.side.waits:
                return await play_agent(episode, turn, action, stored, channel.misused)
            try:
                async with asyncio.timeout(self.limits.step_timeout_s):
                    return await play_agent(episode, turn, action, stored, channel.misused)
            except TimeoutError as e:
                raise ProblemError(ErrorCode.STEP_TIMEOUT, "the turn took too long and did not happen") from e

    @asynccontextmanager
    async def _held(self, episode: Episode, turn: int) -> AsyncIterator[Claim]:
        """Hold the claim on a turn, as `claimed` does.

        Raises:
            Stale: if another process has left the turn unfinished since the last check; `_finished` comes first.
        """
        async with claimed(self.store, episode, turn, self.limits.step_timeout_s) as claim:
            if episode.side.outside and interrupted(self.store, episode) is not None:
                raise Stale
            yield claim

    async def _end(self, episode: Episode, part: TurnPart, key: KeyRow | None = None) -> bytes:
        """Commit a last turn in which nothing is played.

        In an episode with live servers, claim the turn first, because another process may be changing something
        outside in it.

        Raises:
            ProblemError: `turn_claimed` (retryable) while another process plays the turn.
        """
        if not episode.side.outside or part.position.part != AGENT:
            return await self._commit(episode, part, key=key)
        async with self._held(episode, part.position.turn) as claim:
            return await self._commit(episode, part, claim, key)

    async def _finished(self, episode: Episode, channel: Channel = STEP) -> bool:
        """Finish a turn that was interrupted after it may have changed something outside. Return whether there was one.

        Call this before anything else is played, closed or expired.
        """
        action = interrupted(self.store, episode)
        if action is None:
            return False
        turn, plain = episode.turn + 1, orjson.loads(action)
        async with claimed(self.store, episode, turn, self.limits.step_timeout_s) as claim:
            part = await self._play(episode, turn, plain, action, channel, claim)
            await self._commit(episode, part, claim, None, channel)
        return True

    async def _play(
        self,
        episode: Episode,
        turn: int,
        action: Plain,
        stored: str,
        channel: Channel,
        claim: Claim,
        key: KeyRow | None = None,
    ) -> TurnPart:
        """Play a turn that asks something outside: the user's model, or a live server.

        A turn that may have changed something outside no longer times out, and its `key` is committed already. In any
        other turn the key is left in the part.
        """
        limit_s = self.limits.step_timeout_s
        try:
            with self._hangs.watched(_message(episode, stored)):
                async with asyncio.timeout(limit_s) as limit:
                    log = None
                    if episode.side.outside:
                        ends = monotonic() + CALLS_SHARE * limit_s
                        how = episode.options.tools or ToolOptions()
                        log = EffectLog(self.store, claim, stored, ends, how, lambda: limit.reschedule(None), key)
                    part = await play_agent(episode, turn, action, stored, channel.misused, log)
                    part.once = key if log is None else log.key
                    if log is not None:
                        part.effects, part.recordings = log.pending, log.recorded
                    return part
        except TimeoutError as e:
            self._give_up(episode, turn)
            raise ProblemError(ErrorCode.STEP_TIMEOUT, "the turn took too long and did not happen") from e
        except ProblemError as e:
            if has_failed(e):
                self._give_up(episode, turn)
            raise

    def _give_up(self, episode: Episode, turn: int) -> None:
        """Count a failure of the user. At the limit, raise Stale, so that the episode is restored and ends there."""
        self._failures.count((episode.key, turn))
        if self._failures.too_many((episode.key, turn)):
            raise Stale

    def _played_user(self, episode: Episode, request: UserRequest, action: str) -> TurnPart:
        if request.content is None and not request.tool_calls:
            raise ProblemError(ErrorCode.INVALID_REQUEST, "give `content`, `tool_calls` or both")
        if episode.drifted and not self.limits.allow_drift:
            raise ProblemError(ErrorCode.PACK_CHANGED, "the pack's tools have changed since this episode began")
        with self._hangs.watched(_message(episode, action)):
            return play_user(episode, request, action)

    async def _commit(
        self,
        episode: Episode,
        part: TurnPart,
        claim: Claim | None = None,
        key: KeyRow | None = None,
        channel: Channel = STEP,
    ) -> bytes:
        part.once = key
        reply = await self.judging.commit(episode, part, claim)
        self._waiting.ring(episode.episode_id)
        if episode.carry.unscored is not None and channel.waits:
            reply = await self.judging.settle(episode)
        elif episode.carry.unscored is not None:
            self.scoring.begin(episode.episode_id)
        if episode.stopped:
            await episode.live.pack.forget(episode.episode_id)
        if episode.ended:
            self.cache.drop(episode)  # later requests for it are answered from SQL
        else:
            self.cache.measure(episode)
        return reply


def _message(episode: Episode, action: str) -> tuple[int, Position, int]:
    """Return the identity of a message: episode, position and the text's hash, which differs between processes."""
    return episode.key, episode.position, hash(action)


def _too_late(episode: Episode) -> bool:
    limit = episode.turn_options.deadline_s
    return limit is not None and time() > episode.created_at + limit
