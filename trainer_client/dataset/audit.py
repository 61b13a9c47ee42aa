"""The audit of a task: its gold (the reference solution) is played on the server, by an agent without a user.

The audit keeps a task if each of gold's calls succeeds, gold changes the state, and the reward is 1. The reward of any
other task would say nothing: where gold changes nothing, an agent that does nothing scores 1.
"""

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import httpx2

from agent_env_schemas import CLOSE_INFRASTRUCTURE, GOLD_FAILS, ResetRequest, StepReply, UserSpec
from trainer_client.client import Client, Episode
from trainer_client.client.calls import ActionLike, encoded
from trainer_client.client.errors import ServerError
from trainer_client.client.retry import described, may_pass
from trainer_client.dataset.server import ALONE
from trainer_client.skyrl.own_task import SourceTask, body

AT_ONCE = 64
"""Tasks that are played side by side."""

BYTES_AT_ONCE = 4_000_000
"""The most bytes of tasks in one request; a server takes 8 MB."""

AUDIT_RUN = "trainer-data-audit"
"""The label of the episodes in which gold is played."""

NO_LIMIT = 10_000
"""The limit of calls, and of failed calls, in an audit: more than gold can have."""

log = logging.getLogger("trainer_client")

_FINISH = {"tool_calls": [{"name": "done", "arguments": {}}]}


class Reason(StrEnum):
    """Why a task is dropped."""

    UNREADABLE = "unreadable"
    """It does not have the form of a task."""

    UNKNOWN_DOMAIN = "unknown_domain"
    """The server has no such domain, or the domain no such pack."""

    REFUSED = "refused"
    """The server refuses it: gold names an unknown tool, for example."""

    GOLD_FAILS = "gold_fails"
    """One of gold's calls cannot be parsed, or is answered with an error."""

    GOLD_CHANGES_NOTHING = "gold_changes_nothing"
    """Gold leaves the state as it was."""

    GOLD_SCORES_0 = "gold_scores_0"
    """The reward is not 1 after gold is played and its outputs are told."""

    DUPLICATE = "duplicate"
    """A task that was kept has the same instruction."""


@dataclass(frozen=True, slots=True)
class Drop:
    """A task that is left out, and why."""

    position: int
    domain: str | None
    reason: Reason
    detail: str


@dataclass(frozen=True, slots=True)
class Sound:
    """A task that passed the audit."""

    task: SourceTask
    body: dict[str, Any]
    """The task as `/reset` takes it."""

    pack_version: str
    """The version of the pack on which its gold was played."""


Verdict = Sound | Drop


def drop(task: SourceTask, reason: Reason, detail: str) -> Drop:
    """Leave `task` out."""
    return Drop(task.position, task.domain, reason, detail)


@dataclass(slots=True)
class Trial:
    """A task and the episode in which its gold is played."""

    task: SourceTask
    episode: Episode
    gold: StepReply | None = None
    """The reply to gold's calls, which are one message; None if it has none."""

    refusal: str | None = None
    """Why the server refused to play on."""

    @property
    def over(self) -> bool:
        """Whether nothing more can be played."""
        return self.episode.done or self.refusal is not None

    @property
    def unread(self) -> str | None:
        """Why the server made none of gold's calls, if it could not parse them."""
        return None if self.gold is None else self.gold.info.parse_failure

    @property
    def failure(self) -> str | None:
        """The answer to the first call that failed. Calls after the end of the episode do not count."""
        if self.gold is None:
            return None
        answers = zip(self.gold.info.calls, self.gold.observation, strict=False)
        return next((f"{c.name}: {m.content}" for c, m in answers if c.error not in (None, "not_executed")), None)

    @property
    def changed(self) -> bool:
        """Whether gold changed the state."""
        return self.gold is not None and self.gold.state_hash != self.episode.reply.state_hash


