from pathlib import Path

import pytest

from tests.postgres.immediate import answering

LINES = ["4711", "/data", "1764200000", "5432", "/socket", "", "  2147802    229391"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("\n".join([*LINES, "ready   "]), 4711),
        ("\n".join([*LINES, "starting"]), None),
        ("\n".join([*LINES, "stopping"]), None),
        ("\n".join(LINES), None),
        ("4711", None),
        ("", None),
        (None, None),
    ],
)
def test_a_server_answers_when_its_file_says_so(tmp_path: Path, text: str | None, found: int | None) -> None:
    """A file that is missing, empty or half written means that the server does not take connections."""
    if text is not None:
        (tmp_path / "postmaster.pid").write_text(text, encoding="utf-8")
    assert answering(tmp_path) == found
