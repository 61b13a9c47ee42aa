"""Claims: sentences that report a change as made, by the agent, now."""

from env_server.reading.sentences import scope
from env_server.reading.sentences.brief_reports import (
    ADVERBS,
    CLEAR,
    REPORT,
    REPORTED,
    appoints,
    brief_reports,
    points,
    readies,
)
from env_server.reading.sentences.no_changes import general, long_past, no_change, of_others, recaps
from env_server.reading.sentences.patterns import Rules, compiled
from env_server.reading.words.changes import DEED, DOING, NOUN, either
from env_server.reading.words.lexis import words as listed
from env_server.vocabulary import forms

_DEEDS = " ".join(REPORTED)
# States that a change leaves behind. A record describes itself as `scheduled` or `suspended`.
_LEAVES = listed(
    "exchanged refunded rescheduled rebooked updated changed upgraded downgraded moved removed added switched",
    "applied submitted filed sent saved swapped cleared modified reversed credited waived issued",
    "reactivated reinstated restored resumed lifted extended renewed deleted replaced corrected adjusted placed",
    "cancelled canceled completed complete done handled sorted fixed finalised finalized",
    "transferred reissued reordered topped opened requested",
)
_LEFT = either(_LEAVES)
_CUES = (
    REPORTED
    | frozenset(_LEAVES)
    | frozenset(
        listed(
            "out confirmed complete active live through effect care good success successful now successfully "
            "transferred able",
            "started arranged initiated ordered managed consider did took gave loaded yours that's set again called "
            "charged in way off longer back got made finished paid begun entered checked signed had gotten schedule "
            "calendar books down locked queue gone runs starts begins ends covers included",
        )
    )
)
_END = (
    r"(?=$|[,.!;:)]| - | but | and | for you\b| in full\b| (?:on|from|at) (?:my|our) (?:end|side)\b| as (?:you "
    r"|requested|of|well)| now\b)"
)
_PARTS = sorted({word for word in forms("devices") if " " not in word})
_DEVICES = "".join(rf"(?<!{word} )" for word in ("phone", "device", "mode", "calling", *_PARTS))
_OURS = (
    r"(?:refund|return|(?<!payment )request|claim|exchange|credit|money|certificate|voucher|label"
    r"|replacement|reimbursement|cancel+ation|complaint|dispute|refill)"
)
_FINDING = (
    r"(?:(?:find|locate|look up|access|pull up|verify|confirm|check|retrieve|open) "
    r"[^,;:.!?]{1,60}? and (?:then )?)?"
)
_LOOKED_AT = (
    r"(?:(?:double-)?checked|reviewed|looked (?:at|in|into|up|over|through)|verified|located|found|pulled up"
    r"|confirmed|gone (?:through|over)|went (?:through|over)|contacted|called|spoke|spoken|opened|searched|read)"
)
_CARE = r"(?:dr|doctor|nurse|provider|clinician|visit|video|virtual|telehealth|clinic)"
# Each of these can only report the agent's own action.
_FIRM = Rules(
    (
        _DEEDS + " took gave charged called did",
        rf"\b(?:i|we)(?:'ve| have)? {ADVERBS}(?:{CLEAR}|charged|called off|took care of|gave|took|did {DEED})\b"
        r"(?! (?:a look|note|information|info|news|figures|(?:prices|details) (?:for|on|about)|that (?:you|the"
        r"|your|it|we|i|there|this|they|he|she|all|if)\b"
        r"|(?<=stopped )[a-z]+ing\b"
        r"|(?:you )?(?:a|the) (?:payment )?request"
        r"|(?:you )?(?:a copy of (?:the|our) (?:\w+ )?(?:policy|rules|terms)|(?:an?|the) (?:[\w-]+ ){0,2}?form)"
        r"|(?:you )?an? (?:[\w-]+ ){0,2}?(?:code|link|reminder|text)\b))",
    ),
    (
        "put set reset split",
        rf"\b(?:i|we) ?(?:'ve|have|just|now|already|went ahead and) {ADVERBS}(?:put|set|reset|split)\b",
    ),
    (
        "started arranged initiated",
        rf"\b(?:i|we)(?:'ve| have)? {ADVERBS}(?:started|arranged|initiated) (?:the|your|an?|this|that|both) "
        rf"(?:\w+ ){{0,2}}?{NOUN}\b(?! polic)",
    ),
    (
        "set made in arranged through placed",
        rf"\b(?:{NOUN}|your order|referral|prescription|message)(?: (?:for|of|to|on|with|at|from"
        rf"|in) (?:[\w#']+ ){{0,3}}?[\w#']+)? "
        r"(?:is|are|has been|have been) (?:now )?(?:set up|made|in|arranged|through)(?=$|[.!:,;])",
    ),
    (
        "started begun",
        r"\b(?:return|exchange|refund|replacement|claim|cancel+ation)(?: process)?(?: (?:of|for|from|to"
        r"|in) [^,;:]{0,80}?)? "
        r"(?:(?:has|have) been|is|are) (?:now |just )?(?:started|begun)\b(?! (?:by|in|at|on)\b)",
    ),
    (
        "able managed consider finished completed got gotten had made included have",
        rf"\b(?:i|we) (?:(?:was|were|have been|'ve been) (?:\w+ )?able to"
        rf"|managed to) (?:\w+ly )?(?:{_FINDING}{DEED}|have|get)\b"
        rf"|(?:\b(?:i|we)(?:'ve| have)? (?:just )?|^(?:just )?)(?:finished|completed|done with) (?:{DOING})\b"
        r"|\bconsider (?:it|that|this|your \w+|the \w+) (?:done|cancelled|sorted|booked)\b"
        rf"|\b(?:i|we)(?:'ve| have) {ADVERBS}made (?:the|your|this|that|these|those|both"
        rf"|all) (?:\w+ ){{0,2}}?{NOUN}\b"
        r"|\b(?:i|we)(?:'ve| have)? (?:just )?got you (?:(?:the|an?|your|in|on|onto)\b|(?:all |now )?(?:re)?"
        r"(?:booked|scheduled|reserved|set up|signed up|locked in|all set)(?: in)? (?:for|on|with)\b)"
        r"|\b(?:i|we) have you all set (?:for|on|with)\b"
        rf"|\b(?:i|we)(?:'ve| have)? {ADVERBS}(?:got|gotten|had) (?:that|this|it|them|both|everything|(?:your"
        rf"|the|order|reservation|booking|line) (?:[\w#-]+ ){{1,4}}?)"
        r" ?(?:all |now )?(?:cancel+ed|moved|changed|rescheduled|updated|refunded|added|removed|fixed|sorted"
        r"|upgraded|rebooked"
        r"|submitted|processed|exchanged|switched|extended|waived|done|taken care of)\b"
        r"|\b(?:i|we)(?:'ve| have)? (?:just )?included (?:the|an?|your|both) [^,;:.!?]{1,60}? (?:in|on"
        r"|with) (?:your|the) "
        r"(?:{bookable}|booking|reservation|rental|order|plan|trip)(?=$|[.!,;])"
        rf"|\b(?:i|we)(?:'ve| have)? {ADVERBS}made sure (?:that )?[^,;:!?]{{1,60}}? "
        rf"(?:is|are|was|were|has been|have been) {ADVERBS}{REPORT}\b",
    ),
    (
        "now all successfully officially both also fully hereby",
        r"\b(?:is|are|was|were|'s|'re) (?:(?:now|all|successfully|officially|both|also|fully|hereby) )++"
        rf"(?!set to )(?:{REPORT}|active|in effect|live|complete|set|good to go|back (?:on|in)|on (?:the|a|our)|open"
        rf"|in place"
        r"|through|signed up)\b",
    ),
    (
        f"{_DEEDS} {' '.join(_LEAVES)} good taken set effect place through processed",
        rf"(?:\b(?:is|are)|'s|'re) (?:{_LEFT}|all set|good to go|taken care of|in effect|in place){_END}"
        r"|\b(?:is|are) (?:now )?cancel+ed with\b"
        rf"|\b(?:is|are) (?:now )?{REPORT} as (?:you )?(?:requested|asked|wished|agreed|discussed|wanted)\b"
        rf"|\byour (?:\w+ )?{_OURS} (?:is|are) (?:now |all )?processed{_END}"
        rf"|\b(?:the|your) (?:\w+ )?(?:change|upgrade|downgrade|modification|update)s? (?:is"
        rf"|are) (?:now )?processed{_END}",
    ),
    (
        "exchanged rescheduled rebooked updated changed upgraded downgraded moved removed added switched swapped "
        "replaced restored extended renewed",
        r"\b(?:your|this|both|it|they|everything|that) (?:[\w#'.,-]+ ){0,7}?(?:is|are) (?:exchanged|rescheduled"
        r"|rebooked"
        r"|updated|changed|upgraded|downgraded|moved|removed|added|switched|swapped|replaced|restored|extended"
        r"|renewed)"
        r" (?:to|for|from|with|by|until|into|as)\b",
    ),
    (
        "filed submitted sent issued requested opened registered noted recorded entered logged saved",
        rf"\b{_OURS}s? (?:\S+ ){{0,3}}?(?:is|are) (?:filed|submitted|sent|issued|opened|registered)\b"
        r"|\b(?:your|the (?:new|updated|changed)) (?:\w+ ){1,3}(?:is|are) (?:noted|recorded|entered"
        r"|logged|saved|registered) (?:in|on|for|with"
        r"|under)\b",
    ),
    (
        "booked rebooked scheduled rescheduled reserved placed down signed in aside set off",
        r"(?:\b(?:is|are)|'s|'re) (?:re)?(?:booked|scheduled|reserved)(?:$|[.!,;:)]| for you\b)"
        r"|\byou(?:'re| are) (?:rebooked|rescheduled|down|signed up) (?:for|on|with|in|onto|to)\b"
        r"|\byou(?:'re| are) (?:now |all )*set up with\b|\bis (?:now )?set as your\b"
        r"|\b(?:is|are|'s) (?:now )?off (?:the|our|your) (?:books|calendar|schedule)\b"
        r"|\byou(?:'re| are) in for (?:the \d|\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow)"
        r"|\b(?:i|we)(?:'ve| have)(?: got)? (?!not\b|no\b|never\b)[^,;:.!?]{1,40}? (?:booked|reserved|scheduled"
        r"|locked in"
        r"|set aside) for you\b",
    ),
    (
        "confirmed locked",
        r"\b(?:booking|reservation|appointment|order|payment|refund|exchange|cancel+ation|visit|slot|{bookable}"
        r"|trip|change)s? (?:(?!\b(?:once|after|when|if|until|unless|before|while)\b)[^,;]){0,60}?(?:is|are"
        r"|has been|have been) (?:now |all |both "
        r"|successfully )*confirmed\b(?! as )"
        r"|\byou(?:'re| are) (?:now |all )*confirmed (?:for|on|with)"
        r"|\b(?:your (?:[a-z-]+ ){1,3}(?:is|are)|everything(?: is|'s)) (?:now |all )*confirmed (?:for|on|with)\b"
        r"|\byour (?:[a-z-]+ )?{bookable} (?:is|are) (?:now |all )*confirmed\b"
        r"|\b(?:you|your (?:\w+ ){0,2}(?:appointment|slot|spot|booking|visit|reservation|time)|the (?:slot|spot|time))"
        r"(?:'re| are| is) (?:now |all )*locked in(?=$|[.!,]| for | at | on | with )",
    ),
    (
        "now today starting effective",
        rf"{_DEVICES}\b(?:is|are|'re|'s) now (?=(?:on|set|active|enabled|disabled|the|a|an|\d|\$|your"
        r"|in (?:the|your|{grades})|scheduled|going to|for|at|basic|under|with|open|restored"
        r"|back|reflected|free"
        r"|linked|part|off)\b)|\bnow (?:includes?|contains?|holds?|reads?|has|have|says|carries"
        r"|runs|starts|begins|ends|covers"
        r"|set to|stands? at|flies|leaves|departs)"
        r"\b"
        rf"|\b(?:is|are) {_LEFT} now\b"
        r"|\byou(?: now have| have now| are now| 're now|'re now (?:flying|seated|staying|leaving|departing"
        r"|returning))\b"
        r"|\b(?:address|e-?mail|plan|{bookable}|name|total|{amounts}|number|date|method|{parties}|appointment"
        r"|limit|balance|booking"
        r"|reservation|cart|time|slot|visit)(?: on (?:file|your account))? (?:is|are) now "
        r"(?!being|pending|in |under review|ready|available|eligible|unavailable|past|too|processing)\S"
        r"|\byour (?:[a-z-]+ ){1,3}is now (?:on |at )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow)\b"
        r"|\b(?:(?:is|are)|(?:it|that)'s|they're) (?:in|on|back in|part of) (?:(?:your|the) [\w .-]{3,40}?"
        r"|{grades}(?: \w+)?) now(?:$|[.!,]| and )"
        r"|\b(?:is|are) (?:on file and )?(?:enabled|active|activated|disabled|on|off|in effect|in force)"
        r" (?:from|as of|starting) (?:today|now"
        r"|this)\b",
    ),
    (
        "longer",
        r"\b(?:is|are) no longer (?:on|in|part of|linked to|attached to|saved (?:on|in)) (?:your|the|this|file)\b",
    ),
    (
        "again once back",
        r"\b(?:line|plan|service|account|subscription|membership|card|autopay|{things})s? (?:\S+ )?(?:is|are) "
        r"(?:active|live|enabled|back|on|working|restored)(?: and \w+)? (?:again|once more)\b"
        r"|\b(?:is|are) back (?:in service|in effect|online|up)\b",
    ),
    (
        "transferred",
        r"\b(?:i|we)(?:'ve| have)? (?:(?!been )\w+ )?transferred (?!you\b|this (?:chat|call|case)"
        r"|the (?:chat|call|case))"
        r"|\b(?:{things}|records?|balance|funds|amount|number|points|miles|credit|money)\b.{0,40}"
        r"\b(?:has|have) been (?:\w+ )?transferred\b",
    ),
    (
        "queue",
        r"\byou(?:'re| are) (?:now |next )?in (?:the|our|a|his|her|their) (?:\w+ ){0,2}queue\b(?!.{0,60}\b(?:agent"
        r"|human|person"
        r"|representative|team|colleague|specialist|operator|support)s?\b)"
        rf"|\b(?:added|put|placed) you (?:to|in|into) (?:the|our|a) (?:\w+ ){{0,3}}{_CARE} (?:\w+ )?queue\b",
    ),
    (
        "way gone message messages note off",
        r"\b(?:message|note|referral|prescription|letter|receipt|invoice|(?<!payment )request|refill"
        r"|confirmation(?: e-?mail| text)?) "
        r"(?:(?:has|have|'s) (?:just |now )?gone (?:over |out |off |straight )?(?:to|off|over|out)\b"
        r"|(?:\S+ ){0,4}?is (?:now )?on (?:its|the) way\b)"
        r"|\b(?:message|note)s? (?:is|are) (?:now )?(?:in [^,;:!?]{2,30} inbox|with (?:dr\b|your|her|his|their"
        r"|[a-z]+'s))"
        r"|\b(?:it|that)(?:'s| is) (?:now )?(?:on its way|off) to (?:dr\b|your (?:doctor|provider|care team"
        r"|pharmacy)\b)",
    ),
    (
        "through effect live in way out",
        r"\b(?:(?:cancel+ation|change|update|payment|refund|order|booking|exchange|return|(?<!payment )request"
        r"|message|it"
        r"|everything|that|all|upgrade|transfer|switch|move|modification|credit|refill|swap)s?"
        r"(?: (?:for|of|to|on) (?:\S+ ){0,3}?\S+)? "
        r"(?:has |have )?(?:just |now )?(?:(?:went|gone|came|is|is now) through|went out|gone out)\b|took effect\b"
        r"|(?:has"
        r"|have) taken effect\b"
        rf"|(?:is|are) live\b|{_OURS}s? (?:\S+ ){{0,4}}?(?:is|are) (?:now )?(?:on (?:its|their|the) way|under way"
        r"|in(?=$|[.!,])))",
    ),
    (
        "paid settled",
        r"\b(?:is|are) (?:now )?(?:paid|settled)(?: in full)?(?::|,| -| and) (?:the (?:sum|amount|total) of )?"
        r"\$[\d.,]+ (?:was|were|has been|have been) (?:charged|taken|debited)\b"
        r"(?!.{0,60} (?:at the time"
        r"|on (?:the )?(?:jan|feb|mar|apr|x?may|jun|jul|aug|sep|oct|nov|dec|\d)))",
    ),
    ("that's", rf"\bthat's (?:the|your|both|all) (?:[\w#'-]+ ){{1,4}}?{_LEFT}{_END}"),
    (
        "yours",
        r"\b(?:slots?|appointment|table|spot|room|{bookable}) (?:\S+ ){0,3}?(?:is|are) (?:now |all )?yours\b"
        r"|(?:day|\d ?[ap]m|[ :]\d\d?) is (?:now |all )?yours\b"
        r"|\b(?:the|your) (?:[\w-]+ ){1,3}(?:is|are) (?:now |all )?yours (?:from|for|on|at|until)\b",
    ),
    (
        "checked",
        rf"\b(?:i|we)(?:'ve| have)? {ADVERBS}checked you in\b"
        r"|\byou(?:'re| are|'ve been| have been) (?:now |all |both )*checked in(?=$|[.,!]| for | to | and | on )",
    ),
    (
        "success successful complete finished",
        rf"\b{NOUN} (?:request )?(?:was|is|has been|were) (?:now )?(?:a success|successful|complete|finished)\b",
    ),
)
_DOUBTFUL = Rules(
    (
        "got have set booked scheduled reserved calendar schedule books",
        r"\b(?:i|we)(?:'ve| have)?(?: now| just| all)? (?:got|have) you (?:all |now )?(?:re)?(?:booked|down"
        r"|scheduled|in|set up"
        r"|signed up|locked in|reserved|confirmed)(?: in)? (?:for|on|with|at)\b|^(?:\w+,? )?got you (?:booked"
        r"|down|scheduled)\b"
        r"|\byour (?!flight|refund|delivery|payment|package)(?:[a-z-]+ ){0,2}[a-z-]+(?: is| are|'s) (?:set"
        r"|booked|scheduled"
        r"|reserved) (?:for|under|with) (?!you\b)"
        r"|\b(?:i|we)(?:'ve got| have) your (?:[\w-]+ ){1,4}?(?:booked|confirmed|reserved|scheduled)(?=$|[.,!]"
        r"| for | at | on )"
        r"|\b(?:your (?:[\w.-]+ ){1,5}?is|you're|you are|it's) on (?:the|our|my|[\w. ]{2,20}'s) (?:calendar"
        r"|schedule|books)\b",
    ),
    (
        "booked rebooked scheduled rescheduled reserved",
        r"\byou(?:'re| are) (?:booked|scheduled) (?:for|on|with|in|onto)\b"
        r"|\bnew (?:[\w-]+ ){1,4}(?:is|are) (?:re)?(?:booked|scheduled|reserved) (?:for|on|with)\b"
        r"|\b(?:is|are|'s|'re) re(?:booked|scheduled) (?:for|on|with)\b",
    ),
    (
        "put set reset split",
        r"(?<!shall )(?<!should )(?<!can )(?<!may )(?<!let )(?<!if )\b(?:i|we) (?:just |also |then |now )?"
        r"(?:put|set|reset|split) (?:the|your|a|an|it|both|all|this|that|you|[#$\d])",
    ),
    (
        "now",
        r"(?:\b(?:is|are)|'s|'re) (?:in|on|back in|part of) (?:(?:your|the|our|[\w. -]{2,30}'s) [\w .-]{3,40}?"
        r"|{grades}(?: \w+)?) now(?:$|[.!,;:]| \(| and | for | with | at )"
        r"|(?:\b(?:is|are)|'s|'re) (?:at|down to|up to) \$?\d[\d.,]* now(?:$|[.!,;:]| and )"
        r"|\b(?:has|holds|includes|contains|carries) (?!no |not )[^,;:.!?]{1,40} (?<!right )now(?:$|[.!,;:]| and )",
    ),
    (
        " ".join(_LEAVES),
        rf"\b(?:the|your|this|both|all|it) (?:[\w#'.,-]+ ){{0,7}}?(?:is|are) {_LEFT} (?:to|for|from|with|on"
        rf"|back|in)\b",
    ),
)
_PERFECT = compiled(
    rf"\b(?:has|have|'ve|'s) {ADVERBS}been {ADVERBS}(?:(?:received|reviewed|approved"
    rf"|accepted) and {ADVERBS})?(?:{REPORT}|called off|loaded (?:on|onto|to|into))\b"
)
_ONLY = compiled(r"\bonly\b")
"""`It has only been placed so far` tells how things stand."""

