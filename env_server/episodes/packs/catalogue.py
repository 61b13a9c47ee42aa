"""The catalogue: domains, packs and their listed tasks."""

import asyncio
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from agent_env_schemas import ErrorCode
from env_server.domains.kit.task import Task
from env_server.domains.pack import Listed, Pack, opening_of
from env_server.episodes.packs.library import Library
from env_server.episodes.packs.task_filter import TaskFilter
from env_server.episodes.packs.tasks import page_of, splits_of, task_with
from env_server.errors import ProblemError


@dataclass(frozen=True)
class Catalogue:
    """Lists of the library's content. Tasks are made off the event loop, because a page may be long."""

    library: Library

    async def domains(self) -> dict[str, Any]:
        """Return all domains with their packs."""
        return {"domains": [await self.domain(name) for name in self.library.sources]}

    async def domain(self, name: str) -> dict[str, Any]:
        """Return one domain with its packs.

        Raises:
            ProblemError: if there is no such domain.
        """
        if name not in self.library.sources:
            raise ProblemError(ErrorCode.NOT_FOUND, f"no domain {name!r}; there are: {', '.join(self.library.sources)}")
        packs = await asyncio.to_thread(self.library.sources.__getitem__, name)
        described = [await self._described(name, pack) for pack in packs]
        return {"name": name, "description": packs.domain.description, "packs": described}

    async def _described(self, domain: str, name: str) -> dict[str, Any]:
        """Return a pack's description, or the reason why it cannot be played.

        One unreadable pack does not hide the others.
        """
        try:
            live = await self.library.current(domain, name)
        except ProblemError as e:
            return {"name": name, "splits": {}, "tools": [], "version": None, "error": e.detail}
        pack = live.pack
        return {
            "name": name,
            "splits": pack.splits,
            "tools": list(pack.agent_tools),
            "servers": _servers(pack),
            "version": live.version,
        }

    async def tasks(self, domain: str, pack: str, wanted: TaskFilter, offset: int, limit: int) -> dict[str, Any]:
        """Return a page of the wanted tasks.

        Raises:
            ProblemError: if there is no such domain, pack or split, or if the tasks have no difficulty.
        """
        live = await self.library.current(domain, pack)
        if wanted.by_level:
            await self.library.measure(live.pack, splits_of(live.pack, wanted.split))
        found, total = await asyncio.to_thread(page_of, live.pack, wanted, offset, limit)
        return {"tasks": [_summary(task, task.difficulty) for task in found], "total": total}

    async def overview(self, domain: str, pack: str) -> dict[str, Any]:
        """Return the pack's policy and, for each split whose tasks are measured, tasks by level and by template.

        Raises:
            ProblemError: if there is no such domain or pack.
        """
        live = await self.library.current(domain, pack)
        measured = {split: live.pack.levels(split) for split in live.pack.splits if live.pack.has_levels(split)}
        return {
            "policy": live.pack.policy,
            "levels": {split: _counted(task.difficulty for task in tasks) for split, tasks in measured.items()},
            "templates": {split: _counted(task.template for task in tasks) for split, tasks in measured.items()},
        }

    async def task(self, domain: str, pack: str, task_id: str, *, gold: bool) -> dict[str, Any]:
        """Return the description of one task; with `gold`, also its solution."""
        live = await self.library.current(domain, pack)
        task = await asyncio.to_thread(task_with, live.pack, task_id)
        shown = _summary(task, task.measured) | {
            "domain": task.domain,
            "pack": task.pack,
            "instruction": task.instruction,
            "basis": list(task.basis),
            "slots": task.slots,
        }
        if gold:
            actions = [c.model_dump(mode="json", exclude={"compare"}) for c in task.gold.actions]
            shown["gold"] = {"actions": actions, "outputs": list(task.gold.outputs)}
            shown["script"] = None if task.user is None else task.user.model_dump(mode="json")
            shown["dues"] = [due.model_dump(mode="json") for due in task.dues]
            shown["answer"] = None if task.answer is None else task.answer.model_dump(mode="json")
            shown["evidence"] = [each.model_dump(mode="json") for each in task.evidence]
        return shown


def _counted(values: Iterable[int | str | None]) -> dict[Any, int]:
    """Return how often each value occurs, sorted by value, without None."""
    found = Counter(value for value in values if value is not None)
    return dict(sorted(found.items()))


def _servers(pack: Pack) -> dict[str, list[str]]:
    """Return the names of the tools of each server."""
    found: dict[str, list[str]] = {}
    for name, tool in pack.server_tools.items():
        found.setdefault(tool.server, []).append(name)
    return found


def _summary(task: Task | Listed, difficulty: int | None) -> dict[str, Any]:
    opening = task.opening if isinstance(task, Listed) else opening_of(task)
    about = {"task_id": task.task_id, "split": task.split, "template": task.template}
    return {**about, "difficulty": difficulty, "opening": opening}
