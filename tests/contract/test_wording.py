"""The words of the tasks: varied within a split, and in `test` others than in `train`."""

import re
from itertools import islice, pairwise

from tests.contract.acts import each_domain, stage

TOKENS = 8_000
MASK = re.compile(r"[A-Z]\w*[\w.'-]*|\S*\d\S*")
"""Names and whatever has a digit: who and what a task is about."""


def opening(text: str) -> str:
    """How a caller begins, whoever and whatever it is about."""
    return " ".join(MASK.sub("#", text).split()[:12])


@each_domain
def test_instructions_repeat_few_pairs_of_words(domain: str) -> None:
    """Of the pairs of neighbouring words in the first 8,000 words of the test instructions two fifths are different."""
    on = stage(domain)
    texts = (on.pack.task_at("test", index).instruction for index in range(on.pack.splits["test"]))
    said = list(islice((word for text in texts for word in re.findall(r"[a-z0-9']+", text.lower())), TOKENS))
    pairs = list(pairwise(said))
    assert len(set(pairs)) / len(pairs) >= 0.40


@each_domain
def test_openings_of_test_are_not_heard_in_training(domain: str) -> None:
    """What callers say first in `test`, names and numbers aside, is said by no caller of `train`."""
    on = stage(domain)
    heard = {opening(task.user.requests[0].ask) for task in on.some("train", 4) if task.user}
    asked = [opening(task.user.requests[0].ask) for task in on.some("test", 2) if task.user]
    assert sum(text in heard for text in asked) / len(asked) < 0.2
