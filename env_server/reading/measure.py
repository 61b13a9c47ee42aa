"""Print recall and precision of each act for a file of labels and a file of conversations.

`python -m env_server.reading.measure LABELS CONVERSATIONS`; `--help` lists the options. A line of LABELS is
`conversation:message act,act`. A line of CONVERSATIONS is a JSON object with `messages`, each with `content`, and with
an `id` or without one (see `identity`); the file may be packed with gzip.
`--adjudicated` names a table of the labels that a third person has decided. With `--second`, the labels of a second
person replace the reader's; their recall and precision show what a reader can reach.
"""

import argparse
import csv
import gzip
import hashlib
import json
import time
from pathlib import Path

from env_server.reading.acts import Act
from env_server.reading.reader import read

Key = tuple[str, int]


def labels(path: Path) -> dict[Key, frozenset[Act]]:
    """Return the acts in a file of labels, by conversation and message index."""
    found: dict[Key, frozenset[Act]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        key, _, acts = line.strip().partition(" ")
        conversation, _, index = key.rpartition(":")
        if conversation:
            found[conversation, int(index)] = frozenset(Act(a) for a in acts.split(",") if a and a != "other")
    return found


def adjudicated(path: Path, said: dict[Key, frozenset[Act]]) -> dict[Key, frozenset[Act]]:
    """Return the labels `said` with the decisions of a table: `message`, `act`, `holds` (yes or no), `reason`."""
    decided = dict(said)
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            conversation, _, index = row["message"].rpartition(":")
            key, act = (conversation, int(index)), {Act(row["act"])}
            if key in decided:
                decided[key] = decided[key] | act if row["holds"] == "yes" else decided[key] - act
    return decided


def identity(conversation: object) -> str:
    """Return the id of a conversation without one: the first digits of the SHA-256 of its JSON with sorted keys."""
    return hashlib.sha256(json.dumps(conversation, sort_keys=True).encode()).hexdigest()[:12]


def messages(path: Path) -> dict[Key, str]:
    """Return the texts in a file of conversations, by conversation and message index."""
    found: dict[Key, str] = {}
    packed = path.suffix == ".gz"
    for line in (gzip.decompress(path.read_bytes()) if packed else path.read_bytes()).decode().splitlines():
        conversation = json.loads(line)
        conversation_id = conversation.get("id") or identity(conversation)
        for index, message in enumerate(conversation["messages"]):
            found[conversation_id, index] = message.get("content") or ""
    return found


def table(
    said: dict[Key, frozenset[Act]], read_as: dict[Key, frozenset[Act]], doubted: dict[Key, frozenset[Act]]
) -> list[str]:
    """Return a header and one line for each act: the number of messages with the act, the recall, the precision, and
    the recall with the acts in doubt, about which the user asks back.

    An act that no label has is left out.
    """
    lines = [f"{'act':<10}{'messages':>9}{'recall':>8}{'precision':>10}{'or asked':>9}"]
    for act in Act:
        truly = {key for key, acts in said.items() if act in acts}
        if not truly:
            continue
        found = {key for key in said if act in read_as[key]}
        asked = {key for key in truly if act in doubted.get(key, ())} | found
        right = len(truly & found)
        precision = f"{right / len(found):.3f}" if found else "-"
        recalls = [f"{right / len(truly):>8.3f}{precision:>10}", f"{len(truly & asked) / len(truly):>9.3f}"]
        lines.append(f"{act:<10}{len(truly):>9}{''.join(recalls)}")
    return lines


def main() -> None:
    """Measure the reader on the two files, and print the table."""
    parser = argparse.ArgumentParser(description="Measure the reader on labelled messages.")
    parser.add_argument("labels", type=Path)
    parser.add_argument("conversations", type=Path)
    parser.add_argument("--adjudicated", type=Path, help="a table of decided labels")
    parser.add_argument("--second", type=Path, help="labels of a second person, which stand in for the reader")
    parser.add_argument("--wrong", type=Act, help="print the messages that are misread for this act")
    args = parser.parse_args()
    texts = messages(args.conversations)
    said = {key: acts for key, acts in labels(args.labels).items() if key in texts}
    if args.adjudicated:
        said = adjudicated(args.adjudicated, said)
    doubted: dict[Key, frozenset[Act]] = {}
    start = time.process_time()
    if args.second:
        read_as = labels(args.second)
        said = {key: acts for key, acts in said.items() if key in read_as}
    else:
        readings = {key: read(texts[key]) for key in said}
        read_as = {key: reading.acts for key, reading in readings.items()}
        doubted = {key: reading.doubted for key, reading in readings.items()}
    spent = time.process_time() - start
    print("\n".join(table(said, read_as, doubted)))
    size = sum(len(texts[key]) for key in said)
    print(f"{len(said)} messages, {size} characters, {1e6 * spent / max(1, len(said)):.0f} us each")
    for key, acts in said.items():
        if args.wrong and (args.wrong in acts) != (args.wrong in read_as[key]):
            print(f"\n{'missed' if args.wrong in acts else 'imagined'} {key[0]}:{key[1]}\n{texts[key]}")


if __name__ == "__main__":
    main()
