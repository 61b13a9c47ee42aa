"""Whether a required value was said."""

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from env_server.domains.kit import Dialect
from env_server.reading.words.said_values import said
from env_server.rewards import newly_said

WHOLE = Dialect()
SUBSTRING = Dialect(outputs_as_substrings=True)


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("54.04", "That makes $54.04."),
        ("54.04", "You get 54.04 back"),
        ("1200", "a total of 1,200 points"),
        ("1,200.50", "It is $1200.5, as agreed."),
        ("10", "There are 10."),
        ("-3.5", "a difference of -3.5 dollars"),
        ("-3.5", "$3.50 less"),
        ("7.50", "-$7.50"),
        ("7.50", "the difference is $-7.50"),
        ("7.50", "\u22127.50"),
        ("7.50", "\u2013$7.50"),
        ("7.50", "USD7.50"),
        ("7.50", "USD 7.50"),
        ("7.50", "US$7.50"),
        ("7.50", "7.50 USD"),
        ("7.50", "7.50usd"),
        ("7.50", "$7.50 less"),
        ("7.50", "61.20 - 53.70 = 7.50"),
        ("53.70", "61.20 - 53.70 = 7.50"),
        ("7.50", "1. The difference is **$7.50**"),
        ("3", "Sizes: 1,2,3"),
        ("Tracking 12", "your tracking  12 code"),
        ("blue", "Blue, please"),
        ("#W0000001", "order #W0000001."),
        ("2026-03-21", "It is on 2026-03-21."),
        ("2026-03-21", "on Saturday, March 21st"),
        ("2026-03-21", "the 21st of March, 2026"),
        ("2026-03-21", "21 Mar 2026"),
        ("March 21, 2026", "3/21/2026"),
        ("March 21, 2026", "**2026-03-21**"),
        ("May 3, 2026", "may 3"),
    ],
)
def test_values_that_are_said(output: str, message: str) -> None:
    """Numbers are compared by value, and text as whole words in any case."""
    assert newly_said([output], message, WHOLE) == [0]


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("10", "It costs 810 dollars"),
        ("10", "It costs 10.50"),
        ("54.04", "It costs 154.04"),
        ("5", "order #W5123"),
        ("blue", "bluetooth"),
        ("54.04", ""),
        ("00123", "It is 123."),
        ("3", "3. Exchange it"),
        ("3", "Options:\n  3) Exchange it"),
        ("3", "- **3.** Exchange it"),
        ("5", "It takes 5-7 business days."),
        ("7", "It takes 5\u20137 business days."),
        ("7", "From $5-$7"),
        ("7.50", "7.50.1"),
        ("7", "7.50x"),
        ("123", "1,2,3"),
        ("2026-03-21", "March 21, 2025"),
        ("2026-03-21", "March 22"),
        ("2026-03-21", "2026-03-211"),
        ("2026-03-21", "2026 3 21"),
        ("March 21, 2026", ", ".join(f"March {day}" for day in range(15, 27))),
    ],
)
def test_values_that_are_not_said(output: str, message: str) -> None:
    """A part of another number or word does not count, unlike in the public benchmarks."""
    assert newly_said([output], message, WHOLE) == []


def test_substring_rule_of_the_public_benchmarks() -> None:
    """A substring of the lower-cased message without its commas; the output keeps its own commas."""
    assert newly_said(["10", "1200", "1,200"], "810 and 1,200", SUBSTRING) == [0, 1]


def test_only_new_ones_are_reported() -> None:
    """A value that was said earlier is not reported again."""
    assert newly_said(["1", "2", "3"], "1 2 3", WHOLE, already=[1]) == [0, 2]


@given(st.decimals(-(10**7), 10**7, allow_nan=False, places=2), st.sampled_from(["", "$"]))
def test_any_amount_is_found_in_its_usual_forms(amount: object, sign: str) -> None:
    """An amount is found with or without thousands separators and trailing zeros."""
    text = str(amount)
    whole, _, cents = text.partition(".")
    negative = "-" if whole.startswith("-") else ""
    grouped = f"{negative}{sign}{int(whole.lstrip('-')):,}.{cents}"
    assert newly_said([text], f"It is {grouped}.", WHOLE) == [0]


@pytest.mark.parametrize(("others", "heard"), [(39, [0]), (40, [])])
def test_a_message_of_many_numbers_says_none(others: int, heard: list[int]) -> None:
    """A message of more than forty distinct numbers counts as a table and says none of them; words still count."""
    message = "7.50 " + " ".join(str(n) for n in range(100, 100 + others))
    assert newly_said(["7.50"], message, WHOLE) == heard
    assert newly_said(["7.50"], f"{message} {message} 7.5", WHOLE) == heard
    assert newly_said(["blue"], f"{message} blue", WHOLE) == [0]


@pytest.mark.parametrize(
    "part", ["1,", "1,111", "1-", "1.", "9", "usd", "- ", "may 1 ", "2026-", "1/", "\n", "1-1,111.1-", "3. "]
)
def test_a_long_message_is_read_in_linear_time(part: str) -> None:
    """Half a megabyte of anything number-like is read at once."""
    start = process_time()
    newly_said(["7.50", "x y"], part * (500_000 // len(part)) + "x", WHOLE)
    assert process_time() - start < 5


@given(st.text(), st.lists(st.text(), max_size=5))
def test_never_fails(message: str, outputs: list[str]) -> None:
    """No text raises an error."""
    assert set(newly_said(outputs, message, WHOLE)) <= set(range(len(outputs)))


@pytest.mark.parametrize(
    ("message", "value"),
    [
        ("That is 40 dollars and 55 cents.", "40.55"),
        ("It comes to 110 dollars, 2 cents in all.", "110.02"),
        ("Nineteen dollars and thirty-nine cents, please.", "19.39"),
        ("One hundred and ten dollars and five cents", "110.05"),
        ("The fee is 5 cents per MB.", "0.05"),
        ("It's twelve thousand, three hundred dollars and five cents.", "12300.05"),
        ("1,545 dollars and 50 Cents", "1545.50"),
    ],
)
def test_spoken_amounts_are_said(message: str, value: str) -> None:
    """An amount with its cents in words counts, and its parts are no numbers of their own."""
    assert said([value], message) == [True]
    assert said([value.partition(".")[0], value.partition(".")[2].lstrip("0")], message) == [False, False]


@pytest.mark.parametrize(
    ("message", "value"),
    [
        ("Three hundred and sixty dollars.", "360"),
        ("It's one thousand and twenty-two dollars.", "1022"),
        ("two dollars a month", "2"),
    ],
)
def test_whole_spoken_amounts_are_said(message: str, value: str) -> None:
    """An amount in words counts, with `and` as well."""
    assert said([value, "60"], message) == [True, False]
