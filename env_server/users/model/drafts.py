"""Drafts of one user message. The model is asked, calls the user's own tools, and is corrected if its answer is
unusable.
"""

from collections.abc import Sequence
from typing import NamedTuple

from agent_env_schemas import USER_STOP
from env_server.domains.kit import Task
from env_server.models import ModelUnavailable
from env_server.models.answer import Message, ModelAnswer
from env_server.models.asker import Asker
from env_server.reading import read
from env_server.users.base import OwnTools
from env_server.users.model.chat import NOT_DONE, result, spoken, transcript, use
from env_server.users.model.lines import Unusable, UserLine, is_labelled, labelled, read_line, without_thoughts
from env_server.users.model.prompts import AGAIN, JUST_BEGUN, STILL_ASKED, judge_prompt, user_prompt

TRIES = 3
"""The maximum number of unusable answers of a model before the turn fails."""

MOST_CALLS = 12
"""The maximum number of calls of own tools in one turn. After that the user has to answer in words."""

JUDGE_TRIES = 2


class Draft(NamedTuple):
    """A candidate message, and the text that the model will see as its own earlier message."""

    line: UserLine
    remembered: str


class Drafts:
    """Maker of the drafts of one message. Tool calls made for any draft take effect, whichever draft is sent."""

    def __init__(self, asker: Asker, task: Task, chat: list[Message], own: OwnTools, *, form: str) -> None:
        """Continue `chat`, whose last message is the agent's. Calls and their results are appended to it."""
        self.asker, self.task, self.chat, self._own = asker, task, chat, own
        self._labelled = bool(form)
        self._opening = len(chat) == 1
        self._asked_to_confirm = not self._opening and read(str(chat[-1]["content"])).consent
        self._calls_left = MOST_CALLS
        prompt = user_prompt(task.instruction, USER_STOP, form=form, tools=bool(own.schemas))
        self._system: Message = {"role": "system", "content": prompt}

    async def draft(self, attempt: int = 0, extra: Sequence[Message] = (), *, with_labels: bool = False) -> Draft:
        """Return a usable draft.

        Args:
            attempt: the number of earlier drafts.
            extra: messages to the model about the earlier drafts.
            with_labels: whether `extra` asks for an answer in labelled parts.

        Raises:
            ModelUnavailable: if all `TRIES` answers of the model are unusable.
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
        """Return the judge's verdict on a draft; None if none of its `JUDGE_TRIES` answers is a clear yes or no."""
        question = judge_prompt(self.task.instruction, USER_STOP, transcript(self.chat), draft.line.content)
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
        if with_labels or self._labelled or is_labelled(content):
            thought, said = labelled(content)
        line = read_line(said, confirming=self._asked_to_confirm)
        if line.stop and self._opening:
            raise Unusable(JUST_BEGUN)
        if line.stop and self._asked_to_confirm:
            # the model is corrected once; if it ends the conversation again, that is accepted
            self._asked_to_confirm = False
            raise Unusable(STILL_ASKED)
        remembered = f"{thought}\nUser Response: {line.content}" if thought and self._labelled else line.content
        return Draft(line, remembered)
