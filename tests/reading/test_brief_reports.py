"""Short reports that point at what was just agreed, and phrases in the same words that report nothing."""

import pytest

from env_server.reading import Act, read


@pytest.mark.parametrize(
    "report",
    [
        "That's gone through. Anything else?",
        "Now it's really settled and done, Marek! 🎉",
        "It's ordered, Xenia! 🍜",
        "That's in as well: 2 GB added to L487053.",
        "That's recorded: Ann Lee may speak for you until May 3.",
        "That's settled: in XY7, Ann Lee flies in Bea Lee's place.",
        "It's all set up and paid.",
        "That has now been registered.",
        "Done ✅. You'll get an e-mail.",
        "It's in your address book now.",
        "Your cart now holds two soups.",
        "The swap in order #W1 is made, and $5 goes back to your card.",
        "The return of your lamp from #W1 is started.",
    ],
)
def test_a_short_report_is_heard(report: str) -> None:
    """A pronoun with a completed action, or with a state that holds now, reports the change just agreed."""
    assert Act.CLAIM in read(report).acts


@pytest.mark.parametrize(
    "text",
    [
        "That's settled, then: I'd add three bags to XY7.",
        "It's settled, so I'll cancel it.",
        "It's recorded, once you say yes.",
        "Once it's ordered, you get a number.",
        "If that's gone through, you see it in the app.",
        "It's not ordered yet.",
        "Is it ordered?",
        "It's ordered by price.",
        "It will be recorded.",
        'You wrote: "It\'s ordered."',
        "It was ordered on May 3.",
        "That's recorded in your file as a missed visit.",
        "It's in your address book.",
        "It's in the rules.",
        "The return of your lamp would be started.",
        "Your February 2025 bill (B462318) is issued and comes to $151.29.",
        "Confirmed, Ann: your bill B1 now shows as paid.",
        "We're good to go! Which line is it?",
        "You're all set, Marek ✔️. Which trip is it?",
        "Your zip code matches, so everything is ready. What are the new phone number and e-mail address?",
        "Here's what would happen:\n- **Cancelled:** the whole trip\n- **Refund:** $9\n\nShall I go ahead?",
        "That means:\n- all four flights are cancelled\n- $9 goes back to your card\n\nIs that a yes from you?",
    ],
)
def test_the_same_words_elsewhere_report_nothing(text: str) -> None:
    """Plans, conditions, questions, negations, quotations, records, and readiness before a question are no reports."""
    assert Act.CLAIM not in read(text).acts


@pytest.mark.parametrize(
    "text",
    [
        "You're all set! Anything else?",
        "I've cancelled it, so you're all set. Which other order is it?",
        "Here's what I've done so far:\n- the first order is cancelled\n\nShall I cancel the second one, #W2, too?",
    ],
)
def test_what_was_done_is_reported_beside_a_question(text: str) -> None:
    """A report keeps its meaning where the agent asks for more wishes, or goes on to the next change."""
    assert Act.CLAIM in read(text).acts


@pytest.mark.parametrize(
    "text",
    ["You're in business now.", "XY7 has six bags on it now.", "The tip is at $2.50 now.", "You're on Ann's list now."],
)
def test_a_state_that_holds_now_is_doubtful(text: str) -> None:
    """`now` at the end may also mean that it is so without a change: the user asks, if they have agreed to one."""
    assert [sentence.firm for sentence in read(text).doing(Act.CLAIM)] == [False]
