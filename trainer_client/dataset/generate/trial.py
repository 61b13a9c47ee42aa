"""The trial of a candidate on a server: its calls are made, and the server scores its answer with and without them."""

import hashlib
import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from agent_env_schemas import CLOSE_INFRASTRUCTURE, StepReply, UserSpec
from trainer_client.client import Client, Episode
from trainer_client.client.errors import ServerError
from trainer_client.dataset.generate.candidate import Candidate
from trainer_client.dataset.generate.figures import Value, normalised, stands_in, written
from trainer_client.dataset.generate.offer import BLANK, Offer
from trainer_client.dataset.generate.references import as_text, resolved
from trainer_client.dataset.generate.sequence import problems
from trainer_client.dataset.generate.verdict import Rejected, Rejection
from trainer_client.dataset.server import ALONE

GENERATE_RUN = "trainer-data-generate"
"""The label of the episodes in which candidates are tried."""

SUBMIT = "submit_answer"
MOST_CALLS = 1_000
BASIS = ("answer", "evidence")


@dataclass(slots=True)
class Shown:
    """The results of a candidate's calls."""

    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    """The calls as they were made: tool and arguments."""

    results: dict[int, Any] = field(default_factory=dict)
    """The result of each step, as references see it: structured, else the text's JSON, else the text."""

    texts: list[str] = field(default_factory=list)
    structured: list[Any] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Trials:
    """Tries candidates on a server."""

    client: Client
    offer: Offer
    max_tools: int
    max_servers: int
    max_turns: int

    def task(self, candidate: Candidate) -> dict[str, Any]:
        """Return the candidate as a line of a task file, once it has passed every check.

        Raises:
            Rejected: if it is left out.
            ServerError: if the server fails, or refuses for a time.
        """
        self._check(candidate)
        tag = f"generate-{secrets.token_hex(8)}"
        shown = self._executed(candidate, tag)
        try:
            answer = _answer(candidate, shown)
            evidence = _evidence(candidate, shown, answer["value"])
        except (LookupError, ValueError) as e:
            raise Rejected(Rejection.ANSWER_NOT_SHOWN, str(e.args[0])) from e
        if not stands_in(answer["value"], "\n".join(shown.texts), shown.structured):
            raise Rejected(Rejection.ANSWER_NOT_SHOWN, f"{answer['value']!r} stands in no result")
        if stands_in(answer["value"], candidate.instruction):
            raise Rejected(Rejection.ANSWER_IN_INSTRUCTION, f"{answer['value']!r} stands in the instruction")
        line = {
            "task_id": f"llm-{hashlib.sha256(normalised(candidate.instruction).encode()).hexdigest()[:12]}",
            "instruction": candidate.instruction,
            "split": "train",
            "answer": answer,
            "evidence": self._proved(candidate, shown, answer, evidence, tag),
            "limits": {"max_turns": self.max_turns},
        }
        return {**line, "template": candidate.complexity} if candidate.complexity else line

    def _check(self, candidate: Candidate) -> None:
        steps = candidate.tool_sequence
        servers = {step.server for step in steps}
        for what, number, most in (("calls", len(steps), self.max_tools), ("servers", len(servers), self.max_servers)):
            if number > most:
                raise Rejected(Rejection.OVER_LIMITS, f"{number} {what}, and at most {most} are allowed")
        if len(steps) >= self.max_turns:
            detail = f"{len(steps)} calls and an answer do not fit into {self.max_turns} turns"
            raise Rejected(Rejection.OVER_LIMITS, detail)
        for place, step in enumerate(steps):
            for problem in problems(step, steps[:place], self.offer):
                raise Rejected(Rejection.UNKNOWN_TOOL, f"step {step.step}: {problem}")
        value = candidate.answer.value
        if "${" not in json.dumps(value) and stands_in(value, candidate.instruction):
            raise Rejected(Rejection.ANSWER_IN_INSTRUCTION, f"{value!r} stands in the instruction")

    def _executed(self, candidate: Candidate, tag: str) -> Shown:
        """Make the calls in an episode, one in a turn, and record their results under `tag`."""
        shown = Shown()
        with self._episode(dict(BLANK), {"mode": "record", "tag": tag}) as episode:
            for step in candidate.tool_sequence:
                try:
                    arguments = resolved(step.params, shown.results)
                except LookupError as e:
                    raise Rejected(Rejection.CALL_FAILS, f"step {step.step}: {e.args[0]}") from e
                name = self.offer.called(step.server, step.tool)
                reply = _called(episode, name, arguments)
                call, text = reply.info.calls[0], reply.observation[0].content or ""
                shown.calls.append((name, arguments))
                shown.texts.append(text)
                shown.structured.append(call.structured)
                shown.results[step.step] = call.structured if call.structured is not None else _read(text)
        return shown

    def _proved(
        self,
        candidate: Candidate,
        shown: Shown,
        answer: Mapping[str, Any],
        evidence: Sequence[Mapping[str, Any]],
        tag: str,
    ) -> list[Mapping[str, Any]]:
        """Let the server score the answer after the recorded calls, and without any; returns the evidence to keep."""
        task = inline(candidate.instruction, answer, evidence)
        after = self._scored(task, shown.calls, tag)
        missing = [tuple(each) for each in (after.get("evidence") or {}).get("missing", ())]
        kept = [each for each in evidence if tuple(each["shows"]) not in missing]
        if missing and candidate.evidence:
            raise Rejected(Rejection.NO_EVIDENCE, f"no look-up shows {' and '.join(missing[0])}")
        if not kept:
            raise Rejected(Rejection.NO_EVIDENCE, "no look-up shows the answer, or what it is computed from")
        if (after.get("answer") or {}).get("value") != 1.0:
            raise Rejected(Rejection.SCORES_0, f"the server scores {after}")
        alone = self._scored(task, (), tag)
        if all(part.get("value") for part in alone.values()):
            raise Rejected(Rejection.NEEDS_NOTHING, f"without a look-up the server scores {alone}")
        return kept

    def _scored(
        self, task: dict[str, Any], calls: Sequence[tuple[str, dict[str, Any]]], tag: str
    ) -> dict[str, dict[str, Any]]:
        """The breakdown of the reward for the recorded calls and the answer."""
        with self._episode(task, {"mode": "replay", "tag": tag}) as episode:
            for name, arguments in calls:
                _called(episode, name, arguments)
            last = _said(episode, SUBMIT, {"answer": task["answer"]["value"]})
            if not last.done:
                detail = last.observation[0].content if last.observation else "the answer does not end the episode"
                raise Rejected(Rejection.REFUSED, detail or "")
            return last.info.reward_breakdown or {}

    @contextmanager
    def _episode(self, task: dict[str, Any], tools: dict[str, Any]) -> Iterator[Episode]:
        """An episode of an agent alone, left unscored if it has not ended.

        Raises:
            Rejected: if the server refuses the task or a call of it.
        """
        try:
            with self.client.reset(
                self.offer.domain,
                pack=self.offer.pack,
                task=task,
                user=UserSpec(strategy=ALONE),
                conduct="off",
                tools={"servers": list(self.offer.servers), **tools},
                max_calls=MOST_CALLS,
                max_turns=MOST_CALLS,
                run=GENERATE_RUN,
                purpose="train",
            ) as episode:
                yield episode
                if not episode.done:
                    episode.close(CLOSE_INFRASTRUCTURE)
        except ServerError as e:
            if e.retryable:
                raise
            raise Rejected(Rejection.REFUSED, str(e)) from e


