"""The filter of a task list."""

from dataclasses import dataclass

from agent_env_schemas import Difficulty, TaskOrder


@dataclass(frozen=True, slots=True)
class TaskFilter:
    """Filter and order of the listed tasks."""

    split: str | None = None
    """Name of one split. None means all splits, one after another."""

    difficulty: Difficulty | None = None
    order: TaskOrder = "id"
    template: str | None = None
    """Name of the template that made the task. None means any."""

    @property
    def by_level(self) -> bool:
        """Whether the filter needs every task to be made and measured."""
        return self.difficulty is not None or self.template is not None or self.order == "difficulty"
