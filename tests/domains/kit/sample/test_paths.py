"""Paths into results, and placeholders."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from env_server.domains.kit.sample import SampleProblem, check_path, extracted, filled, name_of, placeholders

RESULT = {
    "price": 5,
    "quote": {"last": {"price": 7}},
    "results": [{"title": "a", "n": 1}, {"title": "b"}, 3],
    "empty": [],
    "null": None,
}


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("price", "price", 5),
        ("quote.last.price", "price", 7),
        ("p = quote.last.price", "p", 7),
        ("results[]", "results", RESULT["results"]),
        ("empty[]", "empty", []),
        ("results[0].title", "results", "a"),
        ("titles = results[][title]", "titles", ["a", "b"]),
        ("results[].title", "results", ["a", "b"]),
        ("results{title->n}", "results", {"a": 1, "b": None}),
        ("map = results{ title -> n }", "map", {"a": 1, "b": None}),
        ("nothing", "nothing", None),
        ("nothing[]", "nothing", None),
        ("price{a->b}", "price", None),
        ("null", "null", None),
    ],
)
def test_a_path_gives_a_value_and_a_name(text: str, name: str, value: Any) -> None:
    """Each form of path in rows gives a value and a name; a missing value is None."""
    assert (name_of(text), extracted(text, RESULT)) == (name, value)


@pytest.mark.parametrize("text", ["", " ", "a[", "length(@)", "[a, b]", "a | b", "a[?b]", "@", "'text'", "x" * 501])
def test_what_is_no_path_is_refused(text: str) -> None:
    """A path must step into objects and lists, and have a name."""
    with pytest.raises(SampleProblem):
        check_path(text)


@pytest.mark.filterwarnings("ignore:deprecated string literal:PendingDeprecationWarning")  # jmespath, for backquotes
@given(st.text(max_size=30) | st.text(alphabet="ab[]{}->.=* 0`", max_size=20), st.none() | st.text() | st.just(RESULT))
def test_any_text_is_a_path_or_refused(text: str, result: Any) -> None:
    """No text and no result raises another error."""
    try:
        check_path(text)
    except SampleProblem:
        return
    extracted(text, result)
    assert name_of(text)


FACTS = {"step1.close": 1.5, "top": {"url": "u"}, "titles": ["a"], "no": None}


@pytest.mark.parametrize(
    ("value", "result"),
    [
        ("${step1.close}", 1.5),
        ("at ${step1.close} now", "at 1.5 now"),
        ({"a": ["${top.url}", 3]}, {"a": ["u", 3]}),
        ("${titles[0]} ${unknown}", "a ${unknown}"),
        ("${no}", "${no}"),
        ("${step2.close}", "${step2.close}"),
        ("plain", "plain"),
        (None, None),
    ],
)
def test_placeholders_are_filled(value: Any, result: Any) -> None:
    """A placeholder alone gives the value itself, others give text; an unknown one stays."""
    assert filled(value, FACTS) == result


@given(st.recursive(st.text() | st.integers(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_data_without_placeholders_stays(value: Any) -> None:
    """Data without placeholders is unchanged."""
    if not list(placeholders(value)):
        assert filled(value, FACTS) == value
