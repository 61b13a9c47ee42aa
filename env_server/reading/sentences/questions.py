"""Questions: requests for an identity, a detail or a transfer, and the question for further wishes."""

from env_server.reading.sentences.patterns import WORD, Rules, compiled
from env_server.reading.words.lexis import words as listed
from env_server.vocabulary import forms

_VERBS = (
    r"(?:provide|providing|share|sharing|tell|telling|specify|give|giving|confirm|state|enter|send|choose"
    r"|select|indicate|verify|identify yourself"
    r"|let me know|clarify|supply|pass|spell|describe|remind|advise|include|pick|drop|type|reply with|list"
    r"|repeat|double-check)"
)
_ADVERBS = (
    r"(?:please |also |kindly |first |just |now |then |quickly |mind |go ahead and |at least |instead |start by ){0,6}+"
)
_REQUEST = Rules(
    (
        "could can may might would will",
        rf"\b(?:could|can|may|might|would|will) (?:you|i|we) {_ADVERBS}(?:{_VERBS}|have|get|ask|know|take"
        r"|try to recall)\b"
        r"(?: me| us)?(?: know| with| for)?",
    ),
    (
        "please kindly pls plz",
        rf"\b(?:please|kindly|pls|plz) (?:to )?{_ADVERBS}{_VERBS}\b(?! me (?:a|just) )(?: me| us)?(?: with)?",
    ),
    ("", rf"^{_ADVERBS}{_VERBS}\b(?! me know| ?:| me a | me just)(?: me| us)?"),
    (
        "provide specify tell let share give",
        rf"\band {_ADVERBS}(?:provide|specify|tell me|let me know|share|give me)\b",
    ),
    (
        "need require know confirm missing needing must",
        r"\b(?:i|we)(?:'ll| will|'d| would)? (?:also |just |first |still |then |only |do )*+"
        r"(?:need|require|like to know|like to confirm|am missing|must have|be needing)\b"
        r"(?! to (?!know|have |get |collect|gather|authenticate|identify|ask|provide|specify|tell"
        r"|confirm your|confirm who|confirm (?:a few|some|several)"
        r"|verify your|verify who))(?! you to (?!know|have |provide|specify|tell|confirm|give|choose|pick|share|send))"
        r"(?: (?:you )?to (?:know|have|get|collect|gather|authenticate|identify|ask|provide|specify|tell me"
        r"|confirm|verify))?(?: for)?"
        r"|\bjust need\b",
    ),
    (
        "let let's start",
        rf"\blet me {_ADVERBS}(?:take|have|get|grab) (?=(?:your|the|both|an?) (?:own |full |first |last |account )*"
        r"(?:names?|e-?mails?|phone|numbers?|dates? of birth|birth|zip|user id)\b"
        r"(?!.*\b(?:up|changed|updated|corrected|verified|sent|added|removed|from)\b))"
        r"|\blet me know\b|\blet me (?:first |just |quickly )?(?:confirm|verify|check) (?=who\b|your (?:identity|name))"
        r"|\b(?:let's|we can|we) start with (?=your)",
    ),
    (
        "waiting ask",
        r"\bwaiting for\b(?! your (?:yes|ok|okay|go-ahead|confirmation|consent|approval)\b)"
        r"|\bask you (?:for|to)\b|(?<!you )\bask for\b(?! (?:it|them|that)\b)",
    ),
    (
        "once if",
        r"\b(?:once|if) you (?:can |could |have |have the |'ve )?"
        r"(?:provide|share|give|send|specify|find|located?|have (?=.{0,200}(?:let me know|provide|share|send|tell)))"
        r"|\bif you (?:have|know|remember) (?:it|them|that|one)\b[^,]{0,24}, (?=(?:the|your|which|what)\b)",
    ),
    (
        "help helpful useful handy great good",
        r"\bit(?:'d| would| will|'ll) (?:also |really )*(?:help|be (?:\w+ )?(?:helpful|useful|handy|great"
        r"|good))(?: me| us)?"
        r"(?: a lot)? (?:to (?:know|have|hear)\b(?! (?:you|from you|to)\b)|if you (?:told|gave|sent|could (?:tell"
        r"|give|send)|can (?:tell|give"
        r"|send)) me)\b",
    ),
)
_ASIDE = compiled(
    r"\blet me know (?:when|once|if|whenever) (?:you(?:'re| are) (?:ready|done|able|still)|you (?:need"
    r"|have any|run into|notice)|that|this|it)\b"
    r"|\blet me know (?:when|once|after) (?:you(?:'ve| have) (?:\w+ed|done|paid|tried|sent)|(?:the"
    r"|your) (?:\w+ ){1,3}(?:has|have|is|are))\b"
)
_PURPOSE = compiled(
    r",? so (?:that )?(?:i|we)\b| before (?:i|we)\b|, (?:i|we)(?:'ll| will| can| could)\b| (?:that|which) (?:might"
    r"|may|could|can|will|would) (?:also )?help\b"
    r"| you (?:have |had )?(?:used|registered|signed up|provided|gave) (?:for|when|to|with|at|on|during|in)\b"
    r"| to (?:access|verify|look|locate|find|pull|proceed|assist|help|get started"
    r"|start|begin|authenticate"
    r"|check|continue|identify|retrieve|process|cancel|modify|book)| associated\b| linked\b"
    r"| (?:on|for|with) (?:file|the account|the line|your (?:account|profile|order|reservation|booking))\b"
    r"|(?<![,;:]) where | with which | used | under | of the line"
    r"|, and (?:i|i'll|i will|we'll|we)\b|,? (?:and )?then (?:i|we)\b| in order to "
)
_OF_WHAT = (" associated", " linked", " used", " under")
_AND = compiled(r" and (?:the|your|a|which|what|whether|why|how)\b")
_STOP = frozenset(
    listed(
        "please could can may might would will you i we me us my your yours the a an that this those these it them",
        "its and or both as well also if available first last full just now then again too so okay ok sure thanks",
        "thank for of to with in on is are be do have has need needs needed i'll i'd we'll let know provide share",
        "tell specify give confirm state enter send verify details information info following detail all kindly",
        "gather information some collect either instead some more few here there one at least get ask require "
        "correct exact once when ready proceed from moment minute second hold wait",
    )
)
_WHO = compiled(
    r"\buser ?(?:id|name)s?\b|\b(?:full |first |last |sur|family |your |legal |given )?names?\b"
    # not the way by which something is sent: "by e-mail or by post"
    r"|(?<!\bby )(?<!\bvia )(?<!mail or )(?<!mail, or )(?<!mail, )(?<!post, )(?<!mail/)(?<!post/)"
    r"(?<!portal/)(?<!app/)(?<!text/)(?<!sms/)(?<!fax/)\be-?mails?(?: address(?:es)?)?\b"
    r"(?!(?:,? (?:or )?(?:by )?| ?/ ?)(?:post|mail|letter|portal|sms|text|fax)\b)"
    r"|\bphone numbers?\b|(?<!your )(?<!the )(?<!on )(?<!which )(?<!what )(?<!line or )\b(?:tele|cell )?phone\b"
    r"(?=$|[,.?!)]| or (?!(?:\w+ )?line\b)| and )"
    r"|\bmobile number\b|\bcontact number\b|\bzip(?: ?code)?\b"
    r"|\bpost(?:al)?[ -]?code\b|\bdate of birth\b|\bbirth ?(?:date|day)\b|\bd\.?o\.?b\b"
    r"|\bmember(?:ship)? (?:id|number)\b"
    r"|\b{identity}\b"
    r"|\baccount (?:id|number|holder)\b|\bcustomer (?:id|number)\b|\bidentity\b|\bidentification\b"
    r"|\bwhom? (?:i'm|i am|am i|do i have(?: the pleasure)?|you are|are you(?=\?)|is this|this is|'s this)\b"
    r"|\blast (?:four|4) (?:digits )?of your (?:ssn|social|phone)\b"
    r"|\byour number(?= please|,? first\b|\?|$)|^ ?your account\b|\bid number\b|\bidentifier\b|\bloyalty number\b"
)
_WHO_CUES = frozenset(
    listed(
        "user userid username usernames name names surname e-mail e-mails email emails phone phones number numbers",
        "zip zipcode post postal postcode birth birthdate birthday dob d id identity identification who whom digits",
        "identifier account",
        *forms("identity"),
    )
)
_OTHERS = frozenset(
    listed(
        "new recipient driver's updated device app permission product dependents each",
        *forms("people"),
    )
)
_WHAT = compiled(
    r"\b(?:reservations?|orders?|bookings?|confirmation (?:number|code)|{bookable}|trips?|items?|products?"
    r"|reasons?|payments?|methods?"
    r"|cards?|dates?(?! of birth)|times?|days?|options?|class|quantity|amount|gb|gigabytes|number of"
    r"|preferences?|changes?"
    r"|(?!{identity})(?:{things}|{details})|origin|destination|colou?r|size|model"
    r"|features?|type|plans?"
    r"|bill|appointments?|provider|{parties}|store|issue"
    r"|problem|symptoms?"
    r"|tracking|line|city|membership|refund|exchange|return|certificates?|gift|voucher|specific|version|what|which)\b"
)
_ASKED = compiled(r"^(?:so|and|then|first|\W)*\b(?:what|which)(?:'s|'re| is| are| was)?\b")
"""The word that begins a question and names nothing by itself."""

