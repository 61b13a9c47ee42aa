"""The fields in which rows differ."""

from env_server.state.fields import ABSENT, row_fields


def test_a_row_that_one_side_lacks_is_one_line() -> None:
    """A row that exists on one side only is one line, without its fields."""
    assert list(row_fields(None, {"a": 1})) == [("(whole row)", ABSENT, "there")]
    assert list(row_fields({"a": 1}, None)) == [("(whole row)", "there", ABSENT)]


def test_equal_values_of_other_types_are_said() -> None:
    """Equal values of different types, which differ only in the hash, still give a line."""
    assert list(row_fields({"a": 1}, {"a": 1.0})) == [("(types or order)", {"a": 1}, {"a": 1.0})]


def test_a_value_that_becomes_a_container_is_one_line() -> None:
    """Only two lists, or two objects, are compared item by item; any other pair of values is one line."""
    assert list(row_fields({"a": {"b": 1}}, {"a": 2})) == [("a", {"b": 1}, 2)]
    assert list(row_fields({"a": 2}, {"a": {"b": 1}})) == [("a", 2, {"b": 1})]
    assert list(row_fields({"a": [1]}, {"a": {"b": 1}})) == [("a", [1], {"b": 1})]
    assert list(row_fields({"a": [1, 2]}, {"a": [1]})) == [("a[1]", 2, ABSENT)]
