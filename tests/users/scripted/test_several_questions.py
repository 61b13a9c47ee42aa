"""The scripted user's answers to several questions in one message, to lists, and to questions without a verb."""

import pytest

from env_server.domains.kit import Request, Task, UserScript
from env_server.reading import Act, read
from tests.users.scripted.test_user import CANCEL, PROPOSAL, agrees, brings_up
from tests.users.talks import Talk, task_of

ORDER, REASON = CANCEL.details["order"], CANCEL.details["reason"]
DATA = Request(
    ask="I want more data.", details={"order": "It is for #W1.", "much": "Two of them.", "reason": "I like it."}
)
OWN = {"name": "Ada Haas", "email": "ada@example.com", "phone": "555-111-2222", "dob": "May 3, 1990"}


@pytest.mark.parametrize(
    "questions",
    [
        "Which order would you like dropped, and what's behind the cancellation?",
        "Which one of your purchases is it, and why do you want to drop it?",
        "What is your reason, and which purchase are we talking about?",
        "Tell me please: which order should go, and what led to it?",
        "Why would you like that? And what shall I cancel?",
        "- Which order is it?\n- How did it come to that?",
        "Which purchase do you mean, and may I ask what happened?",
        "When was it bought, and what's behind the cancellation?",
        "Why do you cancel, and should the lamp go or the chair?",
    ],
)
def test_every_question_of_a_message_is_answered(questions: str) -> None:
    """If one of several questions has no known topic, what is left of the wish is told too."""
    answer = Talk(task_of(CANCEL)).agent(questions)
    assert ORDER in answer
    assert REASON in answer


RETURN = Request(
    ask="I want to return a lamp.",
    details={
        "order": "It is order #W1234567.",
        "payment": "Put it on my visa card.",
        "reason": "It is too big.",
        "date": "I bought it on May 3.",
    },
)


@pytest.mark.parametrize(
    ("questions", "told"),
    [
        ("Please reply with (a) which order this is about, (b) your date of birth.", ("order", "dob")),
        ("need: your phone number, how you would like to be refunded", ("phone", "payment")),
        ("Please share the following details: where the refund should go; your date of birth.", ("payment", "dob")),
        (
            "Could you let me know the number of the order, when you bought it, and your name?",
            ("order", "date", "name"),
        ),
        (
            "1. Your name, please?\n2. Which number can I reach you at?\n3. When was it bought?",
            ("name", "phone", "date"),
        ),
        ("I need when you bought it and your e-mail.", ("date", "email")),
        ("First, your birthday, please. Then when you bought it, please.", ("dob", "date")),
        ("I'd like to know where the refund should go and why you return it.", ("payment", "reason")),
    ],
)
def test_all_kinds_of_questions_are_answered_together(questions: str, told: tuple[str, ...]) -> None:
    """Questions for facts and details of the user in one message are all answered, in any form."""
    answer = Talk(task_of(RETURN, facts=OWN)).agent(questions)
    said = {**OWN, **RETURN.details}
    assert [topic for topic in told if said[topic] not in answer] == []


@pytest.mark.parametrize(
    "question",
    [
        "Which order is it?",
        "Which order is it, please? You can tell me what else you need later.",
        "Why do you want this?",
    ],
)
def test_one_question_gets_one_answer(question: str) -> None:
    """What was not asked for is not told."""
    answer = Talk(task_of(CANCEL)).agent(question)
    assert (ORDER in answer) != (REASON in answer)


@pytest.mark.parametrize(
    "message",
    [
        "Please send me:\n- The order\n- The quantity you have in mind\n- What led to it",
        "### What I need\n1. Order number\n2. Quantity\n3. Anything I should know about it",
        "I just need a few details.\n\n**The order**\n- Its number\n- The quantity\n\n**Optional:**\n- Your reason",
        "Happy to help! You can also tell me already:\n* The order\n* How you'd like it: once or twice\n* The reason",
    ],
)
def test_all_entries_of_a_list_are_answered(message: str) -> None:
    """Below a request, entries with a known topic are answered, and what is left is told if one has none."""
    answer = Talk(task_of(DATA)).agent(message)
    assert [text for text in DATA.details.values() if text not in answer] == []


@pytest.mark.parametrize(
    "message",
    [
        "Which order is it for?\n- The one with the lamp\n- The one with the chair",
        "Here is what I see:\n- The quantity in the cart\n- The lamp\n\nWhich order is it for?",
    ],
)
def test_the_options_of_a_question_are_no_questions(message: str) -> None:
    """Entries that are answers to a question, or a record, get no answer of their own."""
    answer = Talk(task_of(DATA)).agent(message)
    assert DATA.details["order"] in answer
    assert DATA.details["much"] not in answer


