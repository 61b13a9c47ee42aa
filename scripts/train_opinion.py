"""Train the second opinion of the reader, and write its weights, its frequent words and its table of triples.

    python scripts/train_opinion.py --labels LABELS CONVERSATIONS --tables FOLDER... --out FOLDER

- `--labels`, once for each pair: a file of labels and one of conversations, as `python -m env_server.reading.measure`
  reads them. `scripts/published_conversations.py` prints the conversations of public runs.
- `--tables`: folders of tables. A line has the acts of a message, a tab, and the message, in which a backslash and an
  n stand for a line break. A line without a tab is a message with the act that the file is named after; its other acts
  are unknown. In `misses.txt` the act before the tab is one that the message does not have.

Each act has a linear support vector machine of its own, with the squared hinge loss. It is trained by dual coordinate
descent (Hsieh et al., ICML 2008, algorithm 1), which visits the messages in a fixed random order. So the same messages
give the same weights. numpy has to be installed (the extra `eval` has it).
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from env_server.reading.acts import Act
from env_server.reading.measure import labels, messages
from env_server.reading.opinion.marks import MARKS, marks_of
from env_server.reading.opinion.scores import JUDGED, UNIT, WEIGHTS
from env_server.reading.opinion.triples import BITS, FREQUENT, TRIPLES, tokens, triples_of
from env_server.reading.words.envelope import opened
from env_server.reading.words.text import pieces

COST = 0.01
"""The weight of an error beside the size of the weights (C in the paper)."""

ROUNDS = 20
"""How often each message is visited."""

WORDS = 200
"""The number of words that a triple knows by themselves."""

MISSES = "misses"


@dataclass(frozen=True)
class Example:
    """A message with its sentences, its marks, its acts, and the acts of which it is known whether the message has
    them.
    """

    views: tuple[str, ...]
    marks: NDArray[np.int64]
    acts: frozenset[Act]
    known: frozenset[Act]


def labelled(labels_file: Path, conversations: Path) -> Iterator[Example]:
    """Yield the messages with labels of a file of conversations."""
    texts = messages(conversations)
    for key, acts in labels(labels_file).items():
        if key in texts:
            yield _example(texts[key], acts, frozenset(JUDGED))


def listed(table: Path) -> Iterator[Example]:
    """Yield the messages of a table."""
    for line in table.read_text(encoding="utf-8").splitlines():
        names, tab, text = line.partition("\t")
        said = frozenset(Act(name) for name in names.split(",") if name in set(Act)) if tab else {Act(table.stem)}
        known = frozenset(JUDGED) if tab and table.stem != MISSES else frozenset(said)
        acts = frozenset[Act]() if table.stem == MISSES else frozenset(said)
        yield _example((text if tab else line).replace("\\n", "\n"), acts, known)


def _example(text: str, acts: frozenset[Act], known: frozenset[Act]) -> Example:
    """Return an example whose marks are in ascending order, with one number more, which stands for the bias."""
    plain = [piece for piece in pieces(opened(text)) if not piece.quoted and piece.view]
    marks = np.array([*sorted(frozenset().union(*map(marks_of, plain))), MARKS], dtype=np.int64)
    return Example(tuple(piece.view for piece in plain), marks, acts, known)


def trained(examples: Sequence[Example], act: Act, *, rounds: int = ROUNDS, cost: float = COST) -> NDArray[np.float64]:
    """Return the weights of all marks for one act, and the bias behind them."""
    of_act = [example for example in examples if act in example.known]
    weights, duals = np.zeros(MARKS + 1), np.zeros(len(of_act))
    order = np.random.default_rng(0)
    slack = 1 / (2 * cost)
    for _ in range(rounds):
        for at in order.permutation(len(of_act)):
            example = of_act[at]
            sign = 1 if act in example.acts else -1
            gradient = sign * weights[example.marks].sum() - 1 + duals[at] * slack
            dual = max(duals[at] - gradient / (len(example.marks) + slack), 0.0)
            weights[example.marks] += (dual - duals[at]) * sign
            duals[at] = dual
    return weights


def packed(weights: Sequence[NDArray[np.float64]]) -> bytes:
    """Return the bytes of the file of weights for the trained acts."""
    whole = [np.rint(one * UNIT).astype(int) for one in weights]
    marks = (np.clip(one[:MARKS], -128, 127).astype(np.int8).tobytes() for one in whole)
    return b"".join([*marks, *(int(one[MARKS]).to_bytes(4, "little", signed=True) for one in whole)])


def frequent_words(examples: Sequence[Example]) -> list[str]:
    """Return the words without figures that occur in the most messages; among equals the first ones of the alphabet."""
    count = Counter(word for one in examples for word in {word for view in one.views for word in tokens(view)})
    plain = [word for word in count if word[0].isalpha() and not any(char.isdigit() for char in word)]
    return sorted(plain, key=lambda word: (-count[word], word))[:WORDS]


def table(examples: Sequence[Example], words: Sequence[str]) -> bytes:
    """Return the table of the triples of all messages."""
    bits, frequent = bytearray(BITS // 8), frozenset(words)
    for one in examples:
        for bit in (bit for view in one.views for bit in triples_of(tokens(view), frequent)):
            bits[bit >> 3] |= 1 << (bit & 7)
    return bytes(bits)


def main() -> None:
    """Train on the files that the command line names, and write the files."""
    parser = argparse.ArgumentParser(description="Train the second opinion of the reader.")
    parser.add_argument("--labels", nargs=2, action="append", default=[], type=Path)
    parser.add_argument("--tables", nargs="+", default=[], type=Path)
    parser.add_argument("--out", required=True, type=Path)
    args = parser.parse_args()
    examples = [example for pair in args.labels for example in labelled(*pair)]
    for folder in args.tables:
        examples += [example for table in sorted(folder.glob("*.txt")) for example in listed(table)]
    words = frequent_words(examples)
    (args.out / FREQUENT.name).write_text("\n".join(words) + "\n", encoding="utf-8")
    (args.out / TRIPLES.name).write_bytes(table(examples, words))
    (args.out / WEIGHTS.name).write_bytes(packed([trained(examples, act) for act in JUDGED]))
    counts = ", ".join(f"{act} {sum(act in one.acts for one in examples)}" for act in JUDGED)
    print(f"{len(examples)} messages: {counts}")


if __name__ == "__main__":
    main()
