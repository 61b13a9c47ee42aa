"""Reports for people, whatever texts a file holds."""

from trainer_client.dataset.command import show_conversion

BAD = "\ud800x\x1b[2J"


def test_names_that_no_encoding_has_can_be_printed() -> None:
    """A task may name any domain, and a file any path: neither ends the report nor steers the terminal."""
    drop = {"position": 0, "domain": BAD, "reason": "unreadable", "detail": BAD}
    numbers = {"sound": 0, "over_limit": 0, "train": 0, "val": 0, "missed": 0, "dropped": {"unreadable": 1}}
    report = {"tasks": 1, "sound": 0, "dropped": {"unreadable": 1}, "domains": {BAD: numbers}, "drops": [drop]}
    file = {"path": f"{BAD}.jsonl", "rows": 0, "bytes": 0, "sha256": "0" * 64}
    text = show_conversion({**report, "files": [file]})
    assert text.encode().count(b" x [2J") == 4
    assert all(line.isprintable() for line in text.splitlines())
