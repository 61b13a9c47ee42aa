"""The last turn: the episode's score, and the turns with which the server ends an episode (close, deadline, expiry)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import orjson

from agent_env_schemas import StopReason
from env_server.domains.kit import ANSWERS, Db, EnvAssertion, Task
from env_server.domains.pack import Pack, Toolkit
from env_server.episodes.episode import AGENT, USER, Episode, Position
from env_server.episodes.packs.gold import Golds, gold_state
from env_server.episodes.packs.library import Library
from env_server.episodes.turn.events import looks, understood
from env_server.episodes.turn.part import TurnPart
from env_server.rewards import Score, ScoreInputs, never_scored, score
from env_server.rewards.components.answer import answer_fault
from env_server.rewards.judge import Verdict
from env_server.state import RowDiff, State, canonical, diff_states

SYSTEM_ACTION = '{"end":'
"""Start of the stored action of a turn with which the server ended an episode. No agent's action starts like this."""

NONE: Mapping[str, Verdict] = {}


@dataclass(frozen=True)
class Scorer:
    """Computes the score when a part ends an episode."""

    golds: Golds
    library: Library
    allow_drift: bool
    has_judge: bool = False

    async def score(self, episode: Episode, part: TurnPart, verdicts: Mapping[str, Verdict] = NONE) -> Score | None:
        """Return the episode's score if `part` ends it, else None. `verdicts` come from a judge.

        An episode whose tools have changed since its reset is not scored, because gold's result may have changed too;
        the operator can allow it (`allow_drift`). For an ending that is never scored, gold is not run, so that an
        episode whose gold hangs can end. If gold was run before, the breakdown shows the components.
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
        projections = None
        if gold.hash != carry.state_hash:
            expected = gold_state(self.library.beginning(live, task), gold)
            difference = diff_states(expected, episode.state)
            projections = projected(live.pack, task, expected, episode.state)
        tools = live.side(Toolkit.of(task, None, solo=True)).names
        called = [tools.get(call.name) for call in task.gold.actions if call.requestor == "agent"]
        transfers = any(tool is not None and tool.transfers for tool in called)  # None: its server is not there
        inputs = ScoreInputs(
            state_hash=carry.state_hash,
            gold=gold,
            found=carry.found,
            transfer_is_gold=transfers or not live.pack.dialect.transfer_needs_gold,
            difference=difference,
            has_judge=self.has_judge,
            verdicts=verdicts,
            ledger=carry.ledger if looks(episode) else None,
            conduct_counts=episode.options.conduct == "score",
            wrong_answer=wrong_answer(live.pack, task, episode.state),
            projections=projections,
            holds=[holds(live.pack, assertion, episode.state) for assertion in task.env_assertions],
        )
        return score(task, inputs, part.stop, part.close_reason)


def wrong_answer(pack: Pack, task: Task, state: State) -> str | None:
    """Return the fault of the answer submitted in `state`; None if it is right, or if the task has none."""
    if task.answer is None:
        return None
    return answer_fault(task.answer, Db(state, pack.dialect)[ANSWERS].get("answer"))


def projected(pack: Pack, task: Task, expected: State, actual: State) -> tuple[str, str] | None:
    """Return the parts of two states that count, as canonical JSON; None if every row counts."""
    project = pack.domain.projection
    if project is None:
        return None
    return canonical(project(Db(expected, pack.dialect), task)), canonical(project(Db(actual, pack.dialect), task))


def holds(pack: Pack, assertion: EnvAssertion, state: State) -> bool:
    """Return whether `assertion` holds in `state`. An assertion that raises an error does not hold."""
    function = pack.domain.assertions[assertion.requestor][assertion.name]
    try:
        return bool(function(Db(state, pack.dialect), **assertion.arguments)) is assertion.expected
    except Exception:  # a task's arguments may cause any error in the function
        return False


def ending_part(episode: Episode, stop: StopReason, reason: str | None = None, action: str | None = None) -> TurnPart:
    """Return a last turn in which nothing is played. `action` is the received action, if any."""
    stored = action or SYSTEM_ACTION + orjson.dumps(stop).decode() + ',"reason":' + orjson.dumps(reason).decode() + "}"
    part = TurnPart(
        next_position(episode), stored, replace(episode.carry, awaiting=False), stop=stop, close_reason=reason
    )
    part.info = {"format": None, "parse_failure": None, "calls": []}
    return part


def next_position(episode: Episode) -> Position:
    """Return the position of the next part.

    Competing commits (a step, the user, a close, expiry) get the same position.
    """
    turn, part, seq = episode.position
    if not episode.carry.awaiting:
        return Position(turn + 1, AGENT, 0)
    return Position(turn, USER, seq + 1 if part == USER else 0)


def ended_by_server(stored_action: str) -> bool:
    """Return whether the server itself wrote a stored action."""
    return stored_action.startswith(SYSTEM_ACTION)
