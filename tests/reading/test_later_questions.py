"""Messages that ask later, or that leave open which change it is, propose nothing yet."""

import time

import pytest

from env_server.reading import Act, read
from env_server.reading.sentences.consent import choices, later

LATER = [
    "To return the kettle, please send me the order number. Once I have it, I'll check the details and ask for your "
    "approval before submitting the return.",
    "Please tell me your user ID. After that I can look up the trip, work out the refund and list the changes for "
    "your confirmation.",
    "What should the new color be? Once you let me know, I will outline the full exchange and get your go-ahead.",
    "I'll search for direct flights on May 3 first, then propose one and confirm the total with you before booking.",
    "Once you share the address, I'll sum up the update, then request your explicit yes before applying it.",
    "When I have the booking code, I can pull up the trip and go over the cancellation with you.",
    "Once confirmed, I'll see what is in stock and list the exact changes for your approval before updating order #W1.",
    "Say yes to start the search for flights on May 3, and I'll prepare the update.",
]
NOW = [
    "What changes: order #W1234567 will be cancelled and $20 will go back to your card. Confirm (yes/no)?",
    "I'll cancel order #W1234567 once I have your confirmation. Shall I go ahead?",
    "Once you confirm, I'll cancel booking ABC123 and refund $120 to your card. Do you want me to proceed?",
    "I need your explicit confirmation before I cancel order #W1234567.",
    "I can change the size of item 1234567890 to L. Please confirm any other changes you'd like before we proceed. "
    "Do you want me to make this change to order #W1234567?",
    "Shall I cancel order #W1234567? For the lamp, once you tell me the color, I'll look for it.",
]
CHOICES = [
    "Flight 12 leaves at 9:00 and flight 14 at 11:00. Which flight? Please confirm to proceed with the booking.",
    "We can cancel order #W1234567 or swap the lamp. Which would you prefer? If the first, please confirm yes.",
    "I can book one of these for you. Please confirm:\n- Preferred flight (e.g., HAT001)?\n- Insurance (yes/no)?",
    "To exchange the lamp in order #W1234567, please confirm:\n1. New lamp item ID (e.g., 1234567890)\n2. Card",
    "Option 1: the blue lamp, $20. Option 2: the red lamp, $25. Reply YES with your choice to proceed.",
    "Reply yes and pick a flight to book the trip for $120.",
    "If you'd like to proceed with cancelling a specific reservation (e.g., ABC123), please confirm yes.",
    "Shall I cancel order #W1234567? Or exchange the lamp for a blue one?",
    "Order #W1234567 is pending. Would you like to:\n- Cancel the order?\n- Change its address?\n- Do something else?",
    "You have several trips. What changes would you like to make? Please confirm to proceed.",
]
FIXED = [
    "I'll change the lamp in order #W1234567 to the blue one for $20. Do you confirm (yes/no)? If you'd prefer a "
    "different color instead, let me know which one you'd like.",
    "I'll cancel order #W1234567. Reply yes to confirm, or let me know if you'd rather change the address.",
    "Proposed change:\n- New item: blue lamp, 1234567890, $20\n- New total: $40\nReply YES to proceed or send tweaks.",
    "I'll book flight HAT001 for $120. Which card should I charge? Do you want me to book HAT001 for $120?",
    "I'll move your trip ABC123 to May 3 for $50. Shall I go ahead? Or would you rather keep it as it is?",
    "Here is the update to order #W1234567: the lamp becomes blue. Reply yes to apply it and specify the card to use.",
]


@pytest.mark.parametrize("message", [*LATER, *CHOICES])
def test_a_yes_would_not_tell_the_agent_one_thing_to_do(message: str) -> None:
    """The agent asks again, or waits for a choice or a detail of the change."""
    assert Act.PROPOSE not in read(message).acts


@pytest.mark.parametrize("message", [*NOW, *FIXED])
def test_what_is_fixed_is_proposed(message: str) -> None:
    """The change is fixed, and other ways, payments or wishes are only mentioned."""
    assert Act.PROPOSE in read(message).acts


@pytest.mark.parametrize(
    "part",
    ["i'll list ", "i can confirm the details ", "once i have it, ", "which flight ", "new item ", "yes and pick ",
     "please confirm the ", "or cancel ", "your your ", "(e.g. ", "a b ", "and "],
)  # fmt: skip
def test_long_repetitions_are_read_in_linear_time(part: str) -> None:
    """Twice the text takes about twice the time."""

    def spent(length: int) -> float:
        view = (part * length)[:length]
        best = 9.0
        for _ in range(3):
            began = time.perf_counter()
            later.asks_again(view)
            choices.asks(view, entry=True)
            choices.or_else(view)
            choices.heads(view)
            best = min(best, time.perf_counter() - began)
        return best

    assert spent(8000) < 8 * spent(2000) + 0.01
