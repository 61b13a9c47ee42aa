"""The listed tasks of a pack. Making a task runs the domain's code; a defect there becomes an error response."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import structlog

from agent_env_schemas import EASIEST, Difficulty, ErrorCode, levels
from env_server.domains.kit import NoSuchTask, Task
from env_server.domains.pack import Listed, Pack, Unmeasured
from env_server.episodes.packs.task_filter import TaskFilter
from env_server.errors import PackError, ProblemError

log = structlog.get_logger(__name__)


def page_of(pack: Pack, wanted: TaskFilter, offset: int, limit: int) -> tuple[list[Listed], int]:
    """Return one page of the wanted tasks, and the number of all. Make only the page's tasks where possible.

    Raises:
        ProblemError: if there is no such split, or if a task has no difficulty or cannot be made.
    """
    splits = splits_of(pack, wanted.split)
    if wanted.by_level:
        found = [task for split in splits for task in of_difficulty(pack, split, wanted.difficulty)]
        if wanted.template is not None:
            found = [task for task in found if task.template == wanted.template]
        if wanted.order == "difficulty":
            found.sort(key=lambda task: task.difficulty or EASIEST)  # stable: tasks of one level keep their order
        return found[offset : offset + limit], len(found)
    places: list[tuple[str, int]] = []
    skip = offset
    for split in splits:
        indices = range(pack.splits[split])
        places += [(split, i) for i in indices[skip : skip + limit - len(places)]]
        skip = max(0, skip - len(indices))
    return [_listed_at(pack, *place) for place in places], sum(pack.splits[split] for split in splits)


def splits_of(pack: Pack, split: str | None) -> list[str]:
    """Return the named split as a list, or all splits.

    Raises:
        ProblemError: if there is no split of that name.
    """
    if split is not None and split not in pack.splits:
        raise ProblemError(ErrorCode.NOT_FOUND, f"no split {split!r}; there are: {', '.join(pack.splits)}")
    return list(pack.splits) if split is None else [split]


def of_difficulty(pack: Pack, split: str, difficulty: Difficulty | None) -> list[Listed]:
    """Return the tasks of `split` with this difficulty, in order. None means any difficulty.

    Raises:
        ProblemError: if a task has no difficulty, or cannot be made.
    """
    with _told(pack, f"a task of split {split!r}"):
        measured = pack.levels(split)
    if difficulty is None:
        return list(measured)
    taken = levels(difficulty)
    return [task for task in measured if task.difficulty in taken]


def some_of_difficulty(pack: Pack, split: str, difficulty: Difficulty) -> list[Listed]:
    """Return the tasks of `of_difficulty`. Raise an error if there are none.

    Raises:
        ProblemError: as `of_difficulty`; if there is no such split; and if no task matches, with a list of the
            difficulties that exist.
    """
    splits_of(pack, split)
    found = of_difficulty(pack, split, difficulty)
    if not found:
        there = sorted(Counter(task.difficulty for task in pack.levels(split) if task.difficulty).items())
        said = ", ".join(f"{level} ({number} tasks)" for level, number in there) or "none at all"
        detail = f"split {split!r} of {pack.domain.name} has no task of difficulty {difficulty}; there are: {said}"
        raise ProblemError(ErrorCode.INVALID_REQUEST, detail)
    return found


def task_at(pack: Pack, split: str, index: int) -> Task:
    """Return the task at `index` of `split`.

    Raises:
        ProblemError: if there is no such task, if it needs a feature this server lacks, or if it cannot be made.
    """
    with _told(pack, f"task {index} of split {split!r}"):
        if split not in pack.splits:
            raise NoSuchTask(f"no split {split!r}; there are: {', '.join(pack.splits)}")
        return pack.task_at(split, index)


def task_with(pack: Pack, task_id: str) -> Task:
    """Return the task with this id.

    Raises:
        ProblemError: as `task_at`.
    """
    with _told(pack, f"task {task_id!r}"):
        return pack.find(task_id)


def _listed_at(pack: Pack, split: str, index: int) -> Listed:
    with _told(pack, f"task {index} of split {split!r}"):
        return pack.listed(split, index)


@contextmanager
def _told(pack: Pack, which: str) -> Iterator[None]:
    """Convert errors of making a task into problems. Only `NoSuchTask` means that the task does not exist."""
    try:
        yield
    except NoSuchTask as e:
        raise ProblemError(ErrorCode.NOT_FOUND, str(e)) from e
    except Unmeasured as e:
        where = f"the tasks of {pack.domain.name}, pack {pack.name!r}"
        detail = f"{where}, have no difficulty: leave out `difficulty`, and do not `order` by it"
        raise ProblemError(ErrorCode.INVALID_REQUEST, detail) from e
    except PackError as e:  # public data may need a feature this server lacks
        raise ProblemError(ErrorCode.INVALID_REQUEST, str(e)) from e
    except Exception as e:
        log.exception("a task cannot be made", domain=pack.domain.name, pack=pack.name, task=which)
        where = f"{which} of {pack.domain.name}, pack {pack.name!r}"
        raise ProblemError(ErrorCode.INTERNAL, f"{where}, cannot be made: {type(e).__name__}: {e}") from e
