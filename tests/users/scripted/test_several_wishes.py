"""The scripted user with several wishes: which of them a message is about, and what comes next."""

import asyncio
from dataclasses import replace

import pytest

from agent_env_schemas import USER_STOP as STOP
from env_server.domains.kit import GoldCall, OwnCheck, Request, Task, UserScript, Value
from env_server.users.scripted.user import SCRIPTED
from tests.users.scripted.test_user import CANCEL, MOVE, PRICE, agrees, brings_up
from tests.users.talks import DONE, NO_TOOLS, Talk, task_of


def test_a_refusal_that_offers_the_alternative_is_accepted_at_once() -> None:
    """A user whose first wish is refused with its reason and their own alternative brings up the alternative."""
    talk = Talk(task_of(CANCEL, MOVE.model_copy(update={"instead": True})))
    answer = talk.agent("I cannot cancel it, because it was delivered. But I can change your address. Which one is it?")
    assert brings_up(answer, MOVE)


def test_a_value_of_a_wish_that_was_not_brought_up_settles_nothing() -> None:
    """A value told before the user asks for it is no answer: the user asks all the same."""
    talk = Talk(task_of(CANCEL, PRICE))
    talk.agent(
        "The lamp of order #W1234567 costs 5. I will cancel order #W1234567, no longer needed. Shall I go ahead?"
    )
    assert brings_up(talk.agent(DONE), PRICE)
    assert talk.agent("The blue lamp costs $12.") == STOP


def test_an_offer_to_transfer_is_answered_after_the_last_wish() -> None:
    """A refusal that also offers a transfer gets an answer to the offer. The user holds the line once, then leaves."""
    wish = CANCEL.model_copy(update={"details": {**CANCEL.details, "transfer": "Yes, put me through."}})
    talk = Talk(task_of(wish))
    talk.agent("I cannot cancel it, because it was delivered.")
    answer = talk.agent("I still cannot cancel it, it was delivered. Shall I transfer you to a human agent?")
    assert "put me through" in answer
    assert talk.agent("I am transferring you now.") != STOP
    assert talk.agent("I am transferring you now.") == STOP


def test_a_question_that_names_another_wish_is_about_that_one() -> None:
    """The user answers with the details of the wish that the question names, of two that were brought up."""
    other = MOVE.model_copy(update={"details": {"order": "For that one it is #W7654321."}})
    script = UserScript(requests=(CANCEL, other), at_once=True)
    talk = Talk(Task(task_id="t", domain="retail", instruction="Do.", user=script))
    assert "#W7654321" in talk.agent("For which order should I change the address?")


def test_a_code_that_the_agent_has_told_names_the_thing_from_then_on() -> None:
    """A user who knows an order only by its item learns its number from a sentence that names both."""
    wish = CANCEL.model_copy(update={"values": {**CANCEL.values, "order": Value(says=("blue lamp",))}})
    proposal = "I will cancel order #W1234567, since you no longer need it. Shall I go ahead?"
    assert not Talk(task_of(wish)).agent(proposal).startswith("Yes")
    talk = Talk(task_of(wish))
    talk.agent("The blue lamp is in order #W1234567. Why would you like to cancel it?")
    assert talk.agent(proposal).startswith("Yes")


def test_a_code_beside_another_name_of_the_thing_is_learned() -> None:
    """`That's CODE, the one with the blue lamp` tells the code, also one that begins with digits."""
    wish = CANCEL.model_copy(update={"values": {**CANCEL.values, "order": Value(says=("blue lamp",))}})
    talk = Talk(task_of(wish))
    talk.agent("Found it, that's 7LMX77, the order with the blue lamp of the 18th of May. Why would you like that?")
    assert agrees(talk.agent("I will cancel order 7LMX77, since you no longer need it. Shall I go ahead?"))


@pytest.mark.parametrize(
    "told",
    [
        "It's 7LMX77 or X123456, the order with the blue lamp.",
        "That's not 7LMX77, the order with the blue lamp.",
        "Is that 7LMX77, the order with the blue lamp?",
        "That's 7LMX77, the order with the green hat.",
        "It's 7LMX77, the parcel of May 16, 2024.",
    ],
)
def test_a_code_beside_a_doubtful_or_another_name_is_not_learned(told: str) -> None:
    """Alternatives, negations, questions and other things teach no code."""
    order = Value(says=("blue lamp", "2024-05-16"))
    talk = Talk(task_of(CANCEL.model_copy(update={"values": {**CANCEL.values, "order": order}})))
    talk.agent(told)
    assert not agrees(talk.agent("I will cancel order 7LMX77, since you no longer need it. Shall I go ahead?"))


@pytest.mark.parametrize(
    "told",
    [
        "I see two orders on your account: order #W7777777 and order #W1234567.",
        "Order #W7777777 is not order #W1234567.",
        "Your order #W7654321 holds the lamp of order #W1234567.",
        "Is the blue lamp in order #W7777777?",
        "The blue lamp is not in order #W7777777.",
    ],
)
@pytest.mark.parametrize("known", ["#W1234567", "blue lamp"])
def test_a_code_is_not_taught_by_chance(told: str, known: str) -> None:
    """Lists, negations and questions teach no code, and a user who knows a code learns no other for the same thing."""
    order = Value(says=(known,), others=("#W7654321",))
    talk = Talk(task_of(CANCEL.model_copy(update={"values": {**CANCEL.values, "order": order}})))
    talk.agent(told)
    for code in ("#W7777777", "#W7654321"):
        assert not talk.agent(f"I will cancel order {code}, since you no longer need it. Shall I go ahead?").startswith(
            "Yes"
        )


