"""What a thinking stand-in for the engine says, and a file in which it notes that.

Each turn begins with a thought of random ids, and of a word letter by letter. No tokenizer would write them, so a
trainer that tokenises a turn again is found out. The first turn looks the lines up, the second asks the user, and the
third connects to any line.
"""

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

from transformers import AutoTokenizer

from tests.skyrl.tiny import NAMES, THINK, THOUGHT

HEADER = "<|im_start|>assistant"
NOTES = "turns.jsonl"
"""The file beside the model in which the turns are noted."""


def call(tool: str, **arguments: str) -> str:
    """The call, as Qwen's template writes it."""
    return f"<tool_call>\n{json.dumps({'name': tool, 'arguments': arguments})}\n</tool_call>"


@dataclass(frozen=True)
class Noted:
    """One turn: what was given and what was sampled."""

    rollout: str
    prompt: list[int]
    ids: list[int]


class Script:
    """The turns, in the tokens of the model in a folder."""

    def __init__(self, folder: Path) -> None:
        self.tokenizer: Any = AutoTokenizer.from_pretrained(folder)
        self.notes = folder / NOTES
        self.letters = [each for each in range(len(self.tokenizer)) if self.tokenizer.decode([each]).isalpha()]

    def said(self, rollout: str, prompt: Sequence[int]) -> list[int]:
        """The turn after the prompt; nothing if the prompt is no conversation."""
        turn = self.tokenizer.decode(prompt).count(HEADER) - 1
        if turn < 0:
            return []
        chance = random.Random(crc32(f"{rollout} {prompt}".encode()))
        thought = [*chance.choices(self.letters, k=chance.randint(4, 9)), *map(self._id, chance.choice(NAMES))]
        texts = (call("lines"), "Which line?", call("connect", line=chance.choice(NAMES)))
        text = self._ids(f"{THOUGHT}\n\n{texts[turn]}")
        return [*self._ids(THINK), *thought, *text, self.tokenizer.eos_token_id]

    def note(self, rollout: str, prompt: Sequence[int], ids: Sequence[int]) -> None:
        """Note a turn of a rollout."""
        with self.notes.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"rollout": rollout, "prompt": list(prompt), "ids": list(ids)}) + "\n")

    def _id(self, letter: str) -> int:
        return int(self.tokenizer.convert_tokens_to_ids(letter))

    def _ids(self, text: str) -> list[int]:
        ids: list[int] = self.tokenizer.encode(text, add_special_tokens=False)
        return ids


def noted(folder: Path) -> list[Noted]:
    """The turns that an engine noted."""
    return [Noted(**json.loads(line)) for line in (folder / NOTES).read_text(encoding="utf-8").splitlines()]