_TO_PEOPLE = compiled(
    r"\b(?:hand|pass|put)(?:ing|ting)? you (?:over|through|on)(?=[?.,!]|$| (?:to|then|now)\b)|\btransfer you\b"
    r"|\b(?:the|a) transfer\b(?! of)|\b(?:speak|talk|connect\w*|escalat\w+|hand\w*|pass\w*|put"
    r"|transfer\w*)\b"
    r".{0,30}\b(?:human|agent|representative|specialist|supervisor|(?<!in )person|someone|team)"
    r"|\b(?:connect|put|hand|pass)(?:ing)? you (?:now |over |on |through |straight )*(?:with |to |through to )"
    r"(?:them|one of (?:them|my|our)|(?:an?|my|our|the|another) (?:\w+ )?colleagues?)\b"
)
_HUMANS = frozenset(
    listed(
        "transfer human agent representative specialist supervisor person someone team them colleague colleagues one",
        "through over",
    )
)
_OFFERING = compiled(
    r"\b(?:would you (?:like|prefer|want|rather)|do you want|shall i|should i|may i|want me to|like me to"
    r"|you(?:'d| would) (?:like|prefer)|if you (?:like|wish|want|prefer)|would that|okay (?:if|to)|ok (?:if|to))\b"
)
_BARE_OFFER = compiled(
    r"^(?:(?:so|then|next|now)\W+)?(?:(?:a )?transfer(?: you)?\W*)?(?:(?:to )?(?:an? )?human agent)?"
    r"(?:\W+(?:ok|okay|now|yes or no))?\?$"
)
"""An offer of a transfer in a fragment: `Transfer -> human agent?`"""

