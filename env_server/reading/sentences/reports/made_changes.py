"""Patterns of sentences that report a change as made: those that only the agent's own action can mean, and others."""

from env_server.reading.sentences.patterns import Rules
from env_server.reading.sentences.reports.brief_reports import ADVERBS, CLEAR, REPORT, REPORTED
from env_server.reading.words.changes import DEED, DOING, NOUN, either
from env_server.reading.words.lexis import words as listed
from env_server.vocabulary import forms

_DEEDS = " ".join(REPORTED)
# States that a change leaves behind. A record describes itself as `scheduled` or `suspended`.
LEAVES = listed(
    "exchanged refunded rescheduled rebooked updated changed upgraded downgraded moved removed added switched",
    "applied submitted filed sent saved swapped cleared modified reversed credited waived issued",
    "reactivated reinstated restored resumed lifted extended renewed deleted replaced corrected adjusted placed",
    "cancelled canceled completed complete done handled sorted fixed finalised finalized",
    "transferred reissued reordered topped opened requested",
)
_LEFT = either(LEAVES)
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
_TREATS = (
    r"(?:dr\b|nurse\b|(?:your|the|her|his|our) (?:\w+ )?(?:{carers}|provider|nurse|dentist"
    r"|pharmacist)\b)"
)
"""Whoever treats the user. What is passed on to others is a hand-over."""

