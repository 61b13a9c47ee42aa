"""The choice of the user for a reset."""

from agent_env_schemas import UserSpec, UserStrategy
from env_server.domains.kit import Task
from env_server.models import EndpointRefused, Models
from env_server.users.base import User, UserRefused
from env_server.users.strategies import strategies
from env_server.users.strategy import UserSettings


class Users:
    """All users of this process, and the model endpoints that some of them need."""

    def __init__(self, models: Models | None = None) -> None:
        """Offer all strategies. Those of a language model ask `models`."""
        self._models = models or Models()
        self.strategies = dict(strategies())
        """The strategies by name."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the strategies."""
        return tuple(self.strategies)

    def of(self, task: Task, spec: UserSpec, run: str | None = None, scope: str = "") -> User:
        """Return the user for `spec`; by default `scripted` if the task has a script, `none` if it asks for an
        answer or is for an agent alone, else `external`.

        Raises:
            UserRefused: if there is no such strategy.
        """
        name = spec.strategy or _usual(task)
        strategy = self.strategies.get(name)
        if strategy is None:
            raise UserRefused(f"no user strategy {name!r}; there are: {', '.join(self.names)}")
        return strategy.user(UserSettings(spec, self._models, run or "", scope))

    def check(self, user: User, task: Task, spec: UserSpec) -> None:
        """Check that `user` can play `task` with the settings in `spec`, before an episode is begun.

        Raises:
            UserRefused: if it cannot.
        """
        strategy = self.strategies[user.name]
        if strategy.by_rules and task.user is None:
            others = f"use {UserStrategy.EXTERNAL.value!r}, {UserStrategy.NONE.value!r} or a model"
            why = f"task {task.task_id!r} has no script for a {user.name} user"
            raise UserRefused(f"{why}; {others} ({UserStrategy.LLM.value!r})")
        if spec.first_message is not None and not user.awaits:
            raise UserRefused(f"user.first_message belongs to an external user, and this one is {user.name!r}")
        if strategy.asks_model:
            self._check_model(spec)
            return
        for name in ("model", "base_url", "temperature"):
            if getattr(spec, name) is not None:
                raise UserRefused(f"user.{name} belongs to a language model, and this user is {user.name!r}")

    def _check_model(self, spec: UserSpec) -> None:
        try:
            self._models.endpoints.check(spec.base_url)
        except EndpointRefused as e:
            raise UserRefused(str(e)) from e
        if (spec.model or self._models.config.model) is None:
            raise UserRefused("user.model: name the model that plays the user; the operator has set none")

    async def close(self) -> None:
        """Close all connections."""
        await self._models.close()


def _usual(task: Task) -> UserStrategy:
    """Return the strategy of a reset that names none."""
    if task.user is not None:
        return UserStrategy.SCRIPTED
    return UserStrategy.NONE if task.answer is not None or task.alone else UserStrategy.EXTERNAL
