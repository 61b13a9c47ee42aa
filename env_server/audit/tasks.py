"""What can be seen of a task without playing it."""

from collections.abc import Iterator, Mapping

from env_server.audit.findings import AuditFinding, FindingKind
from env_server.domains.kit import Component, Task
from env_server.domains.pack import Pack
from env_server.domains.packs import PUBLIC
from env_server.episodes.begin.vetting import nothing_solves
from env_server.episodes.packs.gold import run_gold
from env_server.episodes.packs.library import LivePack
from env_server.rewards import newly_said
from env_server.state import State
from env_server.tools import ToolCrashed


class TaskChecks:
    """Reads the tasks of one pack."""

    def __init__(self, pack: Pack) -> None:
        """Read tasks of `pack`."""
        self.pack = pack
        # A public benchmark names components for all of its tasks alike, and scores one with nothing to count 1.
        empty = {FindingKind.EMPTY_COMPONENT} if pack.name in PUBLIC else set()
        self._notes = {FindingKind.GOLD_CHANGES_NOTHING, *empty}
        self._live = LivePack(pack, 0, pack.version)

    def findings(self, split: str, task: Task) -> Iterator[AuditFinding]:
        """What is to be said of `task`, which stands in `split`."""
        for kind, detail in (*self._of_gold(task), *self._of_outputs(task), *_of_basis(task)):
            yield AuditFinding(kind, split, task.task_id, detail, fault=kind not in self._notes)

    def _of_gold(self, task: Task) -> Iterator[tuple[FindingKind, str]]:
        beginning = State.at(self.pack.snapshot, task.changes())
        try:
            gold = run_gold(self._live, task, beginning.fork())
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
    """Components that have nothing to count; a state always has."""
    counted: Mapping[Component, object] = {
        Component.COMMUNICATE: task.gold.outputs,
        Component.ACTIONS: task.gold.actions,
        Component.ENV_ASSERTIONS: task.env_assertions,
        Component.NL_ASSERTIONS: task.assertions,
    }
    for component in task.basis:
        if component in counted and not counted[component]:
            yield FindingKind.EMPTY_COMPONENT, component.value
    if not task.basis:
        yield FindingKind.EMPTY_COMPONENT, "no component at all"


def _around(value: str, text: str, most: int = 60) -> str:
    """What stands around `value` in `text`; its beginning where the value is written otherwise there."""
    at = max(text.lower().find(value.lower()), 0)
    start, end = max(at - most, 0), at + len(value) + most
    return f"{'...' if start else ''}{text[start:end]}{'...' if end < len(text) else ''}"
