"""The training of the opening policy before it is measured: which closing helps with which first words of the user."""

from collections.abc import Callable, Sequence

from env_server.audit.brief import Briefing
from env_server.audit.rollouts import begin
from env_server.backends.local import LocalBackend
from env_server.domains.kit import Task
from env_server.domains.kit.submit_answer import NAME as SUBMIT
from env_server.domains.pack import Pack
from env_server.errors import ProblemError
from env_server.policies import rollout
from env_server.policies.crawl import CLOSINGS, Lesson, Lessons, Remembered, crawl
from env_server.policies.crawl.branching import Grove

MOST = 400
"""Default maximum number of tasks that it learns from."""

SPLIT = "train"


def to_learn(pack: Pack, limit: int = MOST) -> list[Task]:
    """Return the first tasks of the split `train`; none if the pack has no such split."""
    return [pack.task_at(SPLIT, index) for index in range(min(pack.splits.get(SPLIT, 0), limit))]


def remember(tasks: Sequence[Task]) -> Remembered:
    """Return the right answers of `tasks`."""
    given = [(task.ticket or "", task.gold.actions[-1]) for task in tasks if task.answer is not None]
    return Remembered([(ticket, last.arguments) for ticket, last in given if last.name == SUBMIT])


async def learn(
    local: LocalBackend, pack: Pack, tasks: Sequence[Task], step: Callable[[], None] = lambda: None
) -> Lessons:
    """Play each of `tasks` with every closing. `step` is called after each episode.

    An episode that cannot be played counts as not solved.
    """
    briefing = Briefing(pack)
    return Lessons([await _lesson(local, briefing, task, step) for task in tasks])


async def _lesson(local: LocalBackend, briefing: Briefing, task: Task, step: Callable[[], None]) -> Lesson:
    solved: set[str] = set()
    grove = Grove()
    for name, closing in CLOSINGS.items():
        try:
            begun = await begin(local, task)
            last = await rollout(local, begun, grove.policy(crawl(closing, briefing.brief(task, begun))))
        except ProblemError:
            continue
        finally:
            step()
        if last.reward == 1:
            solved.add(name)
    return Lesson(grove.trunk.crawler.opening if grove.trunk is not None else (), frozenset(solved))
