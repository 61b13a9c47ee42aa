"""Sentences that are a report in one message and none in another: "You're all set", "You're booked for Friday"."""

import pytest

from env_server.reading import Act, read


def heard(message: str) -> list[bool]:
    """Return for each sentence that reports a change whether the report is firm."""
    return [sentence.firm for sentence in read(message).doing(Act.CLAIM)]


@pytest.mark.parametrize("goodbye", ["You're welcome!", "Take care, Ana.", "Thanks for calling. Goodbye!", "Bye, Ana!"])
@pytest.mark.parametrize("ready", ["You're all set.", "We're all set here, Ana.", "You're all set for the visit."])
def test_all_set_in_a_goodbye_is_doubtful(ready: str, goodbye: str) -> None:
    """The user takes it for no report, but asks whether the change is made."""
    for message in (f"{goodbye} {ready}", f"{ready} {goodbye}"):
        assert heard(message) == [False]
        assert Act.CLAIM not in read(message).acts


@pytest.mark.parametrize(
    "message",
    [
        "You're all set!",
        "You're all set for Friday at 2:30 PM. Take care!",
        "You're all set: order #W1 is cancelled. Goodbye!",
        "You're welcome! You're all set - I've moved your visit to June 4.",
        "You're welcome! Your order has been cancelled, so you're all set.",
        "Take care! You're all set. I have refunded the fee.",
    ],
)
def test_all_set_with_news_is_a_report(message: str) -> None:
    """A goodbye takes no report away that says what was done."""
    assert True in heard(message)


@pytest.mark.parametrize("booked", ["You're booked for Friday at 9.", "Your visit is set for Friday at 9."])
def test_a_booking_is_new_if_a_reminder_follows(booked: str) -> None:
    """By itself it may be a record; with what follows a new booking it is a report, and in a question it is none."""
    assert heard(booked) == [False]
    assert heard(f"{booked} We'll text you a reminder.") == [True]
    assert heard(f"{booked} See you then!") == [True]
    assert heard(f"{booked} If you move it, you'll get a reminder.") == [False]
    assert heard(f"{booked} You'll get a reminder. Would you like to move it to Monday?") == [False]


@pytest.mark.parametrize("record", ["Your visit is confirmed for Friday at 9.", "You're confirmed for Friday at 9."])
def test_a_confirmed_booking_is_doubtful_beside_a_question(record: str) -> None:
    """It may be a record about which the message asks."""
    assert heard(record) == [True]
    assert heard(f"{record} What would you like to change?") == [False]
    assert heard(f"{record} Would you like me to cancel it?") == [False]


@pytest.mark.parametrize(
    "message",
    [
        '{"message": "I have cancelled order #W1."}',
        '{"type": "message", "content": "I have cancelled order #W1."}',
        ' {\n  "response": "I have cancelled\\norder #W1."\n}\n',
    ],
)
def test_a_message_in_an_envelope_is_read(message: str) -> None:
    """Some models answer with an object that holds what they say."""
    assert Act.CLAIM in read(message).acts


@pytest.mark.parametrize(
    "message",
    [
        '{"type": "function_call", "content": "I have cancelled order #W1."}',
        '{"message": "Hello.", "note": "I have cancelled order #W1."}',
        '{"message": {"text": "I have cancelled order #W1."}}',
        '{"message": "I have cancelled order #W1.", "content": "Hello."}',
        'Say {"message": "I have cancelled order #W1."}',
        '{"message": "I have cancelled order #W1."',
        "{" * 3000 + "}",
    ],
)
def test_other_objects_are_no_messages(message: str) -> None:
    """A call of a tool, an object with other texts, and an unfinished object report nothing."""
    assert Act.CLAIM not in read(message).acts


def test_features_in_parentheses_deny_nothing() -> None:
    """`no` in a list of features belongs to the thing; a negation outside of it still counts."""
    assert Act.CLAIM in read("The return of the lamp (dimmable: no, color: red) has been submitted.").acts
    assert Act.CLAIM not in read("No return of the lamp (dimmable: yes, color: red) has been submitted.").acts
    assert Act.CLAIM not in read("The return of the lamp (dimmable: yes, color: red) has not been submitted.").acts
