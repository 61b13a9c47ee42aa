"""What language models said in games of 128, 48, 48, 48 and 32 episodes that they played as the agent.

They knew the policy, the tools and the replies, and nothing of the reader. A line of a table holds the acts of a
message (only proposals, reports and refusals are labelled), a tab, and the message, in which a backslash and an n
stand for a line break. Rules were written after reading `rules_written_with.txt`; those of `kept_back.txt` were
counted, and with few exceptions not read. The games after them were each labelled by another reader and counted
before their messages were read (two episodes of the fifth had been); then rules were written for some of their
misses. The agents of the fifth game wrote as in a chat, or in simple English of a second language. Reports that only
describe the new state ("Roaming is on for L1") are missed in the later games: they are heard in the context of a yes
(`test_results.py`).
"""

from pathlib import Path

import pytest

from env_server.reading import Act, read

PLAYED = Path(__file__).parent / "played"

LEAST = {
    ("rules_written_with", Act.PROPOSE): (0.90, 0.95),
    ("rules_written_with", Act.CLAIM): (0.92, 0.96),
    ("rules_written_with", Act.REFUSE): (0.90, 0.80),
    ("kept_back", Act.PROPOSE): (0.90, 0.95),
    ("kept_back", Act.CLAIM): (0.80, 0.95),
    ("kept_back", Act.REFUSE): (0.90, 0.90),
    ("second_game", Act.PROPOSE): (0.95, 0.96),
    ("second_game", Act.CLAIM): (0.95, 0.95),
    ("second_game", Act.REFUSE): (0.88, 0.86),
    ("third_game", Act.PROPOSE): (0.96, 0.96),
    ("third_game", Act.CLAIM): (0.72, 0.95),
    ("third_game", Act.REFUSE): (0.79, 0.90),
    ("fourth_game", Act.PROPOSE): (0.94, 0.97),
    ("fourth_game", Act.CLAIM): (0.79, 0.97),
    ("fourth_game", Act.REFUSE): (0.92, 0.96),
    ("fifth_game", Act.PROPOSE): (0.85, 0.95),
    ("fifth_game", Act.CLAIM): (0.69, 0.95),
    ("fifth_game", Act.REFUSE): (0.80, 0.92),
}
"""Minimum recall and precision, a little below the measured ones."""


def counted(table: str, act: Act) -> tuple[int, int, int]:
    """Return in how many messages of a table the act is, is read, and is both."""
    truly = found = both = 0
    for line in (PLAYED / f"{table}.txt").read_text(encoding="utf-8").splitlines():
        labels, _, text = line.partition("\t")
        is_there, is_read = act in labels.split(","), act in read(text.replace("\\n", "\n")).acts
        truly, found, both = truly + is_there, found + is_read, both + (is_there and is_read)
    return truly, found, both


@pytest.mark.parametrize(("table", "act"), LEAST)
def test_what_a_model_says_while_it_plays_is_read(table: str, act: Act) -> None:
    """The reader understands a model that speaks in words of its own about as well as when it was measured."""
    truly, found, both = counted(table, act)
    recall, precision = LEAST[table, act]
    assert truly >= 15
    assert both >= recall * truly, f"recall {both / truly:.3f}"
    assert both >= precision * found, f"precision {both / found:.3f}"
