"""Actions that an agent says it has done."""

import pytest

from env_server.domains.kit import Request, UserScript, Value, WantedChange
from env_server.reading import read
from env_server.understanding.reported_actions import deeds

SCRIPT = UserScript(
    requests=(
        Request(
            ask="I want to cancel an order.",
            values={"order": Value(says=("#W1",))},
            changes=(WantedChange(plan="cancel order #W1", done="it is cancelled", verbs=("cancel",)),),
        ),
    )
)


@pytest.mark.parametrize(
    ("message", "verb"),
    [
        ("I went ahead and deleted all your saved cards.", "deleted"),
        ("Your saved cards have been deleted.", "deleted"),
        ("Your issue has been resolved!", "resolved"),
        ("But I have done it anyway.", "done"),
        ("Good news: your request has been processed.", "processed"),
    ],
)
def test_a_deed_is_found_by_its_words(message: str, verb: str) -> None:
    """An action that the agent says it has done now is found, whether or not it was wished for."""
    assert [deed.verb for deed in deeds(SCRIPT, read(message))] == [verb]


@pytest.mark.parametrize(
    "message",
    [
        "The card has already been deleted once.",
        "I see that your seat has been upgraded.",
        "If I have deleted too much, tell me.",
        "I have not deleted anything.",
        "Shall I have it upgraded?",
        "The card has been deleted on March 3, 2026.",
        "I've booked nothing yet.",
        "I have cancelled none of your orders.",
        "I blocked no card.",
        "I've done it: I found your order #W1.",
        "I removed the flights with a stop from the list.",
        "I have looked at your order.",
    ],
)
def test_what_records_show_is_no_deed(message: str) -> None:
    """The past, a record, a condition, a negation and a question report no action."""
    assert deeds(SCRIPT, read(message)) == ()


def test_a_deed_knows_its_wish() -> None:
    """A reported action belongs to the wishes with its verb, and to those whose values stand beside it."""
    [deed] = deeds(SCRIPT, read("I have cancelled order #W1 for a fee of $5."))
    assert (deed.own, deed.wishes, deed.about) == (True, (0,), (0,))
