"""The measurement of the reader."""

import gzip
import json
from pathlib import Path

import pytest

from env_server.reading import Act
from env_server.reading.measure import adjudicated, identity, labels, main, messages, table

LABELS = Path(__file__).parents[2] / "env_server" / "reading" / "labels"


def test_shipped_labels_hold_no_text() -> None:
    """A label is a conversation, a message and acts, and every act is known."""
    files = sorted(LABELS.glob("*.labels"))
    assert files
    for path in files:
        assert labels(path)
        assert all(len(line.split(" ")) == 2 for line in path.read_text(encoding="utf-8").splitlines())


def test_shipped_decisions_are_about_labelled_messages() -> None:
    """Each decision of the third look changes or keeps the label of a message of the rule writers' part."""
    said = labels(LABELS / "dev.labels")
    lines = (LABELS / "adjudicated.tsv").read_text(encoding="utf-8").splitlines()[1:]
    assert {line.partition("\t")[0] for line in lines} <= {f"{name}:{index}" for name, index in said}
    changed = adjudicated(LABELS / "adjudicated.tsv", said)
    assert changed.keys() == said.keys()
    assert 0 < sum(changed[key] != said[key] for key in said) <= len(lines)


def test_decisions_replace_labels(tmp_path: Path) -> None:
    """A decision adds or removes one act of one message and leaves the others."""
    (tmp_path / "t").write_text(
        "message\tact\tholds\treason\na:1\tclaim\tno\tr\na:2\tclaim\tyes\tr\n", encoding="utf-8"
    )
    said = {("a", 1): frozenset({Act.CLAIM, Act.TELL}), ("a", 2): frozenset[Act]()}
    assert adjudicated(tmp_path / "t", said) == {("a", 1): {Act.TELL}, ("a", 2): {Act.CLAIM}}


def test_a_second_person_stands_in_for_the_reader(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a second person's labels, only the messages that both have labelled are compared."""
    (tmp_path / "l").write_text("a:0 claim\na:1 claim\n", encoding="utf-8")
    (tmp_path / "s").write_text("a:0 other\n", encoding="utf-8")
    (tmp_path / "c").write_text(
        '{"id": "a", "messages": [{"content": "Done."}, {"content": "Done."}]}\n', encoding="utf-8"
    )
    arguments = [str(tmp_path / "l"), str(tmp_path / "c"), "--second", str(tmp_path / "s")]
    monkeypatch.setattr("sys.argv", ["measure", *arguments])
    main()
    out = capsys.readouterr().out
    assert [line.split() for line in out.splitlines() if line.startswith("claim")] == [
        ["claim", "1", "0.000", "-", "0.000"]
    ]


def test_packed_conversations_without_ids_are_read(tmp_path: Path) -> None:
    """A conversation without an id is known by a hash of itself that does not depend on the order of its keys."""
    one = {"messages": [{"role": "assistant", "content": "Done."}, {"role": "user", "content": None}], "domain": "d"}
    swapped = dict(reversed(one.items()))
    (tmp_path / "c.jsonl.gz").write_bytes(gzip.compress(json.dumps(swapped).encode()))
    assert messages(tmp_path / "c.jsonl.gz") == {(identity(one), 0): "Done.", (identity(one), 1): ""}
    assert len(identity(one)) == 12
    assert identity(one) != identity({**one, "domain": "e"})


def test_recall_and_precision_are_counted() -> None:
    """Recall is the share of the labelled messages that are read so, precision that of the readings that are right. The
    last column is the share of the labelled messages that are read so or in doubt.
    """
    claim, none = frozenset({Act.CLAIM}), frozenset[Act]()
    said = {("a", 1): claim, ("a", 2): claim, ("a", 3): none}
    said[("a", 4)] = said[("a", 5)] = claim
    lines = table(
        said,
        {("a", 1): claim, ("a", 3): claim, **dict.fromkeys([("a", 2), ("a", 4), ("a", 5)], none)},
        {("a", 4): claim},
    )
    assert [line.split() for line in lines if line.startswith("claim")] == [["claim", "4", "0.250", "0.500", "0.500"]]


def test_files_are_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command prints a line for each act that a label has, and the misread messages where asked."""
    (tmp_path / "l").write_text("a:0 claim\na:1 other\n", encoding="utf-8")
    messages = [
        {"role": "agent", "content": "I did what you wished."},
        {"role": "agent", "content": "How can I help you today?"},
    ]
    (tmp_path / "c").write_text(json.dumps({"id": "a", "messages": messages}) + "\n", encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["measure", str(tmp_path / "l"), str(tmp_path / "c"), "--wrong", "claim"])
    main()
    out = capsys.readouterr().out
    assert "missed a:0" in out
    assert [line.split()[0] for line in out.splitlines()[:2]] == ["act", "claim"]
