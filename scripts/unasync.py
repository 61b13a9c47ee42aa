"""Generate the client for threads from the client for asyncio: `python scripts/unasync.py`.

The two clients differ only in the words below. A test fails if the committed file is not what this script writes.
"""

import re
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "trainer_client" / "client"
SOURCE, TARGET = PACKAGE / "async_client.py", PACKAGE / "sync_client.py"

SENTENCES = {
    '''"""The client for asyncio and its handle on an episode.

`scripts/unasync.py` generates `sync_client.py` from this file: change this file, and run the script.
"""''': '''"""The client for threads and its handle on an episode.

`scripts/unasync.py` generates this file from `async_client.py`: change that file, and run the script.
"""''',
    "A client for asyncio; `Client` is the same for threads. It belongs to the event loop that first uses it.": (
        "A client for threads; `AsyncClient` is the same for asyncio. One client may serve many threads."
    ),
    "Seconds for one attempt. It must exceed what the server takes for a turn and its judge.": (
        "Seconds for one attempt, up to twice that where an answer stops halfway. It must exceed what the\n"
        "                server takes for a turn and its judge."
    ),
}
"""Sentence of the source -> sentence of the generated file."""

WORDS = {
    r"(?<!`)\bAsync(Client|Episode)\b": r"\1",
    r"`AsyncClient\.reset`": "`Client.reset`",
    r"\basync (def|with|for)\b": r"\1",
    r"\bawait ": "",
    r"\b__a(enter|exit)__\b": r"__\1__",
    r"\ba(close|call)\b": r"\1",
    r"\bsend_async\b": "send",
    r"(?m)^ *@begins\n": "",
    r"from trainer_client\.client\.beginning import begins\n": "",
}
"""Pattern in the source -> replacement."""


def generated(source: str) -> str:
    """Return the source of the client for threads, formatted.

    Raises:
        ValueError: if the source lacks a sentence or a word that is to be replaced.
    """
    for said, instead in SENTENCES.items():
        if said not in source:
            raise ValueError(f"{SOURCE.name} does not say: {said}")
        source = source.replace(said, instead)
    for pattern, instead in WORDS.items():
        source, replaced = re.subn(pattern, instead, source)
        if not replaced:
            raise ValueError(f"{SOURCE.name} has nothing like {pattern}")
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(TARGET), "-"]
    return subprocess.run(command, input=source, capture_output=True, encoding="utf-8", check=True).stdout


if __name__ == "__main__":
    TARGET.write_text(generated(SOURCE.read_text(encoding="utf-8")), encoding="utf-8")
