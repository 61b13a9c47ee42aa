"""Topics of an agent's question. Topics are the keys of a script's facts and details."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import pairwise

from env_server.reading.words.lexis import words as listed
from env_server.understanding.naming import words_of

_WORDS = {
    "name": r"\b(full|first|last|your) names?\b|(?<!'s )(?<!its )(?<!you )\bnames?\b(?! of\b| change| correction)",
    "zip": r"\bzip|postal|post ?code",
    "email": r"(?<!\bby )(?<!\bvia )(?<!\bmail or )(?<!\bmail, or )(?<!\bmail/)(?<!\bpost/)(?<!\bportal/)(?<!\bsms/)"
    r"e-?mail(?!,? or (?:by )?(?:post|mail|letter)\b| ?/ ?(?:post|mail|letter|portal|sms)\b)",
    "phone": r"\b(?:which|what) phone number|(?<!which )(?<!what )(?<!\bline or )"
    r"(?<!request for your )(?<!in the )(?<!in your )(?<!on your )(?<!to your )(?<!of your )(?<!on the )"
    r"(?<!to the )(?<!of the )phone(?!'s| or (?:\w+ )?line\b| (?:that )?(?:you have|you're|in your|in hand))"
    r"|mobile number"
    r"|\byour number\b|\bnumber\b[^.?!\n]{0,30}\bphone\b|\b(?:reach|call|text|contact) you (?:at|on|under)\b",
    "dob": r"\bof[ -]birth\b|\bbirth ?-?(day|date|year|details)|\bborn\b|\bdob\b",
    "user_id": r"user ?id|user ?name|(account|customer|profile) (id|number)",
    "reason": r"reason|\bwhat (?:happened|came up|went wrong|changed|led)\b|\bwhat(?:'s| is| was) (?:wrong|behind"
    r"|the matter)\b|\bwhy\b|\bhow come\b|\bwhat (made|makes|led|prompted|caused) you\b|\bwhat for\b",
    "payment": r"payment|refund|\bpay\b|\bcards?\b|paypal|charge|settle",
    "address": r"(?<!email )(?<!e-mail )\baddress|street|\bcity\b|\bsuite\b|apartment|(ship|send|sent|deliver)\w* to",
}
"""Patterns of the topics of any domain. A domain declares more of them, `Domain.topics`; the rest is recognised by its
own words.
"""

USUAL = tuple(_WORDS)
"""The topics that are recognised whether or not a script has them."""

_IDENTITY = re.compile(
    r"(verify|confirm|authenticate|establish) (your (identity|account|name|details)|you\b|who)|identi(ty|fy you)"
    r"|who (am i|i am|i'm|you are|is (this|calling))|may i have your\b|log you in|sign you in"
    r"|(locate|find|access|look up|pull up) your (account|profile)"
)
_WHY = re.compile(
    r"\bhow come\b|\bwhat for\b|\bwhy\W*$|\bwhy (do|did|would|are|have|is it that) you\b"
    r"|\bwhy (you\b|is that|is this|so\b|now\b|this\b|that\b)"
    r"|\b(ask|know|tell me|understand|share) (for )?(why|(what )?(the|your) reason)"
    r"|\bwhat('s| is| was| would be) (the|your) (\w+ )?reason\b|\b(for )?(what|which|any) (\w+ )?reason\b"
    r"|\bwhat (?:happened|came up|went wrong)\b|\bwhat(?:'s| is| was) (?:wrong|behind|the matter)\b"
    r"|\breasons? (for|behind|why)\b|\bwhat (made|makes|led|prompted|caused) you\b"
)
_OFFERS_HELP = re.compile(
    r"\b(tell me|let me know|know) (how|what) (i|we) (can|may|could) (help|assist|do for)\b"
    r"(?!.*\b(further|else|more)\b)"
)
_CONFIRM = re.compile(r"\bconfirm ((?:the|your|which|what|when|where|how)\b.*)$")
_FOR_A_YES = re.compile(
    r"\d|\b(?:proceed|ahead|continue|like|want|will|would|shall|yes|above|following|details|summary|changes?|updates?"
    r"|cancel\w*|this|that|these|those|it|so)\b"
)
"""Text after `confirm` where the agent asks for a yes."""

_PART = re.compile(
    r"(?:^|[,;:()] ?|\b(?:and|plus|also|or|me|know|ask|exactly|then|provide|share|sharing|confirm|need) | - )"
    r"(?=(?:(?:(?:to|from|for|on|in|at|of|between|with|by|under) )?(?:which|what|whose|whom)|who|how|why"
    r"|(?:when|where) (?:(?:you|it|this|that|(?:the|your) \w+) )?(?:should|would|shall|do|does|did|is|are|was|were"
    r"|will|want|wanted|prefer|bought|got|placed|ordered|purchased|received|booked|arrived|returned))\b(?! (?:else|more"
    r"|about|can i|may i|i can"
    r"|i may|are you|you (?:are|doing)|(?:are|is|were) (?:those|these|they|it|that)\b(?=[?,.]))\b)"
    r"|(?:should|shall|would you (?:like|prefer|rather)|do you (?:want|prefer)) [^,;?]+ or\b)"
)
"""The beginning of a part of a question."""

_END = re.compile(r", (?:and|plus|also|or) |; |,? and (?=(?:the|your|an?) )")
"""The end of a part of a question."""

_WHICH_ONE = re.compile(
    r"\b(?:which|what) (?:(?:of )?(?:your|the|these|those) )?(?:(?:cell|mobile|phone|exact) )?(?:phone|line|device"
    r"|number)s?\b(?! numbers?\b| (?:on|of|in) (?:the|your|that|this|which) bill\b"
    r"| (?:do|can|should|may) (?:i|we)\b"
    r"| (?:would|do) you (?:like|want)\b| you(?:'d| would)? (?:like|want)\b)"
)
"""A question for the one of several devices or lines that the user means."""

_WAYS = re.compile(
    r"\b(?:or|either|alternatively|otherwise|instead)\b|\b(?:works?|fine|good|do) (?:too|as well|just as|instead)\b"
)
_WHO = re.compile(
    r"\bwho (?:am i|i'm|i am|do i have|is (?:calling|speaking|this)|i've got|i have)\b|\bwho's (?:calling|this)\b"
)
"""A question for the user's name without the word."""

