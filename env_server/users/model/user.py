"""A user that is a language model."""

from dataclasses import dataclass
from typing import Any

from env_server.domains.kit import Task
from env_server.users.base import Own, Said, UserUnavailable
from env_server.users.model.answer import Usage
from env_server.users.model.asker import Asker
from env_server.users.model.chat import heard, spoken
from env_server.users.model.drafts import Drafts
from env_server.users.model.endpoint import Endpoints
from env_server.users.model.ledger import Ledger
from env_server.users.model.prompts import GREETING
from env_server.users.model.strategies import METHODS


def _use_nothing(name: str, _arguments: object) -> str:
    return f"There is no {name}."


_NOTHING = Own({}, _use_nothing, None)


@dataclass(frozen=True)
class ModelUser:
    """The strategy `name` as one reset wants it. Notes: the conversation as the model sees it, and its cost so far."""

    name: str
    endpoints: Endpoints
    ledger: Ledger
    model: str | None = None
    base_url: str | None = None
    temperature: float | None = None
    run: str = ""
    remote: bool = True
    awaits: bool = False

    async def first(self, task: Task, seed: int) -> Said:
        """Say what the user wants."""
        return await self._say(task, seed, {}, GREETING, _NOTHING)

    async def reply(self, task: Task, seed: int, notes: dict[str, Any], message: str, own: Own) -> Said:
        """Answer the agent's message."""
        return await self._say(task, seed, notes, message, own)

    async def _say(self, task: Task, seed: int, notes: dict[str, Any], message: str, own: Own) -> Said:
        config = self.endpoints.config
        model = notes.get("model") or self.model or config.model
        if model is None:
            raise UserUnavailable("no model is named to play the user", asked=False)
        usage = Usage(model)
        temperature = config.temperature if self.temperature is None else self.temperature
        endpoint = self.endpoints.get(self.base_url)
        asker = Asker(endpoint, usage, seed, temperature, self.run, config.run_tokens, self.ledger)
        chat = [*notes.get("chat", ()), heard(message)]
        method = METHODS[self.name]
        draft = await method.choose(Drafts(asker, task, chat, own, thinks=method.thinks))
        kept = {"model": model, "chat": [*chat, spoken(draft.remembered)], "total": usage.total(notes.get("total", {}))}
        return Said(draft.line.content, draft.line.stop, kept, usage.dump())