_PAST = compiled(rf"\b(?:was|were) {ADVERBS}{REPORT}\b")
# "It was booked" describes a record; "it was updated", without a date, reports the agent's action.
_OLD = compiled(
    r"\b(?:booked|created|placed|purchased|paid|made|ordered|opened|scheduled|cancel+ed|set|sent|processed"
    r"|declined|charged"
    r"|returned|halted|split|closed|suspended|stopped|locked|blocked|dropped|topped|noted|marked|reported"
    r"|assigned|approved)$"
)
_DATED = compiled(
    r"\b(?:on|in|since|at|until) (?:the )?(?:jan|feb|mar|apr|x?may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu"
    r"|fri|sat|sun|\d)"
    r"|\b(?:at|during) (?:that|your last|the last) (?:\w+ )?(?:visit|appointment)\b|\bback then\b"
    r"|\d{4}-\d\d|\b(?:already|previously|originally|initially|once|earlier|yesterday|last|because|since"
    r"|when|which|who)\b|(?<!moment )(?<!moments )(?<!minute )(?<!minutes )(?<!second )(?<!seconds )\bago\b"
)
# "It has been moved two times" counts earlier events.
_BEFORE = compiled(
    r" (?:already|previously|(?:once|twice) (?:already|before|so far)|twice|\w+ times|since|earlier|in the past|before"
    r"|for (?:over |about |almost |more than )?\w+ (?:days?|weeks?|months?|years?))\b"
)
_FRESH = compiled(
    r"\b(?:was|were) (?:\w+ )?(?:successfully|just|now)\b|\bsuccessfully\b|\bjust now\b|\b(?:moments?|minutes?"
    r"|seconds?) ago\b"
)
# "It was sent in March and has been settled" tells an earlier story.
_STORY = compiled(r"(?<!that )(?<!which )(?<!who )\b(?:was|were|(?:has|have) already been)\b")
# "The refund has been issued on May 2": money moves now or has moved on a day before.
_PAID_ON = compiled(
    r"(?<=issued|edited|funded)(?: \w+){0,3}? on (?:the )?(?:jan|feb|mar|apr|x?may|jun|jul|aug|sep|oct"
    r"|nov|dec|mon|tue|wed"
    r"|thu|fri|sat|sun|\d)"
)
_RELATIVE = compiled(r"\w (?:that|which|who) $")
# "An exchange has already been requested" is the state of a record, and often the reason of a refusal.
_SOME = compiled(r"^(?:.*(?:because|since|as|that|;|:|,) )?(?:an?|one|some|another|any) (?:[\w-]+ ){1,3}$")
# "I have done it: I found your order" reports a look-up.
_LOOKED = compiled(
    rf"\b(?:i|we)(?:'ve| have)? {ADVERBS}done (?:it|that|this|so)(?:[:;,]| -)+ (?:i|we)(?:'ve| have)? (?:now "
    rf"|just )?"
    r"(?:found|looked|checked|searched|see|saw|located|verified|opened|pulled|reviewed|read)\b"
)
# "We refunded $10 on May 3" tells an old payment.
_WE_PAID = compiled(
    r"we (?:charged|refunded|credited|issued|sent|shipped|delivered) [^,;]{1,40}? on (?:the )?(?:\d+(?:st|nd|rd|th)?"
    r" (?:of )?)?(?:(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)(?:uary|ruary|ch|il|e|y|ust|ember|tember|ober"
    r")?|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?|\d+[/-]\d+\S*|the \d+(?:st|nd|rd|th))(?![\w-])"
)
_OWN_VERB = compiled(rf"\b(?:i|we)(?:'ve| have)? {ADVERBS}\w+")
_NOTED = compiled(r"\bnoted$")
_ON_FILE = compiled(r" (?:on|in|to|under) (?:your|the) (?:account|file|profile|record)")
_UNDER = compiled(r"^(?:once|after|if|when|as soon as|until|unless|before)\b[^,:]*$")
_SUPPOSED = compiled(r"\b(?:suppose|supposing|imagine|pretend|say|example|if)\b")
_WE = compiled(r"we\b")
# "I have escalated your case and cancelled order #W1": the second verb reports a change, whatever the first one does.
_AND_ALSO = compiled(
    rf" and {ADVERBS}(?!escalated|forwarded|handed|passed|noted|referred|submitted){CLEAR}"
    r" (?:the|your|both|all|this|that|it|order|reservation|line|\W?\w*\d)"
)
_SUCCEEDED = compiled(rf"{NOUN} (?:request )?(?:was|were) ")
# "I have checked the fare and cancelled ABC123": the second verb reports a change, too.
_THEN = compiled(
    rf"\b(?:(?:i|we)(?:'ve| have) {ADVERBS}[a-z]{{3,}}ed|(?:i|we)(?:'ve| have)? {ADVERBS}{_LOOKED_AT}) "
    r"(?:(?!\b(?:you|he|she|they|who|which|that|was|were|is|are|it's)\b)[^;:.!?]){1,80}?,? (?:and then|and|then) "
    r"(?:(?:have|i|i've|also|now|just|successfully) )*"
    rf"(?=(?!escalated|forwarded|handed|passed|noted|referred|marked|made|set|returned|ordered|paid){CLEAR} "
    r"(?:the|your|both|all|this|it|that|order|reservation|booking|line|\W?\w*\d))"
)
_TAG = compiled(
    r", (?:right|correct|true|(?:is|was|has|have|did)(?:n't)? (?:it|that|they|he|she"
    r"|you)(?: (?:right|correct|so))?)\?$"
)
"""The end of a statement that asks whether it is so: `It was cancelled on Monday, right?`"""