_CORRECTED = re.compile(
    r"\bwhose (?:names?|dates? of birth|birthdays?)\b|\b(?:the|its|their|that) (?:[\w']+ ){0,2}?(?:names?"
    r"|dates? of birth|birthdays?)"
    r"(?:(?:,| or| and)? (?:[\w']+ ){0,2}?(?:names?|dates? of birth|birthdays?))? (?:should |must |has to |to "
    r"|really )*"
    r"(?:read|be (?:\w+ly )?(?:written|spel\w+|changed|corrected|entered|put right)|look)\b"
)
"""A question for the correction of an entry: `how should the name read?`"""

_STREET = re.compile(r"\b(?:street|apartment|apt|suite|city)\b")

IDENTITY = ("email", "name", "zip", "user_id", "dob", "phone")
"""Topics that a user offers when asked for their identity, if they know the values."""


_WORKS = re.compile(r"\bwork(?:s|ing|ed)?\b")


def asked(sentences: Iterable[str], topics: Iterable[str], patterns: Mapping[str, str] = {}) -> list[str]:
    """Return those `topics` that the lower-case `sentences` are about, in the given order. `patterns` are the domain's
    own, by topic.
    """
    text = "\n".join(sentences)
    if not text:
        return []
    text = _CORRECTED.sub(" ", text)
    found = [topic for topic in topics if _is_in(text, _pattern(topic, patterns))]
    if "zip" in found and ("address" in found or _STREET.search(text)):  # the zip code is one of its parts
        found = [topic for topic in found if topic != "zip"]
    return found


