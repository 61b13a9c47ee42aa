"""The basis of an inline task: the components that count in it."""

from env_server.domains.kit import Task
from env_server.rewards.components import components, in_basis


class BasisError(ValueError):
    """The basis of an inline task does not fit the task; the message says why."""


def with_basis(task: Task, *, vetted: bool) -> Task:
    """Return an inline task with its basis: the one that it names, or the components that have something to count.

    `vetted` says whether a basis that does not fit the task is refused. Public benchmarks have such tasks.

    Raises:
        NoSuchComponent: if it names an unknown component (a ValueError).
        BasisError: if a component cannot count in this task, or if a judge has something to decide that no component
            of the basis counts (a ValueError).
    """
    if "basis" not in task.model_fields_set:
        return task.model_copy(update={"basis": tuple(n for n, one in components().items() if one.by_default(task))})
    named = in_basis(task.basis)
    for one in named if vetted else ():
        why = one.refused(task)
        if why is not None:
            raise BasisError(why)
    for one in components().values() if vetted else ():
        if one.inquiry is not None and one.by_default(task) and one not in named:
            raise BasisError(f"the task says what {one.name} is to judge, and its basis does not name it")
    return task
