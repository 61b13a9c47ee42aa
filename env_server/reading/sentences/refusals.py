"""Refusals: sentences that say that something is impossible or not allowed."""

import re

from env_server.reading.sentences import limits, scope
from env_server.reading.sentences.patterns import Rules, compiled, words_of
from env_server.reading.words.lexis import words as listed
from env_server.vocabulary import forms

_NOT = "not can't cannot won't isn't aren't wasn't doesn't don't didn't wouldn't couldn't never no"
_DEVICE_ONLY = (
    r"(?! (?:\w+ )?(?:send|receive|use|browse|connect|access|see|find|locate|remember|log|sign|open|sleep|eat|hurt"
    r"|breathe"
    r"|cope|make calls|get|load|be sent))"
)
_ABLE = (
    r"(?:eligible|possible|allowed|permitted|able(?! to (?:find|locate|identify|pinpoint|spot|see how))|available"
    r"|supported|refundable"
    r"|modifiable|changeable|cancel+able"
    r"|transferable|exchangeable|returnable|offered|covered|entitled|authori[sz]ed|something (?:i|we)|an option"
    r"|in a position|in stock|within(?! (?:the|your|these|those|my|this|our) (?:\w+ )?(?:orders?|bookings?"
    r"|reservations?|list|records?"
    r"|accounts?|profile|history|results?)\b))"
)
_SCARCE = (
    r"(?:{bookable}|availability|available|options?|way|slots?|appointments?|openings?|stock|exceptions?"
    r"|exemptions?|provision|possibility|refunds?|compensation)"
)
_REFUSES = Rules(
    (
        "not isn't aren't wasn't",
        r"\b(?:(?:is|are|was)(?: not|n't)|'s not) (?:something|a thing|anything) (?!to\b|you (?:need|have|should"
        r"|want))",
    ),
    (
        "unable not",
        r"\b(?:i|we)(?:'m| am|'re| are) (?:\w+ ){0,2}?"
        r"(?:unable|not able|not allowed|not permitted|not authori[sz]ed|not in a position)\b"
        r"(?! to (?:find|locate|identify|pinpoint|spot|see how|retrieve (?:your|the|any) (?:\w+ )?(?:details|account"
        r"|order"
        r"|reservation|booking|profile|record)))"
        r"|\bunable (?<!you're unable )(?<!you are unable )(?<!still unable )to (?!find|locate|identify|pinpoint|spot"
        r"|verify your|reach)\w+"
        r"|\bunfortunately,? not\b|\bbut not\b(?! (?:yet|quite|excellent|perfect|very)\b)",
    ),
    (
        "can't cannot won't couldn't not",
        r"\b(?:i|we) (?:\w+ )?(?:can't|cannot|can not|won't be able|will not be able|could not|couldn't|am not able)\b"
        r"(?! (?:wait|go wrong|do more|do (?:it )?without|see(?! (?:a|any|how))|tell|recommend|find|locate"
        r"|identify(?! (?:an?|any) (?:way|reason|option|exception|means)\b)|pinpoint|spot\b|(?:look"
        r"|pull) \w+ up"
        r"|(?:hear|catch|make out|read|understand|follow|believe|imagine|stress|guess|answer for)\b"
        r"|promise (?:an? )?(?:(?:exact|specific|precise|particular) )?(?:time|date|day|hour|when|how)\b"
        r"|say (?:how|what|when|where|why|who|whether|if|exactly|for (?:sure|certain))"
        r"|access your|verify|thank))",
    ),
    (
        "can't cannot couldn't won't not longer never",
        r"\b(?:can't|cannot|can not|can no longer|could not|couldn't|may not|must not|will not|won't"
        r"|can never) (?:\w+ )?"
        r"(?:be|do|make|allow|accept|offer|get|have(?! (?:\w+ly )?(?:been|\w+ed|left|gone)\b))\b(?! (?:affected"
        r"|more\b|able to (?:send|use|receive|connect|see)"
        r"|charged|lost"
        r"|(?:an?|any) (?:extra |further |additional )?(?:fees?|charges?|costs?|penalt(?:y|ies)|difference)\b"
        r"(?!.*\bback\b)))"
        r"|\b(?:can't|cannot|can not|could not|couldn't) be charged (?:to|with|against)\b",
    ),
    (
        "can't cannot not doesn't don't",
        r"\b(?:it|this|that|these|they|you|reservation|order|policy|system|{bookable}|orders?|items?"
        r"|{things}|{rates}|{parties}) (?:\w+ )?(?:can't|cannot|can not|doesn't allow|does not allow|do not allow"
        r"|don't allow)\b(?! go wrong| have (?:\w+ly )?(?:been|\w+ed|left|gone)\b)" + _DEVICE_ONLY,
    ),
    (
        _NOT,
        rf"\b(?:is|are|was|were|'s|'re|be|been|would|it) (?:\w+ )?(?:not|never|no longer) (?:\w+ )??{_ABLE}\b"
        rf"|\b(?:isn't|aren't|wasn't|won't be|wouldn't be|not(?! being able)) (?:\w+ )?{_ABLE}\b"
        r"|\b(?:sorry|apolog\w+|regret) (?:\w+ ){0,3}?not being able to (?!find|locate|see|identify|reach)",
    ),
    (
        "not",
        r"\b(?:i|we|you|they|agents?(?: like me)?|customers?|{people}|users?|members?) (?:\w+ )?"
        r"(?:may|must|can|shall|am|are) not (?:to )?(?!be able to (?:see|use)|need|have to|see|be (?:sure|aware)"
        r"|behind|late\b|overdue|obliged|required"
        r"|yet)[a-z]+\b",
    ),
    (
        "let allow permit enable support accept allowed permitted enabled supported accepted letting allowing",
        r"\b(?:not|never|won't|doesn't|don't|can't|didn't|wouldn't|isn't going to) (?:\w+ )?(?:let|allow|permit|enable"
        r"|support|accept)(?:ed|ing)?\b(?! me know)",
    ),
    (
        "beyond outside above over past lack no without don't not",
        r"\b(?:beyond|outside|above|over|past) (?:of )?(?:my|our|what|anything) (?:\S+ ){0,3}?(?:authority|reach"
        r"|power|powers"
        r"|abilit\w+|capabilit\w+|control|scope|remit|permissions?|i|we)\b|\b(?:past|beyond) the (?:point|stage|date"
        r"|time)\b"
        r"|\b(?:lack|have no|without|don't have(?: the)?|do not have(?: the)?) (?:authority|authori[sz]ation"
        r"|permission|means"
        r"|power|ability|possibility)\b"
        r"|\b(?:i|we) (?:\w+ )?(?:don't|do not|have no|lack) (?:\w+ )?(?:have )?(?:\w+ )?access to (?!your (?:phone"
        r"|device|screen))",
    ),
    (
        "all most best maximum limit",
        r"\b(?:that is|that's|this is) all (?:that )?(?:i|we) (?:can|may|could|am able to)\b"
        r"|\bthe (?:maximum|limit|most|best(?= (?:that )?(?:i|we)\b)) (?:that )?(?:\w+ )?(?:is|i can|i may|we can"
        r"|we may|i could)\b"
        r"|\ball (?:that )?(?:i|we) (?:can|may) (?:offer|do|give)\b",
    ),
    (
        "impossible unavailable ineligible prohibited forbidden",
        r"\b(?<!not )(?:impossible|unavailable|ineligible|prohibited|forbidden)\b",
    ),
    (
        "ruled off out option applicable off-limits gone taken",
        r"\b(?:ruled out|off the table|out of the question|not an option|not applicable|all (?:gone|taken(?! care\b))"
        r"|off[- ]limits|out of stock)\b",
    ),
    (
        " ".join(
            f"non-{word} non{word}"
            for word in listed(
                "refundable transferable changeable cancellable cancelable modifiable returnable exchangeable",
            )
        ),
        r"\bnon-?(?:refundable|transferable|changeable|cancel+able|modifiable|returnable|exchangeable)\b",
    ),
    (
        "sold booked late against tied hands reach power control",
        r"\bsold out\b|\bfully booked\b|(?<!\bas )(?<!not )(?<!\breason )(?<!\breason: )\btoo late\b(?!, (?:no fee|\$))"
        r"|\bagainst (?:(?:our|the|my|company) )?(?:policy|rules|policies)\b|\bhands are tied\b"
        r"|\bout of (?:my|our) (?:hands|reach|power|control)\b",
    ),
    (
        "deny decline refuse say pass denied rejected declined",
        r"\b(?:must|have to|need to|has to|will have to) (?:\w+ )?(?:deny|decline|refuse|say no|pass on)\b"
        r"|\b(?:i|we) (?:respectfully |regretfully )?(?:decline|refuse)\b|(?<!payment )(?<!card )\b(?:been|was|is"
        r"|be) (?:denied"
        r"|rejected|declined)\b",
    ),
    (
        "policy policies rule rules term terms system guideline guidelines " + " ".join(forms("rates")),
        r"\b(?:policy|policies|rules?|terms?|system|guidelines?|{rates}) (?:\w+ )?(?:doesn't|does not|do not|don't"
        r"|won't"
        r"|prohibits?|forbids?|prevents?|rules? out|is (?:quite |very )?(?:strict|clear|fixed)|restricts?"
        r"|bars?|excludes?"
        r"|only allows?)\b|\bpolicy .{0,60}\bis (?:fixed|set|capped|limited)\b",
    ),
    (
        "not doesn't don't",
        r"\b(?:does|do)(?:n't| not) (?:\w+ )?(?:deliver|participate|serve|qualify|meet|cover|permit|include"
        r"|allow|offer|support|apply|entitle"
        r"|provide for|extend)\b|\b(?:i|we) (?:don't|do not) (?:have (?:the|any) (?:ability|authority|option|way)|offer"
        r"|support|allow|provide|issue|do)\b|\bnot (?:something|a thing) (?:that )?(?:i|we)\b",
    ),
    (
        "only",
        r"\b(?:can|could|may) only (?![^.]{0,30}\bat a time\b|see|find|locate|imagine|guess|hope|speculate"
        r"|apologi[sz]e|\w+ (?:(?:it|you|them|that|up) )*(?:by|with|using) (?:(?:your"
        r"|the|a) )?(?:phone"
        r"|numbers?|e-?mail|name|id\b|\w+ (?:id|number)))\w+\b|\b(?:i'm|i am|we're|we are|you're"
        r"|you are) (?:\w+ly )?only (?:able|allowed|permitted"
        r"|authori[sz]ed)\b|\bonly (?:be )?(?:possible|allowed|permitted|available) "
        r"(?:if|for|when|within|to|in|under)\b|\bonly covers?\b|\bonly (?:accepted|offered) (?:for|to|on|within)\b"
        r"|\bonly (?:offer|issue|accept)\b(?=.{0,200} (?:to|for|when|if) )|\bonly (?:(?!that\b|which\b)\w+ ){1,5}can"
        r" be\b|\bonly the [\w ]{2,30} (?:may|can|is allowed|are allowed)\b",
    ),
    (
        "no not nothing",
        r"\b(?:there (?:are|is|'s|were) (?:\w+ )?(?:currently )?(?:no|not any|not enough|nothing|no such)"
        rf"|no(?! change| longer)) (?:[\w-]+ ){{0,4}}?{_SCARCE}\b(?! (?:(?:is|are) (?:needed|required|necessary)"
        rf"|c[ao]mes? up|turn(?:s|ed) up|was found|show(?:s|ed)|match))"
        r"|\bnot enough (?:\w+ )?{bookable}\b|\bnothing (?:(?:\w+ )?(?:i|we) can do|can be done)\b"
        r"|\bnothing (?:\w+ ){1,5}(?:allows?|permits?)\b|\bno (?:policy|rule) (?:allows?|permits?)\b"
        r"|\bno (?:eligible|means|chance|possibility)\b"
        r"|\b(?:under no circumstances|in no case|by no means)\b|\bso,? no(?:$|[.!,])",
    ),
    (
        "no",
        r"\bno (?:longer (?:qualif\w+|meets?|sold|served|be|possible|available|able|eligible|allowed|offered|valid"
        r"|supported|accepted|in stock)|way"
        r"|exceptions?)\b|\bthe answer (?:is|stays|remains) (?:still )?no\b|\bsorry(?:, but| -|,) no\b",
    ),
    (
        "won't wouldn't not",
        r"\b(?:that|this|it) (?:won't|wouldn't|is not going to|will not) (?:work|be possible|happen)\b",
    ),
    (
        "outside beyond past",
        r"\b(?:outside|beyond|past) (?:of )?(?:the|our|my|what) (?:\S+ ){0,3}?"
        r"(?:window|period|scope|policy|limit|deadline|i can|i may|we can|we may|i'm able|timeframe|24)\b",
    ),
    (
        "afraid regret issue problem limited fixed most unfortunately preventing undone capped",
        r"\bi'm afraid\b|\bi regret\b|\b(?:issue|problem) with the availability\b|\bamount is (?:fixed|set|capped)\b"
        r"|\bat most (?:one|two|three|\d)\b|^unfortunately,? (?:i|we) need (?!.*\b(?:user id|zip|e-?mail|name)\b)"
        r"|\bpreventing (?:[\w'-]+ ){1,6}?from\b|\b(?:is|are|was|were|'s|'re) (?:\w+ )?preventing\b"
        r"|\bcannot be undone\b"
        r"|\b(?:my|our) (?:\w+ )?options are limited\b",
    ),
    (
        "not doesn't don't didn't",
        r"(?<!you )\b(?:doesn't|does not|don't|do not|didn't) (?:\w+ )?(?:seem to |appear to )?(?:have|carry|see"
        r"|accept|take|let"
        r"|permit|stock)\b"
        r"(?: (?:any|that|this|enough|the|a|more|new))? .{0,30}?\b(?:anything|openings?|slots?|availability|available"
        r"|in stock|left"
        r"|appointments?|{bookable}|sizes?|colou?rs?|variants?|times|{clients}|me|us|orders)\b"
        r"(?! (?:listed|recorded|matching your|(?:that|which) (?:was|were|has|have|match\w*)|(?:in|on|under|with"
        r"|for) (?:your|this|that|the)"
        r" (?:\w+ )?(?:accounts?|profile|name|numbers?|records?|history|orders?|reservations?|bookings?)))",
    ),
    (
        "doesn't don't not no",
        r"\b(?:our|the) (?:[\w-]+ )?(?:fleet|inventory|line-?up|stock|catalogue|catalog|menu|selection|range|shop|store"
        r"|practice|office|network|location|branch|warehouse|{parties}) (?:\w+ )?(?:doesn't|does not"
        r"|don't|do not) (?:\w+ )?(?:have|carry|stock|offer|include|sell|feature)\b(?! (?:an?|any"
        r"|your) (?:\w+ )?(?:record"
        r"|account|file|entry|trace|profile|listing|copy|note))"
        r"|\b(?:i|we) (?:\w+ )?(?:don't|do not) (?:\w+ )?(?:stock|carry|sell|rent(?: out)?|keep|make|take|accept"
        r"|honou?r)"
        r" (?:them|those|these|that|any\b|(?:[\w-]+ ){0,2}?[\w-]+s\b(?<!chances)(?<!risks)(?<!sides))(?! (?:a lot"
        r"|to you))"
        r"|\b(?:i|we) (?:\w+ )?(?:don't|do not) (?:\w+ )?(?:have|carry|offer) [^.?!]{1,40}? (?:in (?:our|the"
        r"|this) (?:\w+ )?"
        r"(?:fleet|inventory|stock|store|line-?up|catalogue|catalog|range|selection)|at (?:this|that|our|the) (?:\w+ )?"
        r"(?:location|branch|store|office|counter|{details}))\b",
    ),
    (
        "not isn't aren't exceeded reached received over full closed booked",
        r"\b(?:isn't|is not|aren't|are not) (?:currently )?(?:accepting|taking|open|offering|delivering|serving)\b"
        r"|\b(?:exceeded|reached|received|over) (?:the|your) (?:maximum|limit)\b"
        r"|\b(?:{bookable}|{parties}|store|schedule|class|waitlist|calendar) is (?:completely |already "
        r"|currently |now )?"
        r"(?:full|closed|fully booked|booked up)\b",
    ),
    (
        "not isn't aren't",
        r"\b(?:(?:is|are) (?:\w+ )?not|isn't|aren't) (?:\w+ )?(?:given|granted|issued|accepted|paid|honou?red"
        r"|made(?! (?:worse|better|of|from|by|easier)\b))\b"
        r"|\b(?:are|is)(?:n't| not) (?:any|enough|a single) .{0,40}\b(?:left|available|remaining|open)\b"
        r"|\b(?:is|are)(?:n't| not) (?:enough|sufficient) (?:to|for)\b",
    ),
    (
        "must has have needs",
        r"\b(?:must|has to|have to|needs? to) (?:always )?(?:be (?:\w+ed|made|paid|sent) "
        r"|go )(?:back )?(?:only )?(?:to|on|onto)"
        r" (?:the|your|that) (?:original|same|first)\b",
    ),
    (
        "waive",
        r"\b(?:doesn't|does not|don't|do not|won't|will not) (?:\w+ )?waive\b",
    ),
    # "Can't cancel this one: it was delivered." has no subject; "still can't" has no verb.
    (
        "can't cannot can",
        r"^(?:(?:sorry|no|unfortunately|ok|okay|again|and|but|so|still|as i said|right|yes|hm+|well|honestly"
        r"|sadly)[,.:;-]* (?:- )?)*+"
        r"(?:(?:can't|cannot|can not)(?: (?!you\b|we\b|i\b|be sure|see|find|locate|tell|wait|remember|help but|thank"
        r"|recommend|say)[a-z]+| *[.!,;:]|$)"
        r"|no can do\b)",
    ),
    (
        "not",
        r"^(?:(?:sorry|no|unfortunately|still|again|and|but|so)[,.:;-]* (?:- )?)*+not (?:possible|allowed|permitted"
        r"|something i)\b",
    ),
    (
        "limited no aren't isn't already not doesn't don't",
        r"\b(?:exchanges|returns|refunds|changes|modifications|cancellations|compensation|i'm|i am|we're"
        r"|we are) (?:are |is )?limited to\b"
        r"|\b(?:have|there is|there's) no leeway\b|\bno (?:further|more|other) (?:changes|modifications|exchanges"
        r"|options)(?: \w+)? are\b"
        r"|\bthere (?:doesn't|does not|don't|do not) (?:seem|appear) to be (?:any|an?|one)\b"
        r"|\bthere (?:aren't|isn't|are not|is not)(?: currently)? (?:any|a|an|one) (?:[\w-]+ ){0,3}?(?:{bookable}"
        r"|slots?|openings?"
        r"|appointments?|variants?|versions?|models?|option|match)\b",
    ),
    (
        "find found see",
        r"\b(?:(?:couldn't|could not|can't|cannot|didn't|did not|don't|do not|(?:wasn't|was not|weren't|not|unable)"
        r"(?: been)?(?: able)? to) (?:find|see)"
        r"|found no) (?:\w+ )??(?:any |no )?"
        r"(?:available |direct |nonstop |non-stop |one-stop |earlier |later |other |suitable |cheaper )++(?:[\w-]+ )?"
        r"(?:{bookable}|options?|slots?|appointments?|variants?|items?)\b"
        r"|\b(?:couldn't|could not|didn't|did not) find any (?:{bookable}|slots|appointments|openings)\b",
    ),
    (
        "follow stick adhere abide leave declining refusing",
        r"\b(?:must|have to|need to|required to|bound to) (?:follow|stick to|adhere to|abide by) (?:the|our|this"
        r"|company|these) (?:[\w']+ )?"
        r"(?:polic(?:y|ies)|rules?|guidelines?)\b|\bhave to leave (?:it|that|this|the \w+) as\b|\bi(?:'m"
        r"| am) (?:declining|refusing)\b",
    ),
    (
        "no none all maximum only",
        r"\bno (?:further |more )?(?:changes?|modifications?|exchanges?|refunds?|cancel+ations?|adjustments?) (?:can"
        r"|may) be\b"
        r"|\bnone of (?:the|these|those|our) (?:\w+ )?(?:{bookable}|options?|slots?|variants?|items?"
        r"|appointments?)\b(?! (?:of|in) your)"
        r"|\ball (?:the )?(?:\w+ )?(?:{bookable}|slots|appointments|tables)\b"
        r".{0,20}\bare (?:taken|gone|sold|booked|full)\b"
        r"|\bwhich is the (?:maximum|limit|most)\b|\b(?:certificates?|vouchers?|compensation|refunds?"
        r"|exchanges?) (?:is|are) only for\b",
    ),
    (
        "sold come made comes",
        r"\b(?:isn't|is not|aren't|are not) (?:sold|made|offered) in\b|\b(?:doesn't|does not|don't|do not) come in\b",
    ),
    ("no", r"^(?:\w+, )?(?:still|again|sorry)[,:]? no[.!,]|\banswer (?!.{0,100}\bor no\b)(?:\w+ ){1,3}no\b"),
    (
        "same",
        r"^unfortunately.{0,60}\b(?:must|has to|have to) be the same\b|\b(?:must|has to|have to) be the same (?:for"
        r"|across|on) (?:all|every|both)\b",
    ),
    (
        "only",
        r"\bonly (?:pending|delivered|undelivered|unused|orders that are [\w]+|[\w-]+ orders"
        r"|[\w-]+ reservations) (?:\w+ )?(?:can|may)\b",
    ),
    ("won't", r"\b(?:won't|will not) take anything off\b"),
    ("isn't aren't not", r"^(?:i'm |i am )?sorry,? (?:\w+, )?there (?:isn't|aren't|is not)\.?$"),
    ("reached exceeded", r"\b(?:limit|maximum|quota|cap|allowance)\b.{0,60}\b(?:reached|exceeded)\b"),
    ("expired passed", r"\b(?:has|have) (?:already )?(?:expired|passed(?! (?:it|that|this|your|the)\b))\b"),
)
_OWN = ("i ", "we ", "i'", "we'")
_IFS = frozenset({"if", "whenever", "case"})
_IF = compiled(r"\b(?:if|whenever|in case)\b ?")
_VERB = compiled(r"\b(?:is|are|was|were|has|have|had|been|did|does)\b|'s ")
_SUBJECT = compiled(r"(?<!\band )(?<!\bor )(?<!\bbut )\b(?:it|they|that|this|you|those|these)(?: \w{1,20})? ?$")
"""The subject of the main clause, after a clause with `if` and without a comma: `if it has shipped it`."""

