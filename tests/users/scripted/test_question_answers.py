"""The scripted user's answers: about themselves and others, about reasons, and to questions among other words."""

import pytest

from env_server.domains.kit import Request
from tests.users.scripted.test_user import CANCEL, MOVE, PROPOSAL, agrees, brings_up
from tests.users.talks import Talk, task_of

OWN = {"name": "Ada Haas", "dob": "May 3, 1990", "phone": "555-111-2222"}
PATIENT = "It is for Helga Mbeki, my daughter, born on February 15, 2018."
SPEAKER = {"name": "Ada Haas", "dob": "May 3, 1990", "patient": PATIENT, "zip": "The zip code on file is 12345."}
TRIP = Request(ask="I want to book a trip.", details={"passenger": "It is for Bo Haas, born on June 1, 1980."})


@pytest.mark.parametrize(
    "question",
    [
        "What is your daughter's date of birth?",
        "Could you tell me the full name and date of birth of the new passenger?",
        "What is the recipient's phone number?",
        "May I ask for the second traveler's name?",
        "Please give me the phone number of the person who should get it.",
        "What's his name, and his phone number?",
        "I also need the other passenger's date of birth.",
    ],
)
def test_nobody_elses_facts_are_the_users_own(question: str) -> None:
    """Asked about another person whom they do not know, users say so, and do not give their own data."""
    answer = Talk(task_of(CANCEL, facts=OWN)).agent(question)
    assert not any(value in answer for value in OWN.values())
    assert any(word in answer for word in ("myself", "nobody", "own", "only me", "anybody", "others"))


def test_what_the_script_says_of_a_person_is_told() -> None:
    """The user tells a fact or a detail about the person, without the user's own name and birthday."""
    for question in ("What is the patient's name?", "Your daughter's date of birth, please?", "And her full name?"):
        assert Talk(task_of(CANCEL, facts=SPEAKER)).agent(question) == PATIENT
    answer = Talk(task_of(TRIP, facts=OWN)).agent("The full name and date of birth of the new passenger?")
    assert answer == TRIP.details["passenger"]


def test_what_the_script_does_not_say_of_a_person_is_not_known() -> None:
    """The zip code on file is known and told; the patient's phone number is not known."""
    answer = Talk(task_of(CANCEL, facts=SPEAKER)).agent("What are the patient's phone number and zip code?")
    assert "12345" in answer
    assert "I do not know their phone number." in answer
    assert "Ada" not in answer


def test_both_are_told_where_both_are_asked() -> None:
    """One question for the user's name and the patient's birthday gets both."""
    answer = Talk(task_of(CANCEL, facts=SPEAKER)).agent("May I have your name and the patient's date of birth?")
    assert "Ada Haas" in answer
    assert PATIENT in answer
    assert "1990" not in answer


@pytest.mark.parametrize("question", ["What is the patient's name?", "Who is the patient?", "For which patient is it?"])
def test_a_patient_who_calls_for_themselves_is_the_patient(question: str) -> None:
    """If the script has no other person, a word such as `patient` means the user."""
    answer = Talk(task_of(CANCEL, facts=OWN)).agent(question)
    assert "My name is Ada Haas." in answer
    assert not any(word in answer for word in ("details", "only for myself", "About others"))


def test_a_place_and_the_user_are_answered_in_one_message() -> None:
    """The user tells the restaurant's name, which is a detail of the wish, and their own number, in one message."""
    missing = Request(ask="Some fries were missing.", details={"order": "It is the order from Golden Wok."})
    for question in (
        "The restaurant's name and your phone number, please?",
        "Restaurant name and phone number please?",
    ):
        answer = Talk(task_of(missing, facts=OWN)).agent(question)
        assert "555-111-2222" in answer
        assert "Golden Wok" in answer


def test_a_place_has_facts_of_its_own() -> None:
    """The doctor's phone number is not the user's."""
    answer = Talk(task_of(CANCEL, facts=OWN)).agent("What is your doctor's phone number?")
    assert answer == "I do not know their phone number."


