"""Random calls: they fit the tools, are reproducible, and learn from answers."""

from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_env_schemas import Message
from env_server.domains.discovery import domains
from env_server.policies import POLICIES, AgentMove, Brief
from env_server.policies.rules.random_arguments import Drawing
from env_server.policies.rules.random_calls import ANYTHING_ELSE, CALLS
from env_server.policies.rules.values import Values, collect
from env_server.tools.arguments import bind
from tests.domains import made


async def played(brief: Brief) -> list[AgentMove]:
    """The moves up to the question whether that was all."""
    policy = POLICIES["random"](brief)
    return [move for _ in range(CALLS + 1) if (move := await policy.move([])) is not None]


@cache
def world(domain: str) -> Values:
    """All values of a domain's base."""
    return collect({table: row} for table, _, row in made.pack(domain).snapshot)


@pytest.mark.parametrize("domain", list(domains()))
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_drawn_arguments_fit_every_tool(domain: str, seed: int) -> None:
    """No call of a builtin tool is refused for its arguments."""
    pack, drawing = made.pack(domain), Drawing(Random(seed), world(domain))
    for name, tool in {**pack.local_tools, **pack.user_tools}.items():
        drawn = drawing.arguments(pack.schema(tool)["function"]["parameters"])
        assert bind(tool, drawn, aliases=False, types=True).keys() == drawn.keys(), name


@pytest.mark.parametrize("domain", list(domains()))
async def test_the_same_seed_makes_the_same_calls(domain: str) -> None:
    """A seed determines the calls, and another seed gives others. There is no transfer."""
    pack = made.pack(domain)
    transfers = tuple(name for name, tool in pack.agent_tools.items() if tool.transfers)
    brief = Brief(tools=pack.schemas, transfers=transfers, seed="1")
    moves = await played(brief)
    assert moves == await played(brief) != await played(Brief(tools=pack.schemas, transfers=transfers, seed="2"))
    called = [call.name for move in moves for call in move.action.tool_calls or ()]
    assert len(called) == CALLS
    assert not set(called) & set(transfers)
    assert (moves[-1].action.content, moves[-1].last) == (ANYTHING_ELSE, True)


async def test_values_of_answers_are_used() -> None:
    """Once a tool's answer has an id, later calls use it."""
    schema = {"properties": {"book_id": {"type": "string"}}, "required": ["book_id"]}
    tool = {"type": "function", "function": {"name": "get_book", "description": "", "parameters": schema}}
    policy = POLICIES["random"](Brief(tools=[tool], seed="1"))
    await policy.move([])
    await policy.move([Message(role="tool", content='{"book_id": "b77"}'), Message(role="tool", content="no JSON")])
    move = await policy.move([])
    assert move is not None
    assert [call.arguments for call in move.action.tool_calls or ()] == [{"book_id": "b77"}]
