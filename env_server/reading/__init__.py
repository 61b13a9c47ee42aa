"""Reads an agent's message: what it does (`reader`), and which values it names (`values`, `said`, `dates`).

Rules on its words alone decide, so that a reading is the same everywhere and costs a fraction of a millisecond.
"""

from env_server.reading.acts import Act
from env_server.reading.reader import Reading, Sentence, read
from env_server.reading.words.values import Words

__all__ = ["Act", "Reading", "Sentence", "Words", "read"]
