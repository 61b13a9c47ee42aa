"""The oracle that talks."""

import asyncio

import pytest

from agent_env_schemas import GoldCallSpec, GoldSpec, Message
from env_server.domains.kit import Request, Shape, UserScript, Value, WantedChange
from env_server.policies import Brief
from env_server.policies.oracle.oracle import talking
from env_server.policies.oracle.phrasing import PHRASINGS

SCRIPT = UserScript(
    requests=(
        Request(
            ask="I want to cancel an order.",
            values={"order": Value(says=("#W1",))},
            changes=(
                WantedChange(
                    plan="cancel order #W1",
                    done="order #W1 has been cancelled",
                    verbs=("cancel",),
                    names=("order",),
                    calls=(Shape(name="cancel_pending_order", arguments={"order_id": "#W1"}),),
                ),
            ),
        ),
    )
)
GOLD = GoldSpec(actions=[GoldCallSpec(name="cancel_pending_order", arguments={"order_id": "#W1"})])


@pytest.mark.parametrize(
    ("reply", "agrees"),
    [
        ("Yes, please go ahead.", True),
        ("It works now. Yes, that is right.", True),
        ("Let me look it up in my book.", False),
        ("No, that is not right.", False),
        ("I am not sure about the token.", False),
    ],
)
def test_a_change_waits_for_a_yes(reply: str, agrees: bool) -> None:
    """A yes at the beginning of a sentence counts; the letters within other words, and a no, do not."""
    brief = Brief(tools=(), gold=GOLD, script=SCRIPT.model_dump(mode="json"))
    policy = talking(brief, PHRASINGS[0])

    def move(words: str) -> str | None:
        made = asyncio.run(policy.move([Message(role="user", content=words)]))
        assert made is not None
        return made.action.tool_calls[0].name if made.action.tool_calls else None

    assert move("I want to cancel an order.") is None  # it asks who is calling
    assert move("I am Jo.") is None  # it proposes
    assert move(reply) == ("cancel_pending_order" if agrees else None)
