"""Scoring an episode's last turn: in the commit that stores it, or, where a judge is asked, in a commit of its own.

A judge may fail, and what the agent did must not be done again for that. So the turn is committed first, as one that
waits for its score; then the judge is asked; then the score is committed as a further part of the turn, whose reply
stands for the turn's from then on. Whoever sends the turn again in between only scores it, in any process.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from agent_env_schemas import ErrorCode, StopReason
from agent_env_schemas.reasons import CLOSE_INFRASTRUCTURE
from env_server.domains.kit import Component
from env_server.episodes.codec.reply import decode
from env_server.episodes.episode import SCORE, Carry, Episode, Position
from env_server.episodes.packs.library import Library
from env_server.episodes.read.history import conversation_of
from env_server.episodes.turn.claim import claimed
from env_server.episodes.turn.ending import Scorer
from env_server.episodes.turn.part import TurnPart, commit_part
from env_server.errors import ProblemError
from env_server.models import ModelUnavailable, SpendCapReached
from env_server.records import Claim, Store, TurnRow
from env_server.rewards import Score
from env_server.rewards.judge import Judge, Verdict, inquiry, record, total_usage
from env_server.telemetry import metrics

SCORE_ACTION = '{"score":null}'
"""The stored action of a score, which nobody sends."""

WAITS = "the last turn is committed and waits for its score: send it again, or close the episode ({why})"


class StoredVerdicts:
    """Verdicts in SQL."""

    def __init__(self, store: Store) -> None:
        """Keep them in `store`."""
        self._memos = store.memos

    def recall(self, digest: str) -> str | None:
        """The kept verdict."""
        return self._memos.get("verdict", digest)

    async def keep(self, digest: str, text: str) -> str:
        """Keep a verdict unless there is one; returns the one that is kept."""
        return await self._memos.keep("verdict", digest, text)


@dataclass(frozen=True)
class Judging:
    """Commits parts of turns, and scores the last ones."""

    store: Store
    library: Library
    scorer: Scorer
    judge: Judge | None
    timeout_s: float
    """How long all questions about one episode may take."""

    async def commit(self, episode: Episode, part: TurnPart, claim: Claim | None = None) -> bytes:
        """Commit `part`, with the score if the episode ends with it, and return the reply.

        Where a judge is to be asked, the episode then waits for its score: `settle` is next, at once or later.

        Raises:
            Conflict: if another process was faster.
            StorageUnavailable: if the database did not take it.
        """
        score = await self.scorer.score(episode, part)
        if score is None or not score.open:
            return await self._commit(episode, part, score, claim)
        waiting = replace(part, carry=replace(part.carry, unscored=part.stop), info=part.info.copy())
        return await self._commit(episode, waiting, None, claim)

    async def settle(self, episode: Episode) -> bytes:
        """Score an episode whose last turn is committed, and nothing else; the reply is that of the turn.

        Raises:
            ProblemError: if the judge was asked in vain; the turn still waits.
            Conflict: if another process was faster.
            StorageUnavailable: if the database did not take it.
        """
        part = self._score_part(episode)
        score = await self.scorer.score(episode, part)
        if score is None or not score.open or self.judge is None:  # the judge, or the tools, went since the turn
            return await self._commit(episode, part, score)
        async with claimed(self.store, episode, episode.turn, self.timeout_s, SCORE) as claim:
            verdicts = await self._verdicts(self.judge, episode, score.open)
            part.info["judge_usage"] = total_usage(list(verdicts.values()))
            score = await self.scorer.score(episode, part, verdicts)
            return await self._commit(episode, part, score, claim)

    async def expire(self, episode: Episode) -> None:
        """End an episode that nobody has scored for too long, unscored.

        Raises:
            Conflict: if another process was faster.
            StorageUnavailable: if the database did not take it.
        """
        await self._give_up(episode, StopReason.EXPIRED)

    async def abandon(self, episode: Episode) -> bytes:
        """End an episode that waits for its score without one, and without asking for it; the reply says so.

        Raises:
            Conflict: if another process was faster.
            StorageUnavailable: if the database did not take it.
        """
        return await self._give_up(episode, StopReason.CLOSED, CLOSE_INFRASTRUCTURE)

    async def _give_up(self, episode: Episode, stop: StopReason, reason: str | None = None) -> bytes:
        part = self._score_part(episode)
        part.stop, part.close_reason = stop, reason
        return await self._commit(episode, part, await self.scorer.score(episode, part))

    def stored_reply(self, row: TurnRow) -> str | None:
        """What a retry of a committed part is answered; None if it waits for its score."""
        if Carry.load(row.carry).unscored is None:
            return row.reply
        scored = self.store.reads.turn(row.episode, row.turn, SCORE)
        return None if scored is None else scored.reply

    def _score_part(self, episode: Episode) -> TurnPart:
        """The last turn's newest part again, as one that may be scored."""
        last = self.store.reads.turns(episode.key, episode.turn, episode.turn)[-1]
        told = decode(last.reply, self.library.blob)
        info: dict[str, Any] = {k: v for k, v in told["info"].items() if k != "awaiting_judge"}
        return TurnPart(
            position=Position(episode.turn, SCORE, 0),
            action=SCORE_ACTION,
            carry=replace(episode.carry, unscored=None),
            observation=told["observation"],
            info=info,
            stop=episode.stopped,
        )

    async def _verdicts(
        self, judge: Judge, episode: Episode, components: Sequence[Component]
    ) -> Mapping[Component, Verdict]:
        turns = self.store.reads.turns(episode.key)
        side = episode.live.solo_side if episode.solo else episode.live.agent_side
        shown = record(conversation_of(turns, self.library.blob, side.names, solo=episode.solo))
        run, name = episode.options.run or "", episode.episode_id
        try:
            async with asyncio.timeout(self.timeout_s):
                found = dict[Component, Verdict]()
                for component in components:
                    verdict = found[component] = await judge.verdict(inquiry(component, episode.task, shown), run, name)
                    if verdict.value == 0:  # what the others come to changes nothing
                        break
                return found
        except TimeoutError as e:
            why = f"the judge took more than {self.timeout_s:g} s"
            raise ProblemError(ErrorCode.JUDGE_UNAVAILABLE, WAITS.format(why=why)) from e
        except ModelUnavailable as e:
            problem = WAITS.format(why=e)
            raise ProblemError(ErrorCode.JUDGE_UNAVAILABLE, problem, retry_after=e.retry_after) from e
        except SpendCapReached as e:
            raise ProblemError(ErrorCode.SPEND_CAP, WAITS.format(why=e)) from e

    async def _commit(self, episode: Episode, part: TurnPart, score: Score | None, claim: Claim | None = None) -> bytes:
        reply = await commit_part(self.store, episode, part, score, claim)
        played = part.info if part.position.part != SCORE else {}  # counted when it was played
        stop, reward = (part.stop, score.reward) if score is not None else (None, None)
        metrics.count_part(episode.task.domain, episode.task.pack, played, stop, reward)
        return reply
