"""An agent's knowledge so far, and the values that it offers for an argument."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from env_server.policies.rules.extraction import Met, codes, labelled, leaves, met, numbers, stems, told, wished
from env_server.policies.rules.values import singular

Json = dict[str, Any]

MOST_FACTS = 8
"""The maximum number of values told in one message."""


@dataclass
class KnownValues:
    """The user's words, and the values in the answers of tools."""

    words: str = ""
    seen: list[Met] = field(default_factory=list)
    labels: dict[str, set[str]] = field(default_factory=dict)
    """Id -> the names of its records, in lower case."""

    def hear(self, words: str) -> None:
        """Store words of the user."""
        self.words = f"{self.words} {words}".strip()

    def learn(self, tool: str, answer: str) -> None:
        """Store a tool's answer. The second word of the tool's name is the subject of ids without a name."""
        self.seen += met(answer, singular([*tool.split("_"), ""][1]))
        for one, label in labelled(answer):
            self.labels.setdefault(one, set()).add(label)

    def values(self, name: str, schema: Json) -> list[Any]:
        """Return the values that an argument can take, the best first."""
        kind = schema.get("type")
        if "enum" in schema:
            return self._options(schema["enum"])
        if kind == "boolean":
            return [False]
        if kind in ("integer", "number"):
            found = numbers(self.words, name.rpartition("_")[2])
            return [n for n in found if kind == "number" or isinstance(n, int)]
        if kind == "array" and schema.get("items", {}).get("type") == "string":
            ids = self._ids(singular(name))
            return [named] if (named := self._named(ids)) else [[one] for one in ids]
        return self._texts(name) if kind == "string" else []

    def _options(self, options: Sequence[Any]) -> list[Any]:
        """Return the options that share words with the user's words, those with the greatest share first."""
        wanted = stems(self.words)
        shares = {str(o): len(stems(str(o)) & wanted) / max(1, len(stems(str(o)))) for o in options}
        return sorted((o for o in options if shares[str(o)]), key=lambda o: -shares[str(o)])

    def _texts(self, name: str) -> list[Any]:
        """Return the text values for an argument.

        For an id: the user's ids, else those from tools. For other text: the user's values, else values from both.
        """
        if is_id(name):
            ids = self._ids(name)
            said = [one for one in ids if one.lower() in self.words.lower()]
            return list(dict.fromkeys([*codes(self.words, name.removesuffix("_id")), *said])) or ids
        shaped = told(self.words).get(name, [])
        return shaped or [m.value for m in self.seen if m.name == name and str(m.value).lower() in self.words.lower()]

    def _ids(self, name: str) -> list[str]:
        """Return the ids of that name from tools; those whose records share most words with the user come first."""
        wanted, words = stems(self.words), set(name.split("_"))
        likeness: dict[str, int] = {}
        for m in self.seen:
            if isinstance(m.value, str) and _fits(set(m.name.split("_")), words):
                likeness[m.value] = max(likeness.get(m.value, 0), len(m.about & wanted))
        return sorted(likeness, key=lambda value: -likeness[value])

    def facts(self, answer: str) -> list[str]:
        """Return the values of an answer that the user's words are about, each as a sentence, at most `MOST_FACTS`."""
        wanted = wished(self.words)
        return [f"{what.capitalize()}: {value}." for what, value in leaves(answer) if stems(what) & wanted][:MOST_FACTS]

    def _named(self, ids: Sequence[str]) -> list[str]:
        """Return those ids whose records have a name that the user has said."""
        said = self.words.lower()
        return [one for one in ids if any(label in said for label in self.labels.get(one, ()))]


def is_id(name: str) -> bool:
    """Return whether an argument of that name takes an id."""
    return name == "id" or name.endswith("_id")


def _fits(found: set[str], argument: set[str]) -> bool:
    """Return whether a value of one name can be an argument of another: `payment_id` takes a `payment_method_id`."""
    return min(len(found), len(argument)) > 1 and (argument <= found or found <= argument)
