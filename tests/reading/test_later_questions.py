"""Messages that ask later, or that leave open which change it is, propose nothing yet."""

import time
import timeit
from functools import partial

import pytest

from env_server.reading import Act, read
from env_server.reading.sentences import checks
from env_server.reading.sentences.consent import asked, choices, later
from env_server.reading.sentences.patterns import words_of

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
LATER += [
    "What is your email? Then I'll look up the trip, tell you the refund, and only cancel ABC123 after you say yes.",
    "Do you have a preference for the new date? Once you pick one, I'll move ABC123 upon your confirmation.",
    "Next:\n1. Provide the new lamp ID.\n2. Reply YES.\n\nOnce received, I'll work out the sum for your approval.",
    "If you confirm the date, I'll search for flights and share the prices with you before we proceed with ABC123.",
]
CHOICES += [
    "Should I cancel order #W1234567? Alternatively, should I change the lamp to the blue one?",
    'To finalize the change of ABC123 please reply with:\n- Return flight number\n- "Yes" to confirm',
    "To go ahead with ABC123, please confirm:\n1) Departure date\n2) Number of bags\n3) Card\nThen reply yes.",
    "Choose one:\n- Cancel ABC123 (refund $100)\n- Move it to May 4 ($20)\nand reply with confirm.",
    "Please pick a lamp from the list above and reply YES to proceed with the exchange of item 1234567890.",
    "Let me know if you want me to proceed with Option A ($100) or Option B ($120).",
    "You can return the lamp or the kettle. Would you like to proceed with the return? Please list the items.",
    "Please verify that this is the right reservation (ABC123) so I can proceed with the cancellation.",
    "Can you confirm that your reservation is ABC123 and that no flight was used? I'd cancel it then.",
    "Please confirm you have listed all the items to change in order #W1234567.",
]
FIXED += [
    "Please confirm that you have listed all items. I'll change the lamp in order #W1234567; reply yes to proceed.",
    "I can upgrade ABC123 for $300. Do you want to proceed? If yes, which card should I charge (card_1 or card_2)?",
    "Please confirm:\n- New flight: HAT001 on May 5\n- Number of bags: 2\n- Price: $120\nReply yes and I'll book it.",
    "Shall I cancel order #W1234567? Or would you like to change something?",
    "I'll add 2 GB to line L1 for $20. Shall I do it? And which bill is your question about?",
]
FIXED += [
    "I'd move ABC123 to May 4 for $20. Which of your two cards should I charge, and shall I make the change?",
    "The lamp can be returned for $20. How would you like to be refunded, and may I submit the return of the lamp?",
    "Would you like me to cancel order #W1234567, or would you rather leave it as it is?",
    "Shall I suspend line L1 for $5, or shall we keep it active?",
]
CHOICES += [
    "Which card should I charge, and shall I look for flights on May 4?",
    "Would you like me to call you back about order #W1234567, or keep waiting?",
    "Shall I cancel order #W1234567, or would you rather change the address?",
]
OFFERS = [
    "Your order #W1234567 has been updated. If you need any more help with it, just say the word.",
    "The refund has been made. If there's anything you'd like to add to the order, just say the word!",
    "I can't change order #W1234567. Would you like me to start that transfer now?",
    "I'd recommend transferring you to an agent. Would you like me to do that? If yes, please confirm with a note.",
    "You have three orders, #W1, #W2 and #W3. Let me know if you'd like me to begin with a specific one.",
    "I've changed order #W1234567. Would you like a copy of these details sent to your email?",
    "Order #W1234567 is pending. Is this the correct order? Which change would you like?",
    "Reply with the option you prefer and confirm:\n- Yes to change item 1234567890 to your chosen variant for $20.",
    "You can cancel order #W1234567 or change its address. Please specify and confirm yes to any of them.",
    "To book a similar trip for $120, please confirm the following details:\n- Date: May 3?\n- Bags: none?",
    "The order can be cancelled or kept. Let me know how you'd like to move forward!",
]
ASKED = [
    "I'll cancel order #W1234567 and refund $20 to your card. Just say the word.",
    "I'll change the lamp to the blue one for $20. Please double-check that this is exactly what you want. Do you "
    "confirm yes to proceed with this change?",
    "Proposed change: the lamp becomes item 1234567890 for $20. YES to proceed with exactly this?",
    "I'll move order #W1234567 to the new address. Please provide:\n1. Your apartment number\n2. Reply yes to proceed.",
    "I'll exchange both lamps for $20. Confirm yes to proceed with both exchanges? (Or tell me what to change.)",
    "We can cancel order #W1234567 for a full refund. Reply YES to confirm, and I'll start it.",
    "Do you confirm booking flight HAT001 for $120? If yes, please provide the card to charge.",
]


@pytest.mark.parametrize("message", [*LATER, *CHOICES, *OFFERS])
def test_a_yes_would_not_tell_the_agent_one_thing_to_do(message: str) -> None:
    """The agent asks again, or waits for a choice or a detail of the change."""
    assert Act.PROPOSE not in read(message).acts


@pytest.mark.parametrize("message", [*NOW, *FIXED, *ASKED])
def test_what_is_fixed_is_proposed(message: str) -> None:
    """The change is fixed, and other ways, payments or wishes are only mentioned."""
    assert Act.PROPOSE in read(message).acts


@pytest.mark.parametrize(
    "part",
    ["i'll list ", "i can confirm the details ", "once i have it, ", "which flight ", "new item ", "yes and pick ",
     "please confirm the ", "or cancel ", "your your ", "(e.g. ", "a b ", "and ", "yes and pick a flight ",
     "reply with your choice ", "do you have a preference ", "pick a b and reply ", "book a (e.g ", "or keep "],
)  # fmt: skip
def test_long_repetitions_are_read_in_linear_time(part: str) -> None:
    """Four times the text takes less than eight times as long."""

    def read_all(view: str) -> None:
        later.asks_again(view)
        choices.asks_which(view)
        choices.by_choice(view, words_of(view))
        choices.open_entry(view)
        choices.or_else(view)
        checks.of_detail(view)
        asked.asks_for_yes(view, words_of(view))
        choices.heads(view)

    views = ((part * length)[:length] for length in (2000, 8000))
    short, long = (
        min(timeit.repeat(partial(read_all, view), number=3, repeat=5, timer=time.process_time)) for view in views
    )
    assert long < 8 * short
