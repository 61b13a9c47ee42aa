"""What there is to play: domains, packs and their listed tasks."""

import asyncio
from dataclasses import dataclass
from typing import Any

from env_server.domains.kit import Task
from env_server.domains.pack import Pack
from env_server.episodes.library import Library
from env_server.episodes.listed import task_at, task_with
from env_server.errors import ProblemError
from schemas import ErrorCode


@dataclass(frozen=True)
class Catalogue:
    """Lists what the library holds. Tasks are made off the event loop, since a page may be long."""

    library: Library

    async def domains(self) -> dict[str, Any]:
        """All domains with their packs."""
        found = []
        for name, packs in self.library.sources.items():
            described = [await self._described(name, pack) for pack in packs]
            found.append({"name": name, "description": packs.domain.description, "packs": described})
        return {"domains": found}

    async def _described(self, domain: str, name: str) -> dict[str, Any]:
        """A pack, or why it cannot be played: data that cannot be read hides no other pack."""
        try:
            live = await self.library.current(domain, name)
        except ProblemError as e:
            return {"name": name, "splits": {}, "tools": [], "version": None, "error": e.detail}
        pack = live.pack
        return {"name": name, "splits": pack.splits, "tools": list(pack.agent_tools), "version": live.version}

    async def tasks(self, domain: str, pack: str, split: str | None, offset: int, limit: int) -> dict[str, Any]:
        """A page of a split's listed tasks, or of all splits' in turn."""
        live = await self.library.current(domain, pack)
        if split is not None and split not in live.pack.splits:
            known = ", ".join(live.pack.splits)
            raise ProblemError(ErrorCode.NOT_FOUND, f"no split {split!r}; there are: {known}")
        return await asyncio.to_thread(_page, live.pack, split, offset, limit)

    async def task(self, domain: str, pack: str, task_id: str, *, gold: bool) -> dict[str, Any]:
        """One task."""
        live = await self.library.current(domain, pack)
        task = await asyncio.to_thread(task_with, live.pack, task_id)
        shown = _summary(task) | {
            "domain": task.domain,
            "pack": task.pack,
            "instruction": task.instruction,
            "basis": [c.value for c in task.basis],
            "slots": task.slots,
        }
        if gold:
            actions = [c.model_dump(mode="json", exclude={"compare"}) for c in task.gold.actions]
            shown["gold"] = {"actions": actions, "outputs": list(task.gold.outputs)}
            shown["script"] = None if task.user is None else task.user.model_dump(mode="json")
            shown["dues"] = [due.model_dump(mode="json") for due in task.dues]
        return shown


def _page(pack: Pack, split: str | None, offset: int, limit: int) -> dict[str, Any]:
    names = [split] if split is not None else list(pack.splits)
    listed = [(name, range(pack.splits[name])) for name in names]
    found: list[dict[str, Any]] = []
    skip = offset
    for name, indices in listed:
        wanted = indices[skip : skip + limit - len(found)]
        skip = max(0, skip - len(indices))
        found += [_summary(task_at(pack, name, i)) for i in wanted]
    return {"tasks": found, "total": sum(len(indices) for _, indices in listed)}


def _summary(task: Task) -> dict[str, Any]:
    return {
        "task_id": task.task_id,
        "split": task.split,
        "template": task.template,
        "difficulty": task.difficulty,
    }
