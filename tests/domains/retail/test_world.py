from collections import Counter
from typing import Any

from env_server.domains.retail import tables
from env_server.domains.retail.world import world
from env_server.state import Snapshot, Table
from tests.domains.made import pack

TABLES: tuple[Table[Any], ...] = tuple(v for v in vars(tables).values() if isinstance(v, Table))


def base() -> Snapshot:
    """Return the builtin base."""
    return pack("retail").snapshot


def rows(table: str) -> dict[str, Any]:
    """Return the rows of a table by key."""
    return {key: dict(row) for key, row in base().tables[table].rows.items()}


def test_sizes_at_the_default() -> None:
    """The world has 500 users, 50 products and 1,000 orders."""
    assert {t: len(made) for t, made in world().items()} == {"products": 50, "users": 500, "orders": 1000}


def test_products() -> None:
    """Each product has at least 4 variants in stock, each with its own options and price, and the same axes."""
    for product in rows("products").values():
        variants = list(product["variants"].values())
        assert sum(v["available"] for v in variants) >= 4
        assert any(not v["available"] for p in rows("products").values() for v in p["variants"].values())
        assert len({tuple(v["options"].values()) for v in variants}) == len(variants)
        assert len({v["price"] for v in variants}) == len(variants)
        assert len({tuple(v["options"]) for v in variants}) == 1
        assert all(key == v["item_id"] for key, v in product["variants"].items())


def test_users_can_be_told_apart() -> None:
    """Names repeat, but neither (name, zip) nor email does; everybody has a card or PayPal account, at most 3 ways."""
    users = list(rows("users").values())
    names = Counter((u["name"]["first_name"], u["name"]["last_name"]) for u in users)
    assert sum(n > 1 for n in names.values()) > 50
    assert len({(*u["name"].values(), u["address"]["zip"]) for u in users}) == len(users)
    assert len({u["email"] for u in users}) == len(users)
    for user in users:
        sources = [m["source"] for m in user["payment_methods"].values()]
        assert 1 <= len(sources) <= 3
        assert {"credit_card", "paypal"} & set(sources)


def test_every_status_is_common_enough() -> None:
    """Pending and delivered orders dominate, and there are enough processed and cancelled ones."""
    counts = Counter(order["status"] for order in rows("orders").values())
    assert counts["pending"] > 350
    assert counts["delivered"] > 300
    assert counts["processed"] > 80
    assert counts["cancelled"] > 70
