"""The rows of a job, as they are read without SkyRL."""

import json
from pathlib import Path

from trainer_client.recipes.grpo.dry_run.rows import read_rows


def test_a_row_may_hold_what_ends_lines_elsewhere(tmp_path: Path) -> None:
    """Only a line feed ends a row: a task's text may have U+2028 in it, unescaped."""
    task = json.dumps({"instruction": "one\u2028two\x85three"}, ensure_ascii=False)
    row = {"data_source": "s", "prompt": [], "env_class": "e", "extra_info": {"domain": "retail", "task": task}}
    path = tmp_path / "rows.jsonl"
    path.write_text(f"{json.dumps(row, ensure_ascii=False)}\n" * 2, encoding="utf-8")
    assert read_rows([str(path)]) == [row, row]
