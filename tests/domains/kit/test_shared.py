"""The tools that every domain has."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from env_server.domains.kit import Dialect, ToolError
from env_server.domains.kit.shared import TOOLS, calculate
from env_server.state import Db, Snapshot, State

DB = Db(State.at(Snapshot((), {})), Dialect())
PLAIN = Db(DB.state, Dialect(bad_expression="bad", bad_calculation="{error}"))


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("2 * (10.50 - 3)", "15.0"),
        ("0.1 + 0.2", "0.3"),
        ("2.675", "2.67"),
        (" 7 // 2", "3.0"),
        ("-2 ** 2", "-4.0"),
        ("2 ** -1", "0.5"),
        ("--1", "1.0"),
    ],
)
def test_values_are_pythons_rounded_to_two_decimals(expression: str, value: str) -> None:
    """Operators, their order and rounding are those of Python."""
    assert calculate(DB, expression=expression) == value


@pytest.mark.parametrize(
    ("expression", "error"),
    [
        ("1 / 0", "division by zero"),
        ("()", "float() argument must be a string or a real number, not 'tuple'"),
        ("...", "float() argument must be a string or a real number, not 'ellipsis'"),
        ("1 +", "invalid syntax (<string>, line 1)"),
        ("", "invalid syntax (<string>, line 0)"),
        ("9 ** 9 ** 9 ** 9", "int too large to convert to float"),
        ("abs(1)", "bad"),
    ],
)
def test_what_has_no_value_says_why(expression: str, error: str) -> None:
    """The reason is Python's own text within the dialect's words."""
    with pytest.raises(ToolError) as caught:
        calculate(PLAIN, expression=expression)
    assert str(caught.value) == error


def answer(expression: str) -> str:
    """The value, or the tool's own error; any other error is raised."""
    try:
        return calculate(DB, expression=expression)  # type: ignore[no-any-return]  # a tool may return anything
    except ToolError as e:
        return f"Error: {e}"


@given(st.text("0123456789+-*/(). ", max_size=40))
def test_any_expression_is_answered(expression: str) -> None:
    """No expression crashes the tool or keeps it busy for long; an error repeats the expression."""
    told = answer(expression)
    assert repr(expression) in told if told.startswith("Error: ") else float(told) is not None


@pytest.mark.parametrize("expression", ["(" * 400, "-" * 499 + "1", "9" * 500, "9" * 501, "9**99*" * 80 + "1"])
def test_long_expressions_are_answered(expression: str) -> None:
    """Depth, digits and size have limits; beyond them the tool's own error answers."""
    assert answer(expression)


def test_every_shared_tool_has_a_schema() -> None:
    """Each tool describes itself and its arguments."""
    for tool in TOOLS:
        function = tool.schema["function"]
        assert function["description"]
        assert all(p["description"] for p in function["parameters"]["properties"].values())
