"""The source of generated tasks. The pair (split, index) alone determines template, caller and subjects.

The customers are divided among the splits once, so that no two splits share a customer or anything a customer owns.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from random import Random
from typing import Any, Generic

from env_server.domains.kit import sources
from env_server.domains.kit.generate.compose import compose, gives_away, named, strict
from env_server.domains.kit.generate.indexed import IndexedTasks
from env_server.domains.kit.generate.template import Anchor, Subjects, Template
from env_server.domains.kit.generate.wish import Caller, Case, W
from env_server.domains.kit.task import Task
from env_server.state import Snapshot

SPLITS = {"train": 2000, "val": 200, "test": 500}
SHARES = {"train": 64, "val": 10, "test": 26}
"""The percentage of the customers in each split."""

DRAWS = 20
"""The maximum number of draws of a task. A draw is repeated if its user happens to say a value that the agent has to
tell.
"""

INTERPRETERS = ("reading", "understanding", "users")
"""Folders with the code and the weights by which a scripted user interprets a message. They affect the rewards of a
task.
"""

_PACKAGE = Path(__file__).parents[3]


@dataclass(frozen=True, eq=False)
class GeneratedTasks(IndexedTasks, Generic[W]):
    """A TaskSource made of templates. `train` has no end; the other splits are closed lists."""

    domain: str
    templates: tuple[Template, ...]
    """The templates, in the order in which a split's indices use them."""

    world: Callable[[Snapshot], W]
    """The function that prepares a base snapshot for look-ups; called once for each snapshot."""

    case: type[Case[W]]
    caller: Callable[[Any, bool], Caller]
    """(case, whether gold's calls are compared) -> the caller. If compared, there must be only one way to find them."""

    rules: Mapping[int, str | None]
    """Rule of the policy -> a template that fails if the rule is ignored, `*` for all; None if no outcome shows it."""

    module: str
    """The name of the module that declares the source (`__name__`); the digest follows its imports."""

    splits: Mapping[str, int] = field(default_factory=lambda: SPLITS)

    def generate(self, base: Snapshot, split: str, index: int) -> Task:
        """Return the task at an index that exists."""
        return _deal(self, base, split).task(index)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the sources that make the tasks, and of those by which their users interpret an agent."""
        own = sources.of([self.module], self.module.rpartition(".")[0])
        shared = sorted(Path(__file__).parents[1].rglob("*.py"))
        for folder in INTERPRETERS:
            shared += [file for kind in ("*.py", "*.bin", "*.txt") for file in sorted((_PACKAGE / folder).rglob(kind))]
        return hashlib.sha256(b"\0".join(file.read_bytes() for file in (*own, *shared))).hexdigest()

    def customers(self, base: Snapshot, split: str) -> tuple[str, ...]:
        """Return the ids of the customers of `split`."""
        return _deal(self, base, split).customers

    def anchors(self, base: Snapshot, split: str, template: Template) -> Sequence[Anchor]:
        """Return the ways to fill one of the templates, shuffled once for `split`.

        Raises:
            LookupError: if there is none.
        """
        return _deal(self, base, split).anchors(template)

    def twins(self, base: Snapshot, split: str, each: int) -> Iterator[tuple[Task, Task]]:
        """Yield pairs of a refused task and its twin, with the same random draws; `each` pairs of every template with a
        twin.
        """
        deal = _deal(self, base, split)
        for twin in self.templates:
            if twin.due:
                refused = next(
                    t for t in self.templates if not t.due and (t.kinds, t.chain) == (twin.kinds, twin.chain)
                )
                for i, anchor in enumerate(deal.anchors(refused)[:each]):
                    yield deal.drawn(refused, *anchor, i), deal.drawn(twin, *anchor, i)

    def opened(self, base: Snapshot) -> W:
        """Return the world of `base`."""
        world: W = _world(self, base)
        return world


class _Deal:
    """One split over one base: its customers, and for each template the shuffled ways to fill it."""

    def __init__(self, tasks: GeneratedTasks[Any], base: Snapshot, split: str) -> None:
        self.tasks, self.base, self.split = tasks, base, split
        self.world = _world(tasks, base)
        self.customers = _share(list(self.world.customers), split)
        self._anchors: dict[str, list[Anchor]] = {}
        self._subjects: dict[Subjects, list[tuple[str, ...]]] = {}

    def task(self, index: int) -> Task:
        """Return the task at `index`: templates take turns, and each goes through its anchors in turn."""
        templates = self.tasks.templates
        template = templates[index % len(templates)]
        anchors = self.anchors(template)
        anchor = anchors[index // len(templates) % len(anchors)]
        drawn = (self._drawn(template, *anchor, self._rng(name)) for name in _draws(index))
        task = next((task for task in drawn if not gives_away(task)), None)
        if task is None:
            raise LookupError(f"in every draw of {self.split} task {index} ({template.name}) the user says an output")
        return named(task, self.tasks.domain, self.split, index)

    def drawn(self, template: Template, who: str, subjects: tuple[str, ...], seed: int) -> Task:
        """Return a task of `template` for an anchor. Templates with the same kinds of wishes draw the same words for
        the same seed.
        """
        return self._drawn(template, who, subjects, self._rng(f"twin/{seed}"))

    def _drawn(self, template: Template, who: str, subjects: tuple[str, ...], rng: Random) -> Task:
        customer = self.world.customers[who]
        cases = [
            self.tasks.case(self.world, customer, subject, rng, self.customers, self.split, template.due)
            for subject in subjects
        ]
        wishes = [kind.make(case) for kind, case in zip(template.kinds, cases, strict=True)]
        caller = self.tasks.caller(cases[0], strict(wishes))
        return compose(self.base, template, who, caller, wishes, cases[0].voice)

    def anchors(self, template: Template) -> list[Anchor]:
        """Return the ways to fill `template`, shuffled once for this split.

        Raises:
            LookupError: if there is none.
        """
        found = self._anchors.get(template.name)
        if found is None:
            found = template.anchors(self.customers, self._fitting)
            if not found:
                raise LookupError(f"template {template.name!r} fits no customer of split {self.split!r}")
            self._rng(template.name).shuffle(found)
            self._anchors[template.name] = found
        return found

    def _fitting(self, subjects: Subjects) -> list[tuple[str, ...]]:
        """Return the possible subjects for each customer. Templates with the same kinds of wishes share them."""
        found = self._subjects.get(subjects)
        if found is None:
            customers = self.world.customers
            found = [tuple(subjects(self.world, customers[who])) for who in self.customers]
            self._subjects[subjects] = found
        return found

    def _rng(self, name: str) -> Random:
        return Random(hashlib.sha256("\0".join((self.tasks.domain, self.split, name)).encode()).digest())


def _draws(index: int) -> Iterator[str]:
    """Yield the names of a task's random streams, to be tried in order until the user says no output."""
    yield str(index)
    yield from (f"{index}/{again}" for again in range(1, DRAWS))


def _share(customers: list[str], split: str) -> tuple[str, ...]:
    ranked = sorted(customers, key=lambda customer: hashlib.sha256(customer.encode()).digest())
    before = 0
    for name, share in SHARES.items():
        start, before = before, before + share
        if name == split:
            return tuple(ranked[len(ranked) * start // 100 : len(ranked) * before // 100])
    raise LookupError(f"no customers are set aside for split {split!r}")


@lru_cache(maxsize=16)
def _world(tasks: GeneratedTasks[Any], base: Snapshot) -> Any:
    return tasks.world(base)


@lru_cache(maxsize=64)
def _deal(tasks: GeneratedTasks[Any], base: Snapshot, split: str) -> _Deal:
    return _Deal(tasks, base, split)
