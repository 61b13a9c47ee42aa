"""The listed tasks of a pack. Making one runs the domain's code, whose defects are told as what they are."""

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
    """So many of the wanted tasks, and how many there are in all. Only these are made, unless all have to be.

    Raises:
        ProblemError: if there is no such split, a task does not say how difficult it is, or cannot be made.
    """
    splits = splits_of(pack, wanted.split)
    if wanted.by_level:
        found = [task for split in splits for task in of_difficulty(pack, split, wanted.difficulty)]
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
    """The split that is named, or all of them.

    Raises:
        ProblemError: if there is none of that name.
    """
    if split is not None and split not in pack.splits:
        raise ProblemError(ErrorCode.NOT_FOUND, f"no split {split!r}; there are: {', '.join(pack.splits)}")
    return list(pack.splits) if split is None else [split]


def of_difficulty(pack: Pack, split: str, difficulty: Difficulty | None) -> list[Listed]:
    """The tasks of `split` that are of this difficulty, in their order; of any, if it is None.

    Raises:
        ProblemError: if a task does not say how difficult it is, or cannot be made.
    """
    with _told(pack, f"a task of split {split!r}"):
        measured = pack.levels(split)
    if difficulty is None:
        return list(measured)
    taken = levels(difficulty)
    return [task for task in measured if task.difficulty in taken]


def some_of_difficulty(pack: Pack, split: str, difficulty: Difficulty) -> list[Listed]:
    """As `of_difficulty`, of which there must be some.

    Raises:
        ProblemError: as `of_difficulty` does; if there is no such split; and if there are none, saying which there are.
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
    """The task at `index` of `split`.

    Raises:
        ProblemError: if there is none, if it asks for what this server does not offer, or if it cannot be made.
    """
    with _told(pack, f"task {index} of split {split!r}"):
        if split not in pack.splits:
            raise NoSuchTask(f"no split {split!r}; there are: {', '.join(pack.splits)}")
        return pack.task_at(split, index)


def task_with(pack: Pack, task_id: str) -> Task:
    """The task whose id is `task_id`.

    Raises:
        ProblemError: as `task_at` does.
    """
    with _told(pack, f"task {task_id!r}"):
        return pack.find(task_id)


def _listed_at(pack: Pack, split: str, index: int) -> Listed:
    with _told(pack, f"task {index} of split {split!r}"):
        return pack.listed(split, index)


@contextmanager
def _told(pack: Pack, which: str) -> Iterator[None]:
    """Tell what goes wrong in making a task: only `NoSuchTask` means that there is none."""
    try:
        yield
    except NoSuchTask as e:
        raise ProblemError(ErrorCode.NOT_FOUND, str(e)) from e
    except Unmeasured as e:
        where = f"the tasks of {pack.domain.name}, pack {pack.name!r}"
        detail = f"{where}, do not say how difficult they are: leave out `difficulty`, and `order` by it"
        raise ProblemError(ErrorCode.INVALID_REQUEST, detail) from e
    except PackError as e:  # public data may ask for what this server does not offer
        raise ProblemError(ErrorCode.INVALID_REQUEST, str(e)) from e
    except Exception as e:
        log.exception("a task cannot be made", domain=pack.domain.name, pack=pack.name, task=which)
        where = f"{which} of {pack.domain.name}, pack {pack.name!r}"
        raise ProblemError(ErrorCode.INTERNAL, f"{where}, cannot be made: {type(e).__name__}: {e}") from e
