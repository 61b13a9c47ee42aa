"""Detection of requests for an action on the phone, in messages without an understood instruction."""

import re

from env_server.domains.telecom import clauses

_DO = re.compile(
    r"(?:turn|switch|toggle|flip|set|change|adjust|fix|correct|repair|configure|modify|update|clear|enable|disable"
    r"|(?:de)?activate|(?:dis)?connect|restart|reboot|reset|restore|re(?:seat|insert|move)|insert|take|put|grant|give"
    r"|allow|permit|tap|press|click|swipe|slide|open|go|navigate|scroll|select|choose|pick|play with|sort out|unlock"
    r"|troubleshoot|make sure|ensure|check|inspect|examine|look at|test|try)\b"
)
"""The first words of a request for an action, after the introductory words are removed."""

_PHONE = re.compile(
    r"\b(?:air ?plane|flight mode|wifi|data[ -]sav(?:er|ing)|(?:mobile|cellular) data|data roaming|vpn|sim(?! only)|apn"
    r"|access point|network (?:mode|settings?|type)|permissions?|messaging app|status bar|payment request"
    r"|(?:your|the) (?:phone|handset)(?:'s)?|phone settings|settings (?:app|menu))\b"
)
_COMPANY = re.compile(
    r"\b(?:line|account|plans?|bills?|numbers?|birth|names?|card|method|contract|customer|record|charge|fees?|system"
    r"|colleague|agent|team|order|i|we|me|us|my)\b"
)
"""Words about the carrier's side, the caller or the agent instead of the phone."""

_ELSE = re.compile(
    r"\b(?:not|never|no need|cannot|avoid|without|if|unless|otherwise|else|alternatively|would you like|do you want)\b"
    r"|n't\b"
)
"""Words that mark a sentence as no request for an immediate action."""

_SIM_CARD = re.compile(r"\bsim card")


def unclear(message: str) -> bool:
    """Return whether some clause asks the user to do something on the phone, neither forbidding it nor under a
    condition.
    """
    sentences = clauses.sentences(clauses.without_options(clauses.plain(message[: clauses.LONGEST])))
    return any(_asks(sentence) for sentence in sentences)


def _asks(sentence: str) -> bool:
    if _ELSE.search(sentence):
        return False
    question = sentence.endswith("?")
    text = clauses.without_time(sentence.rstrip(" .!?;"))
    for joint, chunk in clauses.split(text):
        lead, body = clauses.led(chunk)
        polite = "you" in lead or "please" in lead
        if joint in {"or", "nor"} or (question and not polite):
            continue
        if _DO.match(body) and _PHONE.search(body) and not _COMPANY.search(_SIM_CARD.sub("sim", body)):
            return True
    return False
