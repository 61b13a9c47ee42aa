"""What a caller asks of a list of tasks."""

from dataclasses import dataclass

from agent_env_schemas import Difficulty, TaskOrder


@dataclass(frozen=True, slots=True)
class TaskFilter:
    """Which listed tasks are wanted, in which order."""

    split: str | None = None
    """One split; None for all of them in turn."""

    difficulty: Difficulty | None = None
    order: TaskOrder = "id"

    @property
    def by_level(self) -> bool:
        """Whether it takes the difficulty of every task to tell."""
        return self.difficulty is not None or self.order == "difficulty"
