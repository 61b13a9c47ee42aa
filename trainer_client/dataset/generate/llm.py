"""Tasks that a language model proposes. Each is tried on the server, and kept only if it passes all checks."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import httpx2

from agent_env_schemas import WrittenFormat
from trainer_client.client import Client
from trainer_client.client.errors import ServerError
from trainer_client.client.retry import described
from trainer_client.dataset.errors import DataError
from trainer_client.dataset.generate.candidate import Candidate, candidates
from trainer_client.dataset.generate.figures import normalised
from trainer_client.dataset.generate.journal import Journal
from trainer_client.dataset.generate.model import ModelReply, Proposer, question
from trainer_client.dataset.generate.offer import Offer, read_offer, read_schemas
from trainer_client.dataset.generate.trial import Trials, inline
from trainer_client.dataset.generate.verdict import Judged, Rejected, Rejection
from trainer_client.dataset.row_files import Row, Setting, row
from trainer_client.dataset.server import ALONE, read_prompt

FAILURES = 3
"""Answers in a row that may fail before the run stops."""

Progress = Callable[[int, int, int], None]
"""A function that gets the numbers of tasks that are kept and wanted, and of candidates that were left out."""


@dataclass(frozen=True, kw_only=True)
class Generation:
    """The options of `trainer data generate llm`."""

    domain: str
    pack: str = "builtin"
    servers: Sequence[str] = ()
    """The servers whose tools tasks may need; all if none is named."""

    count: int = 10
    """The tasks to keep."""

    per_request: int = 4
    """The candidates to ask for at once."""

    max_requests: int | None = None
    """The most questions to the model in this run; by default three times as many as if every candidate were kept."""

    complexities: Sequence[str] = ("simple", "moderate", "complex")
    topics: Sequence[str] = ()
    max_tools: int = 5
    max_servers: int = 3
    max_turns: int = 12

    @property
    def requests(self) -> int:
        """The most questions of a run."""
        return self.max_requests or 3 * -(-self.count // self.per_request)


def generate(
    client: Client, proposer: Proposer, out: Path, wanted: Generation, progress: Progress = lambda *_: None
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Ask, try and keep until there are enough tasks; returns the tasks and a report.

    The journal beside `out` has everything. A run that is interrupted, or whose server fails, ends with what it has,
    and `stopped` in the report says why.

    Raises:
        DataError: if the domain has no servers, if the journal is of another run, or if the model's endpoint refuses.
        ServerError: if the server fails at the beginning.
    """
    offer = read_offer(client, wanted.domain, wanted.pack).limited(wanted.servers)
    schemas = read_schemas(client, offer)
    journal = Journal(out, {"domain": wanted.domain, "pack": wanted.pack})
    trials = Trials(client, offer, wanted.max_tools, wanted.max_servers, wanted.max_turns)
    try:
        stopped = _Run(proposer, wanted, offer, schemas, journal, trials, progress).go()
    except KeyboardInterrupt:
        stopped = "interrupted"
    except (ServerError, httpx2.TransportError) as e:
        stopped = f"the server failed: {described(e)}"
    finally:
        journal.close()
    return journal.tasks, report_of(journal, wanted, stopped)


def report_of(journal: Journal, wanted: Generation, stopped: str | None) -> dict[str, Any]:
    """The numbers of a run, together with those of the earlier runs that it continues."""
    return {
        "kept": len(journal.tasks),
        "wanted": wanted.count,
        "left_out": journal.rejections(),
        "requests": len(journal.replies),
        "prompt_tokens": sum(reply.prompt_tokens for reply in journal.replies),
        "completion_tokens": sum(reply.completion_tokens for reply in journal.replies),
        "stopped": stopped,
        "drops": [
            {"reply": v.reply, "place": v.place, "reason": str(v.reason), "detail": v.detail}
            for v in journal.verdicts.values()
            if v.reason is not None
        ],
    }


