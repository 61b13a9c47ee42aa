"""Print the conversations of published runs as JSON lines, for `python -m env_server.reading.measure`.

    python scripts/published_conversations.py CHECKOUT... > conversations.jsonl

Each CHECKOUT is a clone of a repository that holds results of customer-service agents. `env_server/reading/labels`
names those with labels. Four forms of results are known: of tau2-bench (`simulations`), of tau-bench (a list of objects
with `traj`), of a voice agent (`turns`) and of a clinic's agent (`transcript`). Other JSON files are left out, and so
are messages without text and calls of tools. A conversation that was printed before is not printed again.
"""

import argparse
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from env_server.reading.measure import identity

Message = dict[str, str]
_AGENT = frozenset({"agent", "assistant", "ai"})
_USER = frozenset({"user", "human"})


def conversations(results: object) -> Iterator[list[Message]]:
    """Yield the messages of each conversation in a file of results; nothing for a file of another form."""
    if isinstance(results, list):
        for run in results:
            if isinstance(run, dict) and isinstance(run.get("traj"), list):
                yield _spoken(run["traj"])
    elif isinstance(results, dict):
        for run in results.get("simulations") or ():
            yield _spoken(run["messages"])
        if isinstance(results.get("turns"), list):
            yield _spoken(_of_turns(results["turns"]))
        if isinstance(results.get("transcript"), list):
            yield _spoken(results["transcript"])


def _of_turns(turns: Iterable[dict[str, Any]]) -> Iterator[Message]:
    for turn in turns:
        yield {"role": "user", "content": turn.get("user_msg") or ""}
        yield {"role": "agent", "content": turn.get("agent_reply") or ""}


def _spoken(messages: Iterable[dict[str, Any]]) -> list[Message]:
    """Return the messages with text of the agent and of the user."""
    found = []
    for message in messages:
        role, content = message.get("role"), message.get("content")
        if role in _AGENT | _USER and isinstance(content, str) and content.strip():
            found.append({"role": "agent" if role in _AGENT else "user", "content": _unwrapped(content)})
    return found


def _unwrapped(content: str) -> str:
    """Return the text of a message that its model wrote as `{"message": TEXT}`; any other content as it is."""
    if not content.lstrip().startswith("{"):
        return content
    try:
        value = json.loads(content)
    except ValueError:
        return content
    text = value.get("message")
    return text if len(value) == 1 and isinstance(text, str) else content


def _read(path: Path) -> list[list[Message]]:
    """Return the conversations in a file; none for a file that cannot be read, has another form or is a link."""
    if path.is_symlink() or not path.is_file():
        return []
    try:
        return list(conversations(json.loads(path.read_text(encoding="utf-8"))))
    except (OSError, ValueError, RecursionError, TypeError, AttributeError, KeyError):
        return []


def main() -> None:
    """Print the conversations of the checkouts."""
    parser = argparse.ArgumentParser(description="Print the conversations of published runs as JSON lines.")
    parser.add_argument("checkouts", type=Path, nargs="+")
    known: set[str] = set()
    for checkout in parser.parse_args().checkouts:
        for path in sorted(checkout.rglob("*.json")):
            for messages in _read(path):
                one = {"messages": messages}
                if messages and (conversation_id := identity(one)) not in known:
                    known.add(conversation_id)
                    print(json.dumps({"id": conversation_id, **one}))


if __name__ == "__main__":
    main()