_DEVICE = compiled(
    r"\b(?:{devices}|texts?|(?:picture|photo)s?(?: messages?)?|apps?"
    r"|(?<!over the )(?<!by )phone(?:'s)?(?! numbers?\b)|device(?:'s)?|bluetooth|network mode|screen)\b"
    r"|\bbrowse the (?:internet|web)\b|\b(?:internet|data) (?:connection|speed)\b",
)
_RULES = compiled(
    r"\b(?:i|we)(?:'m|'re)?(?: am| are)? (?:\w+ ){0,2}?(?:can't|cannot|can not|unable|not|won't|don't|may not|must)\b"
    r"|\b(?:polic(?:y|ies)|rules?|eligible|allowed|permitted|contract|refund\w*|offer|stock|sorry|unfortunately|afraid"
    r"|plan|order|return\w*|exchang\w+|upgrade|variants?|versions?|models?|inventory|catalogue|catalog|speakers?"
    r"|headphones"
    r"|earbuds|keyboards?|laptops?|tablets?)\b"
)
_AFTERWARDS = compiled(
    r"undo|undone|revers|\bagain\b|\bonce (?:it|this|the|your|you|i|we|processed|submitted|done|confirmed|upgraded"
    r"|changed|cancel+ed|exchanged|modified|an)\b|\bafter (?:this|that|it|confirm|you|the (?:change|exchange|modif))"
    r"|\bplease note\b|\bnote that\b|\bkeep in mind\b|\bfurther (?:changes|modif)|\bonce per\b"
    r"|\bonly (?:[^ .;?!]+ ){0,8}once\b|\btaken back (?:with|by) (?:an?|one)\b"
    r"|\bcan(?:'t|not| not) be \w+ afterwards?\b"
)
_UNDO = compiled(r"undo|undone|revers|\btaken back (?:with|by) (?:an?|one)\b")
_DENIES = compiled(r"\b(?:not|no|never|cannot|refus\w+|denied|declin\w+|reject\w+|impossible|unable|stays?)\b|n't\b")
_ONLY = compiled(r"\b(can|could|may) only ")
_APPLIED = compiled(
    r"\b(?:and|but|while) (?:yours|this|that|it|your (?:\w+ ){1,2}?)(?: one)? ?(?:is|was|has|were|are|isn't|wasn't)\b"
)
"""The case of the user beside a rule: `I can only cancel pending orders, and yours was delivered`."""

