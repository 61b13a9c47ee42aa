"""The scripted user agrees to proposals that match its wish in all that it knows, and to no others."""

import asyncio
from itertools import islice

from agent_env_schemas import Message
from env_server.domains.kit import Task
from env_server.policies import Policy
from env_server.policies.oracle.oracle import talking
from env_server.policies.oracle.phrasing import PHRASINGS
from env_server.policies.rules.constant import REFUSAL
from tests.contract.acts import each_domain
from tests.contract.talking import Talk, agreed, asks, brief_of, spoiled, wanted
from tests.contract.test_twins import pairs

PROPOSALS = 60
AMOUNTS = [f"{n * 37 + 11}.{n * 7 % 100:02d}" for n in range(20)]
"""Amounts that an agent might have computed, most of them wrong for any task."""

MOST_LINES = 40

Line = tuple[str, int]
"""A message of an agent, and the number of calls before it."""


@each_domain
def test_a_right_proposal_always_gets_a_yes(domain: str) -> None:
    """60 changes, each proposed in five phrasings, get a yes."""
    found = list(islice(wanted(domain), PROPOSALS))
    assert len(found) == PROPOSALS
    for i, (task, place, _, change) in enumerate(found):
        for template in (asks("{plan}"), PHRASINGS[i % len(PHRASINGS)].propose):
            message = template.format(plan=change.plan)
            said = Talk(task).hears(message)
            assert place in agreed(said), (task.task_id, message, said.content)


@each_domain
def test_a_wrong_value_never_gets_a_yes(domain: str) -> None:
    """60 changes with a wrong value that the user knows (an item, a card, a date, a seat) get no yes."""
    tried = 0
    for wish in wanted(domain):
        for plan in islice(spoiled(wish), 2):
            said = Talk(wish[0]).hears(asks(plan))
            assert wish[1] not in agreed(said), (wish[0].task_id, plan, said.content)
            tried += 1
        if tried >= PROPOSALS:
            return
    raise AssertionError(f"{tried} proposals were made")


@each_domain
def test_an_amount_that_only_records_show_changes_no_reply(domain: str) -> None:
    """20 amounts in a proposal, right or wrong, do not change the reply: the user does not know them."""
    for task, place, _, change in islice(wanted(domain), 0, None, 10):
        replies = set()
        for amount in AMOUNTS:
            said = Talk(task).hears(asks(f"{change.plan}, and ${amount} goes to your card in the end"))
            assert place in agreed(said), (task.task_id, amount)
            replies.add(said.content)
        assert len(replies) == 1, (task.task_id, replies)


@each_domain
def test_twins_answer_alike(domain: str) -> None:
    """An agent that refuses, and one that grants, gets the same replies in both tasks of a pair."""
    for i, (refused, due) in enumerate(pairs(domain, "test")[::2]):
        phrasing = PHRASINGS[i % len(PHRASINGS)]
        for known in (refused, due):
            spoken, replies = conversation(known, talking(brief_of(domain, known), phrasing))
            talk = Talk(due if known is refused else refused)
            assert [talk.hears(*line).content for line in spoken] == replies, (refused.template, spoken)


@each_domain
def test_twins_answer_a_bare_refusal_alike(domain: str) -> None:
    """After a refusal without a fitting reason, the users of both tasks of a pair say the same."""
    for refused, due in pairs(domain, "test")[::3]:
        one, other = Talk(refused), Talk(due)
        assert one.last.content == other.last.content
        for _ in range(4):
            assert one.hears(REFUSAL).content == other.hears(REFUSAL).content, refused.template
            if one.last.stop:
                break


def conversation(task: Task, policy: Policy) -> tuple[list[Line], list[str]]:
    """Return the messages of a policy, each with the number of calls before it, and the user's replies."""
    talk, calls, spoken, replies = Talk(task), 0, list[Line](), list[str]()
    heard = talk.last.content
    while len(spoken) < MOST_LINES and not talk.last.stop:
        move = asyncio.run(policy.move([Message(role="user", content=heard)] if heard else []))
        assert move is not None
        if move.action.tool_calls:
            calls, heard = calls + 1, ""
            continue
        spoken.append((str(move.action.content or ""), calls))
        heard = talk.hears(*spoken[-1]).content
        replies.append(heard)
    return spoken, replies
