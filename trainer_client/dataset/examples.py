"""Worked examples for a prompt: the reference solutions of training tasks, played on the server and written down."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from schemas import CLOSE_INFRASTRUCTURE, GoldSpec, TaskSummary
from trainer_client.client import Client
from trainer_client.dataset.errors import DataError
from trainer_client.dataset.order import shuffled
from trainer_client.dataset.prompt import ALONE, ToolPrompt, strategy_of
from trainer_client.episode import Episode

LONGEST = 6_000
"""Characters of an example; one that takes more is passed over."""

CANDIDATES = 200
"""Training tasks, the first of their split, from which examples are chosen."""

FORMS: Mapping[ToolPrompt, str] = {"hermes": "<tool_call>\n{}\n</tool_call>", "json": "{}"}
"""How a call is written."""

FINISHED = "All done.{outputs} Is there anything else?"
STOP = "###STOP###"
"""With this line a user ends the episode; an agent never gets to see it."""

_HEADING = """

# Examples

Requests that were solved before: which calls solved them, and how calls are written. They are over, and their customers
and records have nothing to do with the present one."""


@dataclass(frozen=True, slots=True)
class Example:
    """A training task and how it was solved."""

    task_id: str
    text: str


@dataclass(frozen=True)
class Teacher:
    """Plays reference solutions of one pack's training tasks."""

    client: Client
    domain: str
    pack: str
    user: Mapping[str, Any] | None
    tool_prompt: ToolPrompt

    def examples(self, tasks: Sequence[TaskSummary], n: int, seed: int) -> list[Example]:
        """`n` examples from `tasks`, the easiest first, each of another template, chosen by `seed`.

        Only runs that scored 1 are taken, of tasks in which the agent makes every call.

        Raises:
            DataError: if there are not as many.
            ServerError: if the server refuses.
        """
        found: dict[str | None, Example] = {}
        candidates = sorted(shuffled(tasks, seed, lambda t: t.task_id), key=lambda t: t.difficulty)
        for task in candidates:
            if len(found) == n:
                break
            if task.template not in found and (text := self._solved(task)) is not None:
                found[task.template] = Example(task.task_id, text)
        if len(found) < n:
            raise DataError(f"only {len(found)} of {n} examples of {self.domain} could be made")
        return list(found.values())

    def _solved(self, task: TaskSummary) -> str | None:
        """How `task` is solved; None if it is no good example."""
        gold = self.client.task(self.domain, task.task_id, self.pack, gold=True).gold or GoldSpec()
        alone = strategy_of(self.user) == ALONE
        if not gold.actions or not (alone or all(call.requestor == "agent" for call in gold.actions)):
            return None
        episode = self.client.reset(self.domain, pack=self.pack, task_id=task.task_id, user=dict(self.user or {}))
        with episode:
            self._play(episode, gold, alone=alone)
        text = _written(episode.messages)
        return text if episode.reward == 1.0 and len(text) <= LONGEST else None

    def _play(self, episode: Episode, gold: GoldSpec, *, alone: bool) -> None:
        for move in self._moves(gold, alone=alone):
            if episode.done or episode.awaiting_user:
                break
            episode.step(move)  # a user who has more to say after the last of them makes no good example
        if not episode.done:
            episode.close(CLOSE_INFRASTRUCTURE)

    def _moves(self, gold: GoldSpec, *, alone: bool) -> Iterator[str]:
        for call in gold.actions:
            yield self._call(call.name, call.arguments)
        yield FINISHED.format(outputs="".join(f" {output}." for output in gold.outputs))
        if alone:
            yield self._call("done", {})

    def _call(self, name: str, arguments: Mapping[str, Any]) -> str:
        return FORMS[self.tool_prompt].format(json.dumps({"name": name, "arguments": arguments}))


def with_examples(system: str, examples: Sequence[Example]) -> str:
    """A system message with `examples` at its end."""
    if not examples:
        return system
    shown = "".join(f"\n\n## Example {number}\n\n{each.text}" for number, each in enumerate(examples, 1))
    return system + _HEADING + shown


def _written(messages: Sequence[Mapping[str, Any]]) -> str:
    """A conversation as the agent saw it, without its system message."""
    shown = [m for m in messages if m["role"] != "system" and m["content"] != STOP]
    return "\n\n".join(f"[{m['role']}]\n{m['content']}" for m in shown)
