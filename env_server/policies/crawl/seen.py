"""All messages and records that a crawler has seen, and their relation to the user's wish."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from env_server.policies.crawl.records import Json, Record, records
from env_server.policies.crawl.shapes import every_code, mask
from env_server.policies.rules.extraction import told

SHORTEST = 3
"""The minimum length of a value that selects a record when the user mentions it."""

MEANT = 0.3
"""The minimum likeness of a record to the user's words for which the user means the record."""


@dataclass
class Seen:
    """The user's messages, and the records in the answers of tools."""

    words: list[str] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)
    _shared: Counter[str] = field(default_factory=Counter)
    """Value -> the number of records that have it."""

    _text: str = ""
    """All words of the user, with days in the format of arguments."""

    _mentioned: dict[str, bool] = field(default_factory=dict)
    _followed: list[tuple[Record, float]] | None = None
    _alike: dict[str, Sequence[str]] = field(default_factory=dict)

    def copy(self) -> "Seen":
        """Return a copy that can be continued separately."""
        return Seen(list(self.words), list(self.records), Counter(self._shared), self._text)

    def hear(self, words: str) -> None:
        """Store a message of the user."""
        days = [str(day) for name in ("dob", "date") for day in told(words).get(name, ())]
        self.words.append(words)
        self._text = " ".join([self._text, words.lower(), *days])
        self._mentioned.clear()
        self._followed = None
        self._alike.clear()

    def learn(self, tool: str, arguments: Json, answer: str, depth: int, *, common: bool) -> None:
        """Store a tool's answer."""
        found = records(tool, arguments, answer, depth, common=common)
        self.records += found
        self._followed = None
        self._alike.clear()
        for record in found:
            self._shared.update({str(value) for value in record.own.values()})

    def likeness(self, record: Record) -> float:
        """Return how many of the user's words a record has; values in few records count most."""
        values = {str(value) for value in record.own.values() if isinstance(value, str)}
        return sum(1 / self._shared[value] for value in values if self._says(value))

    def followed(self) -> Sequence[tuple[Record, float]]:
        """Return the records that belong to the user or that the user means, each with its likeness."""
        if self._followed is None:
            every = ((record, self.likeness(record)) for record in self.records)
            self._followed = [
                (record, likeness) for record, likeness in every if not record.common or likeness >= MEANT
            ]
        return self._followed

    def alike(self, name: str) -> Sequence[str]:
        """Return the codes in the user's words that have the shape of the known values of an argument."""
        if name not in self._alike:
            said = [code for words in self.words for code in every_code(words)]
            known = {mask(v) for record in self.records if isinstance(v := record.own.get(name), str)} if said else ()
            self._alike[name] = [code for code in said if mask(code) in known]
        return self._alike[name]

    def _says(self, value: str) -> bool:
        if value not in self._mentioned:
            self._mentioned[value] = len(value) >= SHORTEST and value.lower() in self._text
        return self._mentioned[value]
