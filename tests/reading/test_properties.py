"""Properties of the reader that hold for any text."""

import random

from hypothesis import given
from hypothesis import strategies as st

from env_server.reading import Act, read
from env_server.reading.sentences.patterns import Rules, compiled
from env_server.reading.words.text import LONGEST
from tests.reading.test_said import lines

PIECES = st.sampled_from(
    [
        "your order has been cancelled. ",
        "shall i go ahead? ",
        "\n- ",
        "**",
        '"',
        "'",
        "| a | b |\n",
        "```\n",
        "\n> ",
        "1. ",
        "🎉 ",
    ]
)
TEXTS = st.one_of(st.text(max_size=300), st.lists(st.one_of(PIECES, st.text(max_size=8)), max_size=40).map("".join))


@given(TEXTS)
def test_any_text_is_read(text: str) -> None:
    """No text raises, and the parts of a reading agree with each other."""
    reading = read(text)
    assert reading.text == "\n".join(sentence.text for sentence in reading.sentences)
    assert reading.consent == any(sentence.consent for sentence in reading.sentences)
    assert not (reading.vague and Act.PROPOSE in reading.acts)
    assert reading.acts <= {act for sentence in reading.sentences for act in sentence.acts}
    assert not (reading.unread and reading.acts)


@given(TEXTS)
def test_reading_is_repeatable(text: str) -> None:
    """The same text always reads the same."""
    assert read(text) == read(text)


@given(TEXTS)
def test_plain_text_has_no_upper_case_and_no_runs_of_spaces(text: str) -> None:
    """Plain sentences are single spaced, stripped, and not empty."""
    for sentence in read(text).sentences:
        assert sentence.text == sentence.text.strip() != ""
        assert "  " not in sentence.text
        assert sentence.text == sentence.text.lower()


@given(st.text(max_size=60))
def test_nothing_is_read_of_what_is_too_long(tail: str) -> None:
    """A message above the length limit has no acts, whatever its text."""
    message = "Your order has been cancelled. Shall I cancel order #W1? " + "Thank you for waiting. " * 500
    found = read(message[:LONGEST] + "." + tail)
    assert (found.acts, found.consent, found.unread) == (frozenset(), False, True)


def test_shuffled_words_rarely_say_anything() -> None:
    """Of messages of 25 words and more whose words are shuffled, at most one in twenty proposes or reports anything."""
    rng = random.Random(3)
    table = [line for name in ("propose", "claim", "refuse") for line in lines(name)]
    messages = [" ".join(rng.sample(table, 4)) for _ in range(300)]
    heard = 0
    for message in messages:
        words = message.split()
        rng.shuffle(words)
        heard += bool(read(" ".join(words)).acts & {Act.PROPOSE, Act.CLAIM})
    assert heard <= len(messages) / 20


def test_gathered_alternatives_match_as_before() -> None:
    """Sharing the test for a word boundary changes no match."""
    pattern = compiled(r"\bone (?:a|b)\b|two|\b[|)x]?three|\bfour\|five")
    for text, found in (
        ("one a", "one a"),
        ("tone a", None),
        ("2two", "two"),
        ("a three", "three"),
        ("four|five", "four|five"),
    ):
        match = pattern.search(text)
        assert (match and match[0]) == found


def test_rules_without_their_cues_are_not_tried() -> None:
    """A pattern is tried where one of its cue words is, and a pattern without cues always."""
    rules = Rules(("done", r"\bdone\b"), ("", r"\bx\b"))
    assert rules.search("done", frozenset({"done"}))
    assert not rules.found("done", frozenset())
    assert rules.found("x", frozenset())