def parts(sentence: str) -> list[str]:
    """Return the parts of a lower-case question that ask something of their own: `which line is it`, `and how much`."""
    starts = [found.end() for found in _PART.finditer(sentence)]
    return [_END.split(sentence[start:end])[0] for start, end in pairwise([*starts, len(sentence)])]


def asks_who(sentences: Iterable[str]) -> bool:
    """Return whether any of the lower-case `sentences` asks who is there: `Who am I speaking with?`"""
    return any(_WHO.search(sentence) for sentence in sentences)


def asks_which_device(text: str) -> bool:
    """Return whether a lower-case question asks which device or line the user means: `Which phone are you using?`"""
    return _WHICH_ONE.search(text) is not None


def offers_ways(text: str) -> bool:
    """Return whether a lower-case question asks for one of several facts."""
    return _WAYS.search(text) is not None


def names(topic: str, text: str) -> bool:
    """Return whether a sentence of the user names a topic."""
    return words_of(topic) in text.lower()


def asks_to_confirm(sentence: str, topics: Iterable[str], patterns: Mapping[str, str] = {}) -> bool:
    """Return whether a lower-case `sentence` that asks to confirm something asks for one of `topics`, and not for a
    yes.
    """
    found = _CONFIRM.search(sentence)
    return found is not None and not _FOR_A_YES.search(found[1]) and bool(asked([found[1]], topics, patterns))


def asks_why(sentences: Iterable[str]) -> bool:
    """Return whether any of the lower-case `sentences` asks for the user's reason."""
    return any(_WHY.search(sentence) for sentence in sentences)


def offers_help(sentence: str) -> bool:
    """Return whether a lower-case `sentence` asks for the wish without a question mark: `tell me how I can help`."""
    return _OFFERS_HELP.search(sentence) is not None


def asks_identity(sentences: Iterable[str]) -> bool:
    """Return whether any of the lower-case `sentences` asks who the user is."""
    return any(_IDENTITY.search(sentence) for sentence in sentences)


@lru_cache(maxsize=1024)
def _is_in(text: str, pattern: str) -> bool:
    """Return whether a text has a pattern. One question of a message is compared with several lists of topics."""
    return _compiled(pattern).search(text) is not None


@lru_cache(maxsize=512)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.MULTILINE)


def _pattern(topic: str, patterns: Mapping[str, str]) -> str:
    return patterns.get(topic) or _WORDS.get(topic) or re.escape(topic.replace("_", " ").lower())


_KEPT = {"dob": "I would rather not tell my date of birth."}
"""Topic -> the answer of a user who does not tell the fact. A user cannot claim to have forgotten these facts."""

_SHORT_YES = 16
"""The maximum number of words of a plain yes."""

_YES_WORDS = "yes|yep|yeah|yup|correct|exactly|affirmative|indeed|absolutely|certainly|of course|confirmed"
_AROUND_YES = frozenset(
    listed(
        "i i'm it that that's is need want like your you consent approval confirmation go-ahead permission a the of",
        "course for to this my apologies sorry thanks thank waiting asking what and have just be kindly go ahead",
        "proceed confirm with before please do am would may shall can we explicit explicitly agree if once sadly",
        "unfortunately afraid so sure ok okay right",
    )
) | frozenset(listed(_YES_WORDS.replace("|", " ")))
"""Words beside a yes that add nothing: `Correct, I need your consent for that, please.`"""

_BEFORE_YES = r"(?:(?:oh|well|and|but|my|apologies|sorry|thanks|thank you|unfortunately|sadly)\b\W*)*"
_SAYS_YES = re.compile(
    rf"\W*{_BEFORE_YES}(?:(?:{_YES_WORDS}|done|all done|that(?:'s| is) (?:right|correct|done))\b"
    r"|(?:it is|it has|they are|i do|i am|i would|i'm afraid so)"
    r"(?: (?:been|done|all|now|indeed|so|right|correct))*(?=\W*$|[.,;!]))",
    re.MULTILINE,
)
_AGREES = re.compile(rf"\W*{_BEFORE_YES}(?:sure|ok|okay|right)\b")
"""A yes if nothing else is said. Otherwise it may only lead on: `Right, one moment.`"""

