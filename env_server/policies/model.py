"""A language model in the agent's seat, by the protocol's own tool calls or by raw text that the server reads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import orjson

from agent_env_schemas import Action, Message, ToolCall
from env_server.models import Asker, ModelAnswer, Models, ModelUnavailable, Usage
from env_server.models import Message as Chat
from env_server.models.memory import read, written
from env_server.policies.base import AgentMove
from env_server.policies.refusals import is_too_long

PREFIX = "openai:"
"""What a policy's name begins with that is a model behind the OpenAI chat protocol."""


def model_named(policy: str) -> str | None:
    """The model that the name of a policy means; None for the policies that are rules."""
    return policy.removeprefix(PREFIX) if policy.startswith(PREFIX) else None


class ContextFull(Exception):
    """The conversation no longer fits the model: the agent's side has failed."""


class FirstRefused(ModelUnavailable):
    """Not even the first question fits the model: nobody can play with it, and that is not the agent's failure."""

    passing = False


class Journal(Protocol):
    """Keeps what models have said, move by move."""

    def recall(self, name: str) -> str | None:
        """The kept move."""

    async def keep(self, name: str, text: str) -> str:
        """Keep a move; returns the one that is kept, which is the first, whoever it came from."""


@dataclass(frozen=True)
class Mind:
    """A model as all episodes of a run ask it."""

    models: Models
    model: str
    temperature: float | None = None
    native: bool = True
    """Whether it calls tools by the protocol; if not, the system message describes them and it writes calls as text."""


@dataclass
class ModelPolicy:
    """Plays one episode. A move that failed may be asked for again: nothing was heard and nothing said.

    What the model says is kept before it is played, so that an episode that was interrupted goes on with the same
    words, and with what they have cost. So do two who play the same episode at once: what was kept first is what both
    say. A refusal is not kept: it may be mended.
    """

    mind: Mind
    tools: Sequence[Mapping[str, Any]]
    seed: int = 0
    journal: Journal | None = None
    episode_id: str = ""
    """Names the episode in the journal."""

    spent: dict[str, Any] = field(default_factory=dict)
    """What the moves so far have cost, as `Usage.total` sums it up."""

    _chat: list[Chat] = field(default_factory=list, init=False)
    _open: set[str] = field(default_factory=set, init=False)
    """The calls that wait for their results."""

    _turn: int = field(default=0, init=False)

    async def move(self, heard: Sequence[Message]) -> AgentMove:
        """What the model says.

        Raises:
            ModelUnavailable: if it says nothing now.
            ContextFull: if it cannot say anything any more.
        """
        chat = _joined([*self._chat, *map(self._shown, heard)], merge=not self.mind.native)
        answer, usage = await self._said(chat)
        self.spent = usage.total(self.spent)
        self._turn += 1
        self._open = {call.id for call in answer.calls}
        self._chat = [*chat, _remembered(answer)]
        return AgentMove(_action(answer))

    def _shown(self, message: Message) -> Chat:
        """A message as the model may be sent it: the protocol takes results only where a call waits for them."""
        if message.role != "tool":
            return {"role": message.role, "content": message.content}
        if message.tool_call_id in self._open:
            return {"role": "tool", "tool_call_id": message.tool_call_id, "content": message.content}
        return {"role": "user", "content": message.content}

    async def _said(self, chat: Sequence[Chat]) -> tuple[ModelAnswer, Usage]:
        if self.journal is None:
            return await self._asked(chat)
        name = f"{self.episode_id}/{self._turn + 1}"
        kept = self.journal.recall(name)
        if kept is None:
            answer, usage = await self._asked(chat)
            entry = {"answer": written(answer), "usage": usage.dump()}
            kept = await self.journal.keep(name, orjson.dumps(entry).decode())
        found = orjson.loads(kept)
        return read(found["answer"]), Usage(**found["usage"])

    async def _asked(self, chat: Sequence[Chat]) -> tuple[ModelAnswer, Usage]:
        mind = self.mind
        asker: Asker = mind.models.asker(mind.model, seed=self.seed, temperature=mind.temperature)
        try:
            answer = await asker.ask(chat, tools=self.tools if mind.native else ())
        except ModelUnavailable as e:
            if not is_too_long(e.__cause__):
                raise
            if self._turn == 0:
                raise FirstRefused("not even the first question fits the model's context") from e
            raise ContextFull("the conversation no longer fits the model") from e
        return answer, asker.usage


def _remembered(answer: ModelAnswer) -> Chat:
    """An answer as the conversation goes on from it. Endpoints read arguments in it, so broken ones are left out."""
    if not answer.calls:
        return {"role": "assistant", "content": answer.content}
    message = answer.message()
    for call in message["tool_calls"]:
        if not _is_object(call["function"]["arguments"]):
            call["function"]["arguments"] = "{}"
    return message


def _is_object(text: str) -> bool:
    try:
        return isinstance(orjson.loads(text), dict)
    except ValueError:
        return False


def _action(answer: ModelAnswer) -> Action:
    if not answer.calls:
        return Action(content=answer.content)
    calls = [ToolCall(id=call.id, name=call.name, arguments=call.arguments) for call in answer.calls]
    return Action(content=answer.content or None, tool_calls=calls)


def _joined(chat: Sequence[Chat], *, merge: bool) -> list[Chat]:
    """The conversation, neighbouring messages of the user in one if `merge`: many chat templates want turns."""
    found: list[Chat] = []
    for message in chat:
        if merge and found and found[-1]["role"] == message["role"] == "user":
            found[-1] = {**message, "content": f"{found[-1]['content']}\n{message['content']}"}
        else:
            found.append(message)
    return found
