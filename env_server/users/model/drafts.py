"""One message of the user in the making: the model is asked, does what it does itself, and is corrected."""

from collections.abc import Sequence
from typing import NamedTuple

from env_server.domains.kit import Task
from env_server.models import ModelUnavailable
from env_server.models.answer import Message, ModelAnswer
from env_server.models.asker import Asker
from env_server.reading import read
from env_server.users.base import STOP, OwnTools
from env_server.users.model.chat import NOT_DONE, result, spoken, transcript, use
from env_server.users.model.lines import Unusable, UserLine, is_labelled, labelled, read_line, without_thoughts
from env_server.users.model.prompts import AGAIN, JUST_BEGUN, STILL_ASKED, judge_prompt, user_prompt

TRIES = 3
"""Answers of a model that may be unusable before the turn fails."""

MOST_CALLS = 12
"""Calls of own tools in one turn; then the user has to speak."""

JUDGE_TRIES = 2


class Draft(NamedTuple):
    """A message that might be sent, and how the model remembers having said it."""

    line: UserLine
    remembered: str


class Drafts:
    """Makes drafts of one message. What the user does on the way is done, whichever draft is sent."""

    def __init__(self, asker: Asker, task: Task, chat: list[Message], own: OwnTools, *, thinks: bool) -> None:
        """Continue `chat`, whose last message is the agent's; calls and their results are added to it."""
        self.asker, self.task, self.chat, self._own = asker, task, chat, own
        self._thinks = thinks
        self._opening = len(chat) == 1
        self._asked_to_confirm = not self._opening and read(str(chat[-1]["content"])).consent
        self._calls_left = MOST_CALLS
        prompt = user_prompt(task.instruction, STOP, thinks=thinks, tools=bool(own.schemas))
        self._system: Message = {"role": "system", "content": prompt}

    async def draft(self, attempt: int = 0, extra: Sequence[Message] = (), *, with_labels: bool = False) -> Draft:
        """A draft that can be sent.

        Args:
            attempt: how many there were before it.
            extra: what is said to the model about them.
            with_labels: whether `extra` asks for an answer in labelled parts.

        Raises:
            ModelUnavailable: if the model writes nothing that a user could say.
        """
        corrections: list[Message] = []
        why = ""
        unusable = 0
        while unusable < TRIES:
            messages = [self._system, *self.chat, *extra, *corrections]
            answer = await self.asker.ask(messages, attempt=attempt, tools=self._own.schemas, call=self._calls_left > 0)
            if answer.calls and self._calls_left > 0 and self._own.schemas:
                self._do(answer)
                continue
            try:
                return self._read(answer.content, with_labels=with_labels)
            except Unusable as e:
                why = str(e)
            unusable += 1
            self.asker.usage.unusable += 1
            corrections = [spoken(answer.content or "..."), {"role": "user", "content": AGAIN.format(why=why)}]
        raise ModelUnavailable(f"the simulated user's model gave {TRIES} answers that cannot be used: {why}")

    async def approved(self, draft: Draft) -> bool | None:
        """What the judge says of a draft; None if it says neither yes nor no, however often it is asked."""
        question = judge_prompt(self.task.instruction, STOP, transcript(self.chat), draft.line.content)
        for attempt in range(JUDGE_TRIES):
            answer = await self.asker.ask([{"role": "user", "content": question}], attempt=attempt)
            words = without_thoughts(answer.content).lower().replace("*", " ").replace(".", " ").split()
            verdicts = {word.strip("\"'`,:;!") for word in words} & {"true", "false"}
            if len(verdicts) == 1:
                return verdicts == {"true"}
            self.asker.usage.unusable += 1
        return None

    def _do(self, answer: ModelAnswer) -> None:
        self.chat.append(answer.message())
        for call in answer.calls:
            done = self._calls_left > 0
            self.chat.append(use(self._own, call) if done else result(call, NOT_DONE))
            self._calls_left -= done

    def _read(self, content: str, *, with_labels: bool) -> Draft:
        thought = ""
        said = content
        if with_labels or self._thinks or is_labelled(content):
            thought, said = labelled(content)
        line = read_line(said, confirming=self._asked_to_confirm)
        if line.stop and self._opening:
            raise Unusable(JUST_BEGUN)
        if line.stop and self._asked_to_confirm:
            self._asked_to_confirm = False  # told once; a user who ends it all the same means it
            raise Unusable(STILL_ASKED)
        remembered = f"{thought}\nUser Response: {line.content}" if thought and self._thinks else line.content
        return Draft(line, remembered)