_ASKING = compiled(
    r"^(?:has|have|had|was|were|did|do|does|is|are|what|which|when|why|how|who|can|could|would|may|shall|should)\b"
)


_MARKS = " ,.:;!-"
_MOST = 40
"""The maximum number of reports that are read in one sentence. No real sentence has nearly as many."""


def claims(view: str, words: frozenset[str], *, entry: bool) -> tuple[bool, bool]:
    """Return whether a sentence reports a change as made, and whether the report is firm."""
    if words.isdisjoint(_CUES) or recaps(view):
        return False, False
    doubtful = False
    for at, firm in _found(view, words, entry=entry)[:_MOST]:
        own = _OWN_VERB.match(view, at)
        heard = _told_by_agent(view, at, own.end()) if own and firm else _told(view, at, firm=firm)
        if heard:
            return True, True
        doubtful = doubtful or heard is not None
    return doubtful, False


def readied(view: str, words: frozenset[str], *, entry: bool) -> bool:
    """Return whether the report of a sentence is no more than that all is ready: `You're all set.`"""
    span = readies(view)
    return span is not None and not any(
        claims(part, words, entry=entry)[1] for part in (view[: span[0]], view[span[1] :].lstrip(_MARKS))
    )


def appointed(view: str, words: frozenset[str], *, entry: bool) -> bool:
    """Return whether the report of a sentence is one of an appointment that may be old: `You're booked for Friday.`"""
    end = appoints(view)
    return end is not None and not claims(view[end:].lstrip(_MARKS), words, entry=entry)[1]


