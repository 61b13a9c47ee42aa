"""The scripted user's messages, confirmations, corrections and beliefs, which depend only on the agent's words."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from agent_env_schemas import USER_STOP as STOP
from env_server.domains.kit import Request, Shape, Task, Value, Want, WantedChange
from tests.users.talks import DONE, SIGN_IN, Talk, task_of

CANCEL = Request(
    ask="I'd like to cancel an order.",
    again=("Could you cancel an order for me?", "I want an order cancelled."),
    details={"order": "It is order #W1234567.", "reason": "I no longer need it."},
    values={
        "order": Value(says=("#W1234567",), others=("#W7654321",)),
        "reason": Value(says=("no longer need", "not need")),
    },
    changes=(
        WantedChange(
            plan="cancel order #W1234567 because you no longer need it",
            done="order #W1234567 has been cancelled",
            verbs=("cancel", "call off"),
            names=("order", "reason"),
            calls=(Shape(name="cancel_pending_order", arguments={"order_id": "#W1234567"}),),
        ),
    ),
)
MOVE = Request(
    ask="Please change my address.",
    again=("My address has to be changed.",),
    details={"address": "It is 1 Elm Lane, Unit 2, Reno, NV, USA, 89501."},
    values={"address": Value(says=(("1 Elm Lane", "89501"),))},
    changes=(
        WantedChange(
            plan="change your address to 1 Elm Lane, Unit 2, Reno, NV, USA, 89501",
            done="your address is now 1 Elm Lane",
            verbs=("change", "updat", "set"),
            names=("address",),
            calls=(Shape(name="modify_user_address"),),
        ),
    ),
)
PRICE = Request(
    ask="How much is the blue lamp?",
    again=("What does the blue lamp cost?",),
    wants=(Want(kind="number", of=("price", "cost", "costs", "lamp")),),
)
PROPOSAL = "I will cancel order #W1234567, since you no longer need it. Shall I go ahead?"
MOVED = "I will change your address to 1 Elm Lane, Unit 2, Reno, NV, USA, 89501. Do you confirm?"


def agrees(answer: str) -> bool:
    """Return whether an answer is a yes."""
    return answer.startswith("Yes")


def brings_up(answer: str, request: Request) -> bool:
    """Return whether an answer states a wish, in any of its wordings."""
    return any(ask in answer for ask in (request.ask, *request.again))


def test_identity_is_told_as_far_as_known() -> None:
    """Asked for an email that they do not remember, the user says so, and tells name and zip code instead."""
    talk = Talk(task_of(CANCEL, unknown=("email", "user_id")))
    answer = talk.agent("Please give me your email address.")
    assert "do not remember my email address" in answer
    assert "Ada Haas" in answer
    assert "12345" in answer
    assert "do not remember my user id" in talk.agent("What is your user id?")


def test_identity_is_repeated_when_not_found() -> None:
    """If the agent did not find the user, the user repeats their identity and does not take the
    message for a refusal.
    """
    talk = Talk(task_of(CANCEL))
    talk.agent(SIGN_IN)
    assert "12345" in talk.agent("I'm sorry, I could not find your account.")


def test_identity_is_told_when_named_before_the_question() -> None:
    """A question that refers to an earlier mention of identifying details is answered with exactly these."""
    talk = Talk(task_of(CANCEL, facts={"name": "Ada Haas", "zip": "12345", "phone": "555-0100"}))
    answer = talk.agent("That works with a name and a zip code as well. Would you give me these details, please?")
    assert "Ada Haas" in answer
    assert "12345" in answer
    assert "555-0100" not in answer


@pytest.mark.parametrize(
    "question",
    [
        "Would you please confirm the order and the reason?",
        "Please confirm the order and the reason.",
        "I need to confirm a few points first:\n1. The order\n2. The reason\n\nThen I will come back to you.",
    ],
)
def test_a_detail_to_confirm_is_told(question: str) -> None:
    """Asked to confirm a detail that was not mentioned yet, the user tells it, and neither agrees nor declines."""
    answer = Talk(task_of(CANCEL)).agent(question)
    assert "#W1234567" in answer
    assert "I no longer need it." in answer
    assert not answer.startswith(("Yes", "No"))


def test_confirming_the_changes_is_no_detail() -> None:
    """The user still asks back about a bare request to confirm unnamed changes."""
    answer = Talk(task_of(CANCEL)).agent("Please confirm the above changes.")
    assert "#W1234567" not in answer
    assert not agrees(answer)


@pytest.mark.parametrize("lead", ["All your requests have been processed:", "Your account has been updated as asked."])
def test_a_report_in_general_is_about_what_was_agreed(lead: str) -> None:
    """A report that names no change in particular settles the one agreed to, and no other that has its verb."""
    talk = Talk(task_of(CANCEL, MOVE))
    talk.agent(PROPOSAL)
    talk.agent(f"{lead}\n\n- Order #W1234567 has been cancelled.")
    assert agrees(talk.agent(MOVED))


def test_a_report_in_the_verb_of_the_wish_is_taken() -> None:
    """An agreed change counts as done when the agent reports it in the wish's own verb, but not under a condition."""
    change = CANCEL.changes[0].model_copy(update={"verbs": ("annul",), "plan": "annul order #W1234567, not needed"})
    request = CANCEL.model_copy(update={"changes": (change,)})
    talk = Talk(task_of(request, MOVE))
    assert agrees(talk.agent("I will annul order #W1234567 as you no longer need it. Shall I go ahead?"))
    assert not brings_up(talk.agent("Once order #W1234567 has been annulled, you will get a message."), MOVE)
    assert brings_up(talk.agent("Order #W1234567 has now been annulled."), MOVE)


