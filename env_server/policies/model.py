"""A language model that plays the agent, with native tool calls or with raw text that the server parses."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

import orjson

from agent_env_schemas import Action, Message, ToolCall
from env_server.models import Asker, ModelAnswer, Models, ModelUnavailable, Usage
from env_server.models import Message as Chat
from env_server.models.answer_cache import read, written
from env_server.policies.base import AgentMove
from env_server.policies.refusals import is_too_long
from env_server.policies.wire_names import renamed, wire_names

PREFIX = "openai:"
"""The prefix of a policy's name for a model behind the OpenAI chat protocol."""


def model_named(policy: str) -> str | None:
    """Return the model in the name of a policy; None for the policies that are rules."""
    return policy.removeprefix(PREFIX) if policy.startswith(PREFIX) else None


class ContextFull(Exception):
    """The conversation no longer fits the model's context: the agent's side has failed."""


class FirstRefused(ModelUnavailable):
    """The first question does not fit the model's context. No agent could play, so this is not the agent's failure."""

    passing = False


class Journal(Protocol):
    """A store of the models' answers, by move."""

    def recall(self, name: str) -> str | None:
        """Return the stored move, or None."""

    async def keep(self, name: str, text: str) -> str:
        """Store a move; return the stored one, which is the first, whichever process wrote it."""


@dataclass(frozen=True)
class Mind:
    """The model settings that all episodes of a run share."""

    models: Models
    model: str
    temperature: float | None = None
    native: bool = True
    """Whether it uses native tool calls; if not, the system message describes the tools and the model writes calls as
    text.
    """


@dataclass
class ModelPolicy:
    """A policy for one episode. After a failure a move may be requested again: the failed try changes no state.

    An answer of the model is stored before it is played, so that an interrupted episode continues with the same answers
    and their costs. If two processes play the same episode at once, both use the answer that was stored first. An error
    is not stored, since a retry may succeed.
    """

    mind: Mind
    tools: Sequence[Mapping[str, Any]]
    seed: int = 0
    journal: Journal | None = None
    episode_id: str = ""
    """The name of the episode in the journal."""

    spent: dict[str, Any] = field(default_factory=dict)
    """The usage of the moves so far, as `Usage.total` sums it up."""

    _chat: list[Chat] = field(default_factory=list, init=False)
    _open: set[str] = field(default_factory=set, init=False)
    """The calls that wait for their results."""

    _turn: int = field(default=0, init=False)

    async def move(self, heard: Sequence[Message]) -> AgentMove:
        """Return the model's move.

        Raises:
            ModelUnavailable: if the model does not answer now.
            ContextFull: if the conversation no longer fits the model's context.
        """
        chat = _joined([*self._chat, *map(self._shown, heard)], merge=not self.mind.native)
        answer, usage = await self._said(chat)
        self.spent = usage.total(self.spent)
        self._turn += 1
        self._open = {call.id for call in answer.calls}
        self._chat = [*chat, _remembered(answer)]
        return AgentMove(_action(answer, {sent: name for name, sent in self._names.items()}))

    @cached_property
    def _names(self) -> Mapping[str, str]:
        """The name of each tool at the endpoint. The conversation has these names, the episode the tools' own."""
        return wire_names(tool["function"]["name"] for tool in self.tools)

    def _shown(self, message: Message) -> Chat:
        """Return a message as the model can read it. The protocol accepts results only for calls that wait for them."""
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
            answer = await asker.ask(chat, tools=renamed(self.tools, self._names) if mind.native else ())
        except ModelUnavailable as e:
            if not is_too_long(e.__cause__):
                raise
            if self._turn == 0:
                raise FirstRefused("not even the first question fits the model's context") from e
            raise ContextFull("the conversation no longer fits the model") from e
        return answer, asker.usage


def _remembered(answer: ModelAnswer) -> Chat:
    """Return an answer as the conversation continues from it, without broken arguments, since endpoints parse them."""
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


def _action(answer: ModelAnswer, own: Mapping[str, str]) -> Action:
    """Return the answer as an action. `own` maps the names that the model knows to the tools' own names."""
    if not answer.calls:
        return Action(content=answer.content)
    calls = [
        ToolCall(id=call.id, name=own.get(call.name, call.name), arguments=call.arguments) for call in answer.calls
    ]
    return Action(content=answer.content or None, tool_calls=calls)


def _joined(chat: Sequence[Chat], *, merge: bool) -> list[Chat]:
    """Return the conversation. If `merge`, join consecutive user messages, since many chat templates need alternating
    roles.
    """
    found: list[Chat] = []
    for message in chat:
        if merge and found and found[-1]["role"] == message["role"] == "user":
            found[-1] = {**message, "content": f"{found[-1]['content']}\n{message['content']}"}
        else:
            found.append(message)
    return found
