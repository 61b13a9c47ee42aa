"""Worked examples: an agent that knows only what it was told, and changes nothing without a yes."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.trainer_client.dataset.rows import system
from trainer_client import Client
from trainer_client.dataset import DataError, Preparation, prepare
from trainer_client.dataset.examples import examples
from trainer_client.dataset.lesson import Stage, played
from trainer_client.dataset.prompt import RUN

MESSAGE = r"\[(user|assistant|tool)\]\n(.*?)(?=\n\n\[(?:user|assistant|tool)\]\n|\n\n## |\Z)"


def conversations(client: Client, domain: str, **wanted: Any) -> Iterator[list[tuple[str, str]]]:
    """The examples of a domain's prompt, as roles and words."""
    rows, _ = prepare(client, Preparation(domains=[domain], limit=1, few_shot=3, **wanted))
    for text in system(rows[0]).split("\n## Example ")[1:]:
        yield re.findall(MESSAGE, text, re.S)


def texts(value: Any) -> Iterator[str]:
    """All texts in a call's arguments, but for dates, which users write out."""
    if isinstance(value, dict):
        for each in value.values():
            yield from texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from texts(each)
    elif isinstance(value, str) and not re.fullmatch(r"\d{4}-\d\d-\d\d", value):
        yield value


@pytest.mark.parametrize("domain", ["retail", "healthcare", "doordash"])
def test_a_call_names_nothing_that_was_not_said(client: Client, domain: str) -> None:
    """The first call comes after the user has said who they are; the last user's word before a change is a yes."""
    for messages in conversations(client, domain):
        told = ""
        calls = 0
        for role, words in messages:
            if role == "assistant" and words.startswith("<tool_call>"):
                arguments = json.loads(words.removeprefix("<tool_call>\n").removesuffix("\n</tool_call>"))["arguments"]
                assert calls or "My name is" in told
                # A word of the tools' own, such as a reason to choose, need not be the user's.
                unsaid = [t for t in texts(arguments) if t.casefold() not in told and re.search(r"\d|@", t)]
                assert not unsaid
                calls += 1
            elif role != "assistant":
                told += words.casefold() if calls else f"{words} {words.casefold()}"
        users = [words for role, words in messages if role == "user"]
        assert len(users) >= 3
        assert calls
        proposals = [i for i, (_, words) in enumerate(messages) if words.startswith("This is what I am about to do")]
        assert all(messages[i + 1][1].startswith("Yes") for i in proposals)


def test_what_tools_answer_is_written_without_spaces(client: Client) -> None:
    """The spaces of JSON would cost tokens of every prompt."""
    shown = [words for m in conversations(client, "retail") for role, words in m if role == "tool" and words[0] in "[{"]
    assert shown
    assert all(json.dumps(json.loads(words), separators=(",", ":"), ensure_ascii=False) == words for words in shown)


def test_a_task_that_is_to_be_refused_is_no_example(client: Client) -> None:
    """Gold that changes and tells nothing has no words for the refusal, and `All done` would be a lie."""
    stage = Stage(client, "retail", "builtin", None, "hermes")
    looks = 0
    for task in client.tasks("retail", split="train", limit=60).tasks:
        gold = client.task("retail", task.task_id, gold=True).gold
        assert gold is not None
        if gold.actions and not gold.outputs and all(c.name.startswith(("find", "get", "list")) for c in gold.actions):
            assert played(stage, task.task_id, gold) is None
            looks += 1
    assert looks


def test_too_many_examples_are_refused_with_the_reason(client: Client) -> None:
    """The error tells how many kinds of tasks there are and why not all can be shown."""
    stage = Stage(client, "retail", "builtin", None, "hermes")
    few = client.tasks("retail", split="train", limit=4).tasks
    with pytest.raises(DataError, match=r"of 9 examples of retail .* kinds among its first 4 training tasks"):
        examples(stage, few, 9, 0)


def test_episodes_that_are_begun_for_a_prompt_have_a_run_of_their_own(client: Client) -> None:
    """All of them end, and none is among a trainer's own."""

    def counted(**wanted: Any) -> int:
        return client.episodes(limit=1, **wanted).total

    before, own = counted(), counted(run=RUN)
    list(conversations(client, "retail"))
    assert counted() - before == counted(run=RUN) - own > 0
    assert counted(run=RUN, done=False) == 0