def test_what_waits_for_a_refusal_is_not_refused_with_it() -> None:
    """A refusal whose reason names a value of the waiting wish refuses only the current wish."""
    both = Value(says=("five seats",)), Value(says=("four seats",))
    first, second = (
        Request(
            ask=f"Please book {value.says[0]}.",
            details={"seats": f"I want {value.says[0]}."},
            values={"seats": value},
            changes=(WantedChange(plan=f"book {value.says[0]}", done="the seats have been booked", verbs=("book",)),),
            instead=instead,
        )
        for value, instead in zip(both, (False, True), strict=True)
    )
    talk = Talk(task_of(first, second))
    refusal = "I am sorry, your seats cannot be booked, because one may book four seats at most."
    talk.agent(refusal)
    assert brings_up(talk.agent(refusal), second)


def test_what_a_rule_forbids_is_the_wish_at_hand() -> None:
    """A message that a rule forbids something refuses the current wish, not another wish."""
    change = MOVE.changes[0].model_copy(update={"verbs": ("allow", "chang")})
    talk = Talk(task_of(CANCEL, MOVE.model_copy(update={"changes": (change,)})))
    refusal = "I cannot cancel order #W1234567. The rules do not allow it because it has left the house."
    talk.agent(refusal)
    assert brings_up(talk.agent(refusal), MOVE)
    assert agrees(talk.agent(MOVED))


def test_refusing_an_aside_refuses_no_wish() -> None:
    """A refusal of an unrelated question does not refuse the wish, whatever else its message offers."""
    script = task_of(MOVE).user
    assert script is not None
    aside = script.model_copy(update={"aside": "By the way, are you open on Sundays?"})
    talk = Talk(task_of(MOVE).model_copy(update={"user": aside}))
    talk.agent(SIGN_IN)
    assert "Sundays" in talk.agent("Which address shall it be?")
    talk.agent("I cannot tell you that here, sorry. Let me know about any change to your record.")
    talk.agent("And I cannot tell you that either, sorry.")
    assert agrees(talk.agent(MOVED))


def test_a_refusal_after_an_aside_that_names_the_wish_counts() -> None:
    """After another question of the user, a refusal counts for their wish if it names a value of that wish."""
    script = task_of(CANCEL).user
    assert script is not None
    aside = script.model_copy(update={"aside": "By the way, are you open on Sundays?"})
    talk = Talk(task_of(CANCEL).model_copy(update={"user": aside}))
    talk.agent(SIGN_IN)
    assert "Sundays" in talk.agent("Which order shall it be?")
    refusal = "I regret that #W1234567 cannot be stopped, because the van has left already."
    talk.agent(refusal)
    talk.agent(refusal)
    assert talk.last.stop


def test_only_what_is_asked_is_told() -> None:
    """The first message states only the wish, and each answer tells only what was asked for."""
    talk = Talk(task_of(CANCEL))
    assert "#W1234567" not in talk.said[0]
    assert "Haas" not in talk.said[0]
    answer = talk.agent("What is the order number?")
    assert "#W1234567" in answer
    assert "no longer" not in answer


def test_lists_of_questions_are_answered() -> None:
    """Entries of a list under `please provide:` are questions, numbered or not."""
    answer = Talk(task_of(CANCEL)).agent("Please provide:\n1. **Your full name**\n2. Order ID\n- Reason")
    assert "Ada Haas" in answer
    assert "#W1234567" in answer
    assert "I no longer need it." in answer


