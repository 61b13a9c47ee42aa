"""Reports that start with `I` or `we` and a verb of change."""

import pytest

from env_server.reading import Act, read

REPORTS = [
    "I've cancelled order #W1",
    "I have refunded $20 to your card",
    "we've upgraded your plan",
    "I just changed the delivery address",
    "I have already rebooked you",
]
AROUND = [
    "{}, as the record shows.",
    "{}, as the policy says.",
    "As the record shows, {}.",
    "According to our policy, {}.",
    "As you told me, {}.",
    "As I said before, {}.",
    "Since you asked, {}.",
    "When you said yes, {}.",
    "Once more: {}.",
    "Let me confirm: {}.",
    "I can confirm that {}.",
    "I'm pleased to tell you that {}.",
    "No worries, {}.",
    "Never mind the status, {}.",
    "At the moment {}.",
    "I looked at the history, and {}.",
    "The agent before me noted it, and {}.",
    "I see that you wanted this, so {}.",
    "{} and escalated your case.",
]
TAKEN_BACK = [
    "If {}, you will see it.",
    "Once {}, you get an e-mail.",
    "I will write to you when {}.",
    "Until {}, nothing changes.",
    "I don't think {}.",
    "It isn't true that {}.",
    "Would you be upset if {}?",
    "I never said that {}.",
    "Imagine that {}.",
]
DOUBTFUL = [
    "If you agree, {}.",
    "In case you wonder, {}.",
    "The note says that {}.",
    "You told me that {}.",
    "The app shows that {}.",
]


@pytest.mark.parametrize("report", REPORTS)
@pytest.mark.parametrize("around", AROUND)
def test_reports_by_the_agent_are_heard_among_other_words(report: str, around: str) -> None:
    """Records, policies, earlier words and comfort around a report of the agent's own change do not silence it."""
    assert Act.CLAIM in read(around.format(report)).acts


@pytest.mark.parametrize("report", REPORTS)
@pytest.mark.parametrize("around", TAKEN_BACK)
def test_conditions_and_negations_take_a_report_back(report: str, around: str) -> None:
    """A report under a condition or a negation reports nothing for certain."""
    reading = read(around.format(report))
    assert Act.CLAIM not in reading.acts
    assert not [sentence for sentence in reading.doing(Act.CLAIM) if sentence.firm]


@pytest.mark.parametrize("report", REPORTS)
@pytest.mark.parametrize("around", DOUBTFUL)
def test_reports_that_might_be_taken_back_are_doubtful(report: str, around: str) -> None:
    """A possible quotation or condition is no report, but the user may ask whether the change is made."""
    assert [sentence.firm for sentence in read(around.format(report)).doing(Act.CLAIM)] == [False]


@pytest.mark.parametrize(
    ("message", "reports"),
    [
        ("Then line L1002 resumed.", False),
        ("Afterwards, the bags added.", False),
        ("ELKZB3 noted. Your user id?", False),
        ("Address noted, 835 Poplar Court.", False),
        ("Then I have resumed line L1002.", True),
        ("Line L1002 resumed.", True),
        ("Address change noted on your account.", True),
        ("Noted and cancelled: order #W1.", True),
    ],
)
def test_a_step_to_come_and_a_note_are_no_reports(message: str, reports: bool) -> None:
    """`Then ... resumed` plans, and `... noted` repeats what the user said."""
    assert (Act.CLAIM in read(message).acts) == reports
