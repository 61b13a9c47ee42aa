"""The last turn: score the episode, and the turns by which the server itself ends one (close, deadline, expiry)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import orjson

from agent_env_schemas import StopReason
from env_server.domains.kit import Component, Db, EnvAssertion
from env_server.domains.pack import Pack
from env_server.episodes.episode import AGENT, USER, Episode, Position
from env_server.episodes.packs.gold import Golds, gold_state
from env_server.episodes.packs.library import Library
from env_server.episodes.turn.events import components, looks, understood
from env_server.episodes.turn.part import TurnPart
from env_server.rewards import Evidence, Score, never_scored, score
from env_server.rewards.judge import Verdict
from env_server.state import RowDiff, State, diff_states

SYSTEM_ACTION = '{"end":'
"""How the stored action of a turn begins by which the server ended an episode; no agent's action looks like it."""

NONE: Mapping[Component, Verdict] = {}


@dataclass(frozen=True)
class Scorer:
    """Scores episodes as they end."""

    golds: Golds
    library: Library
    allow_drift: bool
    has_judge: bool = False

    async def score(
        self, episode: Episode, part: TurnPart, verdicts: Mapping[Component, Verdict] = NONE
    ) -> Score | None:
        """The episode's score if `part` ends it, else None; `verdicts` are what a judge has found.

        Where the tools have changed since it began (and the operator does not let that pass), what gold comes to
        now is not what it came to then: the episode is not scored. For an end that is never scored gold is not run,
        so that an episode whose gold hangs can end; where it was run before, the breakdown says what it shows.
        """
        if part.stop is None:
            return None
        if episode.drifted and not self.allow_drift:
            return Score(None, False, {})
        task, live, carry = episode.task, episode.live, part.carry
        if looks(episode):
            part.info["user_understood"] = understood(carry)
        gold = self.golds.known(live, task)
        if gold is None and never_scored(part.stop, part.close_reason):
            return Score(None, False, {})
        gold = gold or await self.golds.outcome(live, task)
        difference: Sequence[RowDiff] = ()
        if gold.hash != carry.state_hash:
            difference = diff_states(gold_state(self.library.beginning(live, task), gold), episode.state)
        tools = live.pack.solo_tools
        transfers = any(call.requestor == "agent" and tools[call.name].transfers for call in task.gold.actions)
        evidence = Evidence(
            state_hash=carry.state_hash,
            gold=gold,
            said=frozenset(carry.said),
            matched=frozenset(carry.matched),
            transfer_is_gold=transfers or not live.pack.dialect.transfer_needs_gold,
            difference=difference,
            has_judge=self.has_judge,
            verdicts=verdicts,
            manners=components(episode, carry),
            manners_count=episode.options.conduct == "score",
            holds=[holds(live.pack, assertion, episode.state) for assertion in task.env_assertions],
        )
        return score(task, evidence, part.stop, part.close_reason)


def holds(pack: Pack, assertion: EnvAssertion, state: State) -> bool:
    """Whether `assertion` holds in `state`; one that cannot be answered there does not."""
    function = pack.domain.assertions[assertion.requestor][assertion.name]
    try:
        return bool(function(Db(state, pack.dialect), **assertion.arguments)) is assertion.expected
    except Exception:  # whatever a task's own arguments make a function raise
        return False


def ending_part(episode: Episode, stop: StopReason, reason: str | None = None, action: str | None = None) -> TurnPart:
    """A last turn in which nothing is played; `action` is what came, if anything did."""
    stored = action or SYSTEM_ACTION + orjson.dumps(stop).decode() + ',"reason":' + orjson.dumps(reason).decode() + "}"
    part = TurnPart(
        next_position(episode), stored, replace(episode.carry, awaiting=False), stop=stop, close_reason=reason
    )
    part.info = {"format": None, "parse_failure": None, "calls": []}
    return part


def next_position(episode: Episode) -> Position:
    """Where the next part belongs. Whatever competes for it (a step, the user, a close, expiry) meets there."""
    turn, part, seq = episode.position
    if not episode.carry.awaiting:
        return Position(turn + 1, AGENT, 0)
    return Position(turn, USER, seq + 1 if part == USER else 0)


def ended_by_server(stored_action: str) -> bool:
    """Whether a stored action is one of the server's own."""
    return stored_action.startswith(SYSTEM_ACTION)
