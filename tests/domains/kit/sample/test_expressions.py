"""Values and conditions of rows."""

import tracemalloc
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from env_server.domains.kit.sample import SampleProblem, Work, assigned, check_assignment, check_condition, holds
from env_server.domains.kit.sample.bounds import OverBounds

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
    """The functions and the small language of rows give these values."""
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
    """A condition that cannot be evaluated does not hold."""
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
    """Expressions that reach outside, never end or are huge have no value."""
    with pytest.raises(SampleProblem):
        assigned(f"v = {expression}", FACTS)
    assert not holds(expression, FACTS) or expression == "len"


BIG = "'" + "a" * 700 + "'"
MANY: dict[str, Any] = {
    "l": ["x"] * 5_000,
    "t": "a" * 30 + "!",
    "big": "y" * 900_000,
    "rows": [{"n": "x" * 50}] * 2_000,
}


@pytest.mark.parametrize(
    "texts",
    [
        [f"m = [{BIG} for a in l]", "n = [m for a in l]"],
        ["m = [0] * 99999", "n = [m] * 9000"],
        ["n = str([[0] * 9999] * 9999)"],
        ["n = len([big[1:] for a in l])"],
        ["n = len([big + 'x' for a in l])"],
        ["n = len([a for a in l if a in big])"],
        ["n = len([big == a for a in l])"],
        ["n = len([big.upper() for a in l])"],
        ["n = len([str(rows) for a in l])"],
        ["n = sum([[a] for a in l], [])"],
        ["n = [[a, a] for a in l for b in l]"],
        ["n = {str(a): l for a in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] for b in l}", "m = [n, n, n, n, n, n, n, n, n, n]"],
        ["n = regex_extract_all('(a|aa)+$', t * 900)"],
    ],
)
def test_work_ends_before_it_is_large(texts: list[str]) -> None:
    """A huge value is not made, and slow work is given up: the last expression has no value."""
    facts = dict(MANY)
    tracemalloc.start()
    try:
        for text in texts[:-1]:
            with suppress(SampleProblem):
                facts["m" if text.startswith("m") else "n"] = assigned(text, facts)[1]
        with pytest.raises(SampleProblem):
            assigned(texts[-1], facts)
        assert tracemalloc.get_traced_memory()[1] < 100_000_000
    finally:
        tracemalloc.stop()


def test_expressions_of_a_result_share_what_they_may_do() -> None:
    """All expressions of a result share one budget: many that are allowed alone are too many together."""
    work = Work()
    assert assigned("n = len([a + 'x' for a in l])", MANY, work) == ("n", 5_000)
    with suppress(OverBounds):
        for _ in range(20):
            assigned("n = len([a + 'x' for a in l])", MANY, work)
    with pytest.raises(OverBounds):
        assigned("n = 1", MANY, work)


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|aa)+$", "(x+x+)+y", "([a-z]+)*[0-9]"])
def test_a_pattern_that_takes_too_long_is_refused(pattern: str) -> None:
    """The check refuses such a pattern; if it is used all the same, it soon ends, and its condition does not hold."""
    condition = f"t ~= '{pattern}'"
    with pytest.raises(SampleProblem, match="takes too long"):
        check_condition(condition)
    assert not holds(condition, {"t": "a" * 5_000 + "!" + "x" * 5_000})
    with pytest.raises(SampleProblem, match="takes too long"):
        check_assignment(f"n = regex_extract_all('{pattern}', t)")


def test_what_rows_really_do_is_within_the_bounds() -> None:
    """Look-ups of many items in a large result cost only the items that they look at."""
    facts = {
        "rows": [{"name": f"n{i}", "of": {"v": i}} for i in range(2_000)],
        "by": {f"n{i}": i for i in range(2_000)},
    }
    assert assigned("n = len([r['of']['v'] for r in rows if r.get('name') in by])", facts) == ("n", 2_000)
    assert assigned("n = sum([by.get(r['name']) for r in rows])", facts) == ("n", 1_999_000)


PARTS = st.lists(
    st.sampled_from(["price", "closes", "[", "]", "(", ")", "len", "+", "-", "==", "1", "'a'", ",", ".", "for", "in"]),
    max_size=10,
)


@settings(deadline=None)
@given(st.text(max_size=40) | PARTS.map(" ".join))
def test_any_text_has_a_value_or_none(text: str) -> None:
    """Any text has a value, or raises `SampleProblem` and no other error."""
    holds(text, FACTS)
    for checked in (check_condition, check_assignment, lambda t: assigned(t, FACTS)):
        try:
            checked(f"x = {text}")
        except SampleProblem:
            continue
