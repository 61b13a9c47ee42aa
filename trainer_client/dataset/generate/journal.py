"""The journal beside the output: every answer of the model as it came, and the verdict on each of its candidates.

An interrupted run continues from it: no answer and no verdict in it is asked for again.
"""

import json
import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from trainer_client.dataset.errors import DataError
from trainer_client.dataset.generate.figures import normalised
from trainer_client.dataset.generate.model import ModelReply
from trainer_client.dataset.generate.verdict import Judged, Rejection

SUFFIX = ".journal.jsonl"


def journal_path(out: Path) -> Path:
    """The journal of the output `out`."""
    return out.with_name(out.name + SUFFIX)


class Journal:
    """A file to which lines are only appended, and what stands in it."""

    def __init__(self, out: Path, about: Mapping[str, Any]) -> None:
        """Open the journal of `out`, or begin it.

        Args:
            out: The output.
            about: What the run is about; a journal of something else is refused.

        Raises:
            DataError: if it is the journal of something else, if it cannot be read or written, or if there is an
                output without a journal.
        """
        self.path = journal_path(out)
        self.replies: list[ModelReply] = []
        self.verdicts: dict[tuple[int, int], Judged] = {}
        if out.exists() and not self.path.exists():
            raise DataError(f"{out} exists, and there is no {self.path.name} to go on from: name another file")
        try:
            lines = self._whole_lines()
            self._file = self.path.open("a", encoding="utf-8", newline="\n")
        except OSError as e:
            raise DataError(f"{self.path} cannot be written: {e.strerror}") from e
        for line in lines[1:]:
            self._take(line)
        if not lines:
            self._append({"kind": "begin", **about})
        elif {k: v for k, v in lines[0].items() if k != "kind"} != dict(about):
            self._file.close()
            raise DataError(f"{self.path} is of another run: {lines[0]}; name another output")

    @property
    def tasks(self) -> list[dict[str, Any]]:
        """The tasks that are kept, in order."""
        return [judged.task for judged in self.verdicts.values() if judged.task is not None]

    @property
    def instructions(self) -> set[str]:
        """The instructions of the tasks that are kept, normalised."""
        return {normalised(task["instruction"]) for task in self.tasks}

    def rejections(self) -> dict[str, int]:
        """The numbers of candidates that are left out, by reason; an answer that failed counts as one."""
        return dict(sorted(Counter(str(v.reason) for v in self.verdicts.values() if v.reason).items()))

    def replied(self, reply: ModelReply) -> int:
        """Add an answer of the model; returns its number."""
        self.replies.append(reply)
        self._append({"kind": "reply", **asdict(reply)})
        return len(self.replies) - 1

    def judged(self, verdict: Judged) -> None:
        """Add a verdict."""
        self.verdicts[verdict.reply, verdict.place] = verdict
        self._append({"kind": "verdict", **asdict(verdict)})

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _append(self, line: Mapping[str, Any]) -> None:
        self._file.write(json.dumps(line) + "\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def _take(self, line: dict[str, Any]) -> None:
        kind = line.pop("kind", None)
        if kind == "reply":
            self.replies.append(ModelReply(**line))
        elif kind == "verdict":
            reason = line.pop("reason")
            verdict = Judged(**line, reason=None if reason is None else Rejection(reason))
            self.verdicts[verdict.reply, verdict.place] = verdict

    def _whole_lines(self) -> list[dict[str, Any]]:
        """The lines of the file. A last line that was not written to its end is removed."""
        if not self.path.exists():
            return []
        content = self.path.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        if len(whole) < len(content):
            os.truncate(self.path, len(whole))
        try:
            return [json.loads(line) for line in whole.decode("utf-8").splitlines()]
        except ValueError as e:
            raise DataError(f"{self.path} is no journal: {e}") from e
