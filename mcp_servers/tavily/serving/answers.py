"""Answers the offline search's questions with a sentence of a page, or not at all."""

from collections.abc import Sequence

from mcp_servers.tavily.serving.documents import Document
from mcp_servers.tavily.serving.library import Query
from mcp_servers.tavily.serving.words import sentences, words

_ENOUGH = 0.75
"""The share of what its page's title leaves open of a question that a sentence must speak of to answer it."""

_REPEATED = 0.1
"""What a word is worth that the title has said already."""


def answer(query: Query, documents: Sequence[Document]) -> str | None:
    """The sentence of `documents` that says most about `query`, seen together with its page's title.

    Of sentences that say as much, the one of the document that comes first is the answer. None where each
    sentence leaves too much of the question open.
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
