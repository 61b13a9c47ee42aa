"""Shell completion, in a real bash."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

PROGRAM = Path(sys.executable).with_name("env-server")


def completed(*words: str) -> list[str]:
    """The words that bash offers for the last of `words` after the program, by the program's own completion script."""
    bash = shutil.which("bash")
    assert bash is not None
    script = f"""
eval "$("{PROGRAM}" --show-completion bash)"
COMP_WORDS=("{PROGRAM}" {" ".join(words)}) COMP_CWORD={len(words)}
function=$(complete -p env-server | sed 's/.* -F \\([^ ]*\\) .*/\\1/')
"$function" "{PROGRAM}"
echo "${{COMPREPLY[@]}}"
"""
    surroundings = {name: value for name, value in os.environ.items() if not name.startswith(("COMP_", "_ENV_SERVER"))}
    done = subprocess.run([bash, "--norc", "-c", script], capture_output=True, text=True, check=True, env=surroundings)
    return done.stdout.split()


def test_commands_and_options_are_completed() -> None:
    """The beginning of a command is completed to the command, and that of an option to all matching options."""
    assert completed("ev") == ["eval"]
    assert {"--policy", "--policy-url"} <= set(completed("eval", "--po"))