_MORE = Rules(
    (
        "else more further",
        r"(?<!or assist with )(?<!before )\b(?:anything|what(?= \w+ (?:can|may|could|do|is there|should|shall|might)\b)"
        r"|there something) (?:else|more (?:i|we)|further)\b(?! with\b| (?:missing|wrong|damaged|broken|late|cold"
        r"|that was))"
        r"(?!.{0,30}\b(?:to (?:add|exchange|return)|in (?:your|the) order)|.{0,12}\bregarding)",
    ),
    (
        "question questions request requests concern concerns matter matters needs reservations",
        r"\b(?:any|other|more|further|additional|have) (?:other |more |further |additional ){0,4}"
        r"(?:questions?|requests?|concerns?|matters?|needs|reservations you'd)\b",
    ),
    (
        "help assistance support information anything details",
        r"\b(?:need|require|for|have|want|provide|with) (?:any |some )?(?:more|further|additional|other|any) "
        r"(?:help(?! (?:with|finding|locating) (?:the|this|that|your|these|those|it)\b)|assistance|support"
        r"|(?<!have any additional )(?<!have additional )(?<!have more )"
        r"(?<!have any more )(?<!have any other )information)\b"
        r"|\bneed (?:any )?(?:more|further|additional) details(?= about| or\b|,)"
        r"|\b(?:need|require|want) (?:any )?(?:anything|assistance|help)\b(?! (?:\w+ing\b|with (?:the|your"
        r"|this|that|any)))"
        r"|^(?:please )?let me know if you need (?:anything|help\b(?! (?:\w+ )?\w+ing))"
        r"|^if you need (?:any )?help\b(?! (?:\w+ing\b|with any))"
        r"|\bcan i help (?:you )?with (?:anything|something)\b",
    ),
    ("further", r"\b(?:can|may|could) i (?:help|assist) you (?:any )?further\b"),
    (
        "more",
        r"\b(?:is there|can i do|could i do|may i do|do you need|will there be) (?:anything|something) more\b"
        r"(?! (?:about|to|on|in|with|than)\b)"
        r"|^(?:and |so |is that all, or )?(?:anything|something) more(?: today| for (?:you|now|today))?(?:,? \w+)?\?$",
    ),
    (
        "here back",
        r"\bi(?:'m| am|'ll be) (?:always )?here (?:if you|whenever|for you)|\bcome back (?:any ?time|to me|whenever)",
    ),
    (
        "today all everything more be",
        r"\bhelp you with today\?$|\bis that (?:all|everything)\b|\bthat be all\b|\bis there more\b|\bwill that be\b",
    ),
    (
        "need",
        r"^(?:please )?let me know if you need me\b(?! to)|^if you need (?!instructions"
        r"|help).{0,60}\b(?:just )?let me know|\bif you need to make any changes\b",
    ),
    (
        "feel hesitate reach",
        r"\bfeel free to (?:reach|ask|contact|let|message|come|get|call|write)|\b(?:don't|do not) hesitate\b"
        r"|\breach out (?:any ?time|again|whenever|if)\b",
    ),
)
_FAREWELL = Rules(
    (
        "have enjoy wish wishing",
        r"\b(?:have|enjoy|wish(?:ing)? you) (?:a|an|your|the) (?:\w+ ){0,7}?(?:day|trip|{wishes}|evening"
        r"|weekend|one|night|week"
        r"|journey|vacation|stay|afternoon|connection|fast|morning)\b|^(?:and )?enjoy (?:your"
        r"|the|it|them)\b",
    ),
    (
        "bon goodbye bye good care safe see cheers farewell best next well better",
        r"\b(?:good ?bye|bye|take care(?! of)|safe {wishes}|see you (?:soon|later|again|then|next)|cheers"
        r"|farewell|all the best"
        r"|until next time|get well|feel better|safe (?:trip|journey)|stay safe|bon voyage"
        r"|bon app[e\u00e9]tit|good luck)\b",
    ),
    (
        "thanks thank",
        r"\bthanks? (?:you )?(?:again )?for (?:choosing|contacting|calling|reaching|using|being|shopping"
        r"|flying|chatting"
        r"|your business|ordering)\b",
    ),
)
_PEOPLE = compiled(r"\b(?:transfer|human agent|human|contact(?:ing)?|recommend|supervisor|representative|specialist)\b")
_OWN = compiled(r"^(?:[\w,!]+ )?(?:i|we)(?:'ll|'d|'m| am| can| will| could| would)\b(?!.*\b(?:please|you to|need)\b)")
"""An offer of the agent's own action: "I'd be glad to look it up and tell you"."""