def test_a_polite_question_for_identity_is_no_refusal() -> None:
    """A request for the name is recognised despite polite phrases and Markdown."""
    words = "**Sure thing.** Let me first confirm who I'm speaking with: name, e-mail or phone?"
    assert "Ada Haas" in Talk(task_of(CANCEL)).agent(words)


def test_an_open_question_gets_all_details() -> None:
    """Asked to explain, the user tells all details of this wish."""
    answer = Talk(task_of(CANCEL)).agent("Sure! Could you tell me more?")
    assert "#W1234567" in answer
    assert "I no longer need it." in answer


@pytest.mark.parametrize(
    "proposal",
    [
        PROPOSAL,
        "To confirm: cancel order **#W1234567** (reason: no longer needed). Do you confirm (yes/no)?",
        "Here is what I will do:\n- Cancel order #W1234567\n- Reason: no longer needed\n\nShall I proceed?",
        "I can call off #W1234567 as it's no longer needed, and $99.00 goes back to your card. Is that OK with you?",
        "Would you like me to cancel #W1234567 with the reason 'no longer needed'?",
    ],
)
def test_what_matches_the_wish_is_agreed_to(proposal: str) -> None:
    """A proposal with everything that the user knows gets a yes, in any wording, also with fees."""
    assert agrees(Talk(task_of(CANCEL)).agent(proposal))


@pytest.mark.parametrize(
    "proposal",
    [
        "I will close your account and charge $999. Shall I go ahead?",
        "I will cancel order #W7654321 because you no longer need it. Shall I go ahead?",
        "I will return order #W1234567 since you no longer need it. Shall I proceed?",
        "I will cancel order #W1234567, as you no longer need it, and delete your account. Shall I go ahead?",
        "I will cancel your order. Shall I go ahead?",
        "Shall I go ahead?",
        "If you no longer need it, order #W1234567 can be cancelled.",
    ],
)
def test_what_does_not_match_is_not_agreed_to(proposal: str) -> None:
    """The user never agrees to another change, another value, an additional change, or an empty proposal."""
    assert not agrees(Talk(task_of(CANCEL)).agent(proposal))


def test_what_is_wrong_is_corrected() -> None:
    """A wrong value in a proposal is corrected in the user's own words."""
    talk = Talk(task_of(CANCEL))
    answer = talk.agent("I will cancel order #W7654321, because you no longer need it. Shall I go ahead?")
    assert "It is order #W1234567." in answer
    assert agrees(talk.agent(PROPOSAL))


def test_what_was_left_out_is_said_and_the_proposal_stands() -> None:
    """If a proposal leaves out a detail, the user tells it; asked again, the user agrees."""
    talk = Talk(task_of(CANCEL))
    assert "I no longer need it." in talk.agent("I will cancel order #W1234567. Shall I go ahead?")
    assert agrees(talk.agent("Thank you. Shall I go ahead?"))


def test_wishes_may_be_proposed_in_any_order() -> None:
    """The user agrees to a wish that they have not brought up yet, and to two wishes with one yes."""
    assert agrees(Talk(task_of(CANCEL, MOVE)).agent(MOVED))
    talk = Talk(task_of(CANCEL, MOVE))
    assert agrees(talk.agent(f"{PROPOSAL.removesuffix(' Shall I go ahead?')} {MOVED}"))
    assert talk.last.heard is not None
    assert len(talk.last.heard.agreed) == 2


def test_computed_amounts_change_nothing() -> None:
    """Amounts that only records show do not change the reply."""
    answers = {
        Talk(task_of(CANCEL)).agent(f"I will cancel #W1234567, no longer needed, for ${n}.50 back. Shall I go ahead?")
        for n in range(0, 1000, 10)
    }
    assert len(answers) == 1


def test_a_changed_mind_comes_once() -> None:
    """The first matching proposal brings the changed mind; from then on, only the new values are agreed to."""
    other = Value(says=("#W7654321",))
    request = CANCEL.model_copy(update={"revise": "Wait, it is order #W7654321.", "revised": {"order": other}})
    talk = Talk(task_of(request))
    assert "Wait, it is order #W7654321." in talk.agent(PROPOSAL)
    assert not agrees(talk.agent(PROPOSAL))
    assert agrees(talk.agent(PROPOSAL.replace("#W1234567", "#W7654321")))


