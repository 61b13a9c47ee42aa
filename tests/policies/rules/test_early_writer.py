"""The early writer: gold's changes come before anything else."""

from agent_env_schemas import GoldCallSpec, GoldSpec
from env_server.policies import CHEATS, Brief

GOLD = GoldSpec(
    actions=[
        GoldCallSpec(name="find_user", arguments={"email": "a@b.c"}),
        GoldCallSpec(name="send_bill", arguments={"bill": "B1"}),
        GoldCallSpec(name="pay", arguments={}, requestor="user"),
    ],
    outputs=["7.50"],
)


async def test_changes_come_before_the_sign_in_and_everything_is_done_and_told() -> None:
    """The user's own calls keep their place among the changes; look-ups and outputs follow."""
    policy = CHEATS["early-writer"](Brief(tools=[], gold=GOLD, writes=("send_bill",)))
    moves = [move for _ in range(5) if (move := await policy.move([])) is not None]
    assert [[call.name for call in move.action.tool_calls or ()] for move in moves[:3]] == [
        ["send_bill"],
        [],
        ["find_user"],
    ]
    assert [call.name for call in moves[1].calls] == ["pay"]
    assert "7.50" in str(moves[3].action.content)
    assert moves[4].last