def inline(instruction: str, answer: Mapping[str, Any], evidence: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """A task as `/reset` takes it, scored by its answer and its evidence."""
    return {
        "instruction": instruction,
        "gold": {},
        "basis": list(BASIS),
        "answer": dict(answer),
        "evidence": [dict(each) for each in evidence],
    }


def _called(episode: Episode, name: str, arguments: dict[str, Any]) -> StepReply:
    reply = _said(episode, name, arguments)
    call = reply.info.calls[0] if reply.info.calls else None
    text = (reply.observation[0].content or "") if reply.observation else str(reply.info.parse_failure)
    if call is None or call.error is not None:
        raise Rejected(Rejection.CALL_FAILS, f"{name}({json.dumps(arguments)}): {text}")
    if reply.done:
        raise Rejected(Rejection.CALL_FAILS, f"{name} ended the episode: {reply.stop_reason}")
    return reply


def _said(episode: Episode, name: str, arguments: dict[str, Any]) -> StepReply:
    return episode.step({"tool_calls": [{"name": name, "arguments": arguments}]})


def _answer(candidate: Candidate, shown: Shown) -> dict[str, Any]:
    """The answer with its references replaced, of the type that its kind has."""
    given = candidate.answer
    found = resolved(given.value, shown.results)
    kinds = {"number": _number, "text": as_text, "date": _date, "list": _list}
    value = kinds[given.kind](found)
    if value in ("", []):
        raise ValueError("the answer is empty")
    exact = {"kind": given.kind, "value": value}
    return {**exact, "unit": given.unit, "tolerance": given.tolerance} if given.kind == "number" else exact


def _evidence(candidate: Candidate, shown: Shown, answer: Value) -> list[dict[str, list[str]]]:
    """The evidence that the candidate names; without any, each value of the answer."""
    named = [list(each.shows) for each in candidate.evidence]
    values = named or [[one] for one in (answer if isinstance(answer, list) else [answer])]
    return [{"shows": [_value(each) for each in resolved(list(group), shown.results)]} for group in values]


def _value(value: Any) -> str:
    return written(value) if isinstance(value, float) else as_text(value)


def _number(found: Any) -> float:
    if isinstance(found, bool) or not isinstance(found, (int, float, str)):
        raise ValueError(f"the answer has to be a number, but is {found!r:.80}")
    try:
        return float(str(found).replace(",", ""))
    except ValueError:
        raise ValueError(f"the answer has to be a number, but is {found!r:.80}") from None


def _date(found: Any) -> str:
    return as_text(found)[:10]


def _list(found: Any) -> list[str]:
    if not isinstance(found, list):
        raise ValueError(f"the answer has to be a list, but is {found!r:.80}")
    return [as_text(each) for each in found]


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
