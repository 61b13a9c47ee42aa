"""One episode of an evaluation, from its reset to its outcome.

Every operation here can be repeated from the start: the reset has an idempotency key, the store answers committed
turns, and the journal holds the model's answers. So an interrupted episode continues from where it stopped.
"""

from collections import defaultdict
from collections.abc import Mapping
from time import perf_counter
from typing import Any

from agent_env_schemas import Action, EpisodeReply, ErrorCode, StepReply, StopReason
from agent_env_schemas.usage import UserUsage
from env_server.backends.base import EpisodeBackend
from env_server.backends.retrying import RetryingBackend, RetryingPolicy
from env_server.errors import ProblemError
from env_server.evals.agent import PolicySource
from env_server.evals.outcome import EpisodeOutcome, Spent, differing
from env_server.evals.plan import PlannedEpisode, Run
from env_server.evals.retry import RetryPolicy
from env_server.models import Usage
from env_server.policies import Policy, rollout
from env_server.policies.model import ContextFull
from env_server.rewards.components import components

NOT_MADE = "not_executed"
"""The error of a call that was not executed because the episode had already ended."""


class Tally:
    """Counts calls, errors and usage from an episode's replies."""

    def __init__(self, begun: EpisodeReply) -> None:
        """Start with the usage of the user's first message."""
        self.tools: dict[str, list[int]] = defaultdict(lambda: [0, 0])
        self.parse_failures = 0
        self.user: dict[str, Any] = {}
        self._pay(begun.info.user_usage)

    def action(self, turn: int, action: Action) -> None:
        """Do nothing: the reply has the details of the message."""

    def reply(self, reply: StepReply) -> None:
        """Add a reply."""
        info = reply.info
        self.parse_failures += info.parse_failure is not None
        for call in info.calls:
            if call.error != NOT_MADE:
                self.tools[call.name][0] += 1
                self.tools[call.name][1] += call.error is not None
        self._pay(info.user_usage)

    def _pay(self, usage: UserUsage | None) -> None:
        self.user = _added(usage, self.user)


def _added(usage: UserUsage | None, before: Mapping[str, Any]) -> dict[str, Any]:
    """Return the sum of the usage `before` and `usage`."""
    return dict(before) if usage is None else Usage(**usage.model_dump()).total(dict(before))


async def play(
    game: EpisodeBackend, seat: PolicySource, run: Run, planned: PlannedEpisode, patience: RetryPolicy
) -> EpisodeOutcome:
    """Play an episode, or continue it, and return its outcome.

    Raises:
        ProblemError: if the server refuses, for now or for good.
        ModelUnavailable: if the policy's model does not answer.
    """
    began = perf_counter()
    borne = RetryingBackend(game, patience)
    begun = await borne.reset(planned.request(run))
    seated = await patience.bear("server", lambda: seat.take(begun, planned.trial))
    tally = Tally(begun)
    last = await _to_the_end(borne, begun, RetryingPolicy(seated.policy, patience), tally)
    return _outcome(planned, begun, last, tally, seated.spent(), perf_counter() - began)


async def _to_the_end(game: RetryingBackend, begun: EpisodeReply, policy: Policy, tally: Tally) -> StepReply:
    try:
        return await rollout(game, begun, policy, tally)
    except ContextFull:
        return await game.close(begun.episode_id, StopReason.AGENT_ERROR)
    except ProblemError as e:
        if e.code == ErrorCode.BODY_TOO_LARGE:  # only the agent's message can be that large
            return await game.close(begun.episode_id, StopReason.AGENT_ERROR)
        if e.code == ErrorCode.EPISODE_OVER:  # the episode expired: close returns its last reply
            return await game.close(begun.episode_id)
        raise


def _outcome(
    planned: PlannedEpisode,
    begun: EpisodeReply,
    last: StepReply,
    tally: Tally,
    spent: Mapping[str, Any],
    seconds: float,
) -> EpisodeOutcome:
    info = last.info
    user, policy, judge = Spent(**tally.user), Spent(**spent), Spent(**_added(info.judge_usage, {}))
    breakdown = info.reward_breakdown or {}
    return EpisodeOutcome(
        task_id=planned.task.task_id,
        trial=planned.trial,
        episode_id=begun.episode_id,
        split=planned.task.split,
        template=planned.task.template,
        stop_reason=str(last.stop_reason),
        reward=last.reward,
        scored=bool(info.scored),
        partial=bool(info.partial),
        turns=last.turn,
        calls=sum(made for made, _ in tally.tools.values()),
        tool_errors=sum(failed for _, failed in tally.tools.values()),
        parse_failures=tally.parse_failures,
        tools={name: (made, failed) for name, (made, failed) in sorted(tally.tools.items())},
        user=user,
        policy=policy,
        judge=judge,
        # Model times include those from before an interruption.
        seconds=round(max(seconds, user.seconds + policy.seconds + judge.seconds), 3),
        judged=any(part.get("value") is not None and _is_judged(name) for name, part in breakdown.items()),
        row_diff=differing(info.row_diff or ()),
        breakdown={name: component.get("value") for name, component in breakdown.items()},
    )


def _is_judged(name: str) -> bool:
    """Return whether a judge decides a component. The server that played may have others than this process."""
    known = components().get(name)
    return known is not None and known.inquiry is not None