_CAUSE = compiled(r"(?<!^)\b(?:because|since|given that|for the reason that)\b")
"""Words that introduce the reason of an impossibility, rather than the time from which it holds."""

_NOW = compiled(r"^(?:since|because|as|now that) .{1,80}\b(?:now|already|has been|have been|was|were)\b")
"""A reason that holds already: what it bars is barred now, and not only after a step."""

_WITH_REASON = compiled(
    r"\b(?:can't|cannot|can not|can no longer|(?:am|are|is) (?:unable|not able) to|isn't|aren't|is not"
    r"|are not) [^.]{1,120}?"
    r"(?:, as|,? because|, since) (?!of\b|you (?:confirm|agree)|soon\b)\w"
)
_NOTE = compiled(r"^(?:please )?(?:note|keep in mind|be aware)(?: that)? ")
_GENERAL = compiled(
    r"\b(?:(?!this\b)[a-z]+s|we|i) (?:can|may) only (?:be )?\w+(?: \w+){0,4} (?:if|when|while|as long as"
    r"|provided) (?!you\b)"
    r"|^if (?:the|an|your) \w+ (?:has|have|is|was|were)\b[^,]{1,60}, (?:we|i) can only\b"
)
_NOTES = ("please note", "note that", "keep in mind", "please keep in mind", "just so you know", "please be aware")
_TO_USER = compiled(
    r"^(?:(?:and|so|but|or|is it that),? )*(?:(?:are|were|would|is|was|have|do|did|can|could|will) (?:you|your|it"
    r"|that|there"
    r"|there's)|why|what(?:'s| is| was)?)\b[^,;]*$"
)
"""A question to the user up to the words of a refusal: `What is preventing you?`"""

