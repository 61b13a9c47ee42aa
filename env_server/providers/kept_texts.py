"""The interface of a store of texts that outlive the process. `file_cache.py` implements it with files."""

from typing import Protocol


class KeptTexts(Protocol):
    """Texts that outlive the process, by name, as long as the sources that made them stay the same."""

    def read(self, name: str) -> str | None:
        """Return a text, or None."""

    def write(self, name: str, text: str) -> None:
        """Keep a text."""

    def __hash__(self) -> int:
        """Tell places apart, because a process loads the packs of each place once."""
