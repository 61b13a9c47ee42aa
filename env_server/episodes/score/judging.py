"""Scoring of an episode's last turn: in the turn's commit, or in a separate commit if a judge is asked.

A judge may fail, and that must not cause the agent's actions to run again. So the turn is committed first and waits for
its score. Then the judge is asked. Then the score is committed as a further part of the turn, and the reply of that
part replaces the turn's reply. If the turn is sent again before that, any process only scores it.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from agent_env_schemas import ErrorCode, StopReason
from agent_env_schemas.reasons import CLOSE_INFRASTRUCTURE
from env_server.episodes.codec.reply import decode
from env_server.episodes.episode import SCORE, Episode, Position
from env_server.episodes.packs.library import Library
from env_server.episodes.read.history import conversation_of
from env_server.episodes.turn.claim import claimed
from env_server.episodes.turn.commit import commit_part
from env_server.episodes.turn.ending import Scorer
from env_server.episodes.turn.part import TurnPart
from env_server.errors import ProblemError
from env_server.models import ModelUnavailable, SpendCapReached
from env_server.records import Claim, Store
from env_server.rewards import Score
from env_server.rewards.components import inquiry
from env_server.rewards.judge import Judge, Verdict, conversation_text, total_usage
from env_server.telemetry import metrics, traces

SCORE_ACTION = '{"score":null}'
"""The stored action of a score part. No caller can send it."""

WAITS = "the last turn is committed and waits for its score: send it again, or close the episode ({why})"


@dataclass(frozen=True)
class Judging:
    """Commits parts of turns and scores the last ones."""

    store: Store
    library: Library
    scorer: Scorer
    judge: Judge | None
    timeout_s: float
    """Timeout in seconds for all questions to the judge about one episode."""

    async def commit(self, episode: Episode, part: TurnPart, claim: Claim | None = None) -> bytes:
        """Commit `part`, with the score if the episode ends with it, and return the reply.

        If a judge must be asked, the episode then waits for its score. The caller runs `settle` at once or later.

        Raises:
            Conflict: if another process committed first.
            StorageUnavailable: if the database is unavailable.
        """
        score = await self.scorer.score(episode, part)
        if score is None or not score.open:
            return await self._commit(episode, part, score, claim)
        waiting = replace(part, carry=replace(part.carry, unscored=part.stop), info=part.info.copy())
        return await self._commit(episode, waiting, None, claim)

    async def settle(self, episode: Episode) -> bytes:
        """Score an episode whose last turn is committed. Return the turn's reply with the score.

        Raises:
            ProblemError: if the judge fails; the turn still waits for its score.
            Conflict: if another process committed first.
            StorageUnavailable: if the database is unavailable.
        """
        part = self._score_part(episode)
        score = await self.scorer.score(episode, part)
        if score is None or not score.open or self.judge is None:  # the judge or the tools were removed
            return await self._commit(episode, part, score)
        async with claimed(self.store, episode, episode.turn, self.timeout_s, SCORE) as claim:
            verdicts = await self._verdicts(self.judge, episode, score.open)
            part.info["judge_usage"] = total_usage(list(verdicts.values()))
            score = await self.scorer.score(episode, part, verdicts)
            return await self._commit(episode, part, score, claim)

    async def expire(self, episode: Episode) -> None:
        """End an episode without a score, because it has waited for one too long.

        Raises:
            Conflict: if another process committed first.
            StorageUnavailable: if the database is unavailable.
        """
        await self._give_up(episode, StopReason.EXPIRED)

    async def abandon(self, episode: Episode) -> bytes:
        """End an episode that waits for its score, without a score, at the caller's request. Return the reply.

        Raises:
            Conflict: if another process committed first.
            StorageUnavailable: if the database is unavailable.
        """
        return await self._give_up(episode, StopReason.CLOSED, CLOSE_INFRASTRUCTURE)

    async def _give_up(self, episode: Episode, stop: StopReason, reason: str | None = None) -> bytes:
        part = self._score_part(episode)
        part.stop, part.close_reason = stop, reason
        return await self._commit(episode, part, await self.scorer.score(episode, part))

    def _score_part(self, episode: Episode) -> TurnPart:
        """Return the last turn's newest part as a new part that can be scored."""
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

    async def _verdicts(self, judge: Judge, episode: Episode, components: Sequence[str]) -> Mapping[str, Verdict]:
        turns = self.store.reads.turns(episode.key)
        conversation = conversation_of(turns, self.library.blob, episode.side.names, solo=episode.solo)
        shown = conversation_text(conversation, episode.side.of_servers, episode.task.evidence)
        run, name = episode.options.run or "", episode.episode_id
        try:
            async with asyncio.timeout(self.timeout_s):
                found = dict[str, Verdict]()
                for component in components:
                    with traces.span("judge", {"env_server.component": component, "env_server.episode": name}):
                        question = inquiry(component, episode.task, shown)
                        verdict = found[component] = await judge.verdict(question, run, name)
                    if verdict.value == 0:  # the other verdicts cannot change the reward
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
        played = part.info if part.position.part != SCORE else {}  # a played part was counted when it was played
        stop, reward = (part.stop, score.reward) if score is not None else (None, None)
        metrics.count_part(episode.task.domain, episode.task.pack, played, stop, reward)
        return reply
