"""The conversations of published runs, whose messages have labels."""

import json
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "scripts" / "published_conversations.py"
SAID = [{"role": "user", "content": "Hi."}, {"role": "agent", "content": "Hello."}]
FORMS = {
    "tau2.json": {"simulations": [{"messages": [*SAID, {"role": "assistant", "content": None}]}]},
    "tau.json": [{"traj": [{"role": "system", "content": "S"}, SAID[0], {"role": "assistant", "content": "1."}]}],
    "voice.json": {"turns": [{"user_msg": "", "agent_reply": "2."}, {"user_msg": "Bye."}]},
    "clinic.json": {"transcript": [{"role": "ai", "content": "3."}, {"role": "tool", "content": "ok"}]},
    "again.json": {"simulations": [{"messages": SAID}]},
    "other.json": [1, {"traj": None}],
    "odd.json": {"simulations": 5},
    "odder.json": [{"traj": [None]}],
    "oddest.json": {"transcript": [{"role": ["x"], "content": "x"}]},
}


def test_all_forms_of_results_are_read(tmp_path: Path) -> None:
    """Each form gives its spoken messages once; other files and files that are no JSON give nothing."""
    for name, results in FORMS.items():
        (tmp_path / name).write_text(json.dumps(results), encoding="utf-8")
    (tmp_path / "broken.json").write_text("{", encoding="utf-8")
    (tmp_path / "deep.json").write_text("[" * 100_000, encoding="utf-8")
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "link.json").symlink_to(tmp_path / "voice.json")
    run = subprocess.run([sys.executable, str(SCRIPT), str(tmp_path)], capture_output=True, text=True, check=True)
    found = [[m["content"] for m in json.loads(line)["messages"]] for line in run.stdout.splitlines()]
    assert sorted(found) == [["2.", "Bye."], ["3."], ["Hi.", "1."], ["Hi.", "Hello."]]