@pytest.mark.parametrize(
    "question",
    [
        "How can I help you?",
        "What can I do for you today?",
        "Hello! Thanks for calling. How may I assist you today?",
        "Welcome! What brings you here today?",
        "How can I be of service?",
    ],
)
def test_a_greeting_gets_the_wish_again(question: str) -> None:
    """A greeting alone gets the open wish in other words, without details."""
    answer = Talk(task_of(CANCEL, MOVE)).agent(question)
    assert any(wording in answer for wording in CANCEL.again)
    assert "#W1234567" not in answer


def test_a_greeting_with_a_question_gets_an_answer() -> None:
    """If a greeting comes with a question, the question is answered."""
    answer = Talk(task_of(CANCEL)).agent("Hello, how can I help you today? May I have your name?")
    assert answer == "My name is Ada Haas."


@pytest.mark.parametrize(
    "question",
    [
        "How come?",
        "Why do you want this?",
        "May I ask the reason?",
        "Okay. And why?",
        "What made you decide that?",
        "Could you tell me why you would like that?",
    ],
)
def test_a_reason_is_given_if_there_is_one(question: str) -> None:
    """Asked for the reason, the user tells only that; if the script has none, they say a plain sentence."""
    assert Talk(task_of(CANCEL)).agent(question) == "I no longer need it."
    without = CANCEL.model_copy(update={"details": {"order": "It is order #W1234567."}})
    answer = Talk(task_of(without)).agent(question)
    assert "#W1234567" not in answer
    assert not any(wording in answer for wording in (*CANCEL.again, CANCEL.ask))


def test_a_reason_does_not_use_up_the_objection() -> None:
    """The user still objects to a refusal after a question for the reason, and then accepts the second refusal."""
    talk = Talk(task_of(CANCEL, MOVE))
    refusal = "I am sorry, I cannot cancel order #W1234567, because it has been delivered."
    first = talk.agent(refusal)
    assert MOVE.ask not in first
    assert talk.agent("Why do you want this?") == "I no longer need it."
    assert MOVE.ask in talk.agent(refusal)


@pytest.mark.parametrize(
    "reason", [": it left our warehouse", " - the fare does not cover it", ". It left this morning"]
)
def test_a_reason_needs_no_because(reason: str) -> None:
    """A reason counts without the word `because`: the user does not ask for it again."""
    plain, bare = Talk(task_of(CANCEL)), Talk(task_of(CANCEL))
    answer = plain.agent(f"I am sorry, I cannot cancel order #W1234567{reason}.")
    assert answer != bare.agent("I am sorry, I cannot cancel order #W1234567.")


@pytest.mark.parametrize(
    "reasoned",
    [
        "I'm sorry, but since your time to cancel order #W1234567 ran out, I can't cancel it.",
        "I'm afraid my hands are tied on the order: he's a minor, so it has to be a guardian who asks.",
        "Order #W1234567 was delivered on May 3, so cancelling it is out of my hands.",
        "Cancelling it is out of my hands: somebody else placed it.",
        "With #W1234567 already processed, nothing about it can be changed any more.",
    ],
)
def test_a_reason_may_stand_anywhere(reasoned: str) -> None:
    """A reason before the refusal or in the same clause is heard: the user objects, and does not ask why."""
    plain, bare = Talk(task_of(CANCEL, MOVE)), Talk(task_of(CANCEL, MOVE))
    answer = plain.agent(reasoned)
    assert answer != bare.agent("I am sorry, I cannot cancel order #W1234567.")
    assert CANCEL.details["reason"] not in answer
    assert brings_up(plain.agent(reasoned), MOVE)


def test_the_reason_that_was_asked_for_is_accepted() -> None:
    """After the user's `why`, a message with only the reason ends the matter."""
    talk = Talk(task_of(CANCEL, MOVE))
    talk.agent("I am sorry, I cannot cancel order #W1234567.")
    assert MOVE.ask in talk.agent("Because the parcel left our warehouse.")


