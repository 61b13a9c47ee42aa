"""Checks of a task that need no episode."""

from collections.abc import AsyncIterator, Iterator

from env_server.audit.findings import AuditFinding, FindingKind
from env_server.domains.kit import Component, Task
from env_server.domains.pack import Pack
from env_server.domains.packs import PUBLIC
from env_server.episodes.begin.vetting import nothing_solves
from env_server.episodes.packs.gold import run_gold
from env_server.episodes.packs.library import LivePack
from env_server.rewards import newly_said
from env_server.rewards.components import in_basis
from env_server.state import State
from env_server.tools import ToolCrashed


class TaskChecks:
    """Checks the tasks of one pack."""

    def __init__(self, pack: Pack) -> None:
        """Check tasks of `pack`."""
        self.pack = pack
        # A public benchmark names the same components for all tasks. It scores 1 for a component with nothing to count.
        empty = {FindingKind.EMPTY_COMPONENT} if pack.name in PUBLIC else set()
        self._notes = {FindingKind.GOLD_CHANGES_NOTHING, *empty}
        self._live = LivePack(pack, 0, pack.version)

    async def findings(self, split: str, task: Task) -> list[AuditFinding]:
        """Return the findings about `task` of `split`."""
        of_gold = [found async for found in self._of_gold(task)]
        found = (*of_gold, *self._of_outputs(task), *_of_basis(task))
        return [AuditFinding(k, split, task.task_id, detail, fault=k not in self._notes) for k, detail in found]

    async def _of_gold(self, task: Task) -> AsyncIterator[tuple[FindingKind, str]]:
        beginning = State.at(self.pack.snapshot, task.changes())
        try:
            gold = await run_gold(self._live, task, beginning.fork())
        except ToolCrashed as e:
            yield FindingKind.GOLD_ERRORS, f"crashes: {e}"
            return
        for error in gold.errors:
            yield FindingKind.GOLD_ERRORS, error
        if gold.hash == beginning.hash:
            yield FindingKind.GOLD_CHANGES_NOTHING, f"counted: {', '.join(task.basis) or 'nothing'}"
        if nothing_solves(self.pack, task, beginning, gold):
            yield FindingKind.NOTHING_SOLVES_IT, f"counted: {', '.join(task.basis) or 'nothing'}"

    def _of_outputs(self, task: Task) -> Iterator[tuple[FindingKind, str]]:
        if Component.COMMUNICATE not in task.basis:
            return
        outputs, said = task.gold.outputs, dict[int, str]()
        for text in task.spoken():
            for i in newly_said(outputs, text, self.pack.dialect, said):
                said[i] = text
        for i, text in sorted(said.items()):
            yield FindingKind.USER_SAYS_OUTPUT, f"{outputs[i]!r} in {_around(outputs[i], text)!r}"


def _of_basis(task: Task) -> Iterator[tuple[FindingKind, str]]:
    """Yield the components of the basis that have nothing to count. The state component always has something."""
    for component in in_basis(task.basis):
        if not component.counted(task):
            yield FindingKind.EMPTY_COMPONENT, component.name
    if not task.basis:
        yield FindingKind.EMPTY_COMPONENT, "no component at all"


def _around(value: str, text: str, most: int = 60) -> str:
    """Return the context of `value` in `text`, or the beginning of `text` if the value is not found literally."""
    at = max(text.lower().find(value.lower()), 0)
    start, end = max(at - most, 0), at + len(value) + most
    return f"{'...' if start else ''}{text[start:end]}{'...' if end < len(text) else ''}"