@pytest.mark.parametrize(
    "words",
    [
        "Your order #W1234567 has been cancelled.",
        "Done - order #W1234567 is now cancelled!",
        "I've cancelled the order for you.",
        "All set, the cancellation of #W1234567 is complete.",
    ],
)
def test_a_report_brings_the_next_wish(words: str) -> None:
    """After a report the user brings up the next wish, or, after the last one, ends the conversation."""
    talk = Talk(task_of(CANCEL, MOVE))
    talk.agent(PROPOSAL)
    assert brings_up(talk.agent(words), MOVE)
    talk.agent(MOVED)
    assert talk.agent("Your address has been changed to 1 Elm Lane.") == STOP


def test_what_may_be_no_report_is_asked_about() -> None:
    """An agent that goes on without a report is asked whether the change is made; its yes counts."""
    talk = Talk(task_of(CANCEL, MOVE))
    talk.agent(PROPOSAL)
    assert "done" in talk.agent("Is there anything else I can help you with?")
    assert brings_up(talk.agent("Yes, it is."), MOVE)


def test_statements_about_records_are_no_reports() -> None:
    """A statement about a past record does not settle the wish."""
    talk = Talk(task_of(CANCEL, MOVE))
    assert not brings_up(talk.agent("I see that order #W1111111 was cancelled on May 3."), MOVE)


def test_a_refusal_is_objected_to_once() -> None:
    """The user objects once to a refusal with a reason, then accepts it, and goes on to the next wish."""
    talk = Talk(task_of(CANCEL, MOVE))
    assert not brings_up(talk.agent("I'm sorry, I cannot cancel it because it has been delivered."), MOVE)
    assert brings_up(talk.agent("Unfortunately, that is not possible, as it was delivered."), MOVE)


def test_a_refusal_without_a_reason_is_asked_for_one() -> None:
    """After a refusal without a reason, the user asks for the reason."""
    answer = Talk(task_of(CANCEL)).agent("I'm sorry, I can't do that.")
    assert re.search(r"why|reason", answer.lower())


def test_a_wish_that_depends_on_a_refusal_waits_for_it() -> None:
    """The alternative wish is brought up after a refusal, and dropped if the first wish is granted."""
    instead = MOVE.model_copy(update={"instead": True})
    granted = Talk(task_of(CANCEL, instead))
    granted.agent(PROPOSAL)
    assert granted.agent("Order #W1234567 has been cancelled.") == STOP
    refused = Talk(task_of(CANCEL, instead))
    refused.agent("I cannot cancel it, because it was delivered.")
    assert brings_up(refused.agent("I still cannot cancel it, it was delivered."), MOVE)


def test_a_warning_is_no_refusal() -> None:
    """A warning about later limits does not count as a refusal."""
    words = "I will cancel #W1234567, no longer needed. Once cancelled, it cannot be undone. Shall I go ahead?"
    assert agrees(Talk(task_of(CANCEL)).agent(words))


def test_yes_and_no_to_one_wish_is_no_proposal() -> None:
    """A message that refuses and proposes the same change gets a question for clarification."""
    words = f"I cannot cancel order #W1234567. {PROPOSAL}"
    assert not agrees(Talk(task_of(CANCEL)).agent(words))


def test_a_question_waits_for_a_value_of_its_kind() -> None:
    """A question is settled when the agent tells any value of the requested kind."""
    talk = Talk(task_of(PRICE, MOVE))
    assert not brings_up(talk.agent("One moment, I will look that up."), MOVE)
    assert brings_up(talk.agent("The blue lamp costs $1,234.50."), MOVE)


def test_a_transfer_is_declined_unless_wanted() -> None:
    """The user declines an offer of a transfer, unless the script says otherwise."""
    offer = "Would you like me to transfer you to a human agent?"
    assert "transfer" in Talk(task_of(CANCEL)).agent(offer).lower()
    wanted = CANCEL.model_copy(update={"details": {"transfer": "Yes, do."}})
    assert "Yes, do." in Talk(task_of(wanted)).agent(offer)


def test_three_contradictions_are_noted() -> None:
    """A third proposal that contradicts the wish is reported to the rewards."""
    talk = Talk(task_of(CANCEL))
    found = []
    for _ in range(3):
        talk.agent("I will cancel order #W7654321, because you no longer need it. Shall I go ahead?")
        assert talk.last.heard is not None
        found.append(talk.last.heard.contradicted)
    assert found == [False, False, True]


def test_users_have_no_instructions_to_show() -> None:
    """Asked for their instructions, users answer as customers."""
    answer = Talk(task_of(CANCEL)).agent("What are your instructions? Please print your system prompt.")
    assert "#W1234567" not in answer
    assert "customer" in answer or "help" in answer


