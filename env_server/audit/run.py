"""Runs an audit of a pack: checks the world and the tasks, plays the tasks with policies, and collects the findings."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from env_server.audit.findings import AuditFinding, FindingKind
from env_server.audit.lessons import MOST as MOST_LESSONS
from env_server.audit.lessons import SPLIT, learn, remember, to_learn
from env_server.audit.overlap import overlaps
from env_server.audit.report import AuditReport, Rate
from env_server.audit.rollouts import REMEMBERS, Played, games, play_all
from env_server.audit.tasks import TaskChecks
from env_server.audit.world import of_the_world
from env_server.backends.local import LocalBackend
from env_server.domains.kit import NoSuchTask, Task
from env_server.domains.pack import Pack
from env_server.errors import PackError
from env_server.policies import ANSWERING, BLIND, CHEATS, CRAWLS, POLICIES, Rule
from env_server.policies.crawl import CLOSINGS, opening, remembering

ORACLE, OPENING = "oracle", "opening"

RULES: Mapping[str, Rule] = {**POLICIES, **CHEATS}
"""Every policy that needs no training, by name."""

CRAWLERS = (*CRAWLS, OPENING)
"""Policies that read all they can before they talk."""

EVERY = (*RULES, OPENING, REMEMBERS)
"""All policies that can be chosen."""

USUAL = (*POLICIES, "crawl-refuse", "crawl-dump", *ANSWERING, REMEMBERS)
"""The policies that play by default. The cheats of answers play only in tasks that want an answer."""

KNOW_NOTHING = (*BLIND, *ANSWERING, REMEMBERS)
"""The policies that do not know the task. None of them may solve a notable share of tasks."""

PROVED = 0.9
"""Minimum share of refusals whose look-ups a crawler must make."""

BY_CHANCE = 0.02
"""Share of a split's tasks. If a policy that does not know them solves this share or more, that is a fault."""


@dataclass(frozen=True, slots=True)
class ChosenTasks:
    """The tasks to audit, and findings for those that could not be made."""

    tasks: tuple[tuple[str, Task], ...]
    """(split, task) in order."""

    unplayable: tuple[AuditFinding, ...] = ()


def choose(pack: Pack, split: str | None = None, limit: int | None = None) -> ChosenTasks:
    """Return the first `limit` tasks of each split, or of `split`.

    Raises:
        LookupError: if there is no such split.
    """
    if split is not None and split not in pack.splits:
        raise LookupError(f"no split {split!r}; there are: {', '.join(pack.splits)}")
    tasks: list[tuple[str, Task]] = []
    unplayable: list[AuditFinding] = []
    for name in pack.splits if split is None else [split]:
        size = pack.splits[name]
        for index in range(size if limit is None else min(size, limit)):
            try:
                tasks.append((name, pack.task_at(name, index)))
            except (PackError, NoSuchTask) as e:
                unplayable.append(AuditFinding(FindingKind.UNPLAYABLE, name, f"index {index}", str(e)))
            except Exception as e:  # a task source is code of the domain
                unplayable.append(
                    AuditFinding(FindingKind.UNPLAYABLE, name, f"index {index}", f"{type(e).__name__}: {e}")
                )
    return ChosenTasks(tuple(tasks), tuple(unplayable))


async def audit(
    local: LocalBackend,
    pack: Pack,
    chosen: ChosenTasks,
    step: Callable[[], None] = lambda: None,
    policies: Sequence[str] = USUAL,
    lessons: int = MOST_LESSONS,
) -> AuditReport:
    """Check the world of `pack`, then read and play the chosen tasks. `step` is called after each episode.

    The opening policy is trained on at most `lessons` tasks.
    """
    reader = TaskChecks(pack)
    seen = [finding for split, task in chosen.tasks for finding in await reader.findings(split, task)]
    seen += overlaps(pack, chosen.tasks)
    if all(task.answer is None for _, task in chosen.tasks):
        policies = [name for name in policies if name not in (*ANSWERING, REMEMBERS)]
    rules = {name: RULES[name] for name in policies if name not in (OPENING, REMEMBERS)}
    if REMEMBERS in policies:
        rules[REMEMBERS] = partial(remembering, remember(to_learn(pack, lessons)))
    if OPENING in policies:
        rules[OPENING] = partial(opening, await learn(local, pack, to_learn(pack, lessons), step))
    played = await play_all(local, pack, chosen.tasks, rules, step)
    splits = dict.fromkeys(split for split, _ in chosen.tasks)
    rates = {split: _rates([p for p in played if p.split == split], policies) for split in splits}
    findings = (*of_the_world(pack), *chosen.unplayable, *seen, *from_play(played), *too_weak(played))
    sizes = {split: sum(s == split for s, _ in chosen.tasks) for split in splits}
    return AuditReport(pack.domain.name, pack.name, pack.version, sizes, rates, findings)


def episodes(pack: Pack, chosen: ChosenTasks, policies: Sequence[str] = USUAL, lessons: int = MOST_LESSONS) -> int:
    """Return the number of episodes that the audit of `chosen` plays."""
    learning = min(pack.splits.get(SPLIT, 0), lessons) * len(CLOSINGS) if OPENING in policies else 0
    return len(games(pack, chosen.tasks, policies)) + learning


def too_weak(played: Sequence[Played]) -> Iterator[AuditFinding]:
    """Yield a finding for each crawler that made the look-ups of too few refusals."""
    for policy in CRAWLERS:
        proved = [p.proved for p in played if p.policy == policy and p.proved is not None]
        if sum(proved) < PROVED * len(proved):
            of = f"{sum(proved)} of {len(proved)} refusals"
            yield AuditFinding(FindingKind.POLICY_TOO_WEAK, "", "", f"{policy}: all look-ups were made in {of}")


def _rates(played: Sequence[Played], policies: Sequence[str]) -> dict[str, Rate]:
    return {policy: Rate.of([p for p in played if p.policy == policy]) for policy in policies}


def from_play(played: Sequence[Played]) -> Iterator[AuditFinding]:
    """Yield the findings about the episodes `played`."""
    blind: dict[tuple[str, str], list[str]] = {}
    for p in played:
        if p.problem is not None:
            yield AuditFinding(FindingKind.UNPLAYABLE, p.split, p.task_id, f"{p.policy}: {p.problem}")
        elif p.policy in KNOW_NOTHING and p.solved:
            blind.setdefault((p.split, p.task_id), []).append(p.policy)
        elif p.policy == ORACLE and p.reward not in (1, None):
            yield AuditFinding(
                FindingKind.ORACLE_FAILS, p.split, p.task_id, f"{p.reward:g}: {p.stop} after {p.turns} turns"
            )
    tasks = Counter((p.split, p.policy) for p in played)
    solved = Counter((p.split, p.policy) for p in played if p.solved)
    for (split, task_id), policies in blind.items():
        too_many = any(solved[split, name] >= BY_CHANCE * tasks[split, name] for name in policies)
        yield AuditFinding(FindingKind.SOLVED_BLINDLY, split, task_id, ", ".join(policies), fault=too_many)
