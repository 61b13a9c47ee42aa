"""Questions for a yes beside words that leave open which change it would be."""

import pytest

from env_server.reading import Act, read
from env_server.reading.sentences import choices
from tests.pace import LINEAR, growth

OPEN = (
    "I can either cancel order #W1 or change your address. Shall I go ahead?",
    "I can cancel order #W1 or change your address. Shall I go ahead?",
    "We could move the trip to May 5, or cancel it for a credit. Is that okay?",
    "I can cancel the order or refund the fee. It takes a minute. Do you want to proceed?",
    "Shall I cancel XX56Q9? Let me know which you'd like.",
    "Shall I cancel order #W1? It costs nothing. Tell me which one you prefer.",
    "How should I change it to pay less, and shall I go ahead?",
    "How should I cancel it so that you are refunded, and shall I do it?",
)
FIXED = (
    "I can cancel order #W1 or leave it as is. Shall I go ahead?",
    "I can cancel order #W1 or change your address. I'd cancel order #W1. Shall I go ahead?",
    "I can cancel order #W1 or change your address. Shall I cancel order #W1?",
    "I can change the flight to HAT001 and charge the Visa or the gift card. Shall I go ahead?",
    "I'd cancel order #W1, and you get the money in either 5 or 7 days. Shall I go ahead?",
    "Shall I cancel XX56Q9? Let me know which card you'd like to use for the fee.",
    "Shall I cancel order #W1? You can pay the fee with Visa or PayPal. Let me know which you'd like.",
)


@pytest.mark.parametrize("message", OPEN)
def test_a_yes_that_could_mean_several_changes_is_not_asked_for(message: str) -> None:
    """The message leaves open which change it would be, or how."""
    assert Act.PROPOSE not in read(message).acts
    assert not read(message).consent


@pytest.mark.parametrize("message", FIXED)
def test_a_yes_to_one_change_is_asked_for(message: str) -> None:
    """The change is fixed. What is open is the payment, or whether the change is made at all."""
    assert Act.PROPOSE in read(message).acts


@pytest.mark.parametrize(
    "part", ["i can cancel the ", "i can either ", "i can cancel a or ", "we could move it, or ", "let me know which "]
)
def test_long_repetitions_are_read_in_linear_time(part: str) -> None:
    """Four times the text takes less than eight times as long."""

    def read_all(view: str) -> None:
        choices.either_way(view)
        choices.says_which(view, view)

    assert growth(read_all, part) < LINEAR
