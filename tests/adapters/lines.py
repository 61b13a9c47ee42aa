"""What two scripted agents do in one task of retail: the README's agent that earns 1, and one that only says hello."""

import json
from typing import Any, NamedTuple

TASK: dict[str, Any] = {"split": "test", "index": 0}
"""The task: a customer wants to cancel an order that they made by mistake."""


class ToolUse(NamedTuple):
    """A call of a tool."""

    name: str
    arguments: dict[str, Any]

    @property
    def arguments_json(self) -> str:
        """The arguments as a model writes them."""
        return json.dumps(self.arguments)

    @property
    def text(self) -> str:
        """The call as a model that writes Hermes blocks writes it."""
        return f"<tool_call>{json.dumps(self._asdict())}</tool_call>"


GOOD: list[str | ToolUse] = [
    "Hello! What is your email address, which order is it, and why do you want to cancel it?",
    ToolUse("find_user_id_by_email", {"email": "yusuf.rossi5352@example.com"}),
    ToolUse("get_user_details", {"user_id": "yusuf_rossi_2314"}),
    ToolUse("get_order_details", {"order_id": "#W6204781"}),
    "I will cancel order #W6204781 because it was ordered by mistake. Shall I go ahead?",
    ToolUse("cancel_pending_order", {"order_id": "#W6204781", "reason": "ordered by mistake"}),
    "Your order has been cancelled. Is there anything else?",
]
IDLE: list[str | ToolUse] = ["Hello! How are you?"] * 40
"""More lines than the user has patience for."""
