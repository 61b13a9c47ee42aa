"""The choice of the user for a reset: one of the local strategies, or a language model."""

from collections.abc import Mapping

from agent_env_schemas import UserSpec
from env_server.domains.kit import Task
from env_server.models import EndpointRefused, Models
from env_server.users.base import User, UserRefused
from env_server.users.external import EXTERNAL, NONE
from env_server.users.model import METHODS, ModelUser
from env_server.users.scripted.user import SCRIPTED

STRATEGIES: Mapping[str, User] = {user.name: user for user in (SCRIPTED, EXTERNAL, NONE)}
"""The local strategies by name."""


class Users:
    """All users of this process, and the model endpoints that some of them need."""

    def __init__(self, models: Models | None = None) -> None:
        """Offer the local strategies, and the strategies that ask `models`."""
        self.local = dict(STRATEGIES)
        self._models = models or Models()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the strategies."""
        return (*self.local, *METHODS)

    def of(self, task: Task, spec: UserSpec, run: str | None = None, scope: str = "") -> User:
        """Return the user for `spec`; by default `scripted` if the task has a script, else `external`.

        Raises:
            UserRefused: if there is no such strategy.
        """
        name = spec.strategy or ("scripted" if task.user is not None else "external")
        if name in self.local:
            return self.local[name]
        if name not in METHODS:
            raise UserRefused(f"no user strategy {name!r}; there are: {', '.join(self.names)}")
        return ModelUser(name, self._models, spec.model, spec.base_url, spec.temperature, run or "", scope)

    def check(self, user: User, spec: UserSpec) -> None:
        """Check that `user` can play with the settings in `spec`, before an episode is begun.

        Raises:
            UserRefused: if it cannot.
        """
        if isinstance(user, ModelUser):
            try:
                self._models.endpoints.check(spec.base_url)
            except EndpointRefused as e:
                raise UserRefused(str(e)) from e
            if (spec.model or self._models.config.model) is None:
                raise UserRefused("user.model: name the model that plays the user; the operator has set none")
            return
        for name in ("model", "base_url", "temperature"):
            if getattr(spec, name) is not None:
                raise UserRefused(f"user.{name} belongs to a language model, and this user is {user.name!r}")

    async def close(self) -> None:
        """Close all connections."""
        await self._models.close()