_GREETING = compiled(
    r"\bhow (?:can|may|could|might) (?:i|we) (?:\w+ )?(?:help|assist|be of)\b(?! you further)|\bwhat (?:can"
    r"|may|could) (?:i|we) (?:do for|help|assist)"
    r"|\bwhat brings you\b|\bhow are you\b"
)
_LOOKING = compiled(r"\bso (?:that )?(?:i|we) can .{0,200}\bsee how\b")
_OPTION = compiled(
    r"^(?:\w+ )?(?:i|we)(?:'ll)? (?:\w+ )?(?:need|require)\b|\b(?:see|check|find out) if there(?:'s"
    r"| is) anything else\b",
    r"\b(?:else|further|more|other)\b.{0,60}\bbefore (?:i|we)\b|\bor any other (?:requests?|services?"
    r"|questions?) (?:for|to|about) (?:this|the)\b",
    r"\bor do you have (?:any )?(?:other|more|further)\b",
    r"\b(?:let me know|tell me|confirm|choose|specify) (?:which|what|how|once|when|whether)\b.{0,200}\bor (?:if"
    r"|whether) you(?:'d| would)? (?:still )?(?:need|want|have|like)\b"
    r"|^if you(?:'d| would)? (?:decide|choose|like|want|wish|prefer) to (?!make|do|add|change|order"
    r"|book)\w+.*\b(?:let me know|just ask|tell me)\b(?:, and i|.*\bthat\b)"
    r"|^if you need (?:any )?help,? i (?:can|could|will)\b|^if you need (?:\w+ )?(?:assistance|help) (?:locating"
    r"|finding|looking)",
)
"""Offers of more help as one answer of several, or of help with the current matter."""

