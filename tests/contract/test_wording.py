"""The wording of tasks: varied within a split, and different in `test` and `train`."""

import re
from itertools import islice, pairwise

from tests.contract.acts import each_domain, stage

TOKENS = 8_000
MASK = re.compile(r"[A-Z]\w*[\w.'-]*|\S*\d\S*")
"""Names and words with a digit, which tell whom and what a task is about."""


def opening(text: str) -> str:
    """The first words of a caller, without names and numbers."""
    return " ".join(MASK.sub("#", text).split()[:12])


@each_domain
def test_instructions_repeat_few_pairs_of_words(domain: str) -> None:
    """Of the pairs of neighbouring words in the first 8,000 words of test instructions, two fifths are distinct."""
    on = stage(domain)
    texts = (on.pack.task_at("test", index).instruction for index in range(on.pack.splits["test"]))
    said = list(islice((word for text in texts for word in re.findall(r"[a-z0-9']+", text.lower())), TOKENS))
    pairs = list(pairwise(said))
    assert len(set(pairs)) / len(pairs) >= 0.40


@each_domain
def test_openings_of_test_are_not_heard_in_training(domain: str) -> None:
    """No opening of `test` is one of `train`, without names and numbers."""
    on = stage(domain)
    heard = {opening(task.user.requests[0].ask) for task in on.some("train", 4) if task.user}
    asked = [opening(task.user.requests[0].ask) for task in on.some("test", 2) if task.user]
    assert sum(text in heard for text in asked) / len(asked) < 0.2
