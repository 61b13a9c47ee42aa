"""The training of the weights."""

import subprocess
import sys
from array import array
from pathlib import Path

from env_server.reading import Act
from env_server.reading.opinion.marks import MARKS, marks_in
from env_server.reading.opinion.scores import JUDGED, WEIGHTS
from env_server.reading.opinion.triples import BITS, FREQUENT, TRIPLES, tokens, triples_of

SCRIPT = Path(__file__).parents[3] / "scripts" / "train_opinion.py"
TABLES = {
    "messages": "propose\tShall I cancel it?\nclaim\tIt has been cancelled.\nother\tWhich one?\nrefuse\tI can't.",
    "claim": "Your bags were added.",
    "misses": "claim\tOnce it has been paid, we go on.",
}


def train(folder: Path) -> dict[str, bytes]:
    """Return the files for the tables: their names and contents."""
    for name, lines in TABLES.items():
        (folder / f"{name}.txt").write_text(lines + "\n", encoding="utf-8")
    out = folder / "out"
    out.mkdir()
    command = [sys.executable, str(SCRIPT), "--tables", str(folder), "--out", str(out)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert run.stdout == "6 messages: propose 1, claim 2, refuse 1\n"
    return {file.name: file.read_bytes() for file in out.iterdir()}


def test_training_separates_its_messages(tmp_path: Path) -> None:
    """Each message scores for its acts, and against those that it does not have. An unknown act decides nothing."""
    weights = train(tmp_path)[WEIGHTS.name]
    assert len(weights) == WEIGHTS.stat().st_size

    def score(act: Act, message: str) -> int:
        at = JUDGED.index(act)
        bias = int.from_bytes(weights[len(JUDGED) * MARKS + 4 * at :][:4], "little", signed=True)
        return bias + sum(array("b", weights[at * MARKS : (at + 1) * MARKS])[mark] for mark in marks_in(message))

    for line in TABLES["messages"].splitlines():
        acts, _, text = line.partition("\t")
        assert {act for act in JUDGED if score(act, text) > 0} == set(acts.split(",")) - {"other"}
    assert score(Act.CLAIM, TABLES["claim"]) > 0 > score(Act.CLAIM, TABLES["misses"].partition("\t")[2])


def test_training_notes_words_and_triples(tmp_path: Path) -> None:
    """The frequent words are those of the messages, most frequent first, and all triples of the messages are noted."""
    files = train(tmp_path)
    assert files[FREQUENT.name].decode().split()[:3] == ["it", "been", "has"]
    frequent, bits = frozenset(files[FREQUENT.name].decode().split()), files[TRIPLES.name]
    assert len(bits) * 8 == BITS
    known = {bit for bit in range(BITS) if bits[bit >> 3] >> (bit & 7) & 1}
    for view in ("shall i cancel it?", "it has been cancelled."):
        assert {*triples_of(tokens(view), frequent)} < known
    assert len(known) < 100


def test_training_is_repeatable(tmp_path: Path) -> None:
    """The same messages give the same files."""
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    assert train(tmp_path / "a") == train(tmp_path / "b")
