"""Answers the offline search's questions with sentences of the pages, or not at all."""

from collections.abc import Sequence

from mcp_servers.tavily.serving.documents import Document
from mcp_servers.tavily.serving.library import Query
from mcp_servers.tavily.serving.words import sentences, words

_ENOUGH = 0.5
"""The share of a question's weight that a sentence must speak of, its page's title counted by half, to answer it."""

_NEAR = 0.85
"""A second sentence joins an answer if it speaks of this share of what the first does."""


def answer(query: Query, documents: Sequence[Document]) -> str | None:
    """The one or two sentences of `documents` that say most about `query`; None where none says enough."""
    total = sum(query.weights.values())
    found = [
        (_weight(query, document, sentence) / total, sentence)
        for document in documents
        for sentence in dict.fromkeys(sentences(document.text))
        if total
    ]
    ranked = sorted(found, key=lambda one: -round(one[0], 9))
    if not ranked or ranked[0][0] < _ENOUGH:
        return None
    chosen = [ranked[0], *(one for one in ranked[1:2] if one[0] >= _NEAR * ranked[0][0])]
    return " ".join(dict.fromkeys(sentence for _, sentence in chosen))


def _weight(query: Query, document: Document, sentence: str) -> float:
    spoken = set(words(sentence))
    own = sum(weight for term, weight in query.weights.items() if term in spoken)
    titled = set(words(document.title)) - spoken
    return own and own + sum(weight for term, weight in query.weights.items() if term in titled) / 2