@dataclass(frozen=True, slots=True)
class Auditor:
    """Plays the gold of many tasks at a time."""

    client: Client
    pack: str
    allow_failing_calls: bool = False
    """Whether some of gold's calls may fail, if the server allows it and gold changes the state in the end."""

    keep_told: bool = False
    """Whether to keep a task whose gold changes nothing but has outputs: the reward is then for telling them."""

    def audit(self, tasks: Sequence[SourceTask]) -> Iterator[Verdict]:
        """The verdict on each task, in order.

        Raises:
            ServerError: if the server fails, or refuses anything but a task.
        """
        for chunk in _chunks((task, body(task, self.pack)) for task in tasks):
            yield from self._audit(chunk)

    def _audit(self, chunk: Sequence[tuple[SourceTask, dict[str, Any]]]) -> list[Verdict]:
        begun = self.client.batch_reset([self._request(task, obj) for task, obj in chunk])
        pairs = list(zip(begun, chunk, strict=True))
        trials = {e.id: Trial(task, e) for e, (task, _) in pairs if not isinstance(e, ServerError)}
        try:
            _raise_if_passing(begun)
            self._play(list(trials.values()))
        finally:
            _leave(trials.values())
        return [
            _refused(task, e) if isinstance(e, ServerError) else self._verdict(trials[e.id], obj)
            for e, (task, obj) in pairs
        ]

    def _request(self, task: SourceTask, obj: dict[str, Any]) -> ResetRequest:
        return ResetRequest(
            domain=task.domain,
            pack=self.pack,
            task={**obj, "allow_no_effect": True},  # the audit itself decides on a task without effect
            user=UserSpec(strategy=ALONE),
            run=AUDIT_RUN,
            max_calls=NO_LIMIT,
            max_errors=NO_LIMIT,
            purpose="train",  # a server that refuses its test tasks for training refuses them here too
        )

    def _play(self, trials: Sequence[Trial]) -> None:
        """Tell the outputs first, because gold's calls may end the episode; then make the calls, and finish."""
        self._round((t, " ".join(t.task.outputs)) for t in trials if t.task.outputs)
        for trial, reply in self._round((t, _calls(t.task)) for t in trials if t.task.actions and not t.over):
            trial.gold = reply
        self._round((t, _FINISH) for t in trials if not t.over)

    def _round(self, moves: Iterable[tuple[Trial, ActionLike]]) -> Iterable[tuple[Trial, StepReply]]:
        """Play one turn of each trial, and mark the trials that the server refuses to play."""
        listed = list(moves)
        replies = self.client.batch_step([(trial.episode, action) for trial, action in listed])
        _raise_if_passing(replies)
        played = []
        for (trial, _), reply in zip(listed, replies, strict=True):
            if isinstance(reply, ServerError):
                trial.refusal = str(reply)
            else:
                played.append((trial, reply))
        return played

    def _verdict(self, trial: Trial, obj: dict[str, Any]) -> Verdict:
        task, failure = trial.task, trial.failure
        if trial.refusal is not None:
            return drop(task, Reason.REFUSED, trial.refusal[:300])
        if trial.unread is not None:
            return drop(task, Reason.GOLD_FAILS, trial.unread[:300])
        if failure is not None and not self.allow_failing_calls:
            return drop(task, Reason.GOLD_FAILS, failure[:300])
        if not trial.changed and not (self.keep_told and task.outputs):
            says = "it tells values and changes no row" if task.outputs else "no row differs after it"
            return drop(task, Reason.GOLD_CHANGES_NOTHING, says)
        if trial.episode.reward != 1.0:
            return drop(task, Reason.GOLD_SCORES_0, _account(trial.episode))
        return Sound(task, obj, trial.episode.reply.info.pack_version)


def _refused(task: SourceTask, error: ServerError) -> Verdict:
    """The verdict on a task that the server does not begin; its error names a call of gold that fails."""
    _, fails, calls = str(error).partition(f"{GOLD_FAILS}: ")
    return drop(task, Reason.GOLD_FAILS, calls[:300]) if fails else drop(task, Reason.REFUSED, str(error))


def _raise_if_passing(results: Iterable[object]) -> None:
    """Raise the first retryable error: it says nothing about its task, because the same call may succeed later."""
    for result in results:
        if isinstance(result, ServerError) and result.retryable:
            raise result


def _leave(trials: Iterable[Trial]) -> None:
    """Close the open episodes, unscored. If the server is away, stop: it ends the rest by itself."""
    for trial in trials:
        if trial.episode.done:
            continue
        try:
            trial.episode.close(CLOSE_INFRASTRUCTURE)
        except (ServerError, httpx2.TransportError) as error:
            log.warning("the episode %s is left open: %s", trial.episode.id, described(error))
            if may_pass(error):
                return


def _calls(task: SourceTask) -> dict[str, Any]:
    return {"tool_calls": [{"name": c.name, "arguments": c.arguments} for c in task.actions]}


def _account(episode: Episode) -> str:
    """The account of an episode's score."""
    last = episode.last
    breakdown = None if last is None else last.info.reward_breakdown
    return f"the episode ended by {last and last.stop_reason}; {breakdown}"[:300]


def _chunks(
    tasks: Iterable[tuple[SourceTask, dict[str, Any]]],
) -> Iterator[list[tuple[SourceTask, dict[str, Any]]]]:
    """Divide `tasks` into pieces that one request can hold."""
    chunk: list[tuple[SourceTask, dict[str, Any]]] = []
    size = 0
    for task, obj in tasks:
        weight = len(encoded(obj))
        if chunk and (len(chunk) == AT_ONCE or size + weight > BYTES_AT_ONCE):
            yield chunk
            chunk, size = [], 0
        chunk.append((task, obj))
        size += weight
    if chunk:
        yield chunk
