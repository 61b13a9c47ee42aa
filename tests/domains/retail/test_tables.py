"""How retail's rows are hashed and loaded."""

import pytest
from pydantic import ValidationError

from env_server.domains.retail.tables import ORDERS, TABLES, USERS
from env_server.state import Snapshot, thaw
from tests.domains.retail.shop import ROWS, Shop


def test_an_int_of_money_hashes_as_the_float_it_means() -> None:
    """A balance of 5 and one of 5.0 are the same state."""
    (jo,) = thaw(ROWS["users"])
    assert isinstance(jo["payment_methods"]["gift_1"]["balance"], float)
    jo["payment_methods"]["gift_1"]["balance"] = 5
    assert Snapshot(TABLES, ROWS | {"users": [jo]}).hash == Shop.base.hash
    assert Snapshot(TABLES, ROWS | {"users": [jo]}, coerces=False).hash != Shop.base.hash


def test_a_payment_method_has_the_fields_of_its_kind() -> None:
    """The `source` of a method decides which fields it must have."""
    (jo,) = thaw(ROWS["users"])
    jo["payment_methods"]["gift_1"] = {"source": "gift_card", "id": "gift_1"}
    with pytest.raises(ValidationError, match="balance"):
        USERS.validate(jo)


def test_a_null_and_an_absent_field_are_both_rows() -> None:
    """Public data has unset fields as null, and the builtin world leaves them out: both are valid rows."""
    order = ROWS["orders"][0]
    assert ORDERS.validate(order) == order
    assert ORDERS.validate(order | {"cancel_reason": None})["cancel_reason"] is None


def test_an_item_is_found_in_its_product() -> None:
    """Every variant's id leads to the one product that has it."""
    index = Shop.base.tables["products"].index("item_id")
    assert index["104"] == ("10",)
    assert index["201"] == ("20",)
