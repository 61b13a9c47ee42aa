"""Cheats of tasks that want an answer: they look up whatever the request names, then submit what they cannot know.

They know no domain and no tool by name, except the one that takes the answer, which the engine defines.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice, product
from typing import Any

from agent_env_schemas import Action, Message, ToolCall
from env_server.domains.kit.submit_answer import LONGEST
from env_server.domains.kit.submit_answer import NAME as SUBMIT
from env_server.policies.base import AgentMove, Brief, Policy
from env_server.policies.crawl.opening import features

ROUNDS = 3
"""The number of messages with look-ups. The easiest tasks have five turns."""

EACH = 5
"""The maximum number of calls of one tool in a message once it has succeeded."""

MOST_FAILED = 9
"""The maximum number of failed calls. Episodes end at ten errors, so no message has more calls than may still fail."""

MOST_NAMES = 15
"""The maximum number of names in a statement of what is missing."""

_CODE = re.compile(r"\b[A-Z]{2,6}\b")
_NAME = re.compile(r"\b[A-Z][a-z]\w*(?: (?:of |the )?[A-Z]\w*)*")
_DAY = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")
_LINK = re.compile(r"https?://[^\s)>\"']+")
_FIGURE = re.compile(r"\b\d+(?:\.\d+)?\b")

Read = str
"""All that was read: the request, and the results of the look-ups."""

Submit = Callable[["Sheet", Read], Mapping[str, Any]]
"""(the form of the answer, all that was read) -> the arguments of the submission."""


@dataclass(frozen=True)
class Sheet:
    """The knowledge of an agent before its first look-up: its request, and the form of its answer."""

    request: str
    kind: str
    """The JSON type of the answer: `number`, `string` or `array`."""


@dataclass
class Answerer:
    """The policy: look-ups with the words of the request, look-ups with the words of the results, one answer.

    If the answer is refused, because it has another form than the task wants, it says that the answer is unknown.
    """

    brief: Brief
    submit: Submit
    rounds: int = ROUNDS
    request: str = ""
    results: list[str] = field(default_factory=list)
    made: set[str] = field(default_factory=set)
    _open: list[str] = field(default_factory=list)
    """The tools of the calls that have no answer yet."""

    _works: dict[str, bool] = field(default_factory=dict)
    """Tool -> whether a call of it has succeeded."""

    _failed: int = 0
    _refused: bool = False
    """Whether a submission was made already, and was refused."""

    async def move(self, heard: Sequence[Message]) -> AgentMove | None:
        """Return look-ups, and at last the submission."""
        self.request = self.request or "\n".join(message.content for message in heard if message.role == "user")
        for name, message in zip(self._open, [each for each in heard if each.role == "tool"], strict=False):
            well = not message.content.startswith("Error")
            self._works[name] = well or self._works.get(name, False)
            self._failed += not well
            self.results += [message.content] if well else []
        self.rounds -= 1
        chosen = self._look_ups() if self.rounds >= 0 else []
        return AgentMove(Action(tool_calls=chosen or [self._submission()]))

    def _look_ups(self) -> list[ToolCall]:
        calls: list[ToolCall] = []
        words = "\n".join([self.request, *self.results])
        for schema in (tool["function"] for tool in self.brief.tools):
            if schema["name"] in (SUBMIT, *(self.brief.writes or ())):
                continue
            ways = [ToolCall(name=schema["name"], arguments=found) for found in _ways(schema["parameters"], words)]
            most = EACH if self._works.get(schema["name"]) else 1
            calls += [way for way in ways if way.model_dump_json() not in self.made][:most]
        calls.sort(key=lambda call: not self._works.get(call.name, False))
        chosen = calls[: MOST_FAILED - self._failed]
        self.made.update(call.model_dump_json() for call in chosen)
        self._open = [call.name for call in chosen]
        return chosen

    def _submission(self) -> ToolCall:
        schemas = [tool["function"] for tool in self.brief.tools if tool["function"]["name"] == SUBMIT]
        sheet, read = Sheet(self.request, _kind(schemas[0]["parameters"])), "\n".join([self.request, *self.results])
        submit = says_unknown if self._refused else self.submit
        self._refused = True
        return ToolCall(name=SUBMIT, arguments=dict(submit(sheet, read)))


def lists_all(sheet: Sheet, read: Read) -> Mapping[str, Any]:
    """Submit every code, name, day or figure that was read."""
    if sheet.kind == "array":
        return {"answer": list(dict.fromkeys(_CODE.findall(read)))}
    if sheet.kind == "number":
        return {"answer": float((_FIGURE.findall(read.removeprefix(sheet.request)) or ["0"])[-1])}
    return {"answer": ", ".join(dict.fromkeys((*_CODE.findall(read), *_DAY.findall(read), *_NAME.findall(read))))}


def says_unknown(sheet: Sheet, read: Read) -> Mapping[str, Any]:
    """Submit that the answer cannot be known. The names that were read most often are given as missing."""
    found = Counter(name for name in _NAME.findall(read) if name not in sheet.request)
    return {"missing": ", ".join(name for name, _ in found.most_common(MOST_NAMES)) or sheet.request[:LONGEST]}


def says_constant(sheet: Sheet, _read: Read) -> Mapping[str, Any]:
    """Submit the same answer in every task of a kind."""
    constants: Mapping[str, Any] = {"number": 100.0, "array": ["A", "B", "C", "D"]}
    return {"answer": constants.get(sheet.kind, "2025-06-02")}


@dataclass(frozen=True)
class Remembered:
    """Answers of other tasks: their requests and what was right there."""

    answers: Sequence[tuple[str, Mapping[str, Any]]]

    def submit(self, sheet: Sheet, _read: Read) -> Mapping[str, Any]:
        """Submit the right answer of the task whose request is most alike."""
        mine = _words(sheet.request)
        near = max(self.answers, key=lambda each: _likeness(mine, _words(each[0])), default=("", {"missing": "all"}))
        return near[1]


def answering(submit: Submit, rounds: int, brief: Brief) -> Policy:
    """Return the policy that makes look-ups in `rounds` messages, then submits."""
    return Answerer(brief, submit, rounds)


def remembering(known: Remembered, brief: Brief) -> Policy:
    """Return the policy that looks up all it can, then submits an answer that it remembers."""
    return Answerer(brief, known.submit)


ANSWERING: Mapping[str, Callable[[Brief], Policy]] = {
    "answer-constant": partial(answering, says_constant, 0),
    "answer-refuse": partial(answering, says_unknown, 0),
    "look-constant": partial(answering, says_constant, ROUNDS),
    "look-list": partial(answering, lists_all, ROUNDS),
    "look-unknown": partial(answering, says_unknown, ROUNDS),
}
"""The policies by name. They play tasks that want an answer."""


def _ways(parameters: Mapping[str, Any], words: str) -> Iterator[dict[str, Any]]:
    """Yield arguments for a tool, each from the words that were read."""
    properties = parameters.get("properties", {})
    required = parameters.get("required", ())
    values = [_fillers(name, properties[name], words) for name in required]
    for chosen in islice(product(*values), 40 * EACH):
        yield dict(zip(required, chosen, strict=True))


def _fillers(name: str, schema: Mapping[str, Any], words: str) -> Sequence[Any]:
    """Return values for one argument: days, links, codes and names, by its name and its type."""
    if schema.get("enum"):
        return list(schema["enum"])
    if schema.get("type") == "array":
        return [[value] for value in _fillers(name.removesuffix("s"), schema.get("items", {}), words)]
    if schema.get("type") in ("integer", "number"):
        return [1]
    if "url" in name:
        return _distinct(_LINK.findall(words))
    if "date" in name:
        return sorted(set(_DAY.findall(words)), reverse="end" in name)
    if name in ("ticker", "symbol"):
        return _distinct(_CODE.findall(words))
    return _distinct(_NAME.findall(words))


def _distinct(values: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(values))


def _kind(parameters: Mapping[str, Any]) -> str:
    schema = parameters["properties"]["answer"]
    kinds = [each.get("type") for each in schema.get("anyOf", [schema])]
    return str(next(kind for kind in kinds if kind != "null"))


def _words(request: str) -> frozenset[str]:
    """Return the words of a request and the names in it."""
    return features([request]) | set(_CODE.findall(request)) | set(_NAME.findall(request))


def _likeness(mine: frozenset[str], theirs: frozenset[str]) -> float:
    return len(mine & theirs) / (len(mine | theirs) or 1)