def test_a_question_in_a_wishs_own_words_is_about_that_one() -> None:
    """A noun that only one wish has shows which wish a question is about, without the wish's verb."""
    wishes = (
        CANCEL.model_copy(update={"ask": "I want to undo my purchase.", "details": {"number": "It is 11."}}),
        MOVE.model_copy(update={"ask": "I want a subscription moved.", "details": {"number": "It is 22."}}),
    )
    script = UserScript(requests=tuple(wish.model_copy(update={"again": ()}) for wish in wishes), at_once=True)
    talk = Talk(Task(task_id="t", domain="retail", instruction="Do.", user=script))
    answer = talk.agent("What is the number of the subscription?")
    assert "22" in answer
    assert "11" not in answer


def test_a_bare_question_that_names_another_wish_is_no_yes_to_the_last_proposal() -> None:
    """If the last proposal is open and the agent asks about another wish, the user does not say yes to the proposal."""
    script = UserScript(requests=(CANCEL, MOVE), at_once=True)
    talk = Talk(Task(task_id="t", domain="retail", instruction="Do.", user=script))
    assert not agrees(talk.agent("I will cancel order #W1234567. Shall I go ahead?"))
    assert not agrees(talk.agent("First the address: shall I change it?"))


def test_the_yes_to_a_question_goes_to_the_wish_whose_values_stand_beside_it() -> None:
    """After an incomplete proposal, a bare question beside the values of another wish is no yes to the proposal."""
    script = UserScript(requests=(CANCEL, MOVE), at_once=True)
    talk = Talk(Task(task_id="t", domain="retail", instruction="Do.", user=script))
    assert not agrees(talk.agent("I will cancel order #W1234567. Shall I go ahead?"))
    assert not agrees(talk.agent("First things first: 1 Elm Lane, 89501, was the new one, I gather. Is that a yes?"))


def test_a_price_among_others_does_not_settle_a_question_that_the_agent_asks_back() -> None:
    """While the agent asks which thing is meant, a price among others does not settle the user's question."""
    talk = Talk(task_of(PRICE))
    assert talk.agent("The blue lamp costs $12 small and $15 large. Which of the two do you mean?") != STOP
    talk = Talk(task_of(PRICE))
    assert talk.agent("The blue lamp costs $12. Is there anything else?") == STOP


def test_a_question_with_a_figure_of_its_own_is_not_answered_before_the_figure_is_known() -> None:
    """A user who asks for the price of 3 lamps and is told that of one names the 3, once, and then takes the answer."""
    wish = PRICE.model_copy(
        update={"details": {"count": "Reckon with 3 lamps.", "colour": "The blue ones, of course."}}
    )
    talk = Talk(task_of(wish))
    assert "3 lamps" in talk.agent("The blue lamp costs $12.")
    assert talk.agent("For 3 lamps the price is $36.") == STOP
    assert Talk(task_of(wish)).agent("For 3 lamps the price is $36.") == STOP
    talk = Talk(task_of(wish))
    assert "3 lamps" in talk.agent("How many lamps would it be?")
    assert talk.agent("The lamps cost $36.") == STOP


def test_a_customer_does_not_leave_without_an_answer() -> None:
    """After the last wish the user answers one more question of the agent, and then leaves."""
    talk = Talk(task_of(PRICE))
    assert talk.agent("The blue lamp costs $12. Would you like to buy it or the red one?") != STOP
    assert talk.agent("Would you like to buy it or the red one?") == STOP


def test_the_network_is_no_word_that_something_works() -> None:
    """A user looks whether it works when the agent says so, and not at the word `network`."""
    wish = Request(ask="My phone has no signal.", until=OwnCheck(name="look", says="fine"))
    seen = [
        Talk(task_of(wish)).agent(f"I'm sorry about your {word}. May I have your name, please?")
        for word in ("network", "phone")
    ]
    assert seen[0] == seen[1]
    with pytest.raises(AssertionError, match="called look"):
        Talk(task_of(wish)).agent("Does your phone work? May I have your name, please?")


class Hands:
    """Own tools of a user who carries out every message, and counts them."""

    def __init__(self) -> None:
        self.carried: list[str] = []

    def carry_out(self, message: str, _use: object) -> list[str]:
        """Record the message."""
        self.carried.append(message)
        return []

    def instruct(self, call: GoldCall) -> str:
        """Return the words for a call."""
        return f"Please {call.name}."


@pytest.mark.parametrize(
    ("message", "carried"),
    [
        ("L449714: roaming is off now. switch it on, free. yes?", 0),
        ("- **Action:** enable roaming\n- **Line:** L344150\nMay I go ahead and enable it?", 0),
        ("Please turn on data roaming on your phone. Then I would enable roaming. Is that okay?", 1),
        ("Please switch data roaming on.", 1),
    ],
)
def test_a_user_does_not_carry_out_what_the_agent_proposes_to_do(message: str, carried: int) -> None:
    """A proposal with a question for a yes is no instruction for the user's own tools; beside an instruction it is."""
    hands = Hands()
    task = task_of(Request(ask="I want roaming."))
    asyncio.run(SCRIPTED.reply(task, 0, {}, message, replace(NO_TOOLS, hands=hands)))
    assert len(hands.carried) == carried