_CARE = r"(?:dr|{carers}|nurse|provider|clinician|visit|video|virtual|telehealth)"
# Each of these can only report the agent's own action.
FIRM = Rules(
    (
        _DEEDS + " took gave charged called did",
        rf"\b(?:i|we)(?:'ve| have)? {ADVERBS}(?:{CLEAR}|charged|called off|took care of|gave|took|did {DEED})\b"
        r"(?! (?:a look|many|lots|hundreds|thousands|note|information|info|news|figures|(?:prices"
        r"|details) (?:for|on|about)|that (?:you|the"
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
        "let notified informed alerted passed relayed flagged",
        rf"\b(?:i|we)(?:'ve| have| just) {ADVERBS}let {_TREATS}[^,;:!?]{{0,30}}? know\b"
        rf"|\b(?:i|we)(?:'ve| have)? {ADVERBS}(?:(?:notified|informed|alerted) {_TREATS}"
        rf"|(?:passed|relayed) (?:it|that|this|(?:your|the) [^,;:.!?]{{1,40}}?) (?:along |on |over )?to {_TREATS}"
        r"|flagged (?:it|that|this|(?:your|the) (?:message|note|question|request)) (?:as urgent\b"
        rf"|(?:as urgent )?for {_TREATS}))",
    ),
    (
        "turned knocked listed opened pushed bumped nudged snagged grabbed nabbed put",
        r"\b(?:i|we)(?:'ve| have)? "
        rf"{ADVERBS}(?:opened an? (?:[\w-]+ ){{0,3}}?(?:{{bookable}}|claim|dispute|return|exchange)\b"
        r"|(?:pushed|bumped|nudged) (?:it|that|this|you|(?:your|the) (?:[\w-]+ ){1,3}?) ?(?:back |up |out "
        r"|forward )?to "
        r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:the )?\d|tomorrow|next|noon)"
        r"|(?:snagged|grabbed|nabbed) (?:you )?(?:the|that|an?) (?!few\b)[^,;!?]{1,30}?(?:slot|spot"
        r"|{bookable}|appointment"
        r"|opening|table|room)(?=$|[.,!]| (?:for|at|on|with|in)\b)"
        r"|turned (?:on|off) (?:the |your )?(?:\w+ )?\w+(?=$|[.,!;]| (?:for|on|and)\b)"
        r"|turned (?!down\b|out\b|in\b)(?:[\w-]+ ){1,4}?(?:on|off)(?=$|[.,!;]| (?:for|and)\b)"
        r"|listed [^,;:!?]{1,40} as your\b"
        r"|knocked (?:another |an extra )?\$\d"
        r"|put in (?:the|your|an?) (?:[\w-]+ ){0,3}?(?:refill|referral|order|claim|change)\b(?! (?:numbers?|ids?|codes?"
        r"|details)\b))",
    ),
    (
        "set made in arranged through placed",
        rf"\b(?:{NOUN}|your order|referral|{{papers}}|message)(?: (?:for|of|to|on|with|at|from"
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
        rf"\b(?:i|we)(?:(?: was| were| have been|'ve been) (?:\w+ )?able to|(?:'ve"
        rf"| have)? managed to) (?:\w+ly )?(?:{_FINDING}{DEED}|have|get)\b"
        rf"|(?:\b(?:i|we)(?:'ve| have)? (?:just )?|^(?:just )?)(?:finished|completed|done with) (?:{DOING})\b"
        r"|\bconsider (?:it|that|this|your \w+|the \w+) (?:done|cancelled|sorted|booked)\b"
        rf"|\b(?:i|we)(?:'ve| have) {ADVERBS}made (?:the|your|this|that|these|those|both"
        rf"|all) (?:\w+ ){{0,2}}?{NOUN}\b"
        r"|\b(?:i|we)(?:'ve| have)? (?:just )?got you (?:(?:the|an?|your|in|on|onto)\b(?! (?:the|our"
        r"|my) (?:system|records?|database|line|phone)\b)|(?:all |now )?(?:re)?"
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
        f"{_DEEDS} {' '.join(LEAVES)} good taken set effect place through processed",
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
        r"|\b(?:you|your (?:[\w:]+ ){0,3}(?:appointment|slot|spot|booking|visit|reservation|time)|the (?:slot"
        r"|spot|time))"
        r"(?:'re| are| is) (?:now |all )*locked in(?=$|[.!,]| for | at | on | with )",
    ),
    (
        "now today starting effective",
        rf"{_DEVICES}\b(?:is|are|'re|'s) now (?=(?:on|set|active|enabled|disabled|the|a|an|\$|your"
        r"|\d(?!\d* (?:minute|hour|day|week|month|year)s? (?:late|overdue|old|past|behind|away)\b)"
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
        r"|\b(?:is|are) now (?:listed|saved|registered|on file) as your\b"
        r"|\byour (?:[\w-]+ ){1,3}now (?:lists|(?:shows|reflects) (?:the|your|an?) (?:new|updated|changed"
        r"|corrected)(?! (?:status|delivery|arrival|estimate)))\b"
        r"|\byour (?:return|outbound|{bookable}|pick-?up|drop-?off|room|table)(?: (?:{bookable}|leg"
        r"|trip))? is now "
        r"(?:on |at |for |in |{bookable} )?(?=\S*\d)(?!\d+ (?:minute|hour|day|week|month|year)s?\b)"
        r"|\b(?:is|are) off (?:your|the) (?:\w+ )?(?:rental|order|booking|reservation|plan|account|bill"
        r"|trip) now(?=$|[.!,])"
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
        r"|\b(?:is|are) back (?:in service|in effect|online|up)\b"
        r"|\byour (?:line|plan|service|account|subscription|membership) is back on(?=$|[.!,;]| and | now\b)",
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
        "way gone message messages note notes question questions off",
        r"\b(?:message|note|referral|{papers}|letter|receipt|invoice|(?<!payment )request|refill"
        r"|confirmation(?: e-?mail| text)?) "
        r"(?:(?:has|have|'s) (?:just |now )?gone (?:over |out |off |straight )?(?:to|off|over|out)\b"
        r"|(?:\S+ ){0,4}?is (?:now )?on (?:its|the) way\b)"
        rf"|\b(?:message|note|question)s? went (?:over |out |off |straight )?to {_TREATS}"
        r"(?![^.;]* (?:on|at|earlier|already|this morning)\b)"
        r"|\b(?:message|note|question)s? (?:is|are) (?:now )?(?:in [^,;:!?]{2,30} inbox|with (?:dr\b|your|her|his|their"
        r"|[a-z]+'s))"
        r"|\b(?:it|that)(?:'s| is) (?:now )?(?:on its way|off) to (?:dr\b|your (?:{carers}|provider|care team)\b)",
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
DOUBTFUL = Rules(
    ("turned", r"\b(?:has|have) been turned (?:back )?(?:on|off)(?=$|[.,!;]| (?:for|on)\b)"),
    (
        "got have set booked scheduled reserved calendar schedule books",
        r"\b(?:i|we)(?:'ve| have)?(?: now| just| all)? (?:got|have) you (?:all |now )?(?:re)?(?:booked|down"
        r"|scheduled|in|set up"
        r"|signed up|locked in|reserved|confirmed)(?: in)? (?:for|on|with|at)\b|^(?:\w+,? )?got you (?:booked"
        r"|down|scheduled)\b"
        r"|\byour (?!{bookable}|refund|delivery|payment|package)(?:[a-z-]+ ){0,2}[a-z-]+(?: is| are|'s) (?:set"
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
        r"|\byou're (?:flying|staying|sitting|seated|leaving|departing"
        r"|returning) [^,;:.!?]{1,40} (?<!right )now(?:$|[.!,;:]| and )"
        r"|\b(?:has|holds|includes|contains|carries) (?!no |not )[^,;:.!?]{1,40} (?<!right )now(?:$|[.!,;:]| and )",
    ),
    (
        " ".join(LEAVES),
        rf"\b(?:the|your|this|both|all|it) (?:[\w#'.,-]+ ){{0,7}}?(?:is|are) {_LEFT} (?:to|for|from|with|on"
        rf"|back|in)\b",
    ),
)