_WAITING = compiled(
    r"\b(?:can't|cannot|can not|won't|will not|unable to) (?:\w+ ){1,7}?without (?:(?:your|an?|the|having"
    r"|first) )*(?:\w+ )?"
    r"(?:confirm\w*|consent|approval|permission|yes|ok|okay|go-ahead|(?<=your )word|say-so|nod)\b",
    r"\b(?:can't|cannot|can not|won't|will not|unable to) (?:\w+ ){1,4}?(?:until|unless|before) (?:you|i (?:have|get"
    r"|hear)) (?:\w+ )?"
    r"(?:confirm|agree|say|approve|yes|tell|your (?:yes|ok|okay|approval|consent|confirmation))\b",
)
_OPENS = ("if ", "once ", "when ", "in case ", "should ")


def refuses(view: str, words: frozenset[str], *, entry: bool) -> bool:
    """Return whether a sentence says that something is impossible or not allowed."""
    found = _found(view, words)
    if found and (cut := limits.without_lookalikes(view)) != view:
        view = cut
        words = words_of(view)
        found = _found(view, words)
    found = found or limits.limit(view, words)
    if not found or (entry and found[0] in {"unavailable", "sold out", "out of stock"}):
        return False
    if _WAITING.search(view):
        return False
    if _DEVICE.search(view) and not _RULES.search(view):
        return False
    before = view[: found.start()]
    if view.endswith("?") and (" if " in before or " whether " in before or _TO_USER.match(before)):
        return False
    return not _opens(view, before)


