"""Refusals in many words, and sentences that only resemble them."""

import timeit
from functools import partial

import pytest

from env_server.reading import Act, read
from env_server.reading.sentences.limits import without_lookalikes

REFUSED = (
    "You won't be able to travel with that ticket.",
    "You won't be getting a refund, because the fare is basic.",
    "I'm sorry, you can't make that change any more.",
    "A cart can only hold one restaurant, so I can't add it.",
    "The limit is 3 GB, so only 1 GB more is possible.",
    "The limit is 3 GB, so 2 GB more are not possible.",
    "I'm afraid the limit is 3 GB, and that is reached.",
    "I'm sorry, your order won't be refunded, because it was delivered.",
    "Your order won't be refunded.",
    "I'm afraid not.",
    "I'm afraid that won't work.",
    "I'm sorry, but since your consent ran out on September 1st, I can't cancel that appointment for you.",
    "Because the trip has begun, cancelling it is out of my hands.",
    "That's out of our hands, since the kitchen has begun.",
    "I get the thought, but the $350 is a travel certificate, and a certificate can't pay for bags.",
    "A gift card can't cover a fee.",
    "Basic fares can't take a change of flights.",
    "The system cannot combine two codes.",
    "A second doctor's office can't move that visit.",
    "My hands are tied on the refill, since he's a minor.",
    "I'm afraid my hands are tied: the order has left.",
    "Cancelling it is out of my hands.",
    "I wish there were, Nadia, but no: with #W7801669 already processed, nothing about it can be changed any more.",
    "Nothing on this booking can be moved any longer.",
    "Nothing can be changed now.",
    "Only our human colleagues can change what's left of it.",
    "That is something only our people can settle.",
    "Renewing it is something only a doctor can decide, so I have to decline.",
    "I'd love to help, but order #W1 has left the warehouse, which takes it out of our reach.",
    "There's nothing more to be done about the fare, since it's basic economy.",
    "Sadly this one is a no: the fare rules don't leave room for a change.",
    "I'm not in a position to hand out vouchers for that.",
    "We don't do exchanges across categories.",
    "It isn't up to me, and the rules say no.",
    "I have to turn that down, as the visit was less than a day ago.",
    "The prescription can't go out, since it expired in November.",
    "Refills for controlled medication aren't given over this line.",
    "I won't be able to refund that.",
    "That's more than I'm allowed to give.",
    "As it has been delivered, an address change is no longer on the table.",
    "The doctor isn't in your network, so I can't book it.",
    "Delivered orders are past the stage where they can be cancelled.",
    "A return can go only to the original card or to a gift card.",
    "The money can be refunded only to the card you paid with.",
    "Nothing about your order can be edited.",
    "We have to turn your request down.",
    "The rules don't leave room for an exception to that.",
    "The default address won't be replaced.",
    "Your address won't be altered.",
    "I'm afraid there are two obstacles to the new address.",
    "I'm afraid there are several reasons against it.",
    "I'm afraid I need to ask you to accept that the plan stays as it is.",
    "I'm afraid I have to ask you to live with the old date.",
    "I'm afraid there is another rule about bags.",
    "I'm afraid there's a second name on the order.",
    "I'm afraid I must ask you to understand that the fare stays.",
    "The default card won't be updated.",
)
NOT_REFUSED = (
    "The rules say no dogs.",
    "The rules say no fee applies.",
    "Another person can't change the weather.",
    "You can pay only with money.",
    "I can type only with ten fingers.",
    "Only people can drink tea.",
    "That doesn't leave room for doubt.",
    "That is more than I'm allowed to say about the weather.",
    "Nothing on this page can be edited.",
    "There is nothing to be done about the rain.",
    "Only staff can enter the kitchen.",
    "Another customer can't leave a review.",
    "We have to turn the volume down.",
    "Your other flight won't be touched.",
    "The ban on smoking is not on the table today.",
    "Another shop must turn people down.",
    "I'm afraid there are two orders under your name.",
    "I'm afraid I have to ask you for your zip code.",
    "Your old address won't be altered by this.",
    "The default address won't be replaced. Shall I add the new one?",
    "No worries, it can be cancelled.",
    "There's no charge for that. Shall I cancel it?",
    "You can't go wrong with the blue one. Shall I order it?",
    "Why couldn't you use the app?",
    "I can't wait to hear which one you pick!",
    "I can't tell from here which order you mean. Which is it?",
    "Nothing easier than that: which order is it?",
    "I'm afraid there are two orders. Which one is it?",
    "If it can't be delivered today, should I cancel it?",
    "Without your date of birth I can't look it up. What is it?",
    "I cannot see your account yet; what is your email?",
    "Nobody but you can decide that. Which one would you like?",
    "Would you still want it if it can't arrive by Friday?",
    "The new plan has no yearly contract. Shall I switch you?",
    "Your old certificate doesn't expire before June, so it can pay for this. Shall I use it?",
    "You said that the courier can't find your door. What should the note say?",
    "Not a problem at all. Which bag is it?",
    "I hope you won't mind a short question: which line is it?",
    "That won't take long. Which address is it?",
    "The fee is only $5. Shall I go ahead?",
    "It's no longer pending but delivered, so a return is possible. Shall I start it?",
    "Got it, 22RNM2. And what's the reason you won't be travelling, if you don't mind my asking?",
    "Good day. Sorry to hear you won't be making it. May I have the patient's full name?",
    "I'm sorry you can't make it on Friday. Which visit is it?",
    "So you won't be needing the visit any more. May I ask why?",
    "It's a pity you couldn't come to the visit.",
    "Sorry to hear that you won't be there. Which booking is it?",
    "Why won't you be flying, if I may ask?",
    "A cart can only hold one restaurant, so that would be emptied. Is that okay?",
    "An order can carry only one code, so the old one would be replaced. Shall I do that?",
    "A visit can only have one doctor, so Dr. Adams would be taken off it. May I?",
    "You can have only one address as a default, so the old one would no longer be it. Is that all right?",
    "2 GB were already added and the limit is 3 GB, so up to 1 GB more is possible. How many shall it be?",
    "The maximum is five bags, so you can still add two. How many shall it be?",
    "The limit is $50, which leaves room for $20 more. How much shall it be?",
    "Your default won't be touched, I promise. May I add the address then?",
    "The other flights will not be changed. Shall I go ahead?",
    "Your plan won't be altered by that. I'd add 2 GB to line L1. Do you agree?",
    "Nothing else will be changed. I'd cancel order #W1. Okay?",
    "About rating our chat, I'm afraid I don't know. I could move the line to the plan. Would you like me to?",
    "I'm afraid I can't say how the weather will be. Which booking is it?",
    "I'm afraid I didn't catch your name. What is it?",
    "I'm afraid I have no idea about that. Which order is it?",
    "I'm afraid I still need your date of birth.",
    "Only you can see the code.",
    "A colleague can call you back.",
    "Nothing about your other order will change.",
    "Your phone can't connect to the network? Please restart it.",
    "If the app can't find the bill, tell me.",
    "Which dishes can't you eat?",
    "Is it that the courier can't find the door?",
    "I see that your friend can't travel. Which booking is it?",
    "I understand the passenger can't fly on that day. Shall I look for another?",
)


@pytest.mark.parametrize("said", REFUSED)
def test_a_refusal_is_read(said: str) -> None:
    """What cannot be done is a refusal, whoever or whatever cannot do it, and wherever the reason stands."""
    assert Act.REFUSE in read(said).acts


@pytest.mark.parametrize("said", NOT_REFUSED)
def test_no_refusal_is_imagined(said: str) -> None:
    """The customer's plans, other regrets, limits with room, and rules beside their proposal refuse nothing."""
    assert Act.REFUSE not in read(said).acts


def test_the_work_for_a_limit_grows_no_faster_than_its_text() -> None:
    """What could begin or end a limit at every word is read in a time that grows by less than the square."""
    texts = ["I cannot, " + "the most so " * count for count in (150, 600)]
    assert all(Act.REFUSE in read(text).acts for text in texts)
    short, long = (min(timeit.repeat(partial(without_lookalikes, text), number=5, repeat=7)) for text in texts)
    assert long < 16 * short
