"""`env-server tasks`: list the tasks of a pack."""

from rich import box
from rich.table import Table
from rich.text import Text

from agent_env_schemas import HARDEST, TaskList, TaskOrder, TaskSummary, levels
from env_server.commands.output import console, fail, print_json, readable_errors
from env_server.commands.setup import find_pack, read_settings
from env_server.domains.pack import Listed
from env_server.episodes.packs.task_filter import TaskFilter
from env_server.episodes.packs.tasks import page_of

Asked = tuple[str | None, str | None, TaskOrder]
"""The filter as it was typed: split, difficulty and order."""


def run(domain: str, pack: str, asked: Asked, offset: int, limit: int, *, as_json: bool) -> None:
    """Print a page of the tasks as a table, or as JSON in the shape of `GET /domains/{domain}/tasks`."""
    with readable_errors():
        found = find_pack(read_settings(), domain, pack)
        page, total = page_of(found, _wanted(*asked), offset, limit)
    if as_json:
        print_json(TaskList(tasks=[_summary(task) for task in page], total=total).model_dump(mode="json"))
        return
    console(as_json=False).print(_table(page, f"{_range(offset, len(page))} of {total:,}"))


def _wanted(split: str | None, difficulty: str | None, order: TaskOrder) -> TaskFilter:
    try:
        if difficulty is not None:
            levels(difficulty)
    except ValueError as e:
        fail(f"--difficulty: {e}")
    return TaskFilter(split, difficulty, order)


def _summary(task: Listed) -> TaskSummary:
    return TaskSummary(
        task_id=task.task_id,
        split=task.split,
        template=task.template,
        difficulty=task.difficulty,
        opening=task.opening,
    )


def _table(page: list[Listed], caption: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, caption=caption, caption_justify="left")
    table.add_column("Split", style="dim", no_wrap=True)
    table.add_column("Index", style="dim", justify="right")
    table.add_column("Task", style="bold cyan", overflow="fold")
    table.add_column("Template", overflow="fold")
    table.add_column("Difficulty", no_wrap=True)
    for task in page:
        split, index = task.place
        table.add_row(split, str(index), task.task_id, task.template or "", _dots(task.difficulty))
    return table


def _dots(difficulty: int | None) -> Text:
    if difficulty is None:
        return Text("not measured", "dim")
    return Text.assemble(("●" * difficulty, "yellow"), ("○" * (HARDEST - difficulty), "dim"))


def _range(offset: int, size: int) -> str:
    return f"{offset + 1:,} to {offset + size:,}" if size else "none"
