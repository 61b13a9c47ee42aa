"""Ids that are tried one after the other: each wrong one is corrected and counted."""

import pytest

from env_server.domains.kit import Value
from tests.users.scripted.test_user import CANCEL, agrees
from tests.users.talks import Talk, task_of

RIGHT = "#W1234567"


@pytest.mark.parametrize(
    ("own", "others"),
    [
        (RIGHT, ("#W1111111", "#W2222222", "#W3333333")),
        ("ZJ7BB5", ("4TMCW9", "UWDJK7", "6QC2E6")),
        ("L614532", ("L614533", "L614534", "L614535")),
    ],
)
@pytest.mark.parametrize(
    "proposal",
    ["I will cancel {}, since you no longer need it. Shall I go ahead?", "I'd cancel {}, no longer needed. Ok?"],
)
def test_a_third_wrong_id_is_reported_to_the_rewards(own: str, others: tuple[str, ...], proposal: str) -> None:
    """Any other id of the kind of the user's own contradicts the wish, whether or not the script lists it."""
    values = {**CANCEL.values, "order": Value(says=(own,))}
    talk = Talk(task_of(CANCEL.model_copy(update={"values": values})))
    found = []
    for other in others:
        assert talk.agent(proposal.format(other)).startswith("No")
        assert talk.last.heard is not None
        found.append(talk.last.heard.contradicted)
    assert found == [False, False, True]
    assert agrees(talk.agent(proposal.format(own)))


@pytest.mark.parametrize(
    "proposal",
    [
        "I will cancel {}, since you no longer need it, and not #W1111111. Shall I go ahead?",
        "I will cancel {}, since you no longer need it. Your reference is #REF12. Shall I go ahead?",
        "- Order: {}\n- Reason: no longer needed\n\nI'd cancel it. Shall I go ahead?",
    ],
)
def test_an_id_beside_the_right_one_contradicts_nothing(proposal: str) -> None:
    """What is set aside, or of another kind, is no other id."""
    assert agrees(Talk(task_of(CANCEL)).agent(proposal.format(RIGHT)))


@pytest.mark.parametrize(
    "proposal",
    [
        "- #W1111111\n- {}\nI'd cancel these as no longer needed. Ok?",
        "I'd cancel orders #W1111111 and {}, no longer needed. Ok?",
        "I'd cancel the following, as no longer needed:\n- {}\n- #W1111111\nOk?",
    ],
)
def test_an_id_among_others_gets_no_yes(proposal: str) -> None:
    """A list of ids with the right one among them is corrected."""
    assert Talk(task_of(CANCEL)).agent(proposal.format(RIGHT)).startswith("No")


def test_a_plan_without_an_id_is_completed() -> None:
    """A proposal that names no id, or a value of another kind, is no contradiction."""
    talk = Talk(task_of(CANCEL))
    answer = talk.agent("I will cancel your order of May 5, since you no longer need it, ticket T77. Shall I go ahead?")
    assert CANCEL.details["order"] in answer
    assert "contradicted" not in talk.last.notes


@pytest.mark.parametrize("own", ["ABC123", "ZJ7BB5"])
@pytest.mark.parametrize(
    "proposal",
    [
        "I would cancel your flight HAT204 on May 22, no longer needed. Shall I go ahead?",
        "I will cancel your reservation (flight HAT204), no longer needed. Shall I go ahead?",
        "I will cancel it, no longer needed, for 400USD. OK?",
        "I will cancel it, no longer needed, departing 0930AM. OK?",
        "I will cancel it at 10h30m, no longer needed. OK?",
        "I will cancel it under your gold7x card, no longer needed. OK?",
    ],
)
def test_flights_amounts_and_times_are_no_other_ids(own: str, proposal: str) -> None:
    """A code beside the place of the record's name only leaves the id out."""
    values = {**CANCEL.values, "order": Value(says=(own,))}
    talk = Talk(task_of(CANCEL.model_copy(update={"values": values})))
    assert CANCEL.details["order"] in talk.agent(proposal)
    assert "contradicted" not in talk.last.notes


@pytest.mark.parametrize("before", ["You gave me #W1234567.", "Earlier you said #W1234567."])
def test_the_right_id_before_a_proposal_with_another_one_saves_nothing(before: str) -> None:
    """The id right after the verb is the one of the proposal."""
    proposal = f"{before} I will cancel order #W1234568, since you no longer need it. Shall I go ahead?"
    assert Talk(task_of(CANCEL)).agent(proposal).startswith("No")


def test_another_order_that_is_not_affected_contradicts_nothing() -> None:
    """An id that does not follow the verb is not the one of the proposal if the right one is named, too."""
    proposal = (
        "Order #W1234567 is pending. I will cancel it, since you no longer need it. "
        "Your other order #W7777777 is not affected. Shall I go ahead?"
    )
    assert agrees(Talk(task_of(CANCEL)).agent(proposal))


@pytest.mark.parametrize(
    "message",
    [
        "You have two orders:\n- {}\n- #W7777777\n\nI will cancel {}, since you no longer need it. Shall I go ahead?",
        "Orders checked:\n* {}\n* #W7777777\n\nOnly the first is pending. I will cancel {}, no longer needed. OK?",
        "Found:\n- Order {}\n- Order #W7777777\n\nI will cancel the first, {}, no longer needed. Shall I go ahead?",
        "1. {}, #W7777777\n\nI will cancel {}, since you no longer need it. Shall I go ahead?",
    ],
)
def test_a_list_of_what_was_found_is_not_proposed(message: str) -> None:
    """Only the proposal's own ids count if it names one."""
    assert agrees(Talk(task_of(CANCEL)).agent(message.format(RIGHT, RIGHT)))
