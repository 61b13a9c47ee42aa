"""Answers a question of the offline search with one sentence of a page, or returns no answer."""

from collections.abc import Sequence

from mcp_servers.tavily.serving.documents import Document
from mcp_servers.tavily.serving.library import Query
from mcp_servers.tavily.serving.words import sentences, words

_ENOUGH = 0.75
"""Minimum share of the question's weight that a sentence must cover. Words in the page's title are not counted."""

_REPEATED = 0.1
"""The weight factor of a word that the title already contains."""


def answer(query: Query, documents: Sequence[Document]) -> str | None:
    """Return the sentence of `documents` that covers most of `query`, together with its page's title.

    Among equally good sentences, the sentence of the first document wins. Return None if every sentence leaves too much
    of the question open.
    """
    best, found = 0.0, None
    for document in documents:
        title = set(words(document.title))
        given = {term: weight for term, weight in query.weights.items() if term in title}
        asked = {term: weight for term, weight in query.weights.items() if term not in given}
        for sentence in sentences(document.text):
            spoken = set(words(sentence))
            new = sum(weight for term, weight in asked.items() if term in spoken)
            again = sum(weight for term, weight in given.items() if term in spoken)
            said = sum(given.values()) + new + _REPEATED * again
            if (new or again) and new >= _ENOUGH * sum(asked.values()) and said > best + 1e-9:
                best, found = said, sentence
    return found
