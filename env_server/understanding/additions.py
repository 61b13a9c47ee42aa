"""What a proposal adds to the changes that the user wants: `..., and I will also change your address to 5 Elm Road`."""

import re
from collections.abc import Collection, Iterator, Sequence

from env_server.reading import Act, Sentence
from env_server.reading.words.changes import CHANGE, CHANGED, CHANGING, either
from env_server.reading.words.lexis import words as listed
from env_server.understanding.contradictions import kind
from env_server.understanding.proposal_scope import denies, own_words
from env_server.understanding.topics import marked

_FORMAL = tuple(
    listed(
        "set make process arrange save record register submit complete update change modify adjust place prepare",
        "create apply initiate implement",
    )
)
"""Verbs that also say how a change is made. They add one only with a figure or a target."""

_FORMAL_STEMS = tuple(verb.removesuffix("e") for verb in _FORMAL)
_ARTICLE = re.compile(r"^(?:an?|the|your|its|this) ")

_SETTLES = tuple(
    listed(
        "refund credit reimburse pay paid issue release settle note confirm send sent resend resent escalate transfer",
        "order",
    )
)
"""Verbs for the money that a change moves, and for what follows it. They add no change: a user knows no prices."""

_GOES_WITH = re.compile(
    r"\b(?:refunds?|money|balance|charges?|status|stock|notes?|order list|shipment)\b|\bpayments?\b(?! method)"
    r"|^(?:back |(?:the|your) )?[$\u20ac\u00a3] ?\d|\bwith [$\u20ac\u00a3] ?[\d.,]+ *$"
)
"""Money, and what else a change moves by itself, whatever the verb: `return the money to your card`."""

_OTHER_PAYMENT = re.compile(
    r"(?:chang|modif|updat|switch|set|replac|edit|mov)\w* (?:(?:the|your|its) )?payment\b(?! of [$\d])"
)
"""A change of the payment method. It is a change of its own."""

_BY_THE_WAY = re.compile(
    r" (?:from|to|in|on|off) your (?:account|profile)\b| (?:right|straight) away\b| immediately\b"
    r"|^the (?:old|previous|original) one$"
)
"""Words that say where a change is seen, and when: `and remove it from your account`."""

_MOVES_ON = re.compile(r"^on (?:to|with)\b")
_LATER = re.compile(r"\b(?:then|next|finally) (?:i|we) (?:can|could|may) $")
"""What the agent offers for later: `Then we can exchange the lamp.`"""

_DEED = re.compile(
    r"(?:^|[;:(&+] ?|\. |, | - |\b(?:and|plus|then|also|as well as|along with|together with) )"
    r"(?:(?:and|also|then|now|please|just|plus|to|next|finally|i|we|i'll|we'll|i'd|we'd|will|would|shall|can|may"
    r"|go ahead and) )*"
    rf"(?P<verb>{either([*CHANGE, *CHANGING, 'buy', 'buying', 'sign', 'signing'])}) (?P<object>[^,;:.?!()]{{1,120}})"
)
"""A clause of a proposal, from its verb on."""

_DONE = re.compile(
    r"(?:(?:^|[,;:(] ?|\. | - |\b(?:and|plus|also|with) )(?=(?:the|your|an?|this|that|my) )"
    r"(?P<object>[^,;:.?!()]{1,60}?) (?:will|would|gets?) (?:(?:also|then|now|be) )*"
    r"|\bwith (?P<thing>your [^,;:.?!()]{1,60}?) )"
    rf"(?P<verb>{either(list(CHANGED))})\b(?P<rest>[^,;:.?!()]{{0,120}})"
)
"""A clause of a proposal about what happens to a thing: `your address will be changed to 5 Elm Road`."""

_NEXT = re.compile(r" (?:and|plus|then|as well as|along with|together with) ")
_AMOUNT = re.compile(r"[$\u20ac\u00a3] ?[\d.,]+")
_WORD = re.compile(r"#?[a-z\d][\w'-]*")
_CODE = re.compile(r"(?<![\w#])(?:#[a-z]{0,8}|[a-z]{1,8})\d[\w-]{0,30}")


def adds(scope: Sequence[Sentence], verbs: Collection[str], own: Collection[str]) -> bool:
    """Return whether the sentences of a proposal also propose a change that the user does not want.

    Args:
        scope: the sentences of the proposal.
        verbs: the beginnings of the verbs of the wanted changes.
        own: the words and figures of the wanted changes, and those that change nothing.
    """
    kinds = {kind(word) for word in own if _CODE.fullmatch(word)}
    return any(
        _of_another_code(named, own, kinds) if wanted else _of_another_thing(verb, named, own)
        for sentence in scope
        if (Act.PROPOSE in sentence.acts or sentence.entry) and not denies(sentence.text)
        for verb, named, wanted in _deeds(own_words(sentence.text), marked(tuple(verbs)))
    )


def _deeds(text: str, verbs: re.Pattern[str]) -> Iterator[tuple[str, str, bool]]:
    """Yield the verbs of changes that begin a clause, their objects, and whether they are among `verbs`, or their
    objects are nouns of those: `submit a cancellation`.
    """
    found = _DEED.search(text)
    while found is not None:
        named = _NEXT.split(found["object"], maxsplit=1)[0]
        wanted = verbs.match(text, found.start("verb")) or (
            found["verb"].startswith(_FORMAL_STEMS) and verbs.match(_ARTICLE.sub("", named))
        )
        if not (_MOVES_ON.match(named) or _LATER.search(text, 0, found.start("verb"))):
            yield found["verb"], named, bool(wanted)
        found = _DEED.search(text, found.end("verb"))
    for done in _DONE.finditer(text):
        named = f"{done['object'] or done['thing']}{done['rest']}"
        yield done["verb"], named, verbs.match(text, done.start("verb")) is not None


def _of_another_code(named: str, own: Collection[str], kinds: Collection[str]) -> bool:
    """Return whether an object is a thing of the same kind as one of the user's, with another code."""
    codes = _CODE.findall(named)
    return not {*codes} & {*own} and any(kind(code) in kinds for code in codes)


def _of_another_thing(verb: str, named: str, own: Collection[str]) -> bool:
    """Return whether an object has words that are not of the user's wish, and the verb changes it."""
    strange = not {*_CODE.findall(named)} <= {*own}
    goes_with = _GOES_WITH.search(named) and not (strange or _OTHER_PAYMENT.match(f"{verb} {named}"))
    named = _BY_THE_WAY.sub("", _AMOUNT.sub("", named))
    if verb.startswith(_SETTLES) or goes_with or {*_WORD.findall(named)} <= {*own}:
        return False
    return not verb.startswith(_FORMAL_STEMS) or " to " in named or bool(_CODE.search(named))