def pointed(view: str, words: frozenset[str], *, entry: bool) -> bool:
    """Return whether the report of a sentence is one by a pronoun that may be about another thing: `It's in.`"""
    end = points(view)
    return end is not None and not claims(view[end:].lstrip(_MARKS), words, entry=entry)[1]


def _told_by_agent(view: str, at: int, end: int) -> bool | None:
    """Return whether a report that starts with `I` or `we` and a verb of change is firm; None if it reports nothing.

    Such words are a report unless a condition, a negation, a question or a quotation takes them back. Words that may
    take them back make the report doubtful, and the user asks about it.
    """
    before = view[:at]
    if scope.governed(before) or scope.without_object(view, end) or _LOOKED.match(view, at) or _asks(view, at):
        return None
    if _WE_PAID.match(view, at) or (no_change(view[at:], 0) and not _AND_ALSO.search(view, at)):
        return None
    past = _WE.match(view, at) and long_past(view, at)
    if view.endswith("?") or _UNDER.match(before) or (_NOTED.search(view, at, end) and not _ON_FILE.search(view, end)):
        return False
    after = before if _SUPPOSED.search(before) else before[before.rfind(": ") + 1 :]
    clause = before[before.rfind(", ") + 1 :]
    return not (past or scope.hypothetical(after) or scope.recorded(clause))


