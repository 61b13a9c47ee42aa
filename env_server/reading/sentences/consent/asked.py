"""Consent: sentences that ask for a yes to a future action of the agent."""

from env_server.reading.sentences import checks, questions
from env_server.reading.sentences.consent import other_questions, requests
from env_server.reading.sentences.patterns import compiled, words_of
from env_server.reading.words.lexis import words as listed

_POINTERS = frozenset(
    listed(
        "shall should may can could i we me us you your go ahead on proceed continue with this that it these those "
        "them",
        "is are be does do did will would like want wish ok okay fine good right correct alright all to for so please",
        "confirm agree approve accept yes no y n or and if just say reply respond answer type know let whether me "
        "then now",
        "the a an change changes action actions permission consent confirmation approval go-ahead need have get give",
        "everything details information above following plan request acceptable accurate happy comfortable sure sound",
        "look looks sounds work works there here also still my i'd i'll i'm you'd you're that's it's option step steps",
    )
)
_PLANS = compiled(r"\b(?:i|we)(?:'d|'ll| would| will) (?!like\b|love\b|need\b|rather\b)")
"""A plan, before a dash and a question for a yes: `I'd book the one which is free - okay?`"""
_MEANS = r"(?:cards?|accounts?|certificates?|balance|credits?|wallet|paypal|visa|mastercard|method|payments?)"
_PAYS_FIRST = compiled(
    r"^(?:and |so )?(?:(?:(?:to|with|on|from) )?(?:which|what) (?:of )?(?:[\w'-]+ ){0,3}?"
    rf"{_MEANS}\b|how (?:would|do|should|shall|will|can) (?:you|i|we|it)\b(?=[^?]{{0,80}}\b(?:pay|paid|charged?"
    r"|refund(?:ed)?)\b)|(?:should|shall|would) (?:i|we) (?:charge|refund|debit|use|bill|credit)\b)"
    rf"(?![^?]{{0,160}}? or (?!(?:(?:to|from|with|on|the|your|an?|my|another|[\w-]+) ){{0,4}}{_MEANS}\b))"
    r"[^?]{0,160}?,? and (?=(?:shall|may|should|can|do you want|would you like|is that a yes)\b)"
)
"""A question for the way to pay, before one for a yes: `Which card should I charge, and shall I make the change?`"""


def asks_for_yes(view: str, words: frozenset[str]) -> bool:
    """Return whether a sentence asks for a yes to a future action."""
    view = questions.core(view)
    if " and " in view and view.endswith("?") and (first := _PAYS_FIRST.match(view)):
        view = view[first.end() :]
        words = words_of(view)
    plan, dash, tail = view.rpartition(" - ")
    if dash and tail.endswith("?") and _PLANS.search(plan) and bare(own := words_of(tail)) and asks_for_yes(tail, own):
        return True
    if requests.wanted(view):
        return True
    found = requests.requested(view, words)
    if not found and ("?" in view or view.endswith(":")):
        found = requests.own_wish(view, words)
        if found and other_questions.lists(view, found.end()):
            return False
    if not found:
        return "confirm" in view and requests.once(view)
    if other_questions.instead(view, found):
        return False
    return requests.once(view) or not (checks.of_detail(view) or checks.of_facts(view))


def bare(words: frozenset[str]) -> bool:
    """Return whether a sentence names nothing and only refers to earlier words."""
    return words <= _POINTERS