_HELP = compiled(
    r"\bneed (?:any |some )?(?:more |further |additional |any )*(?:help|assistance)\b(?!.*\b(?:else|question|other)\b)"
)
_FOR_EXAMPLE = compiled(r"\b(?:anything|something) else,? (?:such as|like|for example|for instance|perhaps)\b")
_OR_ELSE = compiled(
    r"^(?:would|do|did|shall|should) (?:you|i).*\bor (?:(?:is|was) there (?:anything|something) else"
    r"|do you (?:have|need) (?:any |help with |assistance with )?(?:other|something else|anything else))\b"
)
_IF_YOU_LIKE = compiled(
    r"^(?:\S+ ){0,3}?if you(?:'d| would| do)? (?:like|want|wish|prefer|have a preference)\b(?!.*\b(?:further|else"
    r"|anything|question|other"
    r" (?:requests?|questions?|orders?|reservations?))).*\b(?:let me know|just say|tell me|i (?:can"
    r"|could) (?!also be|be of))"
)
_STEP = compiled(r"(?:select|choose|enter|include|describe|give|send|type|pick|drop|pass|confirm|verify|repeat)\b")
_NO_OBJECT = compiled(r",? ?(?:(?:and|or|so) |$|[!.]$)")
_ON_DEVICE = compiled(
    r"\b(?:{devices}|{services}|browse|no service|icons?|settings?|network type|reboot|restart"
    r"|on your (?:phone|device)|your phone's)\b|\bhow did (?:the|that|your|it)\b.{0,200}\b(?:test|go)\b"
)
_SYMPTOM = compiled(
    r"\b(?:able to (?:make|receive|place) (?:\w+ ){0,2}?(?:calls|texts)|experienc(?:e|ing)|since when|how long"
    r"|all your devices)\b"
)
_CHANGED = compiled(
    r"\b(?:change|update|replace|correct|remove|add|(?:go|send|sent|deliver\w*) to)\b.{0,20}\b(?:phone|e-?mail|name"
    r"|number|zip)"
)
_PREFERS = compiled(r"\b(?:would you (?:like|prefer|rather)|do you (?:want|prefer)|are you comfortable)\b")
_MEANING = ("i mean ", "that is,", "meaning ", "namely ", "namely,")
"""Beginnings of a sentence that only says what the question before it asks for."""