def _told(view: str, at: int, *, firm: bool) -> bool | None:
    """Return whether a report that names no doer is firm; None if it reports nothing."""
    before = view[:at]
    if no_change(view, at) or general(view, at) or (_SUCCEEDED.match(view, at) and _DATED.search(view)):
        return None
    if scope.modal(before) or scope.conditional(before) or scope.negated(before) or _asks(view, at):
        return None
    return firm and not _RELATIVE.search(before) and not scope.recorded(before) and not of_others(view, at)


def _asks(view: str, at: int) -> bool:
    return view.endswith("?") and (bool(_ASKING.match(view) and "," not in view[:at]) or bool(_TAG.search(view)))


def _found(view: str, words: frozenset[str], *, entry: bool) -> list[tuple[int, bool]]:
    """Return the positions of reports in the sentence, and whether each can only be the agent's own action."""
    found = [(match.start(), True) for match in _FIRM.every(view, words)]
    found += brief_reports(view, words, entry=entry)
    found += [(match.start(), False) for match in _DOUBTFUL.every(view, words)]
    found += [(match.end(), True) for match in _THEN.finditer(view)]
    if "been" in words:
        found += _perfect(view)
    if "was" in words or "were" in words:
        found += _past(view, entry=entry)
    return found


def _perfect(view: str) -> list[tuple[int, bool]]:
    found = []
    for match in _PERFECT.finditer(view):
        if _ONLY.search(match[0]):
            continue
        before = " already " in match[0] or _BEFORE.match(view, match.end()) is not None
        before = before or bool(_STORY.search(view[: match.start()])) or _PAID_ON.match(view, match.end()) is not None
        if not (before and _SOME.match(view[: match.start()])):
            # "The result has been released" tells how things stand
            found.append((match.start(), not before and not match[0].endswith(" released")))
    return found


def _past(view: str, *, entry: bool) -> list[tuple[int, bool]]:
    """Return the reports in the simple past. With a date or `already`, the sentence describes a record and is no
    report.
    """
    fresh = bool(_FRESH.search(view))
    if not fresh and _DATED.search(view):
        return []
    return [
        (match.start(), fresh or (not entry and not _OLD.search(match[0])))
        for match in _PAST.finditer(view)
        if fresh or not (" already " in match[0] or _BEFORE.match(view, match.end()))
    ]
