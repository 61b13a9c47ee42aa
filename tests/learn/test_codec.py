"""What the codec reads of a customer's message."""

from typing import Any

import pytest

from trainer_client.learn.codec import CodecEpisode, _id
from trainer_client.learn.grpo import TokenRollout

NO_HANDLE: Any = None


def after_proposal(content: str, knows: bool) -> CodecEpisode:
    """An episode whose policy proposed something and then read this message, with all of its words or none."""
    one = CodecEpisode(NO_HANDLE, "cancel", TokenRollout(0), lambda _: knows)
    one.acted = "PROPOSE"
    one.read("user", content)
    return one


@pytest.mark.parametrize("knows", [True, False])
@pytest.mark.parametrize(
    ("content", "answer"),
    [("Yes, go on.", "<yes>"), ("No, I want only what I said.", "<no>"), ("To what do I say yes?", "<neither>")],
)
def test_an_answer_is_what_a_message_begins_with(content: str, answer: str, knows: bool) -> None:
    """It is read after the words, known or not; a question that contains the word yes agrees to nothing."""
    one = after_proposal(content, knows)
    assert one.rollout.ids[-2:] == [_id(answer), _id("<after PROPOSE>")]
    assert one.agreed == (answer == "<yes>")
    assert (len(one.rollout.ids) > 2) == knows


def test_a_message_without_words_is_no_answer() -> None:
    """An empty message is read as neither."""
    assert after_proposal("", True).rollout.ids == [_id("<neither>"), _id("<after PROPOSE>")]