_LABEL = compiled(
    r"(?!(?:please|so|but|note|important)\b)(?:[\w'/-]+ ){0,4}[\w'/-]+: (?!i\b|i'|we\b|you\b|it\b|this\b)\S"
)

_ENDS = ("?", "?)", '?"', "please", "please.")
_IT = compiled(r"\b(?:that|those|these|this|them|it|both)\b")


_NOTHING_ELSE = compiled(
    r"^(?:is there |do you (?:see|have) )?(?:anything|something) (?:else )?(?:that )?(?:you(?:'d| would)? (?:like"
    r"|want|wish)"
    r"|i should|you need)? ?(?:me )?(?:to )?(?:be )?(?:change|correct|adjust|fix|different"
    r"|edit)[\w ]{0,20},? or (?=(?:should|shall"
    r"|may|can) (?:i|we)\b)",
)
_OR_NOT = compiled(
    r"(?:,| -)? or (?:would you|do you|should (?:i|we)|shall (?:i|we))(?: rather| prefer| like| want)*(?: me)?(?: to)? "
    r"(?:(?:change|adjust|correct)(?: (?:it|them|that|this|things|anything|something))?|(?:just )?(?:keep|leave)"
    r"(?: (?:it|them|that|this|things|everything|(?:the|your) (?:(?:current|existing|original"
    r"|whole) )?\w+))?)(?: else)?"
    r"(?: (?:as (?:it|they) (?:is|are)(?: now)?|as[- ]is|alone|unchanged|in place))?\?$"
    r"|(?:,| -)? or (?:just )?leave (?:it|them|that|this|things|everything|the \w+)(?: (?:as (?:it|they)"
    r" (?:is|are)|as is|alone|unchanged|on|off))?\?$"
    r"|(?:,| -)? or would you (?:like|prefer|rather)(?: to)? (?:hear|see|know|check) [^?]{1,40} (?:first|before)\?$"
)
"""The opposite of a yes, before or after a question for one: `Shall I cancel it, or would you rather keep it?`"""

_IN_ORDER_TO = compiled(
    r"^(?:in order )?to (?:confirm|authori[sz]e|approve) [^,?]{1,90}, (?=(?:could|can|would|will|may|what|which"
    r"|please|i|let"
    r"|we)\b)"
)
"""What a request is for, at its beginning: `To confirm the booking, could you share your card number?`"""


def core(view: str) -> str:
    """Return a question without what it is for, and without the opposite of its yes."""
    view = _IN_ORDER_TO.sub("", view)
    return _OR_NOT.sub("?", _NOTHING_ELSE.sub("", view)) if " or " in view else view


def more(view: str, words: frozenset[str]) -> bool:
    """Return whether a sentence asks whether there is anything else, or says goodbye."""
    if _FAREWELL.found(view, words):
        return True
    return _MORE.found(view, words) and not greets(view) and not _PEOPLE.search(view) and not _OPTION.search(view)


def other_wishes(view: str, words: frozenset[str]) -> bool:
    """Return whether a sentence asks whether there is anything else, whatever it says besides."""
    return view.endswith("?") and _MORE.found(view, words)


def helps(view: str) -> bool:
    """Return whether a sentence offers help and nothing else."""
    return bool(_HELP.search(view))


_NOUNS = compiled(
    r"\bplease(?:[,:]|$|[.!]$| (?:the|your) )|^(?:(?:hi|hello|hey|ok|okay|sure|yes|right|also|still|just|first|next|now"
    r"|then)[,!]? )*need (?:your|the)\b"
)
"""A request without a verb of asking: `your full name and zip code, please, and ...`, `need your user id`."""


