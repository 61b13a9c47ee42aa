"""A user played by a language model."""

from dataclasses import dataclass
from typing import Any

from agent_env_schemas import UserStrategy
from env_server.domains.kit import Task
from env_server.models import Models, ModelUnavailable
from env_server.users.base import OwnTools, UserReply
from env_server.users.model.chat import heard, spoken
from env_server.users.model.choosing import Method
from env_server.users.model.drafts import Drafts
from env_server.users.model.prompts import GREETING
from env_server.users.strategy import Strategy, UserSettings


def _use_nothing(name: str, _arguments: object) -> str:
    return f"There is no {name}."


_NOTHING = OwnTools({}, _use_nothing, None)


@dataclass(frozen=True)
class ModelUser:
    """The strategy `name` with the settings of one reset.

    The notes hold the conversation as the model sees it, and its cost so far.
    """

    name: str
    method: Method
    models: Models
    model: str | None = None
    base_url: str | None = None
    temperature: float | None = None
    run: str = ""
    scope: str = ""
    """A key of the asker. Askers that play the same task with the same seed and need separate answers differ in it."""

    remote: bool = True
    awaits: bool = False

    async def first(self, task: Task, seed: int) -> UserReply:
        """Return the message that opens the conversation."""
        return await self._say(task, seed, {}, GREETING, _NOTHING)

    async def reply(self, task: Task, seed: int, notes: dict[str, Any], message: str, own: OwnTools) -> UserReply:
        """Return the answer to the agent's message."""
        return await self._say(task, seed, notes, message, own)

    async def _say(self, task: Task, seed: int, notes: dict[str, Any], message: str, own: OwnTools) -> UserReply:
        model = notes.get("model") or self.model or self.models.config.model
        if model is None:
            raise ModelUnavailable("no model is named to play the user", asked=False)
        asker = self.models.asker(
            model, self.base_url, seed=seed, temperature=self.temperature, run=self.run, scope=self.scope
        )
        chat = [*notes.get("chat", ()), heard(message)]
        draft = await self.method.choose(Drafts(asker, task, chat, own, form=self.method.form))
        usage = asker.usage
        kept = {"model": model, "chat": [*chat, spoken(draft.remembered)], "total": usage.total(notes.get("total", {}))}
        return UserReply(draft.line.content, draft.line.stop, kept, usage.dump(), answers=asker.fresh())


def played_by_model(name: UserStrategy, method: Method) -> Strategy:
    """Return the strategy `name`, in which a language model plays the user by `method`."""

    def user(settings: UserSettings) -> ModelUser:
        spec = settings.spec
        return ModelUser(
            name.value,
            method,
            settings.models,
            spec.model,
            spec.base_url,
            spec.temperature,
            settings.run,
            settings.scope,
        )

    return Strategy(name.value, user, asks_model=True)
