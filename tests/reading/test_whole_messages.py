"""What a plain yes to a whole message would tell the agent: the change, or a look-up, a transfer, a choice."""

import time

import pytest

from env_server.reading import Act, read
from env_server.reading.sentences import checks
from env_server.reading.sentences.consent import asked, choices, later, lookups, other_questions, requests
from env_server.reading.sentences.patterns import words_of

LOOK_UPS = [
    "I can't move trip ABC123 to May 4 for $20. Shall I search for other flights? Reply YES to proceed.",
    "Want me to look up the lamps in stock for order #W1234567? Just say yes, and I'll fetch the list.",
    "Do you confirm moving trip ABC123 to May 4? Reply YES to proceed with the availability check.",
    "Order #W1234567 could be changed. Say YES if you'd like me to check what is in stock.",
    "I can pull up your orders to change #W1234567 - just confirm, and I'll do that next.",
    "Moving ABC123 to May 4 would cost $20. Reply with yes to confirm the search.",
    "You want the cheapest seat on May 4 instead of ABC123. Is this correct? If yes, confirm with yes. I'll search for "
    "available flights next.",
]
TRANSFERS = [
    "I can't cancel ABC123 for $20. I recommend transferring you to a human agent. Would you like me to do that? "
    "I'll add a summary. Just say yes!",
    "If you'd like me to send the $50 voucher, I can do that right away. Otherwise I recommend a human agent. Would "
    "you like me to proceed with the transfer?",
    "Your return of item 1234567890 is submitted. Do you want me to transfer you to a human agent for the exchange? "
    "Reply YES for transfer, or let me know what else to cancel.",
]
OWN_CHECKS = [
    "To cancel order #W1234567, please send me your e-mail. This will help me confirm the details.",
    "To cancel order #W1234567, could you share your zip code? That will allow me to find it and confirm the details.",
    "To exchange the lamp I need to look up order #W1234567 to confirm the details of the item.",
    "What is your e-mail? Once confirmed, I'll review order #W1234567 for the exchange.",
    "Trip ABC123 costs $120. This may be cancelled if we can confirm the details.",
    "I've moved trip ABC123 to May 4 with your confirmation.",
    "Order #W1234567 is cancelled. You can confirm this change in your account.",
    "Order #W1234567 has been updated. Let me know if you'd like me to change it further.",
]
DETAILS = [
    "To change an order, please confirm:\n1. Which order is this for (e.g., #W1234567)?\n2. The new address.",
    "You have two orders, #W1 and #W2. Please confirm:\n- Which order to cancel?\n- Reason?\n\nReply yes to proceed.",
    "I'll book flight 12 for you. How many bags would you like to add? Please confirm with yes to proceed.",
    "To book the trip for $120, please provide the date, the number of bags, and insurance (yes/no).",
    "Step 1: change the cabin of ABC123. Please confirm:\n1) Cabin choice: economy or business\n2) Card\n\nThen reply "
    "yes.",
    "Please reply with the exact new item ID (e.g., 1234567890) and say yes to proceed with the exchange.",
    "Ways to fix it (pick one & confirm yes):\n1. Move ABC123 to May 4 for $20\n2. Cancel ABC123",
    "I can change ABC123 to economy. Please confirm if you're fine with one stop, or if you'd like direct flights "
    "only.",
    "Do you want to proceed with upgrading ABC123? If yes, please confirm the cabin class you'd like (economy or "
    "first).",
    "Item 1234567890 is sold out. Would you like to take a different item, or cancel the exchange? If proceeding, "
    "please "
    "confirm the details.",
    "Confirm yes to proceed with ABC123 once I summarize the new total.",
    "I can upgrade ABC123. Confirm yes and the card to proceed (I'll calculate the exact cost first).",
    "Could you confirm this is the correct one? Then I'd cancel order #W1234567.",
    "The order ID is #W1234567. Also, confirm if this reason applies to both cancellations.",
    "If this is right and you want to leave #W1234567 as-is, please confirm yes so we can go on to #W7654321.",
]
DETAILS += [
    "Cancelling ABC123 costs $20. If you'd like me to:\n- Cancel it (confirm yes and the card)\n- Look for trips\n"
    "Just say so!",
    "I can't remove the bag from ABC123. Let me know another way to go on (e.g., cancel the whole trip with yes).",
    "Would you like to adjust item 1234567890 to one of these lamps, or cancel the exchange? If proceeding, please "
    "confirm the details.",
]
CHANGES = [
    "I'll move trip ABC123 to May 4 for $20. Card or voucher for the payment. Which one? Reply YES to proceed.",
    "I'll cancel order #W1234567. Confirm by replying YES to cancel it now, or choose another option.",
    "Please confirm yes to cancel ABC123 for a full refund of $20, or say no if you'd prefer a transfer to an agent.",
    "I'll cancel #W1234567 for $20. For the reason, either one will do. If this matches what you want, please reply "
    "with yes and specify the reason.",
    "Do you explicitly approve moving trip ABC123 to May 4 for $20?",
    "Do you want to proceed with cancelling order #W1234567? Reply yes. For the other trip, would you like me to check "
    "the prices?",
    "I'll add a bag to ABC123 for $50. Seats can't be chosen. If that matters, I recommend a human agent. Does this "
    "match what you want? If yes, please reply with yes.",
    "If you'd like to cancel ABC123 and get the voucher, please confirm yes. Let me know how you'd like to proceed!",
    "I'll change the cabin of ABC123 to economy for $20. Please confirm which one to use for the balance (card or "
    "voucher). Reply with yes to proceed with the update.",
    "Here is the change of ABC123 to May 4 for $20. I'll ask for your choice of card after confirmation. Do you "
    "confirm "
    "(yes) to proceed with this change?",
]


