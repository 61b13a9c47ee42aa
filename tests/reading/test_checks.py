"""Questions whether something is right: about the user's own data they are no proposals, and the user answers them."""

import pytest

from env_server.reading import Act, read
from tests.users.scripted.test_user import CANCEL
from tests.users.talks import Talk, task_of

OWN = {"name": "Ada Haas", "dob": "May 3, 1990", "phone": "555-111-2222"}


@pytest.mark.parametrize(
    ("check", "told"),
    [
        ("I have your phone number as 555-111-2222 - is that correct?", "555-111-2222"),
        ("I have May 3, 1990 as your date of birth. Is that all correct?", "May 3, 1990"),
        ("Your name is Ada Haas, correct?", "Ada Haas"),
        ("So the date of birth is May 3, 1990. Did I get that right?", "May 3, 1990"),
    ],
)
def test_a_check_of_the_users_data_is_answered_with_the_data(check: str, told: str) -> None:
    """The user repeats the value; they neither agree to anything nor say that they did not ask for it."""
    talk = Talk(task_of(CANCEL, facts=OWN))
    talk.agent("Could you tell me your name, date of birth and phone number?")
    answer = talk.agent(check)
    assert told in answer
    assert not any(word in answer.lower() for word in ("yes", "go ahead", "did not ask"))


@pytest.mark.parametrize(
    "tag", ["Is that right?", "Did I get that correct?", "Is that all correct?", "Have I got that right?"]
)
@pytest.mark.parametrize(
    ("before", "proposed"),
    [
        ("Let me read that back: 303-555-0111.", False),
        ("I've noted your number as 303-555-0111.", False),
        ("I have you down as Lena Ortiz, born 04/12/1990.", False),
        ("The email is lena@mail.com.", False),
        ("I'll cancel order #W1234567.", True),
        ("I'll change your number to 303-555-0111.", True),
        ("So that's order #W1234567 to be cancelled.", True),
        ("The $20 will be refunded to your Visa.", True),
    ],
)
def test_a_check_is_about_the_sentence_before_it(before: str, proposed: bool, tag: str) -> None:
    """After a value by which the user is known it asks for no yes; after a change it does."""
    reading = read(f"{before} {tag}")
    assert (Act.PROPOSE in reading.acts) is proposed
    assert reading.consent is proposed


@pytest.mark.parametrize(
    ("message", "closes"),
    [
        ("Thank you for calling. Could I have your full name and your phone number?", False),
        ("Thanks for reaching out. What is your name?", False),
        ("Thanks for calling!", True),
        ("Thank you for calling. Is there anything else?", True),
    ],
)
def test_thanks_before_a_question_are_no_goodbye(message: str, closes: bool) -> None:
    """Thanks end a conversation only if the message asks for nothing."""
    assert (Act.CLOSE in read(message).acts) == closes