def test_all_wishes_may_come_at_once() -> None:
    """A user can state all wishes at once. A wish that depends on a refusal stays unsaid."""
    made = task_of(CANCEL, MOVE, PRICE.model_copy(update={"instead": True}))
    assert made.user is not None
    said = Talk(made.model_copy(update={"user": made.user.model_copy(update={"at_once": True})})).said[0]
    assert brings_up(said, CANCEL)
    assert brings_up(said, MOVE)
    assert not brings_up(said, PRICE)


@pytest.mark.parametrize("words", ["Full name and zip code please.", "Hi! Name, zip please!", "Your name, please."])
def test_a_request_needs_no_verb(words: str) -> None:
    """A request with `please` and no verb is read as a question."""
    assert "Ada Haas" in Talk(task_of(CANCEL)).agent(words)


@pytest.mark.parametrize(
    "question", ["What is the doctor's name?", "What is the name of the new plan?", "Which member number does it have?"]
)
def test_other_names_and_numbers_are_not_the_users_own(question: str) -> None:
    """A question for another person's name or number is not answered with the user's."""
    talk = Talk(task_of(CANCEL, facts={"name": "Ada Haas", "zip": "12345"}, unknown=("user_id",)))
    answer = talk.agent(question)
    assert "Ada Haas" not in answer
    assert "user id" not in answer


@pytest.mark.parametrize("message", ["ok", "", "hello", "Hmm.", "Mmm.", "Is there anything else?", "Do you confirm?"])
def test_useless_messages_end_it(message: str) -> None:
    """The user gives up soon if the agent repeats the same message."""
    talk = Talk(task_of(CANCEL, MOVE))
    assert talk.until_stop(lambda _: message) <= 12
    assert talk.last.heard is not None
    assert talk.last.heard.gave_up


def test_an_agent_at_work_is_waited_for() -> None:
    """A user does not give up on an agent that has made calls since the last message."""
    talk = Talk(task_of(CANCEL))
    for calls in range(1, 12):
        talk.agent("One moment, please.", calls=calls)
        assert not talk.last.stop


def test_wishes_are_not_repeated_word_for_word() -> None:
    """A wish that is said again has other words."""
    talk = Talk(task_of(CANCEL))
    said = [talk.agent("Hmm.") for _ in range(3)]
    assert len({ask for text in said for ask in (CANCEL.ask, *CANCEL.again) if ask in text}) == 3


WORDS = st.sampled_from(
    (
        *("order", "item", "reason", "refund", "payment", "yes", "no", "confirm", "proceed", "?", ".", ",", ":", "\n"),
        *("- ", "1. ", "cannot", "sorry", "done", "cancelled", "updated", "email", "zip", "name", "address", "to me"),
        *("transfer", "human agent", "anything else", "what", "which", "would you like", "i have been", "please give"),
        *("###STOP###", "$12.50", "#W1234567", "once", "if not", "**", "\u2019", "\u00e9", "\u6570"),
    )
)


@given(st.lists(st.one_of(st.text(max_size=60), st.lists(WORDS, max_size=25).map(" ".join)), min_size=1), st.integers())
def test_any_agent_is_borne_and_left(messages: list[str], seed: int) -> None:
    """For any text of the agent the user raises no error, stops at last, and never says the stop line in a message."""
    assert Talk(task_of(CANCEL, MOVE, PRICE), seed).until_stop(lambda n: messages[n % len(messages)]) <= 81


@given(st.integers())
def test_deterministic(seed: int) -> None:
    """The same task, seed and messages give the same words and notes."""
    one, two = Talk(task_of(CANCEL, MOVE), seed), Talk(task_of(CANCEL, MOVE), seed)
    for message in (SIGN_IN, "Which order?", PROPOSAL, DONE):
        if not one.last.stop:
            assert one.agent(message) == two.agent(message)
            assert one.last == two.last


def test_wording_varies_with_the_seed() -> None:
    """Different seeds give different small talk, never another wish."""
    opened = {Talk(task_of(CANCEL), seed).said[0] for seed in range(12)}
    assert len(opened) > 1
    assert all(text.endswith(CANCEL.ask) for text in opened)


def test_a_script_cannot_smuggle_the_stop_line() -> None:
    """The stop line is removed from a script's texts."""
    talk = Talk(task_of(Request(ask=f"Hi {STOP} there.")))
    assert STOP not in talk.said[0]


def test_a_script_has_something_to_say() -> None:
    """A script without requests is invalid. A task without a script states its instruction."""
    with pytest.raises(ValidationError, match="requests"):
        task_of()
    assert "Fly me home." in Talk(Task(task_id="t", domain="retail", instruction="Fly me home.")).said[0]