@pytest.mark.parametrize(
    "question",
    [
        "Okay, great, thanks for that. Sure. Let me see. Could you give me your e-mail?",
        "Thank you so much! No problem at all. One moment please. What is your email address?",
        "Perfect, thanks. Have a great day! But first, what's your email?",
        "Okay. Great. Awesome. Your email?",
    ],
)
def test_courtesies_hide_no_question(question: str) -> None:
    """A question among courtesies is answered with the email, or, if unknown, with other identifying details."""
    known = task_of(CANCEL, facts={"name": "Ada Haas", "email": "ada@example.com"})
    assert Talk(known).agent(question) == "My email address is ada@example.com."
    answer = Talk(task_of(CANCEL, facts=OWN)).agent(question)
    assert "I do not remember my email address." in answer
    assert "Ada Haas" in answer


QUOTED = (
    "```{}```",
    "```\n{}\n```",
    "```text\n{}\n```\nShall I go ahead?",
    "~~~\n{}\n~~~",
    "`{}`",
    "`{}` Shall I go ahead?",
    "> {}",
    "> {}\n\nShall I go ahead?",
    "- > {}",
    '"{}"',
    "<pre>{}</pre>",
    "<blockquote>{}</blockquote>",
)


def test_a_report_that_names_nothing_is_asked_about_before_any_yes() -> None:
    """After a report that names nothing, before any yes, the user asks; a yes or the same report confirms it."""
    answers = ("Yes, it is.", True), ("Everything has been set up.", True), ("Not yet. Shall I look it up?", False)
    for answer, done in answers:
        talk = Talk(task_of(CANCEL))
        assert not talk.last.stop
        assert "done" in talk.agent("Everything has been set up.").lower()
        talk.agent(answer)
        assert (talk.last.notes.get("closed") == {"0": "done"} or talk.last.stop) == done


@pytest.mark.parametrize("frame", QUOTED)
def test_a_quoted_proposal_gets_no_yes(frame: str) -> None:
    """A quoted proposal gets the question what exactly is meant; the same words without quotation marks get a yes."""
    talk = Talk(task_of(CANCEL))
    answer = talk.agent(frame.format(PROPOSAL))
    assert not agrees(answer)
    assert answer == Talk(task_of(CANCEL)).agent("Shall I go ahead?")
    assert agrees(talk.agent(PROPOSAL))


def test_a_quotation_does_not_revive_an_offer() -> None:
    """A quotation does not ask again for a yes to an open proposal: the agent has to ask in words of its own."""
    talk = Talk(task_of(CANCEL))
    assert not agrees(talk.agent("I will cancel order #W1234567. Shall I go ahead?"))
    assert not agrees(talk.agent("> Shall I go ahead?"))
    assert agrees(talk.agent("Shall I go ahead?"))


def test_names_and_values_may_stand_in_code() -> None:
    """A value in backticks is no quotation."""
    proposal = "I will cancel order `#W1234567`, since you `no longer need` it. Shall I go ahead?"
    assert agrees(Talk(task_of(CANCEL)).agent(proposal))


@pytest.mark.parametrize(
    "question",
    ["which report? channel: portal/email/mail?", "Which channel do you want: mail/email?", "portal / email / mail?"],
)
def test_a_list_of_channels_is_no_question_for_the_address(question: str) -> None:
    """Asked by which channel, the user tells the channel, and not who they are; `email/name?` asks who they are."""
    report = Request(ask="I need a report.", details={"channel": "Send it by mail."})
    facts = {"email": "My email is ada@example.com.", "name": "Ada Haas"}
    talk = Talk(task_of(report, facts=facts))
    assert "ada@example.com" in talk.agent("email/name?")
    answer = talk.agent(question)
    assert not any(fact in answer for fact in facts.values())
