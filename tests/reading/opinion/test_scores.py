"""The scores of messages."""

from env_server.reading import Act
from env_server.reading.opinion.marks import MARKS, marks_in
from env_server.reading.opinion.scores import JUDGED, WEIGHTS, scores

PLAIN = {
    Act.PROPOSE: "I'd cancel order #W1 and refund $20 to your card. Shall I go ahead?",
    Act.CLAIM: "All done! I've cancelled order #W1, and the refund has been issued.",
    Act.REFUSE: "I'm sorry, but this order can't be cancelled because it has already shipped.",
}


def test_the_file_has_a_weight_for_each_mark_and_act() -> None:
    """The file holds a byte for each mark and four bytes for a bias, for each act."""
    assert WEIGHTS.stat().st_size == len(JUDGED) * (MARKS + 4)


def test_plain_messages_score_for_their_own_act_alone() -> None:
    """A plain message of each act scores above 0 for it, and below 0 for the others."""
    for act, message in PLAIN.items():
        assert [one for one, score in scores(marks_in(message)).items() if score > 0] == [act]


def test_a_score_is_a_sum() -> None:
    """The scores of marks add up, beside the bias."""
    none, one, other = scores(()), scores((5,)), scores((77,))
    assert all(scores((5, 77))[act] == one[act] + other[act] - none[act] for act in JUDGED)


def test_scores_are_the_sums_of_the_weights_in_the_file() -> None:
    """The score of an act is the sum of its own weights and its bias, even for all marks together."""
    held = WEIGHTS.read_bytes()
    found = scores(range(MARKS))
    for at, act in enumerate(JUDGED):
        weights = memoryview(held)[at * MARKS : (at + 1) * MARKS].cast("b")
        bias = held[len(JUDGED) * MARKS + 4 * at :][:4]
        assert found[act] == sum(weights) + int.from_bytes(bias, "little", signed=True)
