"""Values and conditions of rows."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from env_server.domains.kit.sample import SampleProblem, assigned, check_assignment, check_condition, holds

FACTS: dict[str, Any] = {
    "price": 110.5,
    "closes": [100, 110.5],
    "articles": [{"title": "A rise", "url": "https://x"}, {"title": "B"}],
    "bars": {"X": [{"close": 100}, {"close": 110}], "Y": [{"close": 1}]},
    "text": "One. Two? Three",
    "nothing": None,
}


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("price * 2", 221.0),
        ("closes[-1] / closes[0] - 1", 0.105),
        ("first(articles)", {"title": "A rise", "url": "https://x"}),
        ("first([])", None),
        ("safe_attr(first(articles), 'url')", "https://x"),
        ("articles[0].title", "A rise"),
        ("articles[][title]", ["A rise", "B"]),
        ("[a['title'] for a in articles if 'url' in a]", ["A rise"]),
        ("head(closes, 1)", [100]),
        ("safe_index(closes, 7)", None),
        ("unique(concat([1, 2], [2, 3]))", [1, 2, 3]),
        ("count_keys(bars)", 2),
        ("topk({'a': 1, 'b': 3, 'c': 2}, 2)", ["b", "c"]),
        ("topk(pct_change_last_day(bars), 1)", ["X"]),
        ("regex_extract_all('[A-Z][a-z]+[.?]', text)", ["One.", "Two?"]),
        ("median(closes) if isinstance(closes, list) else None", 105.25),
        ("round(price / 7, 2)", 15.79),
        ("{'a': len(articles), 'b': price > 1 and not nothing}", {"a": 2, "b": True}),
        ("2 ** 3", 8.0),
        ("round(123.4, -10 ** 9)", 0.0),
        ("articles[0].get('title').lower().split(' ')", ["a", "rise"]),
    ],
)
def test_a_value_is_computed(expression: str, value: Any) -> None:
    """The functions and the small language that rows use."""
    assert check_assignment(f"x = {expression}") == "x"
    assert assigned(f"x = {expression}", FACTS) == ("x", pytest.approx(value) if isinstance(value, float) else value)


@pytest.mark.parametrize(
    ("condition", "result"),
    [
        ("price > 0", True),
        ("nothing is not None", False),
        ("len(articles) > 0 and price < 200", True),
        ("unknown > 0", False),
        ("articles[0].url ~= '^https?://'", True),
        ("text ~= 'Four'", False),
        ("text ~= two", False),
        ("1 / 0", False),
        ("price == 110.5", True),
    ],
)
def test_a_condition_holds_or_not(condition: str, result: bool) -> None:
    """One that cannot be evaluated does not hold."""
    check_condition(condition)
    assert holds(condition, FACTS) is result


@pytest.mark.parametrize(
    "expression",
    [
        "__import__('os')",
        "().__class__",
        "text.format(1)",
        "text.center(10 ** 9)",
        "lambda: 1",
        "f'{1:>999999999}'",
        "'%999999999d' % 1",
        "'x' * 10 ** 9",
        "[0] * 10 ** 9",
        "9 ** 9 ** 9",
        "1 << 10 ** 9",
        "[a for a in 'x' * 9999 for b in 'x' * 9999]",
        "(" * 60 + "1" + ")" * 60 + "+1" * 400,
        "x := 1",
        "open('f')",
        "len",
        "10 ** 300 ** 2",
        "-" * 100 + "1",
    ],
)
def test_what_is_unsafe_has_no_value(expression: str) -> None:
    """No way out, nothing endless, nothing huge."""
    with pytest.raises(SampleProblem):
        assigned(f"v = {expression}", FACTS)
    assert not holds(expression, FACTS) or expression == "len"


PARTS = st.lists(
    st.sampled_from(["price", "closes", "[", "]", "(", ")", "len", "+", "-", "==", "1", "'a'", ",", ".", "for", "in"]),
    max_size=10,
)


@settings(deadline=None)
@given(st.text(max_size=40) | PARTS.map(" ".join))
def test_any_text_has_a_value_or_none(text: str) -> None:
    """Whatever a row writes, nothing but a `SampleProblem` is raised."""
    holds(text, FACTS)
    for checked in (check_condition, check_assignment, lambda t: assigned(t, FACTS)):
        try:
            checked(f"x = {text}")
        except SampleProblem:
            continue
