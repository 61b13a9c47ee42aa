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