def test_what_was_told_before_is_told_again_rather_than_the_wish() -> None:
    """Asked once more in unknown words, the user repeats what they know, and not the wish."""
    talk = Talk(task_of(DATA))
    talk.agent("Which order is it for, and how many should there be, and why?")
    answer = talk.agent("What quantity did you have in mind?")
    assert DATA.details["much"] in answer
    assert not brings_up(answer, DATA)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Who am I speaking to, please, and what's the email address you signed up with?", ("name", "email")),
        ("May I ask who's calling, and for the phone number on the account?", ("name", "phone")),
        ("Let me take your name and email first, and then we'll get to that order.", ("name", "email")),
        (
            "Let me find the file first, then: full name and date of birth, please, plus your email.",
            ("name", "dob", "email"),
        ),
        (
            "Before we go any further I've got to find your account, so your number please, or your email.",
            ("phone", "email"),
        ),
        ("And what are those, please? I mean your full name and your date of birth.", ("name", "dob")),
        ("I need a few details:\n\n**About you:** your own full name and date of birth", ("name", "dob")),
        ("I'll need some data:\nYour contact: email and phone number", ("email", "phone")),
    ],
)
def test_a_question_for_who_calls_needs_no_verb(question: str, told: tuple[str, ...]) -> None:
    """Facts about the user are told for nouns, under labels, and for `who am I speaking to`."""
    answer = Talk(task_of(CANCEL, facts=OWN)).agent(question)
    assert [topic for topic in OWN if OWN[topic] in answer] == [topic for topic in OWN if topic in told]


@pytest.mark.parametrize(
    "said",
    [
        "Let me get your order first.",
        "Let me take a look at your reservation, please, before we go on.",
        "Let me get your email address updated.",
        "I mean the red lamp.",
        "One moment, please, while I look that up.",
        "Your name and email are on file, so we are fine.",
        "Zeno would have to ask for it in person.",
        "Note: your name will be printed on it.",
        "It would be great to have you back soon.",
        "I mean it, take your time.",
        "Let me take your bag off the booking.",
        "I'll put your name on the list, please hold.",
    ],
)
def test_not_everything_about_a_name_is_a_question(said: str) -> None:
    """Look-ups, statements and notes ask for nothing."""
    assert read(said).acts & {Act.IDENTIFY, Act.ASK} == set()


@pytest.mark.parametrize(
    "question",
    [
        "May I have the phone number or the zip code?",
        "Your phone number (or your zip code), please?",
        "What is your phone number? The zip code works as well.",
    ],
)
def test_one_of_two_ways_is_enough(question: str) -> None:
    """A user who knows one of the facts that the agent would accept says nothing about the other."""
    answer = Talk(task_of(CANCEL, facts={"name": "Ada Haas", "phone": "555-111-2222"})).agent(question)
    assert "555-111-2222" in answer
    assert "remember" not in answer


def test_what_a_sentence_tells_of_a_person_is_known() -> None:
    """A zip code that the sentence about the person holds is not denied in the same answer."""
    zeno = "That would be Zeno Marchetti: date of birth April 13, 1958, zip code 97451."
    wish = Request(ask="I call for a neighbor.", details={"neighbor": zeno})
    answer = Talk(task_of(wish, facts=OWN)).agent(
        "What's your neighbor's full name and date of birth, and the phone number or zip code on their file?"
    )
    assert answer == zeno
    answer = Talk(task_of(wish, facts=OWN)).agent("What are your neighbor's zip code and phone number?")
    assert "I do not know their phone number." in answer
    assert "their zip" not in answer


def test_a_choice_from_a_list_is_made() -> None:
    """A user whose value stands in the agent's list names it."""
    flight = "The one called KS377."
    trip = Request(ask="I want a trip.", details={"flight": flight})
    for question in ("Which one do you like?", "Which of them would you take?", "Which of these suits you?"):
        message = f"There are three on that day. {question}\n\n- **KS377**, 6:45 am\n- **KS378**, 1:15 pm\n- **KS379**"
        assert flight in Talk(task_of(trip)).agent(message)


@pytest.mark.parametrize(
    "question",
    [
        "How should the name or date of birth read?",
        "What should the name be changed to?",
        "Now, the name change: which entry is wrong?",
    ],
)
def test_the_name_of_an_entry_is_not_the_users_own(question: str) -> None:
    """Asked how an entry should read, the user does not tell their own name and birthday."""
    wish = Request(ask="I want an entry corrected.", details={"entry": "Write Bo Haas, please."})
    answer = Talk(task_of(wish, facts=OWN)).agent(question)
    assert "Bo Haas" in answer
    assert not any(value in answer for value in OWN.values())


def test_more_told_details_agree_to_nothing() -> None:
    """A user who tells all details of a wish still has to be asked for the yes."""
    script = UserScript(requests=(CANCEL,))
    talk = Talk(Task(task_id="t", domain="retail", instruction="Do.", user=script))
    assert not agrees(talk.agent("Which order is it, and what led to it?"))
    assert talk.last.heard is not None
    assert talk.last.heard.agreed == ()
    assert agrees(talk.agent(PROPOSAL))