def rows_of(client: Client, tasks: Sequence[dict[str, Any]], wanted: Generation, form: WrittenFormat) -> list[Row]:
    """Rows of generated tasks, each of which carries its task. Tasks of one kind of answer share a prompt.

    Raises:
        ServerError: if the server refuses.
    """
    settings: dict[str, Setting] = {}
    rows = []
    user = {"strategy": ALONE}
    tools = {"servers": list(wanted.servers)} if wanted.servers else None
    for task in tasks:
        given = inline(task["instruction"], task["answer"], task["evidence"])
        kind = json.dumps([task["answer"]["kind"], task["answer"].get("unit")])
        if kind not in settings:
            prompt = read_prompt(client, wanted.domain, wanted.pack, form, user, task=given, tools=tools)
            settings[kind] = Setting(
                domain=wanted.domain,
                pack=wanted.pack,
                pack_version=prompt.pack_version,
                system=prompt.system,
                user=user,
                max_turns=wanted.max_turns,
                tools=tools,
            )
        source = f"{wanted.domain}/{wanted.pack}/llm"
        kind_of = task.get("template")
        rows.append(row(settings[kind], source=source, split="train", purpose="train", task=given, template=kind_of))
    return rows


@dataclass(frozen=True, slots=True)
class _Run:
    """One run. Its results are in the journal, and nowhere else."""

    proposer: Proposer
    wanted: Generation
    offer: Offer
    schemas: Sequence[dict[str, Any]]
    journal: Journal
    trials: Trials
    progress: Progress

    def go(self) -> str | None:
        """Judge the answers that an earlier run left, then ask for more; returns why there are too few tasks."""
        for number, reply in enumerate(self.journal.replies):
            self._judge(number, reply)
        failures = 0
        for _ in range(self.wanted.requests):
            if self._enough():
                return None
            number = len(self.journal.replies)
            reply = self.proposer.ask(self._question(number))
            self._judge(self.journal.replied(reply), reply)
            failures = failures + 1 if reply.error else 0
            if failures == FAILURES:
                return f"the model failed {FAILURES} times in a row: {reply.error}"
        return None if self._enough() else f"{self.wanted.requests} questions did not give enough tasks"

    def _enough(self) -> bool:
        return len(self.journal.tasks) >= self.wanted.count

    def _question(self, number: int) -> list[dict[str, str]]:
        """The question of this number; complexities and topics take turns."""
        turns = list(product(self.wanted.topics or (None,), self.wanted.complexities))
        topic, complexity = turns[number % len(turns)]
        return question(
            self.offer,
            self.schemas,
            count=min(self.wanted.per_request, self.wanted.count - len(self.journal.tasks)),
            complexity=complexity,
            topic=topic,
            limits={"max_tools": self.wanted.max_tools, "max_servers": self.wanted.max_servers},
            taken=[task["instruction"] for task in self.journal.tasks],
        )

    def _judge(self, number: int, reply: ModelReply) -> None:
        found: list[Candidate | str] = [] if reply.content is None else list(candidates(reply.content))
        if reply.content is None and (number, 0) not in self.journal.verdicts:
            self._leave_out(number, 0, Rejected(Rejection.MODEL_FAILED, reply.error or ""))
        for place, candidate in enumerate(found):
            if (number, place) in self.journal.verdicts or self._enough():
                continue
            try:
                self.journal.judged(Judged(number, place, self._tried(candidate)))
            except Rejected as e:
                self._leave_out(number, place, e)
            self.progress(len(self.journal.tasks), self.wanted.count, sum(self.journal.rejections().values()))

    def _leave_out(self, number: int, place: int, why: Rejected) -> None:
        self.journal.judged(Judged(number, place, None, why.reason, why.detail))

    def _tried(self, candidate: Candidate | str) -> dict[str, Any]:
        if isinstance(candidate, str):
            raise Rejected(Rejection.UNREADABLE, candidate)
        if normalised(candidate.instruction) in self.journal.instructions:
            raise Rejected(Rejection.TWICE, candidate.instruction)
        return self.trials.task(candidate)


def check_generation(wanted: Generation) -> None:
    """Check that the numbers make sense.

    Raises:
        DataError: if one does not; the message names the option.
    """
    for name in ("count", "per_request", "max_tools", "max_servers", "max_turns"):
        if getattr(wanted, name) < 1:
            raise DataError(f"{name} is at least 1")
    if not wanted.complexities:
        raise DataError("name at least one complexity")
