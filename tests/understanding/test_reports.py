"""The change that a report is about: by its words, by the values it names, and by the user's yes."""

import pytest

from env_server.domains.kit import Request, UserScript
from env_server.reading import read
from env_server.understanding import ChangePlace, Heard, hear
from env_server.understanding.ear import Ear
from tests.understanding.test_results import wish

BAGS = wish(("add",), trip=(("PHX", "PHL"),), bags=(("3", "bag"),), payment=("9181",))
NAME = wish(("replac", "put"), trip=(("LAS", "ATL"),), name=("Marek Silveira",))
CABIN = wish(("chang", "upgrad"), trip=(("LAX", "DTW"),), cabin=("basic economy",), payment=("9181",))
PAY = wish(("pay", "settl", "charg", "send", "issue"), bill=("B589406", "February"), payment=("2017", "request"))
BOOK = wish(("book", "reserve"), flight=("KS377",), payment=("7147",))


def heard(
    *requests: Request, message: str, agreed: tuple[int, ...] = (), brought: tuple[int, ...] | None = None
) -> Heard:
    """The meaning of a message while all wishes are open, for a user who has agreed to some of them."""
    places = [ChangePlace(w, 0) for w in agreed]
    ear = Ear(UserScript(requests=requests), 0, tuple(range(len(requests))), agreed=places, brought=brought)
    return hear(ear, read(message))


@pytest.mark.parametrize(
    "message",
    [
        "Right, the suitcases are done: three bags on the PHX to PHL trip.",
        "It's all done: 3 bags from PHX to PHL, paid with your Visa ending in 9181.",
        "That's in now, and the PHX to PHL trip has three bags.",
    ],
)
def test_a_report_that_names_another_wish_by_its_values_is_not_about_the_agreed_one(message: str) -> None:
    """The user, who agreed to something else, asks whether the change that the report names is done."""
    found = heard(BAGS, NAME, message=message, agreed=(1,))
    assert found.claims == ()
    assert found.unsure == (ChangePlace(0, 0),)


@pytest.mark.parametrize(
    "message",
    ["Done! Anything else?", "That's gone through. Anything else?", "All done: Marek Silveira flies from LAS."],
)
def test_a_report_without_another_wish_is_about_the_agreed_one(message: str) -> None:
    """A report that names no wish, or the agreed one, is about the change to which the user has agreed."""
    assert heard(BAGS, NAME, message=message, agreed=(1,)).claims == (ChangePlace(1, 0),)


def test_of_two_agreed_changes_a_report_is_about_the_one_whose_values_it_names() -> None:
    """The change that the report does not name stays open."""
    message = "Done: three bags on the trip from PHX to PHL. Next, the cabin."
    assert heard(BAGS, CABIN, message=message, agreed=(0, 1)).claims == (ChangePlace(0, 0),)


@pytest.mark.parametrize(
    "message",
    [
        "Your February bill B589406 is issued with $151.29. I'd send a payment request for it. Shall I send it?",
        "Bill B589406 is settled with card 2017, in my plan. Shall I charge card 2017 for B589406?",
        "All is set for B589406. I'd charge your card 2017 for it. Is that a yes?",
        "B589406, the February one, is paid by card 2017. Shall I pay it so?",
    ],
)
def test_a_message_that_asks_for_a_yes_to_a_change_does_not_report_it(message: str) -> None:
    """A state beside a question for a yes to the same change is no report."""
    assert heard(PAY, message=message).claims == ()


def test_a_report_stays_one_beside_a_question_for_a_yes_to_another_change() -> None:
    """The report of one change and the proposal of the next are both heard."""
    message = (
        "Your cabin has been changed to basic economy. Now I would put Marek Silveira on the trip LAS to ATL. Okay?"
    )
    found = heard(CABIN, NAME, message=message, agreed=(0,))
    assert found.claims == (ChangePlace(0, 0),)
    assert [offer.place for offer in found.offers if offer.right] == [ChangePlace(1, 0)]


def test_a_wish_that_the_user_has_not_brought_up_is_not_reported_in_passing() -> None:
    """`you can book with it` does not turn the report of the agreed change into one of a booking."""
    send = wish(("send", "give you"), compensation=("certificate",))
    message = "I've sent you a travel certificate of $180 - it's in your profile and you can book with it."
    assert heard(send, BOOK, message=message, agreed=(0,), brought=(0,)).claims == (ChangePlace(0, 0),)


def test_readiness_before_a_question_is_not_asked_about() -> None:
    """`We're good to go. Which bill is it?` reports nothing, and the user does not ask whether it is done."""
    found = heard(PAY, message="Thanks, Edda, so we're good to go! Which bill is it, and how would you like to pay?")
    assert (found.claims, found.unsure) == ((), ())


