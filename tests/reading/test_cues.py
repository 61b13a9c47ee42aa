"""The cues of the patterns."""

from types import ModuleType

import pytest

from env_server.reading.sentences import consent, facts, handover, proposals, questions, refusals, steps
from env_server.reading.sentences import success_claims as claims
from env_server.reading.sentences.patterns import WORD, Rules
from env_server.reading.words.text import pieces
from tests.reading.test_said import SAID, lines


@pytest.mark.parametrize("module", [claims, consent, facts, handover, proposals, questions, refusals, steps])
def test_no_pattern_is_left_out_for_its_cues(module: ModuleType) -> None:
    """Where a pattern matches a sentence of the tables, one of its cue words is in the sentence."""
    sentences = [piece.view for path in SAID.glob("*.txt") for line in lines(path.stem) for piece in pieces(line)]
    parts = [part for rules in vars(module).values() if isinstance(rules, Rules) for part in rules.parts]
    assert parts
    for cues, pattern in parts:
        for view in sentences:
            if cues and pattern.search(view):
                assert not cues.isdisjoint(WORD.findall(view)), (pattern.pattern[:60], view)
