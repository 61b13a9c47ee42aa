"""`trainer export` before it needs torch."""

from pathlib import Path

import pytest

from trainer_client.cli import MISUSED, main


def test_a_folder_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A missing folder and a folder without weights have different errors."""
    away = tmp_path / "away"
    assert main(["export", str(away), "--out", str(tmp_path / "out")]) == MISUSED
    assert capsys.readouterr().err == f"error: there is no folder {away}\n"
    assert main(["export", str(tmp_path), "--out", str(tmp_path / "out")]) == MISUSED
    assert f"error: {tmp_path} has neither an adapter" in capsys.readouterr().err
