"""Policies with fixed plans: the oracle, and those that do nothing useful."""

import pytest

from agent_env_schemas import GoldCallSpec, GoldSpec
from env_server.policies import BLIND, POLICIES, AgentMove, Brief, Policy
from env_server.reading.words.said_values import said

HAND_OVER = {
    "type": "function",
    "function": {
        "name": "hand_over",
        "description": "",
        "parameters": {"properties": {"why": {"type": "string"}}, "required": ["why"]},
    },
}
GOLD = GoldSpec(
    actions=[GoldCallSpec(name="a"), GoldCallSpec(name="b", requestor="user"), GoldCallSpec(name="c")],
    outputs=["12", "007", "3.50"],
)


async def moves(policy: Policy, count: int) -> list[AgentMove]:
    """Return the first moves of a policy that receives no replies."""
    found = [await policy.move([]) for _ in range(count)]
    return [move for move in found if move is not None]


def names(move: AgentMove) -> list[str]:
    """The tools a move calls."""
    return [call.name for call in move.action.tool_calls or ()]


async def test_the_oracle_plays_gold_in_order() -> None:
    """One call a turn, the user's calls in words, then all outputs in one message, and then the report."""
    brief = Brief(tools=[], gold=GOLD, instruct=lambda call: f"Please press {call.name}.")
    first, asking, third, told, *rest = await moves(POLICIES["oracle"](brief), 8)
    assert (names(first), names(third)) == (["a"], ["c"])
    assert asking.action.content == "Please press b."
    assert [call.name for call in asking.calls] == ["b"]
    assert isinstance(told.action.content, str)
    assert all(said(GOLD.outputs, told.action.content))
    assert [move.last for move in (first, asking, third, told, *rest)] == [False] * 3 + [True] * 5


async def test_who_plays_the_user_makes_their_calls_unasked() -> None:
    """Without words for a user's call the oracle still asks for it, so that the user has a turn for the call."""
    asking = (await moves(POLICIES["oracle"](Brief(tools=[], gold=GOLD)), 2))[1]
    assert "b" in str(asking.action.content)
    assert [call.name for call in asking.calls] == ["b"]


async def test_alone_the_oracle_makes_every_call_and_ends_it() -> None:
    """Without a user the oracle asks nothing, makes every call, tells the outputs, and says that it is done."""
    made = await moves(POLICIES["oracle"](Brief(tools=[], gold=GOLD, solo=True)), 6)
    assert [names(move) for move in made] == [["a"], ["b"], ["c"], [], ["done"], ["done"]]
    assert all(said(GOLD.outputs, str(made[3].action.content)))
    assert names((await moves(POLICIES["oracle"](Brief(tools=[], solo=True)), 1))[0]) == ["done"]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("null", ["", "Hello! How can I help you?"] * 2),
        ("refuse", ["I am sorry, but I cannot help with that."] * 4),
    ],
)
async def test_who_does_nothing_only_talks(name: str, words: list[str]) -> None:
    """The policies `null` and `refuse` send the same messages for every task."""
    assert [
        move.action.content for move in await moves(POLICIES[name](Brief(tools=[HAND_OVER], gold=GOLD)), 4)
    ] == words


async def test_transfer_hands_over_at_once() -> None:
    """The first message calls the tool with fitting arguments; without such a tool it only says so."""
    first, second = await moves(POLICIES["transfer"](Brief(tools=[HAND_OVER], transfers=("hand_over",))), 2)
    assert names(first) == ["hand_over"]
    assert [list(call.arguments) for call in first.action.tool_calls or ()] == [["why"]]
    assert second.last
    assert names((await moves(POLICIES["transfer"](Brief(tools=[HAND_OVER])), 1))[0]) == []


def test_only_the_oracle_knows_the_task() -> None:
    """Every other policy plays without the task, and must not score."""
    assert {"oracle", *BLIND} == set(POLICIES) == {"oracle", "null", "refuse", "transfer", "random"}
