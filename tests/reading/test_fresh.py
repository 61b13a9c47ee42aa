"""Messages written for this test, in the manner of many agents, and labelled before any of them was read.

A line of a table holds the acts of a message, a tab, and the message, in which a backslash and an n stand for a line
break. None of them is from the conversations that the rules were written with.
"""

from pathlib import Path

import pytest

from env_server.reading import Act, read
from env_server.reading.measure import Key

FRESH = Path(__file__).parent / "fresh"

LEAST = {
    Act.PROPOSE: (0.97, 0.99),
    Act.CLAIM: (0.95, 0.99),
    Act.REFUSE: (0.98, 0.99),
    Act.ASK: (0.98, 0.97),
    Act.CLOSE: (0.98, 0.98),
    Act.INSTRUCT: (0.9, 0.9),
}
"""Minimum recall and precision."""


def messages() -> dict[Key, tuple[frozenset[Act], str]]:
    """The labels and texts of all messages."""
    found: dict[Key, tuple[frozenset[Act], str]] = {}
    for path in sorted(FRESH.glob("*.txt")):
        for index, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
            acts, _, text = line.partition("\t")
            labels = frozenset(Act(act) for act in acts.split(",") if act != "other")
            found[path.stem, index] = labels, text.replace("\\n", "\n")
    return found


MESSAGES = messages()


@pytest.mark.parametrize("act", LEAST)
def test_acts_are_read_in_fresh_messages(act: Act) -> None:
    """The reader misses few acts of fresh messages and reports almost no wrong ones."""
    truly = {key for key, (labels, _) in MESSAGES.items() if act in labels}
    found = {key for key, (_, text) in MESSAGES.items() if act in read(text).acts}
    recall, precision = LEAST[act]
    assert len(truly & found) >= recall * len(truly), [MESSAGES[key][1] for key in truly - found]
    assert len(truly & found) >= precision * len(found), [MESSAGES[key][1] for key in found - truly]


@pytest.mark.parametrize("act", [Act.PROPOSE, Act.CLAIM, Act.REFUSE, Act.ASK])
def test_enough_messages_do_each_of_what_counts(act: Act) -> None:
    """There are 150 messages and more for each act that rewards go by."""
    assert sum(act in labels for labels, _ in MESSAGES.values()) >= 150
