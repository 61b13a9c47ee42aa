"""What an agent's message does: asks, wants a yes, reports, refuses, hands over. Rules on its words alone."""

import re
from dataclasses import dataclass

_LONGEST = 8000
_ASKS = re.compile(
    r"\?|\bplease[.!]*$"
    r"|please (provide|share|tell|specify|give|confirm|state|enter|send|choose|select|indicate|verify|let)"
    r"|(could|can|may|would) (you|i) (please )?(provide|share|tell|specify|give|confirm|have|get|ask|verify)"
    r"|i('ll| will|'d)? (also )?(need|require|like to know)|let me know|^(which|what|why|where)\b"
)
_CONFIRMS = re.compile(
    r"\(?\byes\b ?(/|or) ?\(?no\b|\b(say|reply|answer|respond|type)\b.{0,20}\byes\b|do you (confirm|agree|approve)"
    r"|(?<!i can )\bconfirm\b"
    r"(?! (your|the) (\w+ ){0,2}(name|e-?mail|zip|identity|user|account|order (id|number)))"
    r"|\bproceed\b|(shall|should) i\b|want me to|like me to|go ahead|(is|are) (that|this|it|these|everything|all)"
    r"( \w+){0,3} (correct|right|ok|okay|fine|good|accurate)|are you sure|does (that|this) (work|look|sound)"
    r"|your (confirmation|consent|approval|go-ahead)|okay with|happy with"
)
_OPEN = re.compile(r"\b(what|which|how|where|why|who|when)\b (\w+ ){0,4}(should|shall|would|do|can) (i|you)\b")
_YES_NO = re.compile(r"^(?!.*\b(what|which|how|where|why|who|when)\b).*\b(would|do) you (still )?(like|want|wish)\b")
_FOR_ALL = re.compile(r"\bdone\b|\ball set\b|\bcompleted\b")
_PAST = (
    r"(has|have|had|was|were|is now|are now|i've|we've|i|now|successfully)"
    r"(?: (?:now|been|successfully|also|already|just))* "
    r"(?:cancel+ed|updated|modified|changed|exchanged|returned|refunded|submitted|initiated|switched|requested"
    r"|redirected|moved|swapped|replaced|arranged|set{more})\b"
)
_ACTED = re.compile(_PAST.format(more=""))
_ACTED_LOOSELY = re.compile(_PAST.format(more="|processed|placed|made|finali[sz]ed|applied|started|filed|confirmed"))
_NOT_DONE = re.compile(r"\b(be|get|like|want|after|before|until|not|nothing) (\w+ ){0,4}done\b|\b(once|when|if) ")
_MORE = re.compile(
    r"(anything|something|what) else|(any|other) (other )?(questions|requests|matters?)|further (help|assist)"
    r"|(help|assist) you with (today|further)|is there more|how (can|may|could) (i|we) (help|assist|be of)"
    r"|what (can|may|could) (i|we) (do for|help|assist) you"
)
_COMPLETE = re.compile(
    r"(anything|any|something) (else|other|more|additional|further) .{0,30}(item|chang|add|modif|exchang|return|order)"
    r"|all (of )?(the |your )?(items|changes)|every(thing| item) you|complete list"
    r"|any (other|more|additional) (item|chang)"
)
_REFUSES = re.compile(
    r"\bcan('t|not| not)\b|\bunable\b|\bnot (be )?(able|possible|allowed|permitted|eligible|available|supported|cancel)"
    r"|\b(is|are|do|does|wo|ca|could|would)n't (be |able|possible|allow|permit|eligible|available|offer|accept|support)"
    r"|impossible|unfortunately|i'm afraid|against (our|the|my) (policy|rules)"
    r"|policy (does|doesn|do|don|prohibit|forbid)"
    r"|(must|have to|need to) (deny|decline|refuse)|\bi (decline|refuse)\b|out of stock|sold out|unavailable"
    r"|(do|does)(n't| not) (cover|qualify|meet|belong|allow|permit|have enough)|insufficient|not enough"
    r"|can only|only (\w+ ){1,4}can be|per (our|the|my) policy|only (be|possible|allowed)|no longer (be|possible)"
    r"|no way (to|for|that|around)|\bno (option|possibility|exception)|answer (is|stays|remains) (still )?no\b"
    r"|\bnon-\w+able\b|too late (to|for)|\brefus(e|ing) (to|this|that|it|your)|respectfully"
    r"|(rules?|policy|policies|terms) (\w+ )?(don't|doesn't|do not|does not|won't|will not|forbids?|prohibits?)"
    r"|(rules?|policy|policies|terms) (\w+ )?(rules? (it|this|that) out|prevents?|bars?|excludes?)"
    r"|(is|are|was|be) (\w+ )?(ruled out|forbidden|prohibited|excluded|ineligible|off the table|out of the question)"
    r"|\b(won't|will not) (be able|do|make|go ahead|process|work)|have to say no|\bhas? to stay\b|not something (i|we)"
    r"|\b(requires?|need(s|ed)?) (an?|the) (active|valid|approved) |outside (of )?(the|our|my)"
)
_CAVEAT = re.compile(
    r"undo|revers|\bagain\b|\bonce\b|after(wards)?\b|further|\blater\b|\bif you\b|\buntil\b|\bbefore\b"
    r"|without|please note"
)
_SORRY = re.compile(r"\bsorry\b|unfortunately|i'm afraid|\bi('m| am) (unable|not able)|\bi can('t|not)")
_NEVER_FIRM = re.compile(r"undo|revers|\buntil\b|\bbefore\b")
_ALTERNATIVE = re.compile(r"\binstead\b|alternative|\bother option|\boriginal\b")
_LOST = re.compile(
    r"(can('t|not| not)|unable to|couldn't|could not|didn't|did not|not able to|don't|no) .{0,12}"
    r"(find|locate|match|found|verify|account|user|see)\b.{0,40}(account|user|profile|customer|email|name|zip|you|record)"
)
_OFFERS_TRANSFER = re.compile(r"transfer|human|live agent|representative|specialist|supervisor")
_PEOPLE = r"\b.{0,30}(human|agent|person|people|representative|specialist|colleague|team|supervisor)"
_TRANSFERRED = re.compile(
    r"(been|being|i've|i have|you are|you're) (now |being |just )*(transferred|connected|handed)" + _PEOPLE
)
_TRANSFERS = re.compile(
    r"(i am|i'm|i will|i'll|we are|let me|will be|going to|need to|have to) (now |be |been )*"
    r"(transfer(red|ring)?|connect(ed|ing)?|hand(ed|ing)?)" + _PEOPLE
)
_WAITS = re.compile(r"\b(one|a) (moment|second|minute)|hold on|please wait|bear with|i('ll| will) (now )?\w+|let me ")


