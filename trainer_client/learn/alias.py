"""The second stage: any tool of a domain, its arguments copied from the conversation by alias tokens.

An action is a tool or a speech act, and then one token for each value. A value token points to a value: the k-th last
one that the user said or that a tool returned, of the shapes that the argument takes; the one whose record shares most
words with what the user said; or the k-th of those that a schema lists. Nothing here knows a domain.
"""

import calendar
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from trainer_client.learn.grpo import TokenRollout

SAID, SEEN, LISTED = 4, 6, 12
LENGTH = 50
"""How many tokens of an observation are read."""

SPEECH = ("who", "what", "else", "propose", "do", "done", "tell", "refuse")
POINTERS = (
    "left out",
    "matched",
    "first",
    *(f"said {k}" for k in range(SAID)),
    *(f"seen {k}" for k in range(SEEN)),
    *(f"listed {k}" for k in range(LISTED)),
)
MONTHS = tuple(calendar.month_name)[1:]
DATE = re.compile(rf"({'|'.join(MONTHS)}) (\d{{1,2}}), (\d{{4}})")
VALUE = re.compile(
    r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"  # addresses of mail
    r"|\d{3}-\d{3}-\d{4}|\d{4}-\d{2}-\d{2}|\d{2}:\d{2}"  # telephone numbers, dates, times
    r"|\d+ [A-Z]\w+(?: [A-Z]\w+)+"  # streets
    r"|#?[A-Za-z]+(?:[_-][A-Za-z]+)*[_-]?\d[\w-]*"  # ids
    r"|\d+(?:\.\d+)?"
    r"|(?<=, )[A-Z][a-z]+ \d+(?=,)|(?<=, )[A-Z]{2,3}\b"  # other parts of an address
    r"|[A-Z][a-z]+(?:[ -][A-Z][a-z]+)+|(?<=[a-z,] )[A-Z][a-z]+"  # names
)
WORD = re.compile(r"[a-z']+|[\w#-]*\d[\w-]*")


def plain(text: str) -> str:
    """The text with its dates as tools write them."""
    return DATE.sub(lambda m: f"{m[3]}-{MONTHS.index(m[1]) + 1:02}-{int(m[2]):02}", text)


def shape(value: object) -> str:
    """What values of one kind have in common: digits and letters are replaced, capitals of ids stay."""
    text = str(value)
    if "@" in text:
        return "mail"
    if re.fullmatch(r"-?\d{1,4}(\.\d+)?", text):
        return "number"
    return re.sub(r"\d", "9", re.sub(r"[a-z]+", "a", re.sub(r"[A-Z][a-z]+", "A", text)))


def words(text: str) -> list[str]:
    """The words of a text, and each value as the shape that it has."""
    found = []
    for part in re.split(f"({VALUE.pattern})", plain(text)):
        if VALUE.fullmatch(part or ""):
            found.append(f"<{shape(part)}>")
        else:
            found += re.findall(r"[a-z']+", (part or "").lower())
    return found


@dataclass(frozen=True)
class Tool:
    """A tool with the arguments that are filled, each with the shapes and the listed values that it takes."""

    name: str
    arguments: tuple[str, ...]
    shapes: dict[str, set[str]]
    listed: dict[str, list[Any]]
    numbers: set[str]
    lists: set[str]
    required: set[str]

    @property
    def says(self) -> str:
        """The tool's name as words."""
        return self.name.replace("_", " ")


def tools_of(schemas: Iterable[dict[str, Any]], gold: Iterable[dict[str, Any]]) -> dict[str, Tool]:
    """The tools, with the arguments and shapes that the gold calls of training tasks have."""
    shapes: dict[tuple[str, str], set[str]] = defaultdict(set)
    for call in gold:
        for name, value in call["arguments"].items():
            shapes[call["name"], name].update(shape(one) for one in (value if isinstance(value, list) else [value]))
    found = {}
    for schema in schemas:
        given = schema.get("function", schema)
        properties, tool = given["parameters"].get("properties", {}), given["name"]
        kinds = {name: [one, *one.get("anyOf", [])] for name, one in properties.items()}
        required = set(given["parameters"].get("required", ()))
        found[tool] = Tool(
            name=tool,
            arguments=tuple(name for name in properties if name in required or (tool, name) in shapes),
            shapes={name: shapes[tool, name] for name in properties},
            listed={name: _listed(kind) for name, kind in kinds.items()},
            numbers={name for name, kind in kinds.items() if any(k.get("type") in ("number", "integer") for k in kind)},
            lists={name for name, kind in kinds.items() if any(k.get("type") == "array" for k in kind)},
            required=required,
        )
    return found


