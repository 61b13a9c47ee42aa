"""The components that need a judge, and the question for each."""

from collections.abc import Callable, Mapping

from env_server.domains.kit import Component, Task
from env_server.rewards.judge import assertions, rubric
from env_server.rewards.judge.inquiry import Inquiry

_KINDS: Mapping[Component, Callable[[Task, str], Inquiry]] = {
    Component.NL_ASSERTIONS: assertions.open_inquiry,
    Component.RUBRIC: rubric.open_inquiry,
}


def needs_judge(component: Component, task: Task) -> bool:
    """Return whether `component` of `task` needs a judge. `nl_assertions` without assertions count as met."""
    return component in _KINDS and (component is not Component.NL_ASSERTIONS or bool(task.assertions))


def inquiry(component: Component, task: Task, record: str) -> Inquiry:
    """Return the question about `component` of `task`, for the `record` of its conversation."""
    return _KINDS[component](task, record)
