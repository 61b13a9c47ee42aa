"""Questions about another person or place, told apart from those about the user."""

import pytest

from env_server.users.scripted.others import about, apart

PATIENT = {"patient": "It is for Helga Mbeki, my daughter, born on February 15, 2018."}


@pytest.mark.parametrize(
    ("question", "own", "theirs"),
    [
        ("what is your daughter's date of birth?", None, "date of birth"),
        ("what is the patient's name?", None, "name"),
        ("the full name and date of birth of the new passenger?", None, "the full name and date of birth"),
        ("could you share the recipient phone number?", None, "phone number"),
        ("what's her date of birth?", None, "date of birth"),
        ("may i have your name and the patient's date of birth?", "your name", "date of birth"),
        ("may i have the patient's date of birth, and your zip code?", "your zip code", "date of birth"),
        ("your name and the date of birth of the patient, please?", "your name", "date of birth"),
        ("could you give me your phone number for the driver?", "your phone number", None),
        ("what are your full name and email address?", "your full name and email address", None),
        ("what is the name on the account?", "name", None),
        ("what is the account holder's name?", "name", None),
        ("which restaurant is it, and what is your name?", "your name", None),
    ],
)
def test_parts_of_a_question_belong_to_somebody(question: str, own: str | None, theirs: str | None) -> None:
    """The part about another person is taken out, and the rest is about the user."""
    (rest,), others = apart([question])
    assert [(theirs or "nothing") in asked.text for asked in others] == ([True] if theirs else [])
    assert own is None or own in rest
    assert not theirs or theirs not in rest


def test_a_person_is_found_in_a_script() -> None:
    """A person is found by topic, by a word of a fact, or as the only person; a place or an unknown role is not."""
    for question in ("the patient's name?", "your daughter's name?", "your child's name?", "her name?"):
        (asked,) = apart([question])[1]
        assert about(asked, PATIENT) == "patient", question
    for question in ("the new passenger's name?", "your doctor's name?"):
        (asked,) = apart([question])[1]
        assert about(asked, PATIENT) is None, question
    (asked,) = apart(["your daughter's name?"])[1]
    assert about(asked, {"passenger": "One seat is what I ask about."}) is None