_SENTENCE_END = re.compile(r"(?<=[.!?])|\n")
"""The end of a sentence, behind its mark."""

_DENIED = re.compile(r"\b(?:not|no(?! (?:problem|worries))|never|nothing|pending|yet|almost|nearly)\b|n't\b|\?")
_REASONS = re.compile(
    r"\b(because|since|as (it|the|your|this|that|they)|due to|policy|rules?|only|already|per our|must|requires?|unless"
    r"|the reason|according to|in order to|not (eligible|covered)|has been|was|were|expired|exceeds?|below|above|after"
    r"|before|status|until|ran out|too late)\b|\bgiven that\b|\b(it|he|she|they|this|that|there) (has|have|needs?) to\b"
    r"|\b(cannot|can't|unable|not (possible|able|allowed|permitted)|won't|my hands|our hands|impossible)\b"
    r"[^.?!\n]*(: | - |; )"
    r"(?!i\b|we\b|please\b|is\b|would\b|but\b)\w+ \w+"
    r"|^(it|they|the|your|our)\b(?!.*\b(sorry|possible|help|request)\b)[^?\n]{8,}$",
    re.MULTILINE,
)
_EXPLAINS = re.compile(
    r"^(well, |so, |that is |that's |it is |it's |simply |just )*(because|due to|the reason is)\b", re.M
)
_SCRIPT = re.compile(
    r"\b(what (are|were)|show|print|reveal|repeat|ignore|tell me) (me )?(all )?(your|the|previous) "
    r"(system |hidden |secret )?(instructions?|prompt)\b|\b(your|the) (system (prompt|message)|script|scenario)\b"
    r"|\b(are you|you are) (an? )?(simulat|simulated|bot|ai|language model|role)"
)


def fact(topic: str, value: str) -> str:
    """Return the user's sentence for a fact about themselves. A value that is a sentence already is
    returned unchanged.
    """
    return value if value.endswith(".") else f"My {words_of(topic)} is {value}."


def forgotten(topic: str) -> str:
    """Return the sentence of a user who does not know a fact, or keeps it private."""
    return _KEPT.get(topic, f"I do not remember my {words_of(topic)}.")


def unknown_of_other(topic: str) -> str:
    """Return the sentence of a user who does not know a fact about another person or a place."""
    return f"I do not know their {words_of(topic)}."


def works(text: str) -> bool:
    """Return whether a message speaks of whether something works. A user with own tools then looks."""
    return "work" in text and _WORKS.search(text) is not None


def says_yes(text: str, *, alone: bool = False, asks: bool = False) -> bool:
    """Return whether the lower-case `text` begins with a yes, in a sentence that denies and asks nothing.

    Args:
        text: a message.
        alone: whether the text must say nothing else.
        asks: whether a bare question for a yes, which the text is, counts as one.
    """
    words = re.findall(r"[\w'-]+", text)
    plain = 0 < len(words) <= _SHORT_YES and _AROUND_YES.issuperset(words)
    if not plain:
        return not alone and _begins(_SAYS_YES, text)
    return asks or _begins(_SAYS_YES, text) or _begins(_AGREES, text)


def begins_with_yes(text: str) -> bool:
    """Return whether the lower-case `text` begins with a yes, whatever follows."""
    return _SAYS_YES.match(text) is not None or _AGREES.match(text) is not None


def _begins(pattern: re.Pattern[str], text: str) -> bool:
    return pattern.match(text) is not None and not _DENIED.search(_SENTENCE_END.split(text, maxsplit=1)[0])


def reasons(text: str) -> bool:
    """Return whether the lower-case `text` of a refusal gives a reason."""
    return _REASONS.search(text) is not None


def explains(text: str) -> bool:
    """Return whether a sentence of the lower-case `text` gives a reason and nothing else."""
    return _EXPLAINS.search(text) is not None


def asks_for_script(text: str) -> bool:
    """Return whether the lower-case `text` asks for something that only a simulated user has."""
    return "?" in text and _SCRIPT.search(text) is not None
