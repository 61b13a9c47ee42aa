"""Whole episodes in this process: a policy plays a task, or recorded messages are played again."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from anyio.from_thread import BlockingPortal

from agent_env_schemas import Action, EpisodeReply, ForkRequest, ResetRequest, StepReply, StepRequest
from env_server.audit.brief import Briefing
from env_server.backends.local import LocalBackend
from env_server.domains.kit import Task
from env_server.policies import Brief, Policy, rollout
from tests.contract.acts import stage

Line = tuple[str, str | None]
"""One message that an agent is shown: role and content."""

Before = Callable[[str], None]
"""Called with the id of an episode before each of its turns."""


@dataclass
class Tape:
    """A record of both sides' messages; a `Watch` of a rollout."""

    actions: list[Action] = field(default_factory=list)
    replies: list[StepReply] = field(default_factory=list)

    def action(self, turn: int, action: Action) -> None:
        """Keep the agent's message."""
        self.actions.append(action)

    def reply(self, reply: StepReply) -> None:
        """Keep the reply to it."""
        self.replies.append(reply)

    @property
    def last(self) -> StepReply:
        """The last reply."""
        return self.replies[-1]

    def heard(self) -> list[list[Line]]:
        """The messages that the agent was shown, by turn."""
        return [heard(reply) for reply in self.replies]


def heard(reply: EpisodeReply | StepReply) -> list[Line]:
    """The messages that a reply shows the agent."""
    return [(message.role, message.content) for message in reply.observation]


@dataclass(frozen=True)
class Playing:
    """Episodes of this process, played from a test's own thread."""

    portal: BlockingPortal
    local: LocalBackend

    def reset(self, task: Task, **options: Any) -> EpisodeReply:
        """Begin an episode of `task`."""
        request = ResetRequest(domain=task.domain, task_id=task.task_id, purpose="eval", **options)
        return self.portal.call(self.local.reset, request)

    def play(self, task: Task, rule: Callable[[Brief], Policy], **options: Any) -> Tape:
        """Let the policy play an episode of `task`."""
        begun, tape = self.reset(task, **options), Tape()
        policy = rule(briefing(task.domain).brief(task, begun))
        self.portal.call(rollout, self.local, begun, policy, tape)
        return tape

    def again(self, begun: EpisodeReply, actions: Sequence[Action], before: Before = lambda _: None) -> Tape:
        """Play recorded messages in an episode that has begun."""
        tape = Tape()
        for turn, action in enumerate(actions, begun.turn + 1):
            before(begun.episode_id)
            request = StepRequest(episode_id=begun.episode_id, turn=turn, action=action)
            tape.action(turn, action)
            tape.reply(self.portal.call(self.local.step, request))
        return tape

    def fork(self, episode_id: str, turn: int) -> EpisodeReply:
        """Fork an episode after a turn."""
        made = self.portal.call(self.local.episodes.fork, episode_id, ForkRequest(turn=turn), "test")
        return EpisodeReply.model_validate_json(made)

    def forget(self, episode_id: str) -> None:
        """Remove an episode from memory, as if it had been idle for long."""
        self.portal.call(self._forget, episode_id)

    async def _forget(self, episode_id: str) -> None:
        episode = self.local.episodes.cache.get(episode_id)
        if episode is not None:
            self.local.episodes.cache.drop(episode)


@cache
def briefing(domain: str) -> Briefing:
    """The maker of a domain's briefs."""
    return Briefing(stage(domain).pack)


def every_template(domain: str) -> list[Task]:
    """One test task of each template."""
    on = stage(domain)
    tasks = on.tasks(len(on.generated.templates))
    assert {task.template for task in tasks} == {template.name for template in on.generated.templates}
    return tasks


def some(domain: str, count: int) -> list[Task]:
    """Test tasks of `count` templates, spread over all of them."""
    tasks = every_template(domain)
    return tasks[:: max(1, len(tasks) // count)][:count]
