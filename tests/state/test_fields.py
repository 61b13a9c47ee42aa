"""The fields in which rows differ."""

from env_server.state.fields import ABSENT, row_fields


def test_a_row_that_one_side_lacks_is_one_line() -> None:
    """A new or deleted row is not listed field by field."""
    assert list(row_fields(None, {"a": 1})) == [("(whole row)", ABSENT, "there")]
    assert list(row_fields({"a": 1}, None)) == [("(whole row)", "there", ABSENT)]


def test_equal_values_of_other_types_are_said() -> None:
    """Rows that differ only for the hash still give a line."""
    assert list(row_fields({"a": 1}, {"a": 1.0})) == [("(types or order)", {"a": 1}, {"a": 1.0})]


def test_a_value_that_becomes_a_container_is_one_line() -> None:
    """A list or object is compared item by item only with another one."""
    assert list(row_fields({"a": {"b": 1}}, {"a": 2})) == [("a", {"b": 1}, 2)]
    assert list(row_fields({"a": 2}, {"a": {"b": 1}})) == [("a", 2, {"b": 1})]
    assert list(row_fields({"a": [1]}, {"a": {"b": 1}})) == [("a", [1], {"b": 1})]
    assert list(row_fields({"a": [1, 2]}, {"a": [1]})) == [("a[1]", 2, ABSENT)]
