"""Values for arguments, found by name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from env_server.policies.rules.values import collect, matching, singular

ROW = {
    "user_id": "u1",
    "address": {"zip": "10001"},
    "orders": ["#W1", "#W2"],
    "payment_methods": {"card_9": {"source": "card"}, "gift_7": {"source": "gift"}},
    "items": [{"item_id": "i1", "price": 2.5}, {"item_id": "i2", "price": 2.5}],
    "closed": None,
}
jsons = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("argument", "values"),
    [
        ("user_id", ["u1"]),
        ("new_zip", ["10001"]),
        ("order_id", ["#W1", "#W2"]),
        ("payment_method_id", ["card_9", "gift_7"]),
        ("item_id", ["i1", "i2"]),
        ("price", [2.5]),
        ("closed", []),
        ("colour", []),
    ],
)
def test_values_go_by_the_names_that_arguments_have(argument: str, values: list[object]) -> None:
    """Fields, elements of lists and keys of objects are found; an argument may have words before its name."""
    assert list(matching(collect([ROW]), argument)) == values


@pytest.mark.parametrize(
    ("many", "one"), [("item_ids", "item_id"), ("addresses", "address"), ("parties", "party"), ("address", "address")]
)
def test_names_of_many_become_names_of_one(many: str, one: str) -> None:
    """Elements of a list are named by its name in the singular."""
    assert singular(many) == one


@given(st.lists(jsons, max_size=4))
def test_any_json_can_be_collected_from(found: list[object]) -> None:
    """For any JSON answer, the collected values are distinct scalars under names."""
    for name, values in collect(found).items():
        assert name
        assert len({(type(v), v) for v in values}) == len(values)
        assert all(isinstance(v, str | int | float | bool) for v in values)