def _listed(kinds: Sequence[dict[str, Any]]) -> list[Any]:
    listed = [value for kind in kinds for value in kind.get("enum", ())]
    return listed or ([False, True] if any(kind.get("type") == "boolean" for kind in kinds) else [])


@dataclass
class Slots:
    """What was said and seen, as values that can be pointed at."""

    said: list[str] = field(default_factory=list)
    seen: list[tuple[str, str, frozenset[str]]] = field(default_factory=list)
    """Value, name of its field and the words of its record."""

    quotes: list[str] = field(default_factory=list)
    """The user's messages."""

    recent: set[str] = field(default_factory=set)
    """The words that the user said last."""

    def hear(self, text: str) -> None:
        """Take what the user said."""
        self.quotes.append(text)
        self.said += VALUE.findall(plain(text))
        for value in VALUE.findall(plain(text)):
            self.said += value.split() if " " in value else []
        lately = plain(" ".join(self.quotes[-3:]))
        self.recent = set(WORD.findall(lately.lower())) | set(VALUE.findall(lately))

    def see(self, value: object, name: str = "", record: frozenset[str] = frozenset()) -> None:
        """Take what a tool returned."""
        if isinstance(value, dict):
            flat = " ".join(str(one) for one in value.values() if not isinstance(one, dict | list))
            inner = frozenset(WORD.findall(flat.lower())) | frozenset(VALUE.findall(flat))
            for key, one in value.items():
                if VALUE.fullmatch(str(key)):
                    text = " ".join(str(x) for x in one.values()) if isinstance(one, dict) else str(one)
                    self.seen.append((str(key), name, frozenset(WORD.findall(text.lower()))))
                self.see(one, str(key), inner or record)
        elif isinstance(value, list):
            for one in value:
                self.see(one, name, record)
        elif value is not None and not isinstance(value, bool):
            self.seen.append((str(value), name, record))

    def candidates(self, shapes: set[str]) -> tuple[list[str], list[tuple[str, str, frozenset[str]]]]:
        """Values of these shapes (of any shape if `shapes` is empty), said and seen, the last first, each once."""
        said = [one for one in dict.fromkeys(reversed(self.said)) if not shapes or shape(one) in shapes]
        seen = {one[0]: one for one in self.seen if not shapes or shape(one[0]) in shapes}
        latest = dict.fromkeys(one[0] for one in reversed(self.seen) if one[0] in seen)
        return said, [seen[one] for one in latest]

    def named(self, shapes: set[str]) -> list[str]:
        """All seen values of these shapes whose record shares a name with what the user said last."""
        _, seen = self.candidates(shapes)
        return [one[0] for one in reversed(seen) if any(" " in word for word in one[2] & self.recent)]

    def point(self, pointer: str, shapes: set[str], listed: Sequence[Any]) -> tuple[Any, str]:
        """The value that a pointer means, None if there is none, and the name of its field."""
        said, seen = self.candidates(shapes)
        kind, _, place = pointer.partition(" ")
        k = int(place) if place.isdigit() else 0
        if kind == "listed":
            return (listed[k], "") if k < len(listed) else (None, "")
        if kind == "said":
            return (said[k], "") if k < len(said) else (None, "")
        if kind == "left" or not seen:
            return None, ""
        if kind == "matched":
            return max(seen, key=lambda one: len(one[2] & self.recent))[:2]
        if kind == "first":
            return seen[-1][:2]
        return seen[k][:2] if k < len(seen) else (None, "")