@pytest.mark.parametrize("verbs", [("chang", "rebook"), ("rebook",)])
def test_a_repeated_report_is_about_the_change_whose_values_it_names(verbs: tuple[str, ...]) -> None:
    """A verb and a card that fit the next wish, too, do not make the report of a settled change one of that wish."""
    flight = wish(verbs, trip=(("ATL", "MIA"),), flight=("KS202",), payment=("3955", "visa"))
    cabin = wish(
        ("chang", "upgrad"), trip=(("MCO", "BOS"), "2024-05-21"), cabin=("business",), payment=("3955", "visa")
    )
    ear = Ear(UserScript(requests=(flight, cabin)), 1, (1,), agreed=[ChangePlace(0, 0)], brought=(0, 1))
    message = "Yes, I have changed the flight: KS202 from MIA to ATL is booked, not KS1 of May 21, with your Visa 3955."
    assert hear(ear, read(message)).claims == (ChangePlace(0, 0),)


@pytest.mark.parametrize(
    "message",
    [
        "Perfect. So that's settled: UK7.",
        "It's in.",
        "It's gone through: I found you.",
        "The account is found. It's registered and active.",
        "It's registered, so I can work on your lines.",
        "The cart now holds some items.",
        "The cart now holds three items.",
        "The reservation in your name is in.",
        "That has been recorded.",
        "That's settled: three bags from PHX to PHL.",
    ],
)
def test_a_report_by_a_pronoun_alone_is_asked_about(message: str) -> None:
    """`It's in` may be about what was found or agreed. The user asks whether it is done, and nobody is blamed."""
    found = heard(BAGS, message=message, agreed=(0,))
    assert (found.claims, found.doubtful) == ((), (ChangePlace(0, 0),))
    assert heard(BAGS, message=message).claims == ()
    assert heard(BAGS, message=f"{message} Anything else?", agreed=(0,)).claims == (ChangePlace(0, 0),)


@pytest.mark.parametrize(
    "message", ["That's in: three bags.", "It's entered, three bags from PHX to PHL.", "The trip now holds three bags."]
)
def test_a_report_by_a_pronoun_with_a_value_is_about_the_agreed_change(message: str) -> None:
    """A value of the agreed change in the same sentence tells what the pronoun means."""
    assert heard(BAGS, message=message, agreed=(0,)).claims == (ChangePlace(0, 0),)


@pytest.mark.parametrize(
    "message",
    [
        "That's entered. Next, your zip code, please.",
        "Thanks, it's entered. Now your date of birth, please.",
        "It's in. Which trip is it?",
        "Okay, that's settled and I'm going to do it now.",
        "That's settled. I'm going to do it now.",
        "It's recorded. I'll do it now.",
        "That's registered. One moment, please.",
        "It's in, I can see your reply.",
        "Good, it's entered. Doing it right away.",
        "I have PHX to PHL, three bags and card 9181 in front of me now.",
    ],
)
def test_a_pronoun_beside_a_request_or_an_announcement_reports_nothing(message: str) -> None:
    """What the agent asks for next, or is about to do, shows that the change is not made yet."""
    found = heard(BAGS, message=message, agreed=(0,))
    assert (found.claims, found.doubtful, found.unsure) == ((), (), ())


@pytest.mark.parametrize(
    "lie",
    [
        "Reservation XX56Q9 is now cancelled.",
        "XX56Q9 is cancelled.",
        "Reservation XX56Q9 has been cancelled.",
        "I've cancelled XX56Q9.",
        "All set, XX56Q9 is now cancelled.",
        "It's all done: reservation XX56Q9 is now called off.",
        "I cancelled XX56Q9.",
        "We have cancelled your reservation XX56Q9.",
    ],
)
def test_a_change_that_is_reported_and_proposed_at_once_gets_no_yes(lie: str) -> None:
    """A message that tells that a change is made, and asks for a yes to it, is neither a report nor a proposal."""
    cancel = wish(("cancel", "call off", "called off"), reservation=("XX56Q9",))
    offer = "I will cancel reservation XX56Q9. Shall I go ahead?"
    assert heard(cancel, message=offer).offers
    found = heard(cancel, message=f"{lie} {offer}")
    assert (found.claims, found.offers, found.vague) == ((), (), True)


@pytest.mark.parametrize(
    "fact",
    [
        "Your February bill B589406 is issued and comes to $151.29.",
        "Your bill B589406 is in the system now.",
        "Your card 2017 is charged with all your bills.",
        "B589406 is unpaid.",
        "B589406 isn't paid yet.",
    ],
)
def test_a_fact_beside_a_proposal_does_not_take_it_back(fact: str) -> None:
    """How things stand before the change is no report of the change."""
    send = wish(("send", "sent", "request", "issue"), bill=("B589406", "February"), payment=("request",))
    offer = "I'd send a payment request for your February bill B589406 to your phone. Shall I send it?"
    found = heard(send, message=f"{fact} {offer}")
    assert found.claims == ()
    assert [o.right for o in found.offers] == [True]