def _found(view: str, words: frozenset[str]) -> re.Match[str] | None:
    """Return the first refusal outside of the clauses with `if`."""
    if words.isdisjoint(_IFS) and not view.startswith(_OPENS):
        return _REFUSES.search(view, words)
    places = sorted(_REFUSES.every(view, words), key=lambda found: found.start())
    return next((found for found in places if not _supposed(view, found)), None)


def _opens(view: str, before: str) -> bool:
    """Return whether a sentence begins with a condition that governs what follows `before`."""
    return view.startswith(_OPENS) and "," not in before and scope.conditional(before)


def _supposed(view: str, found: re.Match[str]) -> bool:
    """Return whether a refusal stands in a clause with `if`, and not in the one after it."""
    before = view[: found.start()]
    if _opens(view, before):
        return True
    supposed = _IF.search(before, max(map(before.rfind, ",;:()?")) + 1)
    if supposed is None:
        return False
    gap = before[supposed.end() :]
    return not (gap and (found[0].startswith(_OWN) or (_VERB.search(gap) and _SUBJECT.search(gap))))


def general(view: str) -> bool:
    """Return whether a sentence gives a rule for all, with its condition: `Orders can only be changed if pending.`"""
    return "only" in view and bool(_GENERAL.search(view))


def warns(view: str) -> bool:
    """Return whether a sentence says what is impossible after a step. Together with the step it is a warning and no
    refusal.
    """
    if (
        _NOW.search(view)
        or _APPLIED.search(view)
        or (_WITH_REASON.search(view) and not _AFTERWARDS.search(_NOTE.sub("", view)))
    ):
        return False
    cause = _CAUSE.search(view)
    after = _AFTERWARDS.search(view, 0, cause.start() if cause else len(view))
    if cause and not _DENIES.search(view, 0, cause.start()):  # `I ask, since it cannot be undone`
        after = after or _UNDO.search(view, cause.end())
    return bool(after) and (view.startswith(_NOTES) or not limits.SORRY.search(view))


def restricts(view: str) -> bool:
    """Return whether a sentence only says what a change is limited to: `it can only go to your card`."""
    if _APPLIED.search(view):
        return False
    words = words_of(view)
    if limits.limit(view, words) and not _REFUSES.search(view, words):
        return not limits.SORRY.search(view)
    bare = _ONLY.sub(r"\1 ", view)
    return bare != view and not _REFUSES.search(bare, words_of(bare))
