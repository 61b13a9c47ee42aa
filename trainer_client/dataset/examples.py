"""Worked examples for a prompt: demonstrations of training tasks, written as text."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent_env_schemas import EASIEST, USER_STOP, GoldSpec, TaskSummary
from trainer_client.dataset.demonstration import Stage, played
from trainer_client.dataset.errors import DataError
from trainer_client.dataset.order import shuffled

LONGEST = 6_000
"""The most characters of an example; a longer one is skipped."""

CANDIDATES = 200
"""The number of training tasks, from the beginning of their split, among which examples are chosen."""

_HEADING = """

# Examples

Requests that were solved before: what was asked, which calls solved them, and how calls are written. They are over, and
their customers and records have nothing to do with the present one."""


@dataclass(frozen=True, slots=True)
class Example:
    """A training task and the text of its solution."""

    task_id: str
    text: str


def examples(stage: Stage, tasks: Sequence[TaskSummary], n: int, seed: int) -> list[Example]:
    """Make `n` examples from `tasks`, the easiest first, each of another template, chosen by `seed`.

    Only tasks in which the agent makes every call are used, and only episodes that scored 1.

    Raises:
        DataError: if fewer than `n` can be made.
        ServerError: if the server refuses.
    """
    found: dict[str | None, Example] = {}
    candidates = sorted(shuffled(tasks, seed, lambda t: t.task_id), key=lambda t: t.difficulty or EASIEST)
    for task in candidates:
        if len(found) == n:
            break
        if task.template not in found and (text := _solved(stage, task)) is not None:
            found[task.template] = Example(task.task_id, text)
    if len(found) < n:
        kinds = len({task.template for task in tasks})
        raise DataError(
            f"only {len(found)} of {n} examples of {stage.domain} could be made: each shows another kind of task, and"
            f" there are {kinds} kinds among the first {len(tasks)} training tasks. An example is a task that gold's"
            f" calls alone solve within {LONGEST:,} characters"
        )
    return list(found.values())


def _solved(stage: Stage, task: TaskSummary) -> str | None:
    """The text of the solution of `task`; None if it makes no good example."""
    detail = stage.client.task(stage.domain, task.task_id, stage.pack, gold=True)
    gold = detail.gold or GoldSpec()
    if not gold.actions or not (stage.alone or all(call.requestor == "agent" for call in gold.actions)):
        return None
    episode = played(stage, detail, gold)
    text = None if episode is None else _written(episode.messages)
    return text if text is not None and len(text) <= LONGEST else None


def with_examples(system: str, shown: Sequence[Example]) -> str:
    """A system message with the examples `shown` at its end."""
    if not shown:
        return system
    texts = "".join(f"\n\n## Example {number}\n\n{each.text}" for number, each in enumerate(shown, 1))
    return system + _HEADING + texts


def _written(messages: Sequence[Mapping[str, Any]]) -> str:
    """The text of a conversation as the agent saw it, without the system message."""
    shown = [m for m in messages if m["role"] != "system" and m["content"] != USER_STOP]
    return "\n\n".join(f"[{m['role']}]\n{_compact(m) if m['role'] == 'tool' else m['content']}" for m in shown)


def _compact(message: Mapping[str, Any]) -> str:
    """A tool's result without the spaces of its JSON, which cost tokens."""
    content = str(message["content"])
    try:
        value = json.loads(content)
    except ValueError:
        return content
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False) if isinstance(value, dict | list) else content
