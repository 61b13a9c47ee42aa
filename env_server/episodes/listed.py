"""The listed tasks of a pack. Making one runs the domain's code, whose defects are told as what they are."""

from collections.abc import Iterator
from contextlib import contextmanager

import structlog

from env_server.domains.kit import NoSuchTask, Task
from env_server.domains.pack import Pack
from env_server.domains.packs import PackError
from env_server.errors import ProblemError
from schemas import ErrorCode

log = structlog.get_logger(__name__)


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


@contextmanager
def _told(pack: Pack, which: str) -> Iterator[None]:
    """Tell what goes wrong in making a task: only `NoSuchTask` means that there is none."""
    try:
        yield
    except NoSuchTask as e:
        raise ProblemError(ErrorCode.NOT_FOUND, str(e)) from e
    except PackError as e:  # public data may ask for what this server does not offer
        raise ProblemError(ErrorCode.INVALID_REQUEST, str(e)) from e
    except Exception as e:
        log.exception("a task cannot be made", domain=pack.domain.name, pack=pack.name, task=which)
        where = f"{which} of {pack.domain.name}, pack {pack.name!r}"
        raise ProblemError(ErrorCode.INTERNAL, f"{where}, cannot be made: {type(e).__name__}: {e}") from e
