"""A small shop, under retail's builtin rules."""

from typing import Any

from env_server.domains.kit import tools_of
from env_server.domains.kit.shared import TOOLS
from env_server.domains.retail import tools
from env_server.domains.retail.dialects import BUILTIN
from env_server.domains.retail.tables import TABLES
from env_server.state import Db, Snapshot, State
from env_server.tools.dispatch import CallOutcome, Toolset

HOME = {
    "address1": "1 Elm Street",
    "address2": "",
    "city": "Denver",
    "country": "USA",
    "state": "CO",
    "zip": "80203",
}
MOVED = HOME | {"address1": "2 Oak Street", "zip": "80204"}


def variant(item_id: str, size: str, price: float, *, available: bool = True) -> dict[str, Any]:
    """A variant of the mug."""
    return {"item_id": item_id, "options": {"size": size}, "available": available, "price": price}


def item(item_id: str, size: str, price: float) -> dict[str, Any]:
    """A mug in an order."""
    return {"name": "Mug", "product_id": "10", "item_id": item_id, "price": price, "options": {"size": size}}


def order(order_id: str, status: str, *items: dict[str, Any], paid: str = "card_1") -> dict[str, Any]:
    """An order of jo_doe_1, paid with one method."""
    total = round(sum(i["price"] for i in items), 2)
    return {
        "order_id": order_id,
        "user_id": "jo_doe_1",
        "address": HOME,
        "items": list(items),
        "status": status,
        "fulfillments": [],
        "payment_history": [{"transaction_type": "payment", "amount": total, "payment_method_id": paid}],
    }


SMALL, MEDIUM, LARGE = item("101", "S", 10.1), item("102", "M", 12.25), item("103", "L", 15.4)

ROWS = {
    "products": [
        {
            "name": "Mug",
            "product_id": "10",
            "variants": {
                "101": variant("101", "S", 10.1),
                "102": variant("102", "M", 12.25),
                "103": variant("103", "L", 15.4),
                "104": variant("104", "XL", 20.0, available=False),
            },
        },
        {"name": "Jug", "product_id": "20", "variants": {"201": variant("201", "S", 30.0)}},
    ],
    "users": [
        {
            "user_id": "jo_doe_1",
            "name": {"first_name": "Jo", "last_name": "Doe"},
            "address": HOME,
            "email": "jo.doe@example.com",
            "payment_methods": {
                "card_1": {"source": "credit_card", "id": "card_1", "brand": "visa", "last_four": "1234"},
                "paypal_1": {"source": "paypal", "id": "paypal_1"},
                "gift_1": {"source": "gift_card", "id": "gift_1", "balance": 5.0},
                "gift_2": {"source": "gift_card", "id": "gift_2", "balance": 100.0},
            },
            "orders": ["#W1", "#W2", "#W3", "#W4"],
        }
    ],
    "orders": [
        order("#W1", "pending", SMALL, MEDIUM, SMALL),
        order("#W2", "delivered", SMALL, LARGE),
        order("#W3", "pending", SMALL, paid="gift_2"),
        order("#W4", "processed", SMALL),
    ],
}


class Shop:
    """The shop of one episode, and its tools, called as an agent calls them."""

    base = Snapshot(TABLES, ROWS)
    tools = Toolset({t.name: t for t in (*tools_of(tools), *TOOLS)}, BUILTIN)

    def __init__(self) -> None:
        """Open a fresh shop."""
        self.db = Db(State.at(self.base), BUILTIN)

    def call(self, name: str, **arguments: Any) -> CallOutcome:
        """Call a tool. A failed call, and any read, must leave the state unchanged."""
        before = self.db.state.hash
        outcome = self.tools.call(self.db, name, arguments)
        if outcome.fault is not None or (outcome.tool and outcome.tool.kind == "read"):
            assert self.db.state.hash == before
        return outcome

    def balance(self, gift_card: str) -> float:
        """The balance of jo_doe_1's gift card."""
        user = self.db.state.overlay.get("users", "jo_doe_1")
        assert user is not None
        balance: float = user["payment_methods"][gift_card]["balance"]
        return balance