@pytest.mark.parametrize("message", [*LOOK_UPS, *TRANSFERS, *OWN_CHECKS, *DETAILS])
def test_a_yes_would_not_begin_one_fixed_change(message: str) -> None:
    """The yes begins a look-up or a transfer, answers for a detail, or is none that the agent asks for."""
    assert Act.PROPOSE not in read(message).acts


@pytest.mark.parametrize("message", CHANGES)
def test_a_yes_would_begin_the_change(message: str) -> None:
    """The change is fixed. What else is asked is the payment, the reason, or about another wish."""
    assert Act.PROPOSE in read(message).acts


@pytest.mark.parametrize(
    "part",
    ["shall i search ", "yes to ", "yes and i ", "confirm with ", "proceed with the ", "like me to ", "i can look ",
     "which ", "which order ", "how many ", "what new ", "your choice ", "i need to check ", "to confirm ",
     "or if you'd ",
     "provide a, ", "(yes/no) ", "leave it as-is ", "i'll list ", "yes (i'll ", "once i list ", "or no ",
     "if you'd like ",
     "would you like to take one of these or ", "confirm the exact ", "i've a with your ", "i'll then search "],
)  # fmt: skip
def test_long_repetitions_are_read_in_linear_time(part: str) -> None:
    """Four times the text takes less than eight times as long, beside a hundredth of a second."""

    def spent(length: int) -> float:
        view = (part * length)[:length]
        words = words_of(view)
        best = 9.0
        for _ in range(3):
            began = time.process_time()
            lookups.asked(view + "?")
            lookups.demanded(view)
            lookups.follows(view)
            later.asks_again(view)
            choices.asks_which(view + "?")
            choices.refers_back(view)
            choices.by_choice(view, words)
            choices.open_entry(view)
            checks.of_detail(view)
            requests.to_yes(view)
            other_questions.invites(view)
            other_questions.alternatives(view + "?")
            asked.asks_for_yes(view, words)
            best = min(best, time.process_time() - began)
        return best

    assert spent(8000) < 8 * spent(2000) + 0.01
