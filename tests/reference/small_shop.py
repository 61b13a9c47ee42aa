"""A made-up shop of one product, and a few conversations in it, in tau-bench's formats of data and runs."""

import json
from itertools import count
from pathlib import Path
from typing import Any

Json = dict[str, Any]

ADDRESS = {"address1": "7 Quay Row", "address2": "", "city": "Leith", "country": "USA", "state": "ME", "zip": "04001"}
KETTLE = {"item_id": "500", "options": {"color": "red"}, "available": True, "price": 1030.5}
ORDER: Json = {
    "order_id": "#W1",
    "user_id": "ada_reed_1",
    "address": ADDRESS,
    "items": [{"name": "Kettle", "product_id": "50", "item_id": "500", "price": 1030.5, "options": {"color": "red"}}],
    "fulfillments": [],
    "status": "pending",
    "payment_history": [{"transaction_type": "payment", "amount": 1030.5, "payment_method_id": "gift_card_1"}],
}
ADA: Json = {
    "name": {"first_name": "Ada", "last_name": "Reed"},
    "address": ADDRESS,
    "email": "ada@example.com",
    "payment_methods": {"gift_card_1": {"source": "gift_card", "balance": 12, "id": "gift_card_1"}},
    "orders": ["#W1"],
}
TABLES: Json = {
    "users": {"ada_reed_1": ADA},
    "orders": {"#W1": ORDER},
    "products": {"50": {"name": "Kettle", "product_id": "50", "variants": {"500": KETTLE}}},
}
REFUND = {"transaction_type": "refund", "amount": 1030.5, "payment_method_id": "gift_card_1"}
CANCELLED = ORDER | {
    "status": "cancelled",
    "cancel_reason": "no longer needed",
    "payment_history": [*ORDER["payment_history"], REFUND],
}
CANCEL = {"order_id": "#W1", "reason": "no longer needed"}
GOLD = {"name": "cancel_pending_order", "kwargs": CANCEL}

_ids = count()


def shop(directory: Path) -> Path:
    """The shop as a directory for the `tau1` pack."""
    own = directory / "tau_bench" / "envs" / "retail"
    (own / "data").mkdir(parents=True)
    (own / "wiki.md").write_text("Sell kettles.", encoding="utf-8")
    for name, rows in TABLES.items():
        (own / "data" / f"{name}.json").write_text(json.dumps(rows), encoding="utf-8")
    return directory


def user(words: str) -> Json:
    """A message of the user."""
    return {"role": "user", "content": words}


def agent(words: str) -> Json:
    """A message of the agent."""
    return {"role": "assistant", "content": words, "tool_calls": None}


def call(name: str, arguments: Json, answer: str, words: str | None = None) -> list[Json]:
    """A call of the agent, perhaps with words beside it, and its result."""
    made = f"call_{next(_ids)}"
    function = {"name": name, "arguments": json.dumps(arguments, separators=(",", ":"))}
    return [
        {"role": "assistant", "content": words, "tool_calls": [{"id": made, "type": "function", "function": function}]},
        {"role": "tool", "tool_call_id": made, "name": name, "content": answer},
    ]


def run(reward: float, actions: list[Json], *messages: Json, outputs: tuple[str, ...] = ()) -> Json:
    """A run of a task with this gold, and its reward."""
    task = {"user_id": "ada_reed_1", "instruction": "You are Ada.", "actions": actions, "outputs": list(outputs)}
    policy = {"role": "system", "content": "Sell kettles."}
    return {"task_id": next(_ids), "trial": 0, "reward": reward, "info": {"task": task}, "traj": [policy, *messages]}


def runs() -> list[Json]:
    """Conversations of every kind that the recordings have."""
    cancel = call("cancel_pending_order", CANCEL, json.dumps(CANCELLED), "One moment.")
    find = call("find_user_id_by_email", {"email": "ADA@example.com"}, "ada_reed_1")
    wrong = call("find_user_id_by_email", {"email": "ida@example.com"}, "Error: user not found")
    unknown = call("cancel_order", CANCEL, "Unknown action cancel_order")
    handed_over = call("transfer_to_human_agents", {"summary": "Ada is angry."}, "Transfer successful")
    hello, bye, thanks = user("I am Ada."), user("Thank you! ###STOP###"), user("###STOP###")
    return [
        run(1.0, [GOLD], hello, *wrong, *find, *unknown, agent("Shall I?"), user("Yes."), *cancel, agent("Done."), bye),
        run(0.0, [GOLD], hello, *find, agent("Done."), thanks),
        run(0.0, [], hello, *cancel, agent("Done."), user("Thanks.\n\n###STOP###\n")),
        run(1.0, [], hello, agent("I cannot do that."), user("Please!\n"), *handed_over),
        run(0.0, [GOLD], hello, *handed_over),
        run(1.0, [GOLD], hello, *cancel, agent("You get $1,030.50 back."), bye, outputs=("1030.5",)),
        run(0.0, [GOLD], hello, *call("cancel_pending_order", CANCEL, json.dumps(CANCELLED), "You get 1030.5 back."),
            agent("Done."), bye, outputs=("1030.5",)),
        run(0.0, [], hello, *[m for _ in range(30) for m in call("think", {"thought": "hm"}, "")]),
        run(0.0, [], hello, agent("How can I help?")),
    ]  # fmt: skip
