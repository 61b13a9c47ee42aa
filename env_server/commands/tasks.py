"""`env-server tasks`: the listed tasks of a pack."""

from rich import box
from rich.table import Table
from rich.text import Text

from env_server.commands.output import console, fail, print_json, readable_errors
from env_server.commands.setup import find_pack, read_settings
from env_server.domains.pack import Pack
from schemas import TaskList, TaskSummary

HARDEST = 5
Place = tuple[str, int]
"""Where a task stands: its split and its index there."""


def run(domain: str, pack: str, split: str | None, offset: int, limit: int, *, as_json: bool) -> None:
    """Print a page of the tasks, as JSON in the shape of `GET /domains/{domain}/tasks`."""
    with readable_errors():
        found = find_pack(read_settings(), domain, pack)
    if split is not None and split not in found.splits:
        fail(f"no split {split!r}; there are: {', '.join(found.splits)}")
    places = _places(found, split)
    page = places[offset : offset + limit]
    tasks = [_summary(found, place) for place in page]
    if as_json:
        print_json(TaskList(tasks=tasks, total=len(places)).model_dump(mode="json"))
        return
    console(as_json=False).print(_table(page, tasks, f"{_range(offset, len(page))} of {len(places):,}"))


def _places(pack: Pack, split: str | None) -> list[Place]:
    names = pack.splits if split is None else [split]
    return [(name, index) for name in names for index in range(pack.splits[name])]


def _summary(pack: Pack, place: Place) -> TaskSummary:
    task = pack.task_at(*place)
    return TaskSummary(task_id=task.task_id, split=task.split, template=task.template, difficulty=task.difficulty)


def _table(page: list[Place], tasks: list[TaskSummary], caption: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, caption=caption, caption_justify="left")
    table.add_column("Split", style="dim", no_wrap=True)
    table.add_column("Index", style="dim", justify="right")
    table.add_column("Task", style="bold cyan", overflow="fold")
    table.add_column("Template", overflow="fold")
    table.add_column("Difficulty", no_wrap=True)
    for (split, index), task in zip(page, tasks, strict=True):
        table.add_row(split, str(index), task.task_id, task.template or "", _dots(task.difficulty))
    return table


def _dots(difficulty: int) -> Text:
    return Text.assemble(("●" * difficulty, "yellow"), ("○" * (HARDEST - difficulty), "dim"))


def _range(offset: int, size: int) -> str:
    return f"{offset + 1:,} to {offset + size:,}" if size else "none"