def requested(view: str, words: frozenset[str], *, entry: bool) -> str | None:
    """Return the requested thing in the sentence's words; None if there is no request."""
    found = _REQUEST.search(view, words)
    if found and found[0].startswith("and ") and _OWN.match(view):
        found = None
    if not found and not view.endswith(_ENDS):
        nouns = view.startswith(_MEANING) or _NOUNS.search(view)
        return view if nouns and _WHO.search(view) else None
    aside = _ASIDE.search(view)
    if (aside and not (found and found.start() < aside.start())) or (greets(view) and not _LOOKING.search(view)):
        return None
    if found and not (entry and found.start() == 0 and _STEP.match(view)):
        return _object(view[found.end() :], words)
    return view if view.endswith(_ENDS) else None


def _object(part: str, words: frozenset[str]) -> str:
    """Return the requested thing in the words after a request, without its purpose."""
    if _NO_OBJECT.match(part):
        again = _REQUEST.search(part, words)
        return _object(part[again.end() :], words) if again else ""
    cut = _PURPOSE.search(part, 1 if part.startswith(" where ") else 0)
    if not cut or _REQUEST.search(part[cut.end() :], words):
        return part
    rest = _AND.search(part, cut.end()) if cut[0] in _OF_WHAT else None
    return part[: cut.start()] + (part[rest.start() :] if rest else "")


def greets(view: str) -> bool:
    """Return whether a sentence opens a conversation: `How can I help you?`"""
    return ("how " in view or "what " in view) and bool(_GREETING.search(view))


def choice(view: str) -> bool:
    """Return whether a sentence offers a choice beside asking for anything else."""
    return bool(_OR_ELSE.search(view) or ("else" in view and _FOR_EXAMPLE.search(view)))


def invites(view: str) -> bool:
    """Return whether a sentence invites the user to ask for something: `If you would like that, let me know.`"""
    return "if you" in view and bool(_IF_YOU_LIKE.search(view))


def labelled(view: str) -> bool:
    """Return whether a line is an entry with a label: `about you: your full name and date of birth`."""
    return _LABEL.match(view) is not None and not view.endswith(("?", ":"))


def who(part: str, words: frozenset[str]) -> bool:
    """Return whether a request names something that identifies the user."""
    if words.isdisjoint(_WHO_CUES) or _CHANGED.search(part):
        return False
    return not _of_others(part, words) and not words.isdisjoint(_WHO_CUES) and bool(_WHO.search(part))


def _of_others(part: str, words: frozenset[str]) -> bool:
    """Return whether a name or a number belongs to another person or is new; `New York` is neither."""
    others = words & _OTHERS
    return bool(others) and (others != {"new"} or "new " in part)


def what(part: str, words: frozenset[str]) -> bool:
    """Return whether a request names a detail or a choice."""
    if not words.isdisjoint(_WHO_CUES) and _WHO.search(part):
        return _of_others(part, words) or bool(_WHAT.search(_ASKED.sub("", _WHO.sub(" ", part))))
    return not _STOP.issuperset(WORD.findall(part))


def on_device(part: str) -> bool:
    """Return whether a request asks about the display of a device."""
    return (
        bool(_ON_DEVICE.search(part))
        and not _WHO.search(part)
        and not _PREFERS.search(part)
        and not _SYMPTOM.search(part)
    )


def refers(part: str) -> bool:
    """Return whether a request names nothing and refers to something named before."""
    return bool(_IT.search(part)) and not _WHO.search(part) and _STOP.issuperset(WORD.findall(part))


def of_transfer(view: str) -> bool:
    """Return whether a sentence is about a transfer to people."""
    return bool(_TO_PEOPLE.search(view))


def offers_transfer(view: str, words: frozenset[str]) -> bool:
    """Return whether a sentence asks whether to transfer the user to a person."""
    if words.isdisjoint(_HUMANS):
        return False
    return (bool(_OFFERING.search(view)) and of_transfer(view)) or _BARE_OFFER.match(view) is not None
