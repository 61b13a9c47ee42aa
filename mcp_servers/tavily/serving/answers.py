"""Answers the offline search's questions with a sentence of a page, or not at all."""

from collections.abc import Sequence

from mcp_servers.tavily.serving.documents import Document
from mcp_servers.tavily.serving.library import Query
from mcp_servers.tavily.serving.words import sentences, words

_ENOUGH = 0.5
"""The share of a question's weight that a sentence must speak of, its page's title counted by half, to answer it."""


def answer(query: Query, documents: Sequence[Document]) -> str | None:
    """The sentence of `documents` that says most about `query`; None where none says enough.

    Of sentences that say as much, the one of the document that comes first is the answer.
    """
    total = sum(query.weights.values())
    best, found = _ENOUGH * total, None
    for document in documents:
        title = set(words(document.title))
        for sentence in sentences(document.text):
            weight = _weight(query, title, sentence)
            if weight > best + 1e-9 or (found is None and weight >= best > 0):
                best, found = weight, sentence
    return found


def _weight(query: Query, title: set[str], sentence: str) -> float:
    spoken = set(words(sentence))
    own = sum(weight for term, weight in query.weights.items() if term in spoken)
    return own and own + sum(weight for term, weight in query.weights.items() if term in title - spoken) / 2
