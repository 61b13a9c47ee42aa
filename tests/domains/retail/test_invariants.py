"""For each way in which a shop can be inconsistent, an invariant has a sentence."""

from typing import Any

import pytest

from env_server.domains.kit import Db
from env_server.domains.retail import domain
from env_server.domains.retail.invariants import invariants
from env_server.state import Change, State
from tests.domains.retail.test_world import base, rows

BUILTIN = domain.dialects["builtin"]


def faults(*changes: Change) -> list[str]:
    """The invariants' complaints about the base after some changes."""
    return list(invariants(Db(State.at(base(), changes), BUILTIN)))


def some(table: str, **fields: Any) -> tuple[str, dict[str, Any]]:
    """Return the first row of a table whose fields have these values, and its key."""
    return next((k, r) for k, r in rows(table).items() if all(r.get(f) == v for f, v in fields.items()))


def broken() -> dict[str, Change]:
    """Changes that each break one thing, by a word of the expected complaint."""
    product_id, product = some("products")
    (variant_id, variant), *_ = product["variants"].items()
    user_id, user = next(
        (k, u) for k, u in rows("users").items() if any("balance" in m for m in u["payment_methods"].values())
    )
    overdrawn = {k: m | {"balance": -0.01} if "balance" in m else m for k, m in user["payment_methods"].items()}
    pending, order = some("orders", status="pending")
    delivered, sent = some("orders", status="delivered")
    cancelled, off = some("orders", status="cancelled")
    item, (paid,) = order["items"][0], order["payment_history"]
    ids = [i["item_id"] for i in sent["items"]]
    back = {"status": "return requested", "return_items": ["0"], "return_payment_method_id": "x"}
    swap = {
        "status": "exchange requested",
        "exchange_items": ids[:1],
        "exchange_new_items": ids[:1],
        "exchange_payment_method_id": "x",
        "exchange_price_difference": 1.0,
    }

    def products(changed: dict[str, Any]) -> Change:
        return Change("products", product_id, product | {"variants": {variant_id: variant | changed}})

    def users(changed: dict[str, Any]) -> Change:
        return Change("users", user_id, user | changed)

    def orders(changed: dict[str, Any]) -> Change:
        return Change("orders", pending, order | changed)

    return {
        "has another id, 0": products({"item_id": "0"}),
        "costs nothing": products({"price": 0.0}),
        "not theirs": users({"orders": [*user["orders"], pending]}),
        "lists an order twice": users({"orders": [*user["orders"], user["orders"][0]]}),
        "is overdrawn": users({"payment_methods": overdrawn}),
        "payment method x of user": users({"payment_methods": {"x": next(iter(overdrawn.values()))}}),
        "not listed by its user": Change("orders", "#W1", order | {"order_id": "#W1"}),
        "is no variant": orders({"items": [item | {"item_id": "0"}]}),
        "not as the shop sells it": orders({"items": [item | {"price": item["price"] + 1}]}),
        "a status that does not exist": orders({"status": "lost"}),
        "tell another story": orders({"cancel_reason": "no longer needed"}),
        "the shipments": Change("orders", delivered, sent | {"fulfillments": []}),
        "less than nothing": orders({"payment_history": [paid, paid | {"amount": -1.0}]}),
        "paid with a method that is not its user's": orders({"payment_history": [paid | {"payment_method_id": "x"}]}),
        "dollars, and": Change("orders", cancelled, off | {"payment_history": off["payment_history"][:1]}),
        "does not hold what is sent back": Change("orders", delivered, sent | back),
        "does not come to its difference": Change("orders", delivered, sent | swap),
    }


def test_nothing_is_wrong_with_the_base() -> None:
    """The builtin shop has no fault, so that the complaints below are about the changes."""
    assert faults() == []


@pytest.mark.parametrize("complaint", broken())
def test_each_inconsistency_is_noticed(complaint: str) -> None:
    """If one thing is wrong, an invariant's sentence names it."""
    assert any(complaint in sentence for sentence in faults(broken()[complaint]))
