"""Worked examples: an agent that knows only what it was told, and changes nothing without a yes."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.trainer_client.dataset.rows import system
from trainer_client import Client
from trainer_client.dataset import DataError, Preparation, prepare
from trainer_client.dataset.demonstration import Stage, played
from trainer_client.dataset.examples import examples
from trainer_client.dataset.server import RUN

MESSAGE = r"\[(user|assistant|tool)\]\n(.*?)(?=\n\n\[(?:user|assistant|tool)\]\n|\n\n## |\Z)"

LOOK = re.compile("find|get|list|search|check|calculate|look|verify|think|track|show|read|estimate|compare|quote")
YES = re.compile(r"\b(yes|go ahead|please do|right|correct|sure|okay|ok|fine)\b", re.I)


def conversations(client: Client, domain: str, **wanted: Any) -> Iterator[list[tuple[str, str]]]:
    """The examples of a domain's prompt, as roles and words."""
    rows, _ = prepare(client, Preparation(domains=[domain], limit=1, few_shot=3, **wanted))
    for text in system(rows[0]).split("\n## Example ")[1:]:
        yield re.findall(MESSAGE, text, re.S)


def texts(value: Any) -> Iterator[str]:
    """All texts in a call's arguments, except dates, which users write out."""
    if isinstance(value, dict):
        for each in value.values():
            yield from texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from texts(each)
    elif isinstance(value, str) and not re.fullmatch(r"\d{4}-\d\d-\d\d", value):
        yield value


def written(messages: list[tuple[str, str]]) -> Iterator[tuple[int, str]]:
    """The agent's calls: their places and the names of the tools."""
    for place, (role, words) in enumerate(messages):
        if role == "assistant" and words.startswith("<tool_call>"):
            yield place, json.loads(words.removeprefix("<tool_call>\n").removesuffix("\n</tool_call>"))["name"]


def agreed(before: list[tuple[str, str]]) -> bool:
    """Whether the user's last words answer a proposal with a yes, or the agent has said why a person takes over."""
    last = max(place for place, (role, _) in enumerate(before) if role == "user")
    asked, answer = before[last - 1][1], before[last][1]
    return "transfer you" in asked or (asked.endswith("Shall I go ahead?") and YES.search(answer) is not None)


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
        changing = [call for call in written(messages) if not LOOK.match(call[1])]
        assert not [name for place, name in changing if not agreed(messages[:place])]


def test_what_tools_answer_is_written_without_spaces(client: Client) -> None:
    """Results in examples have no spaces in their JSON, which would cost tokens in every prompt."""
    shown = [words for m in conversations(client, "retail") for role, words in m if role == "tool" and words[0] in "[{"]
    assert shown
    assert all(json.dumps(json.loads(words), separators=(",", ":"), ensure_ascii=False) == words for words in shown)


def test_a_task_that_is_to_be_refused_is_shown_with_its_reason(client: Client) -> None:
    """The agent says the deciding fact twice, and makes no call that gold does not have."""
    stage = Stage(client, "retail", "builtin", None, "hermes")
    shown = 0
    for task in client.tasks("retail", split="train", limit=40).tasks:
        detail = client.task("retail", task.task_id, gold=True)
        facts = [due["says"] for due in detail.dues or () if due["kind"] == "refuse"]
        gold = detail.gold
        if not facts or gold is None or not gold.actions or (episode := played(stage, detail, gold)) is None:
            continue
        said = [str(m["content"]) for m in episode.messages if m["role"] == "assistant"]
        assert all(sum(fact in words for words in said) == 2 for fact in facts)
        assert sum(words.startswith("<tool_call>") for words in said) == len(gold.actions)
        shown += 1
    assert shown


def test_tasks_of_several_wishes_are_played(client: Client) -> None:
    """One wish after the other is settled, each change with a yes of its own."""
    stage = Stage(client, "retail", "builtin", None, "hermes")
    shown = 0
    for task in client.tasks("retail", split="train", limit=40).tasks:
        detail = client.task("retail", task.task_id, gold=True)
        wishes = (detail.script or {}).get("requests", ())
        if detail.gold is None or len(wishes) < 2 or (episode := played(stage, detail, detail.gold)) is None:
            continue
        assert episode.reward == 1.0
        shown += 1
    assert shown


def test_too_many_examples_are_refused_with_the_reason(client: Client) -> None:
    """The error tells how many kinds of tasks there are, and what an example needs."""
    stage = Stage(client, "retail", "builtin", None, "hermes")
    few = client.tasks("retail", split="train", limit=4).tasks
    with pytest.raises(DataError, match=r"of 9 examples of retail .* kinds among the first 4 training tasks"):
        examples(stage, few, 9, 0)


def test_episodes_that_are_begun_for_a_prompt_have_a_run_of_their_own(client: Client) -> None:
    """All of them end, and none is in the trainer's own run."""

    def counted(**wanted: Any) -> int:
        return client.episodes(limit=1, **wanted).total

    before, own = counted(), counted(run=RUN)
    list(conversations(client, "retail"))
    assert counted() - before == counted(run=RUN) - own > 0
    assert counted(run=RUN, done=False) == 0
