"""Remarks about what is impossible, beside a step that goes ahead, and refusals that resemble them."""

import time
import timeit
from functools import partial

import pytest

from env_server.reading import Act, read
from env_server.reading.sentences.patterns import words_of
from env_server.reading.sentences.refusals import remarks
from env_server.reading.sentences.refusals.refused import refuses, warns

REMARKS = (
    # what can be done once
    "I can swap the kettle for the red one at $40. You can only do this once per order. Shall I go ahead?",
    "I'd change the lamp to the black one ($30). Changes to an order are limited to one time. Okay to proceed?",
    "Plan: change order #W1234567 to the blue chair. Only one exchange is allowed per order. Do you confirm?",
    "A swap of the kettle can only be made once for each order. Which colour would you like?",
    "Tell me all you want to swap before I submit it, since a swap can only be requested once per order. Which items?",
    "This is a one-time change for the order, so it can't be undone. Shall I make it?",
    # in parentheses
    "I found a connection with one stop for $150 (there are no direct flights). Shall I book it?",
    "Your cart has two dishes (drinks cannot be added now). Shall I place the order for $20?",
    "The refund is $20 (no refund for the shipping). Do you agree?",
    "Here is your booking.\n- Fare: basic (non-refundable)\n- Bags: two\nWhat would you like to change?",
    "1. Swap of items (can only be done once)\n2. New address: 1 Main Street\nShall I make both changes to #W1234567?",
    "I reviewed the kettles. (No other red ones are available at the moment.) Shall I take the one for $40?",
    # what a step leaves impossible
    "Once that is done, the address can't be edited any more. I'd change it to 1 Main Street. Do you agree?",
    "The status will become 'changed' and cannot be altered from then on. Shall I change #W1234567 to the blue chair?",
    "I've changed order #W1234567 to the blue chair. It can no longer be cancelled or changed.",
    "I've exchanged the lamp for the black one. No further exchanges are possible.",
    "Your visit has been moved to Monday. Note: this visit can no longer be moved.",
    # what has not happened
    "None of the flights have departed yet, so the trip qualifies for a refund of $200. Shall I cancel it?",
    "No part of the trip has been flown. Shall I cancel booking ABC123?",
    "I'll check that no flight has been flown before I change it.",
    # what may hold or not
    "Depending on the fare, a refund may not be possible. What is the reason for the cancellation?",
    "The old price may no longer be valid. Which lamp would you like?",
    "This will change the status to 'changed', and it cannot be altered then. Shall I take the black lamp ($30)?",
    "It might not be available in every size. Which size would you like?",
    # what a record holds
    "Your order #W1234567 does not contain a lamp. Which order did you mean?",
    "I looked at the booking, and it doesn't list any bags. Shall I add one for $50?",
    "Neither lists four people. Which booking is it?",
    "Order #W1234567 is pending, no tracking available. What would you like to do?",
    "The system doesn't show a delivery date yet. Shall I change the address to 1 Main Street?",
    # requests for data, and rules before the user is known
    "The zip code by itself isn't enough. What is the street?",
    "I'm sorry, I can't open the booking without the booking number. What is it?",
    "Was it delivered? Returns can only be started for delivered orders. And what is your email address?",
    "If the order has been shipped, it cannot be cancelled. May I have your name and zip code?",
    "I need to verify the status first, as returns are only possible for delivered orders. One moment.",
    # what a proposal does not have, or leaves aside
    "The new fare is non-refundable. I'd book HAT001 on May 3 for $120. Shall I?",
    "Payment: the $250 certificate; any amount left on it is not refundable. Shall I book HAT001 with it?",
    "Just so you know, refunds to a card can't be sped up. Shall I return the lamp for $30?",
    "This will mark the order as changed, after which it can't be cancelled. Shall I take the black lamp for $30?",
    "No refund or additional payment is needed. I'd exchange the lamp for the black one. Shall I?",
    "Here are two flights:\n- HAT001: $120, no economy seats left\n- HAT002: $140, 5 economy seats\nWhich one?",
    "| item | colour | stock |\n|---|---|---|\n| 1234567 | red | out of stock |\n| 7654321 | blue | yes |\nWhich one?",
    "- 1234567: red, $40 - not available\n- 7654321: blue, $42\nWhich one would you like?",
    "Only delivered orders can be returned; yours was delivered on May 3, so we're good. Shall I return the lamp?",
    # a list of notes
    "I'd swap the lamp for the black one ($30).\n\nNotes:\n- Gift cards cannot be used for swaps.\n\nShall I do it?",
    "A few things to keep in mind:\n- Bags cannot be removed.\nI'd add two bags to ABC123 for $100. Is that okay?",
    # what resembles a shortage
    "None match the flight that you described. Which booking is it?",
    "No account matches that name. What is your email?",
    "There is no need to hurry, since the lamp is in stock. Shall I order it?",
    "Your use of data exceeds the limit, so it is slow. Shall I add 1 GB for $5?",
    "The return window has not closed yet. Shall I return the lamp for $30?",
    "I won't cancel anything without your yes. Shall I?",
    "The number of passengers can't be changed in this step. I'd move booking ABC123 to May 3. Shall I?",
    "There are no direct flights. I'd book HAT001 and HAT002 for $120. Shall I?",
    # what the step that was just made leaves impossible
    "I've moved your visit to Monday. Your visit can no longer be cancelled.",
    "I've exchanged the lamp. We won't be able to exchange or return it again.",
    "I've changed order #W1234567. No more changes are possible on this order.",
    # what is once done, if the step is proposed
    "Bags can't be removed once added. I'd add two bags to ABC123 for $100. Shall I?",
    "A basic fare can't be changed once booked. I'd book HAT001 for $120. Shall I?",
    # rows of a list with something that can be had
    "I looked at May 17:\n- KS162, 9 AM - no seats left\n- KS164, 1 PM - 4 seats",
    "| item | stock |\n|---|---|\n| lamp, 1234567, $20 | out of stock |\n| lamp, 7654321, $30 | yes |",
    # what may not hold, and amounts that something else covers
    "A refund might not be allowed. What is the reason?",
    "The gift card isn't sufficient for $40, so you'd need a second card. Shall I charge card 1234 for the rest?",
    "I can't open the booking without your date of birth.",
)
REFUSALS = (
    # the one time is spent
    "I can only exchange an order once, and yours was exchanged already.",
    "An order can only be exchanged once, and this order has been exchanged before. It cost $40.",
    "Order #W1234567 was exchanged already. An exchange can only be done once per order.",
    "Since items can only be changed once per order, I won't be able to change them now. The order cost $40.",
    "However, since it can be moved only once per year, I can't move it. It is on Monday.",
    # the case of the user
    "Your order is pending (so it can't be returned). What else can I do?",
    "That colour is out of stock (we can't get more of it). Which other colour would you like?",
    "The order is not delivered (I can't return it before). It cost $40.",
    "That kettle isn't sold any more (it's out of season), and can't be ordered. Which other one would you like?",
    "Refunds aren't allowed for this one :) It cost $40.",
    "Please note that the order is delivered, so it cannot be cancelled. Its total was $40.",
    "Note that your original booking can't be refunded. The new one costs $200. Shall I book it?",
    "Insurance must be bought at the time of booking and can't be added afterwards. Your booking cost $300.",
    "Bags had to be added before, and cannot be added at the gate. You have two.",
    # what is closed although nothing was done to it
    "I've cancelled order #W1234567. Order #W2345678 can no longer be cancelled.",
    "I've cancelled order #W1234567. The other one can no longer be cancelled because it has shipped.",
    "This order can no longer be changed. Would you like to return it?",
    "No further exchanges are possible for that order. Would you like a return for $20 instead?",
    # no seats, and no record
    "No seats are left in economy. Shall I book business for $500?",
    "None of the flights has seats left.",
    "The fare is basic, which does not include changes.",
    # what the user asked for
    "- The blue lamp: that colour is currently unavailable",
    "Lamp: cannot swap it for a chair. Please choose another lamp.",
    "Compensation: $50; cannot pay $500.",
    "There is no exact match for a red lamp with USB. The closest is black for $30. Shall I take it?",
    "No coupons/discounts available.",
    "Address changes are only allowed on pending orders, so the address stays as it is.",
    "Refunds are only possible for delivered orders, and yours is pending. What is your email?",
    "I can't return it, as returns are only possible for delivered orders. What is your email?",
    "Unfortunately, I cannot proceed without the booking number.",
    "I can't refund the trip without a note from the doctor.",
    "I will change the bags to two, but the seats can't be changed. Which day is it?",
    "The refund will go to the card and can't be paid to a gift card. It is $40.",
    "Your flight can't be changed. Shall I cancel it instead?",
    "Please note that I cannot promise two seats side by side. The flight costs $120.",
    "Notes:\n- I can't use the gift card.\nI'd charge your card $30 for the black lamp. Shall I?",
    "Notes:\n- It was delivered, so it can't be cancelled.\nI'd take the lamp back for $30. Shall I?",
    "Your options:\n- Cancelling is not possible.\n- Returns are.\nShall I return the lamp for $30?",
    # what is not there, is shut, or goes too far
    "There isn't a red L in stock.",
    "We have no red XL half-zip at the moment.",
    "There is no XL size in red with a zip currently in stock. Which other one would you like?",
    "No red XL variant exists.",
    "None match your criteria.",
    "There are zero seats left in economy.",
    "Changes are blocked, since the order was processed.",
    "The 30-day window has closed.",
    "The deadline to cancel passed yesterday.",
    "That time is already taken.",
    "Your request exceeds what I can approve.",
    "Using three certificates exceeds the limit of one.",
    "A booking can use one certificate at most.",
    "This request doesn't fit the rules for compensation.",
    "There's no tool for that on my end.",
    "The policy blocks this change.",
    "The system rejected the change because the order was processed.",
    "I won't cancel the order, as it has been delivered.",
    "Monday at 9 is no longer open.",
    # another wish, beside a report
    "I've cancelled booking AB12CD. The other booking can't be cancelled. It's a basic fare.",
    "I've cancelled reservation GCURC7. Your second reservation can no longer be cancelled.",
    "GCURC7 is cancelled. Reservation F9VP33 (basic economy, cannot be cancelled).",
    "F9VP33 is basic economy (can't be cancelled). I've cancelled GCURC7.",
    "I've updated the address. The payment method cannot be changed. The order isn't pending.",
    "I've added the bags. The insurance can't be added.",
    "I've added two bags. No further bags can be added.",
    "I've cancelled order #W1234567. The mug order (shipped) can't be cancelled.",
    "Order #W1 is cancelled. It can't be returned.",
    "I've exchanged the lamp. The chair can no longer be exchanged.",
    "I've cancelled order #W1234567. No other orders can be cancelled.",
    "I've added the bags. Basic fares can't be changed once they are booked.",
    "Both are basic fares (neither can be cancelled). Which bags would you like?",
    "I've cancelled AB12CD. As for EF34GH, I had a look. It can no longer be cancelled.",
    "I've cancelled order #W1234567. I can't return the mug again.",
    # in parentheses, beside a question or a proposal
    "Flight change of UUHYM6 (not allowed: basic economy). I will add 4 checked bags to it. Shall I go ahead?",
    "Your ticket is basic economy (which can't be changed). Which trip are the bags for?",
    "Since your ticket is a basic one (it can't be changed), shall I add 4 checked bags to UUHYM6?",
    "The red lamp is the one you asked for (out of stock). Shall I take the blue one for $20?",
    # what the offer has nothing in place of
    "There are no direct flights from JFK to SEA on May 17, 2024. Shall I add 4 checked bags?",
    "There are no larger versions available. Shall I cancel order #W1234567?",
    "The number of passengers can't be changed. Shall I add 2 bags for $100?",
    "Any unused ticket can't be refunded. Shall I change the seat for $20?",
    "The new date isn't possible. Shall I cancel the visit for $20?",
    "Once booked, basic fares can't be changed. Shall I add 4 checked bags to UUHYM6?",
    "Notes:\n- Your flight can't be changed.\nShall I add 4 checked bags to UUHYM6?",
    "Keep in mind that I cannot cancel it. Which bags would you like?",
    # before `so`, and beside a request for data
    "Reservation UUHYM6 cannot be changed, so it's fine to keep it as it is.",
    "I can't change the flight in UUHYM6; so it can be kept or cancelled.",
    "I can't refund it, so you're covered only by the warranty.",
    "I can't cancel it for you, so we're fine leaving it.",
    "Only pending orders can be changed; yours was delivered, so it can be kept.",
    "Two certificates aren't enough, and I can't use three, so you would need to pay $50.",
    "The certificate isn't enough for it and can't be combined, so you would have to pay by card.",
    "Under our policy, basic economy tickets may not be refunded.",
    "That reason is not sufficient for a refund.",
    "I can't access that without your date of birth, and I won't cancel it either.",
    "Refunds are not available within basic economy. What is your user ID?",
    "Since basic economy can't be changed, I need to know which bags to add.",
    "Let me look up the other trip. Cancellations are only allowed within 24 hours, and it was booked last week.",
    "Let me check the other one, since basic fares can only be cancelled within 24 hours and yours is older.",
    "Please wait while I look that up. Basic economy flights cannot be changed once booked.",
    "If basic economy, it can't be changed. Yours is basic economy. What is your email?",
    "If the order was delivered, it can't be cancelled, and #W1234567 was delivered on May 3. What is your reason?",
    "Should you want to cancel, that isn't possible. Which bag shall I add?",
    "Your other orders can't be cancelled because they have shipped. Shall I cancel #W1234567 for $20?",
    "It's outside the 24-hour window, but it can be cancelled only with insurance.",
    "No refunds other than the one to the original card are possible.",
    # a list that is the whole answer
    "Results for May 17:\n- KS162, 9 AM - no seats left\n- KS164, 1 PM - no seats left",
    "There are two flights:\n- HAT001 - sold out\n- HAT002 - sold out",
    "| flight | price | seats |\n|---|---|---|\n| HAT001 | $120 | no seats left |\n| HAT002 | $130 | sold out |",
    "- Red lamp: out of stock",
)
PARTED = (
    ("no bags (cannot be added)", "no bags", " (cannot be added)"),
    ("it (a (b) c) stays", "it stays", " (b)  (a c)"),
    ("none are left.)", "", "none are left.)"),
    ("open (note: it is gone", "open ", "note: it is gone"),
)