@dataclass
class AliasEpisode:
    """One episode: the handle on the server, its tokens, what can be pointed at, and the action being written."""

    handle: Any
    template: str
    rollout: TokenRollout
    tools: dict[str, Tool]
    vocabulary: Sequence[str]
    ids: Callable[[str], int]
    reported: Mapping[str, set[str]]
    reads: Callable[[int], bool] = lambda _: True
    slots: Slots = field(default_factory=Slots)
    written: list[str] = field(default_factory=list)
    proposed: tuple[str, dict[str, Any]] | None = None
    opened: set[str] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)
    done: bool = False

    def read(self, role: str, content: str) -> None:
        """Take an observation into the rollout and into the slots."""
        if role == "user":
            said = [word for word in words(content)[:LENGTH] if word.startswith("<") or self.reads(self.ids(word))]
            self.rollout.read([self.ids(word) for word in ["<user>", *said]])
            self.slots.hear(content)
        elif role == "tool" and content.startswith("Error"):
            self.rollout.read([self.ids("<error>")])
        elif role == "tool":
            try:
                value = json.loads(content)
            except ValueError:
                value = content
            self.opened.add(content)
            self.slots.see(value)
            self.rollout.read([self.ids(word) for word in ["<tool>", *_fields(value)][:LENGTH]])

    def write(self, token: int) -> str | dict[str, Any] | None:
        """Take one action token; the message once the action is complete, else None."""
        self.written.append(self.vocabulary[token])
        head, *rest = self.written
        tool, wanted = None, 0
        if head in ("propose", "refuse"):
            tool = self.tools.get(rest[0]) if rest else None
            wanted = 1 + (1 if head == "refuse" else len(tool.arguments) if tool else 0)
        elif head == "tell":
            wanted = 1
        elif head in self.tools:
            tool, wanted = self.tools[head], len(self.tools[head].arguments)
        if len(rest) < wanted:
            return None
        self.written = []
        return self._message(head, tool, rest[1:] if head in ("propose", "refuse") else rest)

    def _message(self, head: str, tool: Tool | None, pointers: Sequence[str]) -> str | dict[str, Any]:
        if head in ("tell", "refuse"):
            value, name = self.slots.point(pointers[0], self.reported[head], ())
            reason = f"the {name.replace('_', ' ')} is {value}"
            what = tool.says if tool else "do this"
            return f"{reason[0].upper()}{reason[1:]}." if head == "tell" else f"I am sorry, I cannot {what}: {reason}."
        if head == "propose" and tool:
            self.proposed = tool.name, self.filled(tool, pointers)
            return f"I will {self._says()}, as you said: {' '.join(self.slots.quotes[-2:])} Shall I go ahead?"
        if head == "do" and self.proposed:
            return _call(*self.proposed)
        if head == "done" and self.proposed:
            return f"Done: I have completed this: {self._says()}. Is there anything else?"
        if tool and head == tool.name:
            return _call(tool.name, self.filled(tool, pointers))
        return SENTENCES.get(head, SENTENCES["else"])

    def filled(self, tool: Tool, pointers: Sequence[str]) -> dict[str, Any]:
        """The arguments of a call."""
        found = {}
        for name, pointer in zip(tool.arguments, pointers, strict=True):
            value, _ = self.slots.point(pointer, tool.shapes[name], tool.listed[name])
            if name in tool.lists and value is not None:
                value = self.slots.named(tool.shapes[name]) if pointer == "matched" else [value]
            if value is not None and name in tool.numbers:
                value = json.loads(value) if re.fullmatch(r"-?[1-9]?\d*(\.\d+)?", str(value)) else None
            if any(one.count(" ") > 3 for one in tool.shapes[name]):  # a sentence cannot be pointed at
                value = "The customer needs help."
            if value is not None or name in tool.required:
                found[name] = "unknown" if value is None else value
        return found

    def _says(self) -> str:
        assert self.proposed is not None
        tool, arguments = self.proposed
        values = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in arguments.items())
        return f"{tool.replace('_', ' ')} ({values})"


SENTENCES = {
    "who": "Gladly. First I need to verify who you are, please.",
    "what": "Thank you. Please tell me all the details of what you want.",
    "else": "Is there anything else that I can do for you?",
}


def _fields(value: object, name: str = "") -> Iterator[str]:
    """What the policy reads of a result: each field with its word, or with the shape of its value."""
    if isinstance(value, dict):
        for key, one in value.items():
            yield from _fields(one, f"<{shape(key)}>" if VALUE.fullmatch(str(key)) else str(key))
    elif isinstance(value, list):
        for one in value[:6]:
            yield from _fields(one, name)
    else:
        text = str(value)
        yield f"<{name}={text if re.fullmatch('[A-Za-z_ ]{1,20}', text) else shape(text)}>"


def _call(tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    return {"tool_calls": [{"name": tool, "arguments": arguments}]}