@dataclass(frozen=True, slots=True)
class Reading:
    """What one message does, as far as the rules can tell."""

    text: str
    """The whole message in lower case, typography straightened."""

    asking: tuple[str, ...]
    """The sentences and list entries that ask for something."""

    questions: bool
    """Whether there is a question or a request for information at all."""

    confirms: bool
    """Whether it wants a yes or no to something that is to be done."""

    chooses: bool
    """Whether it offers a choice (`... or ...?`) that a yes does not answer."""

    acted: bool
    """Whether it clearly says that something was done."""

    acted_loosely: bool
    """Whether it says so in words that may also describe what was found."""

    more: bool
    """Whether it asks for further requests."""

    complete: bool
    """Whether it asks if a list is complete."""

    refuses: bool
    alternative: bool
    """Whether it speaks of another way than the one asked for."""

    lost: bool
    """Whether it says that the user could not be found."""

    transferred: bool
    """Whether it says that the user is handed over to people."""

    transfers: bool
    """Whether it says that it is about to do so."""

    offers_transfer: bool
    waits: bool


def read(message: str) -> Reading:
    """Read one message of the agent; any text will do, of which only the first 8,000 characters count."""
    text = _plain(message[:_LONGEST])
    sentences = _sentences(text)
    complete = any(_COMPLETE.search(s) for s in sentences)
    rest = [s for s in sentences if not _MORE.search(s) and not _COMPLETE.search(s)]
    asking = _asking(rest)
    done = [s for s in sentences if not _NOT_DONE.search(s)]
    confirms = any(_confirms(s) for s in rest)
    return Reading(
        text=text,
        asking=tuple(asking),
        questions=bool(asking),
        confirms=confirms,
        chooses=any(" or " in s and not re.search(r"yes|\bno\b", s) for s in asking),
        acted=any(_FOR_ALL.search(s) or _ACTED.search(s) for s in done),
        acted_loosely=any(_ACTED_LOOSELY.search(s) for s in done),
        more=any(_MORE.search(s) for s in sentences),
        complete=complete,
        refuses=any(_refuses(s, confirms=confirms) for s in rest),
        alternative=bool(_ALTERNATIVE.search(text)),
        lost=any(_LOST.search(s) and "order" not in s for s in rest),
        transferred=any(_TRANSFERRED.search(s) and "?" not in s for s in sentences),
        transfers=any(_TRANSFERS.search(s) and "?" not in s and not _REFUSES.search(s) for s in sentences),
        offers_transfer=any(_OFFERS_TRANSFER.search(s) for s in asking),
        waits=bool(_WAITS.search(text)),
    )


def _sentences(text: str) -> list[str]:
    """The sentences line by line; a list entry keeps a mark, `- `, whatever its own was."""
    found: list[str] = []
    for line in text.splitlines():
        entry = re.match(r"\s*(?:[-+*\u2022]|\d+[.)])\s+", line)
        parts = [part for part in re.split(r"(?<=[.!?])\s+", line[entry.end() if entry else 0 :]) if part.strip()]
        found += [f"- {part}" if entry else part for part in parts]
    return found


def _confirms(sentence: str) -> bool:
    asks = _CONFIRMS.search(sentence) or _YES_NO.search(sentence)
    return bool(asks) and not _OPEN.search(sentence) and not _OFFERS_TRANSFER.search(sentence)


def _refuses(sentence: str, *, confirms: bool) -> bool:
    """Whether a sentence refuses, rather than warns of what will be impossible after the step to be confirmed."""
    if not _REFUSES.search(sentence):
        return False
    if not _CAVEAT.search(sentence):
        return True
    return bool(_SORRY.search(sentence)) and not confirms and not _NEVER_FIRM.search(sentence)


def _plain(message: str) -> str:
    straight = message.lower().translate({0x2019: "'", 0x2018: "'", 0x201C: '"', 0x201D: '"', 0x2011: "-"})
    return re.sub(r"(?<![*_`])[*_`]++(?=\W|$)|(?<!\w)[*_`]++", "", straight)


def _asking(sentences: list[str]) -> list[str]:
    """Sentences that ask, and the list entries that follow an asking line which ends in a colon."""
    found: list[str] = []
    in_list = False
    for sentence in sentences:
        entry = sentence.startswith("- ")
        if _ASKS.search(sentence) or (in_list and entry):
            found.append(sentence)
            in_list = in_list or sentence.rstrip().endswith(":")
        elif not entry:
            in_list = False
    return found
