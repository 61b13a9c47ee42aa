"""An audit from beginning to end."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from env_server.audit.findings import Finding, Kind
from env_server.audit.overlap import overlaps
from env_server.audit.play import Played, play_all
from env_server.audit.report import Rate, Report
from env_server.audit.tasks import Reader
from env_server.audit.world import of_the_world
from env_server.domains.kit import NoSuchTask, Task
from env_server.domains.pack import Pack
from env_server.domains.packs import PackError
from env_server.local import Local
from env_server.policies import BLIND, POLICIES

BY_CHANCE = 0.02
"""The share of a split's tasks from which on a policy that knows nothing of them solves too many."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The tasks to audit, and those that could not even be made."""

    tasks: tuple[tuple[str, Task], ...]
    """(split, task) in order."""

    unplayable: tuple[Finding, ...] = ()


def choose(pack: Pack, split: str | None = None, limit: int | None = None) -> Chosen:
    """The first `limit` tasks of each split, or of `split`.

    Raises:
        LookupError: if there is no such split.
    """
    if split is not None and split not in pack.splits:
        raise LookupError(f"no split {split!r}; there are: {', '.join(pack.splits)}")
    tasks: list[tuple[str, Task]] = []
    unplayable: list[Finding] = []
    for name in pack.splits if split is None else [split]:
        size = pack.splits[name]
        for index in range(size if limit is None else min(size, limit)):
            try:
                tasks.append((name, pack.task_at(name, index)))
            except (PackError, NoSuchTask) as e:
                unplayable.append(Finding(Kind.UNPLAYABLE, name, f"index {index}", str(e)))
            except Exception as e:  # a task source is the domain's own code
                unplayable.append(Finding(Kind.UNPLAYABLE, name, f"index {index}", f"{type(e).__name__}: {e}"))
    return Chosen(tuple(tasks), tuple(unplayable))


async def audit(local: Local, pack: Pack, chosen: Chosen, step: Callable[[], None] = lambda: None) -> Report:
    """Look at the world of `pack`, read and play the chosen tasks; `step` is called after each of its episodes."""
    reader = Reader(pack)
    seen = [finding for split, task in chosen.tasks for finding in reader.findings(split, task)]
    seen += overlaps(pack, chosen.tasks)
    played = await play_all(local, pack, chosen.tasks, tuple(POLICIES), step)
    splits = dict.fromkeys(split for split, _ in chosen.tasks)
    rates = {split: _rates([p for p in played if p.split == split]) for split in splits}
    findings = (*of_the_world(pack), *chosen.unplayable, *seen, *_from_play(played, rates))
    sizes = {split: sum(s == split for s, _ in chosen.tasks) for split in splits}
    return Report(pack.domain.name, pack.name, pack.version, sizes, rates, findings)


def episodes(chosen: Chosen) -> int:
    """How many episodes the audit of `chosen` plays."""
    return len(chosen.tasks) * len(POLICIES)


def _rates(played: Sequence[Played]) -> dict[str, Rate]:
    return {policy: Rate.of([p for p in played if p.policy == policy]) for policy in POLICIES}


def _from_play(played: Sequence[Played], rates: Mapping[str, Mapping[str, Rate]]) -> Iterator[Finding]:
    blind: dict[tuple[str, str], list[str]] = {}
    for p in played:
        if p.problem is not None:
            yield Finding(Kind.UNPLAYABLE, p.split, p.task_id, f"{p.policy}: {p.problem}")
        elif p.policy in BLIND and p.reward == 1:
            blind.setdefault((p.split, p.task_id), []).append(p.policy)
        elif p.policy not in BLIND and p.reward not in (1, None):
            yield Finding(Kind.ORACLE_FAILS, p.split, p.task_id, f"{p.reward:g}: {p.stop} after {p.turns} turns")
    for (split, task_id), policies in blind.items():
        too_many = any(rates[split][policy].share >= BY_CHANCE for policy in policies)
        yield Finding(Kind.SOLVED_BLINDLY, split, task_id, ", ".join(policies), fault=too_many)