@pytest.mark.parametrize("said", REMARKS)
def test_a_remark_refuses_nothing(said: str) -> None:
    """What is impossible beside a step that goes ahead, a record, or a question is no refusal."""
    assert Act.REFUSE not in read(said).acts


@pytest.mark.parametrize("said", REFUSALS)
def test_a_refusal_beside_other_things_is_read(said: str) -> None:
    """What bars the user's own wish is a refusal, even in parentheses, in a note, or beside figures."""
    assert Act.REFUSE in read(said).acts


@pytest.mark.parametrize(("view", "outside", "inside"), PARTED)
def test_parentheses_are_taken_apart(view: str, outside: str, inside: str) -> None:
    """Parentheses within others are found, and those that a sentence only opens or closes."""
    found, aside = remarks.parted(view)
    assert (found, aside.rstrip()) == (outside, inside)


@pytest.mark.parametrize(
    "part",
    [
        *("(", ")", "(a ", "( ( ) ", "no item ", "need to check , as only ", "it can't be , ", "no further , / "),
        *("is , so it ", "only one change ", "must be at the can't be ", "can't see the the id ", "may not be "),
        *("no exact ", "the new a ", "- cannot ", "none of the items in ", "system doesn't ", "once booked "),
        *("(which can't be , ", "(a, ", "no further changes ", "you won't a or ", "isn't enough a ", "only a, it is "),
        *("won't cancel the ", "may not be able ", "so the ", "any amount ", "no direct "),
    ],
)
def test_long_repetitions_cost_less_than_the_square_of_their_length(part: str) -> None:
    """A repetition of what begins a pattern takes less than eight times as long when it is four times as long."""

    def read_all(view: str) -> None:
        refuses(view, words_of(view), entry=False)
        warns(view)
        remarks.closes(view, [view], [view])
        remarks.beside(view)
        remarks.lacks(view, [view])
        remarks.of_another_step(view, [view])

    views = (part * (length // len(part)) for length in (1_250, 5_000))
    short, long = (
        min(timeit.repeat(partial(read_all, view), number=3, repeat=5, timer=time.process_time)) for view in views
    )
    assert long < 8 * short
