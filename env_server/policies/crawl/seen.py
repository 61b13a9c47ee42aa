"""What a crawler has heard and read, and what of it concerns the user's wish."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from env_server.policies.crawl.records import Json, Record, records
from env_server.policies.crawl.shapes import every_code, mask
from env_server.policies.rules.extraction import told

SHORTEST = 3
"""Letters from which on a value that the user mentions says which record they mean."""

MEANT = 0.3
"""How much a record has to have in common with the user's words, to be one that they mean."""


@dataclass
class Seen:
    """The user's messages and the records in what tools have answered."""

    words: list[str] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)
    _shared: Counter[str] = field(default_factory=Counter)
    """Value -> the records that have it."""

    _text: str = ""
    """All that the user has said, with its days as arguments have them."""

    _mentioned: dict[str, bool] = field(default_factory=dict)
    _followed: list[tuple[Record, float]] | None = None
    _alike: dict[str, Sequence[str]] = field(default_factory=dict)

    def copy(self) -> "Seen":
        """The same, to go on otherwise."""
        return Seen(list(self.words), list(self.records), Counter(self._shared), self._text)

    def hear(self, words: str) -> None:
        """Keep a message of the user."""
        days = [str(day) for name in ("dob", "date") for day in told(words).get(name, ())]
        self.words.append(words)
        self._text = " ".join([self._text, words.lower(), *days])
        self._mentioned.clear()
        self._followed = None
        self._alike.clear()

    def learn(self, tool: str, arguments: Json, answer: str, depth: int, *, common: bool) -> None:
        """Keep a tool's answer."""
        found = records(tool, arguments, answer, depth, common=common)
        self.records += found
        self._followed = None
        self._alike.clear()
        for record in found:
            self._shared.update({str(value) for value in record.own.values()})

    def likeness(self, record: Record) -> float:
        """How much of what the user has said a record has; values that few records have count most."""
        values = {str(value) for value in record.own.values() if isinstance(value, str)}
        return sum(1 / self._shared[value] for value in values if self._says(value))

    def followed(self) -> Sequence[tuple[Record, float]]:
        """The records that are the user's or that they mean, each with its likeness."""
        if self._followed is None:
            every = ((record, self.likeness(record)) for record in self.records)
            self._followed = [
                (record, likeness) for record, likeness in every if not record.common or likeness >= MEANT
            ]
        return self._followed

    def alike(self, name: str) -> Sequence[str]:
        """The codes in the user's words that have the shape of the known values of an argument."""
        if name not in self._alike:
            said = [code for words in self.words for code in every_code(words)]
            known = {mask(v) for record in self.records if isinstance(v := record.own.get(name), str)} if said else ()
            self._alike[name] = [code for code in said if mask(code) in known]
        return self._alike[name]

    def _says(self, value: str) -> bool:
        if value not in self._mentioned:
            self._mentioned[value] = len(value) >= SHORTEST and value.lower() in self._text
        return self._mentioned[value]
