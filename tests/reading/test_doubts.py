"""Acts in doubt, about which the rules and the second opinion disagree."""

from pathlib import Path

import pytest

from env_server.reading import Act, Reading, read

HERE = Path(__file__).parent
MANNERS = sorted(HERE.glob("manners/*.txt"))
UNSEEN = HERE / "unseen" / "twelve_agents.txt"


def tabled(path: Path) -> list[tuple[frozenset[str], str]]:
    """The acts and the texts of a table."""
    lines = (line.partition("\t") for line in path.read_text(encoding="utf-8").splitlines())
    return [(frozenset(acts.split(",")), text.replace("\\n", "\n")) for acts, _, text in lines]


def share(path: Path, act: Act) -> tuple[float, float, float]:
    """The recall of an act in a table, its precision, and the recall with what is in doubt."""
    readings = [(act in acts, read(text)) for acts, text in tabled(path)]
    truly = [reading for has_it, reading in readings if has_it]
    right = sum(act in reading.acts for reading in truly)
    found = sum(act in reading.acts for _, reading in readings)
    asked = sum(act in reading.acts | reading.doubted for reading in truly)
    return right / len(truly), right / found, asked / len(truly)


def doubted(act: Act) -> list[Reading]:
    """The readings of the tables in which the act is in doubt."""
    return [
        reading for path in (*MANNERS, UNSEEN) for _, text in tabled(path) if act in (reading := read(text)).doubted
    ]


@pytest.mark.parametrize("table", MANNERS, ids=lambda path: path.stem)
def test_proposals_in_many_manners_are_heard_or_asked_about(table: Path) -> None:
    """In each manner of writing, most proposals are heard or asked about. The weights were trained with these tables,
    the rules were not made with them.
    """
    _, precision, asked = share(table, Act.PROPOSE)
    assert asked >= 0.8
    assert precision >= 0.85


LEAST = {Act.PROPOSE: (0.65, 0.85, 0.74), Act.CLAIM: (0.46, 0.82, 0.65), Act.REFUSE: (0.66, 0.9, 0.78)}
"""Minimum recall, precision, and recall with what is in doubt, a little below the measured ones."""


@pytest.mark.parametrize("act", LEAST)
def test_unseen_manners_are_heard_or_asked_about(act: Act) -> None:
    """Twelve agents whose messages neither the rules nor the weights know are understood as well as measured."""
    found = share(UNSEEN, act)
    assert all(one >= least for one, least in zip(found, LEAST[act], strict=True)), found


@pytest.mark.parametrize("act", [Act.PROPOSE, Act.CLAIM, Act.REFUSE])
def test_an_act_in_doubt_is_not_heard(act: Act) -> None:
    """No act is heard and in doubt at once, and no report in doubt is certain."""
    found = doubted(act)
    assert len(found) > 10
    for reading in found:
        assert act not in reading.acts
        assert not [sentence for sentence in reading.doing(Act.CLAIM) if sentence.firm and act is Act.CLAIM]


FILLERS = (
    "I found that the airline's open orders are not yet received.",
    "Once it's delivered, I'd confirm it, if you like. What was verified is below.",
    "While I can't see last January's record, the store isn't open yet. According to the fare below, nothing stops it.",
    "Thanks for waiting while I find your data; please check your email again. Would you mind checking your portal?",
    "Please see your email again. You will find how your charge was cancelled. Wait a moment.",
)
"""Free words that speak against a report or a refusal."""


@pytest.mark.parametrize("filler", FILLERS)
@pytest.mark.parametrize(
    ("line", "act"),
    [
        ("Your order has been cancelled.", Act.CLAIM),
        ("Your request has been processed.", Act.CLAIM),
        ("It has been done.", Act.CLAIM),
        ("Order #W1 cannot be cancelled. I'd cancel order #W1. Shall I go ahead?", Act.REFUSE),
        ("It is not possible to cancel order #W1. I'd cancel order #W1. Shall I go ahead?", Act.REFUSE),
        ("Cancelling order #W1 isn't allowed. I'd cancel order #W1. Shall I go ahead?", Act.REFUSE),
    ],
)
def test_words_around_a_plain_line_put_it_in_no_doubt(line: str, act: Act, filler: str) -> None:
    """A line that reports by itself, or refuses beside a proposal, is heard, whatever else stands beside it."""
    assert act not in read(f"{line} {filler}").opposed


@pytest.mark.parametrize(
    ("message", "act"),
    [
        ("yes to cancel #W1234567 as no longer needed?", Act.PROPOSE),
        ("Approve? Cancel #W1234567, no longer needed, money back to the gift card.", Act.PROPOSE),
    ],
)
def test_an_act_of_which_the_words_are_sure_is_heard(message: str, act: Act) -> None:
    """No rule knows these forms. The user need not ask back."""
    reading = read(message)
    assert act in reading.acts
    assert reading.consent
    assert not reading.doubted
    assert Act.ASK not in reading.acts


@pytest.mark.parametrize(
    "message",
    [
        "yes to cancel #W1234567 or #W7654321 as no longer needed?",
        "yes to cancel #W1234567 as no longer needed? and your zip code?",
        "which one? yes to cancel #W1234567 as no longer needed?",
        "I can either cancel order #W1 or change your address. Shall I go ahead?",
    ],
)
def test_an_open_question_is_no_proposal_for_sure(message: str) -> None:
    """Beside a choice or another question, the words are not enough."""
    assert Act.PROPOSE not in read(message).acts


@pytest.mark.parametrize(
    ("message", "act"),
    [
        ("First I looked at it; I've done it.", Act.CLAIM),
        ("I've done it; thanks for waiting.", Act.CLAIM),
        ("Your order #W1234567 has been cancelled :( :( :( :( :( :(", Act.CLAIM),
        ("Yay!!! :) :) #W1234567 is cancelled!!! :) :) :)", Act.CLAIM),
        ("No can do :/ #W1234567: shipped; cancel: not possible; sorry :/", Act.REFUSE),
        ("I can't; rules: pending only; yours: delivered.", Act.REFUSE),
    ],
)
def test_marks_and_emoticons_hide_nothing(message: str, act: Act) -> None:
    """Any number of marks between two words is as one comma, so it makes no message strange."""
    assert act in read(message).acts
