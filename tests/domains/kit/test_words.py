"""Lists, numbers, dates and persons in words."""

import pytest

from env_server.domains.kit import capital, counted, full_name, listed, money, number_word, spoken, turned

SECOND = {"I am": "you are", "I": "you", "my": "your"}


@pytest.mark.parametrize(("parts", "said"), [("a", "a"), ("ab", "a and b"), ("abc", "a, b and c")])
def test_lists_are_said_with_and(parts: str, said: str) -> None:
    """`and` stands before the last part, and commas between the others."""
    assert listed(parts) == said


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (number_word(0), "no"),
        (number_word(10), "ten"),
        (number_word(11), "11"),
        (counted(1, "bag"), "one bag"),
        (counted(2, "bag"), "two bags"),
        (money(54.1), "54.10"),
        (spoken("2026-03-09"), "March 9, 2026"),
        (full_name({"first_name": "Ada", "last_name": "Holm"}), "Ada Holm"),
        (capital("my visa card"), "My visa card"),
        (capital(""), ""),
    ],
)
def test_values_are_said_in_plain_english(said: str, words: str) -> None:
    """Numbers, amounts, dates and names read as a person writes them."""
    assert said == words


def test_a_text_is_turned_to_the_second_person() -> None:
    """Whole words and phrases change, parts of words do not; case matters unless the test says otherwise."""
    assert turned("I am at my home; I like mystery", SECOND) == "you are at your home; you like mystery"
    assert turned("My card", SECOND) == "My card"
    assert turned("My card", {"my": "your"}, any_case=True) == "your card"
