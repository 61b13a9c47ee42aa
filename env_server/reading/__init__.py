"""Analysis of an agent's message: its acts (`reader`), and the values that it names (`words`).

The analysis uses rules on the words alone, so that the result is the same everywhere and takes a fraction of a
millisecond.
"""

from env_server.reading.acts import Act, Reading, Sentence
from env_server.reading.reader import read
from env_server.reading.words.values import Words

__all__ = ["Act", "Reading", "Sentence", "Words", "read"]
