"""Limits: sentences that refuse what is beyond them, unless a proposal with the right values stands beside them; and
parts of sentences that only resemble a refusal.
"""

import re

from env_server.reading.sentences import scope
from env_server.reading.sentences.patterns import Rules, compiled

_THESE = (
    r"(?:it|this|that|them|these|those|you|your(?! (?:phone|device|screen)\b)|{bookable}|{things}|{rates}|orders?"
    r"|items?|bookings?|reservations?|appointments?|visits?|trips?|plans?|lines?|accounts?|fees?|charges?|costs?"
    r"|balance|shipping|changes?"
    r"|refunds?|returns?|exchanges?|cancel+ations?|codes?)"
)
"""What a wish may be about. A remark about anything else, like the weather, refuses nothing."""

_LIMITS = Rules(
    (
        "can't cannot not unable",
        r"\b(?:can't|cannot|can not|not able to|unable to) (?:tell|advise|say|recommend|judge|assess"
        r"|know|suggest|speak to|comment on|answer)\b[^.]{0,60}\b(?:safe|dos(?:e|age)"
        r"|medic\w+|diagnos\w+|stop taking|serious|normal for you|symptoms?|treatments?|treat|remed(?:y|ies)|red flags?"
        r"|bleeding|caus(?:e|es|ing)|prescri\w+)\b"
        r"|\b(?:can't|cannot|can not|not able to|unable to) (?:\w+ )?(?:tell|advise|say|recommend|judge|answer"
        r"|interpret"
        r"|assess)\b[^.]{1,120}\b(?:clinical|medical|{carers}|provider|pharmacist)\b",
    ),
    (
        "nothing",
        r"\b(?:there's|there is|have|has|see|find|found|got) nothing (?:else |more )?(?:open|available|free|sooner"
        r"|earlier"
        r"|(?:left|before|after|on|for)(?! (?:to (?:do|worry|pay|lose)|you to do|now\b)))\b",
    ),
    (
        "once",
        r"\bonly (?:be \w+ )?once\b[^.]{0,30}\b(?:and|but) (?:yours|this|that|it|your \w+)(?: one)? (?:was|has|is)\b",
    ),
    (
        "isn't aren't not no",
        r"\bthere (?:isn't|aren't|is not|are not) (?:one|any) (?:after|before|on|for|at|that|with|under|below"
        r"|between)\b",
    ),
    (
        "neither",
        r"\bneither (?:of (?:the|these|those|them)|(?!shows?\b|lists?\b|contains?\b|includes?\b"
        r"|mentions?\b)\w+)\b[^.?]{0,60}\b(?:has|have|is|are|can|meets?|fits?|works?"
        r"|offers?|qualif\w+)\b",
    ),
    ("only", r"\bonly (?:comes?|sold|made|offered) in\b"),
    ("nothing", r"\bnothing(?:'s| is) (?:\w+ )?(?:open|available|free)\b"),
    (
        "none",
        r"\bnone of (?:the|these|those|our) (?!(?:\w+ )?(?:orders|reservations|accounts|bookings|records|numbers))"
        r"(?:[\w-]+ ){0,2}?(?:[\w-]+s|them) (?:\w+ )?(?:have|has|are (?!from|in your)|is|meets?|match(?:es)?|fits?"
        r"|comes?"
        r"|works?|qualif\w+|allows?|offers?)\b",
    ),
    (
        "longer",
        r"\b(?:i|we|they) (?:\w+ )?no longer (?:stock|sell|carry|offer|make|accept|take|have|rent|provide|serve"
        r"|allow)\b",
    ),
    (
        "until",
        r"\b(?:earliest|first|next|soonest) [\w ]{0,30}?(?:isn't|is not|not) (?:\w+ )?until\b",
    ),
    (
        "look seem appear",
        r"\b(?:doesn't|does not|don't|do not) (?:look|seem|appear)(?: like)?(?: that)? (?:i|we|they|he|she|dr\.? \w+"
        r"|there)(?:'s| have| has| is| are) (?:\w+ )?(?:anything|any (?:openings|slots|times|{bookable}|availability)"
        r"|openings"
        r"|availability|anyone|space|room)\b(?!.*\b(?:under|your name|listed|on file)\b)",
    ),
    (
        "can't cannot not",
        r"\b[a-z]+s (?:under|over|without|below|younger than|with (?:no|an?)) [^.?!,]{1,24}? (?:can't|cannot|can not"
        r"|may not"
        r"|are not allowed to|aren't allowed to) (?!find|see|tell|be sure)\w+",
    ),
    (
        "wish",
        r"\bi (?:really |do )?wish (?:that )?(?:i|we) (?:could|had|was able|were able|was allowed|were allowed)\b"
        r"[^.?!]{0,80}?\bbut\b",
    ),
    (
        "only",
        r"\b(?:my|our|the|this) (?:\w+ )?(?:system|tools?|software|screen|records) (?:\w+ )?only (?:lets?|permits?"
        r"|supports?"
        r"|accepts?|looks? up|searches|handles?)\b",
    ),
    (
        "policy policies",
        r"\bpolic(?:y|ies) (?:\w+ )?requires? [^.?!]{0,50}\b(?:original|same) (?:payment|method|form|card|account)\b",
    ),
    (
        "full closed booked taken gone",
        r"\b(?:today|tomorrow|tonight|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:this|that"
        r"|the) (?:whole )?(?:morning"
        r"|afternoon|evening|day|week|weekend|month))(?: \([^)]{1,20}\))?(?:'s| is| are) (?:\w+ )?(?:full|closed"
        r"|booked (?:up|out|solid)|all taken|gone)\b",
    ),
    (
        "not",
        r"\b(?:i'm|i am|we're|we are) not (?:\w+ )?(?:finding|seeing|getting|showing) (?:(?:any|an?|much|anything) )?"
        r"(?:[\w-]+ ){0,3}?(?:slots?|openings?|availability|appointments|times|{bookable}|stock|open|available)\b"
        r"(?!.*\b(?:under|for your|with (?:your|that|this)|in your|on your|listed|matching)\b)",
    ),
    ("fall", r"\b(?:doesn't|does not|don't|do not) fall (?:under|within|into)\b"),
    (
        "can't cannot not",
        r"\b(?:an?|the|this|that|these|those|such|any|another|our|your|basic|gift) (?:[\w'-]+ ){1,4}?"
        r"(?:can't|cannot|can not) (?:\w+ )??(?:(?:pay|cover|settle)\b|(?:take|carry|hold|combine|move|change|cancel"
        r"|book|exchange|return|serve|deliver|apply|stand|stay|stack|replace|refund|count|ship|transfer|accept|allow"
        r"|extend|approve|order|add|remove|keep|split|share|leave|include)"
        rf" (?:[\w'-]+ ){{0,3}}?{_THESE}\b)",
    ),
    (
        "say says",
        r"\b(?:rules?|polic(?:y|ies)|terms) (?:\w+ )?says? no(?=[.,;:!]|$| to (?:it|this|that|your)\b)",
    ),
    (
        "allowed able permitted",
        r"\bmore than (?:i'm|i am|we're|we are) (?:\w+ )?(?:allowed|able|permitted)"
        r"(?: to (?:do|give|offer|grant|pay|add|refund|credit|approve|issue|change|book))?\b(?! to\b)",
    ),
    (
        "down",
        r"\b(?:i|we)(?:'ll| will| do)? (?:\w+ )?(?:must|have to|need to) turn (?:it|this|that|these|those|them|you"
        r"|(?:this|that|the|your) (?:\w+ )?(?:one|request|wish|claim|refund|return|exchange|change"
        r"|cancel+ation)) down\b",
    ),
    (
        "room",
        r"\b(?:don't|doesn't|do not|does not) leave (?:\w+ ){0,2}room for (?:(?:an?|any|such an?|the) )?(?:\w+ )?"
        rf"{_THESE}\b",
    ),
    ("table", rf"\b(?!it\b){_THESE}(?:'s| is| are) (?:now |sadly )?(?:no longer|not) on the table\b"),
    (
        "only",
        r"\b(?:can|may) (?:go|(?:be )?(?:refund|return|exchange|change|cancel|modif|move|replace|credit|issue"
        r"|transfer)\w*|be (?:sent|paid|made|given|put|booked)) only (?:to|for|within|with|if|when|before|after)\b",
    ),
    (
        "only",
        r"\bonly (?:(?:an?|my|our|your|his|her|their|human) [\w ]{2,30}|people|humans?|staff|colleagues?|specialists?)"
        r" (?:may|can|is allowed to|are allowed to) (?:\w+ )?(?:change|cancel|settle|decide|approve|do|make|grant|allow"
        r"|move|refund|renew|sign|order|authori[sz]e|waive|handle|arrange|lift|sort|fix|extend|issue|prescribe)\b",
    ),
    (
        "not individual single separate",
        r", (?:and |but )?not (?:just |only |to )?(?:individual|single|separate|particular|specific|partial|parts? of"
        r"|some of)\b"
        r"(?=.*[.!]$|$)",
    ),
    (
        "nothing",
        rf"\bnothing (?:(?:about|on|in|of|with) (?:(?:the|this|that|your|our) (?:\w+ )?)?{_THESE} )?can"
        r" (?:still |now )?be (?!lost|wrong|forgotten|broken|better|easier|eaten|seen|heard)\w+"
        rf"|\bnothing (?:more |else |further )?to be done about (?:(?:the|this|that|your|our) (?:\w+ )?)?{_THESE}\b",
    ),
    # what is not in stock, and what nothing matches
    (
        "isn't aren't not",
        r"\bthere (?:isn't|is not|aren't|are not) (?:currently )?(?:an?|any|one) (?:[\w-]+ ){1,4}?(?:in stock|available"
        r"|left)\b",
    ),
    (
        "no",
        r"\b(?:we|they|i) (?:currently )?have no (?!(?:record|way|idea|information|doubt|problem|further|more|other"
        r"|question)s?\b)(?:[\w-]+ ){1,6}?(?:in stock|available|left|open|at the moment|right now)\b",
    ),
    (
        "no",
        r"\bno (?!other\b)(?:[\w-]+ ){0,5}?(?:variants?|versions?|models?|products?) (?:exists?|match(?:es)?|meets?"
        r"|fits?|comes?"
        r"|has|have)\b(?![^.]{0,60}\b(?:orders?|account|profile|history)\b)",
    ),
    (
        "none",
        r"\bnone (?:\w+ )?(?:match(?:es)?|meets?|fits?) (?:your|all|every) (?:\w+ )?(?:criteria|requests?"
        r"|preferences?|specs"
        r"|requirements?|needs?|wish(?:es)?|constraints?)\b",
    ),
    (
        "no",
        r"\b(?:there is|there's|there are) no (?!need|reason|charge|fee|cost|problem|issue|doubt|difference|tracking)"
        r"(?:[\w-]+ ){1,9}?(?:in stock|available|left)\b",
    ),
    ("zero", r"\bzero (?:\w+ )?(?:{bookable}|slots|openings|rooms|units) (?:left|available|remaining|open)\b"),
    # what is shut
    (
        "blocked locked disabled frozen barred",
        r"\b(?:changes|modifications|cancel+ations|returns|exchanges|edits|refunds) (?:are|is) (?:\w+ )?(?:blocked"
        r"|locked"
        r"|disabled|frozen|barred)\b|\b(?:locked|blocked|barred) (?:for|against|from) (?:any |further )?(?:changes"
        r"|modifications|cancel+ations|returns|exchanges|edits|refunds)\b",
    ),
    (
        "closed ended lapsed elapsed over passed",
        r"\b(?:window|period|deadline|timeframe)\b(?: (?:for|to|of) [\w ]{1,30}?)? (?:has |is |was "
        r"|had )?(?:already |now "
        r"|since )?(?:closed|ended|lapsed|elapsed|over|passed)\b",
    ),
    ("taken", r"\b(?:time|slot|date|appointment|day)(?: [\w:]{1,12}){0,3} (?:is|was|has been) (?:already )?taken\b"),
    # what goes beyond, does not fit, or lacks a tool
    (
        "exceed exceeds",
        r"\bexceeds? (?:what (?:i|we)|(?:my|our) (?:[\w/-]+ )?(?:authority|scope|tools?|capabilit\w+|permissions?"
        r"|powers?"
        r"|limits?))\b|\b(?:using|applying|adding|combining) [^.,]{1,40} exceeds? the (?:\w+ )?(?:limit|maximum)\b",
    ),
    (
        "most",
        r"\b(?:can|may) (?:\w+ )?(?:use|have|hold|carry|take|get) (?:one|two|three|\d) (?:[\w-]+ )?at (?:the )?most\b",
    ),
    (
        "fit satisfy fulfil fulfill",
        r"\b(?:doesn't|does not|don't|do not) (?:fit|satisfy|fulfil+) (?:the|our|any|these|those) (?:\w+ )?(?:rules?"
        r"|terms"
        r"|polic(?:y|ies)|criteria|conditions?|requirements?)\b",
    ),
    (
        "tool tools",
        r"\b(?:have|there's|there is|there are) no (?:such )?tools? (?:for|to|that)\b|\black (?:an?|the|any) tools?\b",
    ),
    ("blocks disallows", r"\b(?:policy|policies|rules?|terms|system) (?:\w+ )?(?:blocks|disallows)\b"),
    (
        "rejected refused denied blocked",
        r"\b(?:system|tool) (?:has )?(?:rejected|refused|denied|blocked) (?:the|this|your|that|it)\b",
    ),
    # what the agent will not do
    (
        "won't not",
        r"\b(?:i|we) (?:won't|will not) (?:process|cancel|refund|change|exchange|return|approve|grant|issue"
        r"|book)\b(?! any"
        r"| your other| the other| until| unless| without| before)[^.?!]{1,60}?, (?:as|since|because)\b",
    ),
)
"""Refusals that are mere limits beside a proposal with the right values: `a certificate can't pay for bags`, `a refund
can go only to your card`.
"""


_ATTENDS = (
    r"(?:make it|come|attend|join|fly|travel|go|wait|be (?:there|here|coming|around|home|in|with us|\w+ing)"
    r"|use (?:it|them"
    r"|that)|keep (?:it|the (?:visit|appointment)))\b"
)
DATA = r"(?:ids?|numbers?|names?|e-?mails?|zip(?: code)?|code|address|details|information|date|phone|location|reason)"
"""What an agent may ask for before it acts."""

_NO_REFUSAL = compiled(
    # what may or may not hold
    r"\b(?:may|might) (?:not|no longer) (?:\w+ )?be (?:\w+ly )?(?:\w+[ai]ble|eligible|able|active|valid|covered"
    r"|needed|necessary)\b"
    r"|\bmight (?:not|no longer) (?:\w+ )?be (?:refunded|allowed|supported)\b",
    # what has not happened yet
    r"\b(?:no|none of (?:the|your|these|those)) (?:[\w-]+ ){0,3}?(?:{bookable}|segments?|legs?|items?|orders?|parts?"
    r"|portions?)(?: (?:of|in|on) [\w' ]{1,30}?)? (?:(?:(?:has|have|had|is|are|was|were)(?: yet| already)?(?: been)? )?"
    r"(?:yet |already )?(?:departed|flown|taken(?: off)?|shipped|started|begun|passed|used|landed|affected|touched)"
    r"|(?:has"
    r"|have) (?:already )?left\b)",
    # a time limit that does not matter
    r"\b(?:eligible|qualif\w+|possible|allowed|covered|even|cancel+able|refundable)(?: \w+){0,3}? (?:outside|beyond"
    r"|past)"
    r" (?:of )?(?:the|our) ",
    r"\b(?:outside|beyond|past) (?:of )?(?:the|our) [\w -]{1,40}?,? but (?:still |it |they |you |both |all )*(?:is "
    r"|are )?"
    r"(?:qualif|eligible|allowed|covered|refundable|can be\b)\w*(?![^.]{0,60}\bonly\b)",
    # a date of a record
    r"\b(?:{bookable}|segments?|legs?|portions?|dates)(?: \([^()]{1,40}\))?(?: (?:on|of"
    r"|from) [\w-]{1,12}(?: \w{1,9})?)?"
    r" (?:has|have) (?:already )?passed\b",
    # a change that a step does not make, or a check that it does not need
    r"\bno (?:impact|effect|influence|bearing) on\b",
    r"\bno (?:[\w/-]+ ){0,3}?(?:checks?|changes?|adjustments?|action) (?:is |are |was |were )?(?:needed|required"
    r"|necessary)\b",
    r"\bno (?:refunds?|credits?) or (?:\w+ )?(?:charges?|payments?|fees?|adjustments?)\b"
    r"|\bno (?:[\w/-]+ ){0,3}?(?:refunds?|credits?|charges?|payments?|costs?|fees?) (?:is |are |was |were "
    r"|will be )?(?:needed|required|necessary)\b",
    # the content of a record
    r"\b(?:orders?|reservations?|bookings?|carts?|account|profile|it|they|which|list)(?: \(?#?\w*\d\w*\)?)? (?:\w+ )?"
    r"(?:does not|doesn't|do not|don't) (?:\w+ )?(?:include|contain|list|show|mention)\b"
    r"(?! (?:any |free |the (?:right|option) )?(?:refund|change|cancel|flexib))",
    r"\b(?:no|without) tracking(?: \w+){0,2}? (?:is |are )?(?:yet )?available\b"
    r"|\btracking(?: \w+)?: (?:not (?:yet )?available|unavailable)",
    r"\b(?:system|records?|screen) (?:\w+ )?(?:doesn't|does not|don't|do not) (?:\w+ )?(?:show|list|display|indicate"
    r"|say|tell)\b(?! (?:any (?!match|record|such)|available))",
    r"\b(?:other|remaining|your|these|those) (?:[\w-]+ ){0,2}?(?:orders|reservations|bookings|accounts|trips|plans"
    r"|visits)\b"
    r"[^.;:?!]{0,60}? (?:don't|do not) (?:\w+ )?(?:include|contain|list|show|mention|have)\b",
    r"\b(?:data|information|info|records?|listing|page|description|catalog|catalogue|details) (?:\w+ )?(?:doesn't"
    r"|does not"
    r"|don't|do not) (?:\w+ )?(?:include|contain|list|show|mention|cover|specify|state|say)\b",
    r"\b(?:prices?|pricing|{rates}|data|information|info|details?|records?|images?|photos?"
    r"|specs?) (?:for [\w ]{1,30} )?"
    r"(?:(?:is|are)(?: \w+)? not|isn't|aren't) (?:\w+ )?available\b",
    # what does not hold for the user
    r"\b(?:rules?|restrictions?|fees?|charges?|penalt(?:y|ies)|limits?|surcharges?) (?:\w+ )?(?:don't|do not|doesn't"
    r"|does not"
    r"|won't|will not) apply\b",
    r"\bbut not (?:direct|nonstop|non-stop)\b",
    r"\bis set up\b",
    r"\bbeyond what (?:i|we) (?:can|could|am able to|are able to) (?:access|see|view)\b",
    # none but what is offered, and what nobody has written down
    r"\bno (?!refund|compensation|credit)[\w -]{1,60}? (?:other than|besides|apart from) (?:this|these|those|that)"
    r"(?: ones?)?(?=$|[.,;:!)])",
    r"\bno (?:[\w-]+ )?(?:dates?|etas?|estimates?|time ?frames?|information|info|details?|data"
    r"|records?) (?:[\w-]+ ){0,4}?"
    r"available\b",
    r"\b(?:times?|durations?|lengths?|layovers?)(?: and [\w-]+)? (?:aren't|are not|isn't"
    r"|is not) (?:\w+ )?available (?:here|in|through"
    r"|from|via)\b",
    r"\b(?:won't|will not) be (?:slowed|delayed|held up|lost|interrupted|affected)\b",
    # what the agent goes by
    r"\bcan only (?:proceed|go|work|rely|answer|reply|respond) (?:based |by |from |with what "
    r"|on (?:the basis of )?what )",
    # a time that nobody knows yet
    r"\b(?:can't|cannot|can not|unable to) (?:predict|(?:confirm|guarantee|give|provide|promise"
    r"|estimate) (?:you )?(?:an? |the )?"
    r"(?:exact|specific|precise) (?:\w+ )?(?:times?|timing|dates?|etas?|days?|timeframes?|deliver\w+|arrival))\b",
    r"\b(?:can't|cannot|can not|unable to) (?:confirm|say|tell|verify) [^.]{0,40}\bfrom (?:these|the|this|my|our)"
    r" (?:records?|system|screen|data)\b",
    # a request for data
    r"^without (?:it|that|this|them|these|those),? (?:i|we)(?:'m| am|'re| are)? (?:\w+ )?(?:can't|cannot|can not"
    r"|won't be able to|unable to|not able to) (?:access|view|see|look|check|pull|open|verify)\b(?:,? [\w'-]+){0,6}",
    r"\b(?:can't|cannot|can not|unable to|not able to) (?:access|see|view|look|check|pull|retrieve|open|verify)"
    r" (?!or\b)(?:[\w'-]+ ){0,6}?without (?:(?:the|your|an?|its|that|this|having|knowing) ){1,2}(?:[\w'-]+ ){0,2}?"
    rf"{DATA}\b(?! (?:of|from) (?:the|an?) )",
    rf"\b(?!reason\b){DATA} (?:alone |by itself |on its own )?(?:isn't|is not|aren't|are not|won't be) "
    r"(?:enough|sufficient)\b",
    # an amount that something else covers
    r"\b(?:isn't|is not|aren't|are not|won't be) (?:quite )?(?:enough|sufficient)(?: (?!(?:and|but|or|not|cannot)\b)"
    r"[^ ?!;]{1,40}(?<!n't)){1,12}?, so (?:i|we|you)"
    r"(?:'d|'ll| would| will| could| can) (?:\w+ )?(?:need|have to|apply|use|charge|pay|put|split|cover)\b",
    # how somebody feels, hears or recovers
    r"\b(?:won't|will not|can't|cannot|doesn't|does not|don't|not) (?:\w+ )??(?:be|get|feel"
    r"|become) (?:any )?(?:better|worse|easier"
    r"|hurt|sick)\b",
    r"\b(?:can't|cannot|can not) be too \w+",
    r"\b(?:won't|will not) be able to (?:respond|reply|answer|get back|call|see it|read it"
    r"|look)\b(?: \w+){0,3}? (?:until"
    r"|till|before)\b",
    r"\bfe(?:el|els|eling|lt) (?:so |like it's |almost )?impossible\b",
    r"\b(?:won't|will not) be (?:in|back|here|there|around|open|home|reachable) (?:until|till|before)\b",
    r"\b(?:no|nothing|not) (?:\w+ ){0,3}?preventing\b",
    # advice: what the customer should not let happen
    r"(?:^|[,;:.-] |\b(?:but|and|so|please|just|also) )(?:don't|do not|never) let\b(?! (?:you|us|me|customers"
    r"|members)\b)",
    # what the agent is not to the customer
    r"\b(?:can't|cannot|can not) (?:\w+ )?(?:replace (?:\w+ )??(?:human|friends?|friendship|family|people|company"
    r"|therap\w+)"
    r"|(?:take|make) (?:away )?(?:the|your|that) (?:pain|worry|stress|frustration|grief|fear)|undo (?:what|the past)"
    r"|change (?:what happened|the past|how you feel)|imagine)\b",
    # a look-up in the customer's own list
    r"\byour (?:\w+ ){0,2}?(?:reservations|orders|bookings|account|profile|records?|history|appointments|trips)"
    r",? (?:and|but) (?:i )?(?:don't|do not|didn't|did not|can't|couldn't) (?:\w+ )?(?:see|find) "
    r"(?:(?!\bso\b)[^.,;:])*",
    # the user's choice among what a rule allows
    r"^(?:since|as|because) \w+s (?:can|may) only be [^,]{1,60}, you can (?:choose|pick|select|exchange|return|decide)",
    r"\b(?:can't|cannot|won't|will not) be (?:charged|billed) (?:twice|again|extra|more)\b",
    r"\b(?:understand|hear|mentioned|said|say) (?:that )?you (?:can't|cannot|couldn't|can not)\b",
    # a preface on how the agent works
    r"\b(?:can't|cannot|can not|not able to|unable to) (?:provide|share"
    r"|give)(?: you)? (?:with )?(?:any )?(?:information, knowledge"
    r"|subjective)\b",
    # what the customer does not do
    r"\b(?:you (?:won't|will not|aren't going to)|won't you) be (?!getting|receiving)\w+ing\b",
    rf"\b(?:sorry|hear|reason|why|pity|shame|sad|understand|see|know)(?: to hear)?(?: that)? (?:(?:your|the) )?[\w'-]+ "
    rf"(?:can't|cannot|won't|will not|couldn't|could not) {_ATTENDS}",
    # regret for something else than a refusal
    r"\b(?:i'm|i am) afraid(?= (?:that )?(?:there(?: are|'s|'re| is) (?:two|three|several|more than (?:one|two)|a few)"
    r" (?:\w+ )?(?:{bookable}|{things}|{clients}|orders|items|bookings|reservations|appointments|visits"
    r"|trips|plans|lines|accounts|of (?:them|those|these))\b"
    r"|i (?:\w+ )?(?:don't know|do not know|have no (?:idea|clue|opinion)|can't (?:say|tell) (?:how|what|when|where|why"
    r"|who|whether|if)|(?:need (?:your|the|a|an|to (?:know|ask|have))|(?:have to|must) ask)"
    r"(?!.{0,60}\b(?:accept|understand|bear|patience|stays?|remains?|leave|live with|instead|else)\b)"
    r"|didn't (?:catch|get|quite|understand)|missed|misread|forgot)))",
    # what stays as it is
    r"\b(?:won't|will not|wouldn't|would not) (?:be )?(?:affect(?:ed)?|harm(?:ed)?|disturb(?:ed)?)\b",
    r"\b(?:won't|will not|wouldn't|would not) be (?:touched|altered|interrupted) by (?:it|this|that|the)\b",
    r"\b(?:else|others?|rest|remaining)(?: [\w'-]+){0,2} (?:won't|will not|wouldn't"
    r"|would not) (?:be )?(?:change"
    r"|move|cancel|delete|remove|lose|modif|updat|replace|touch|alter|interrupt)\w*",
)
"""Parts of a sentence that resemble a refusal and refuse nothing."""

_LIMIT = compiled(r"\bthe (?:\w+ )?(?:maximum|limit|most)\b")
_HENCE = compiled(r"\b(?:so|which|leav\w+|meaning)\b")
_BARS = compiled(r"\b(?:not|no|only|never|none|nothing|cannot|reached|exceed\w*|over|above)\b|n't")
_ROOM = compiled(r"\b(?:can|could|may|possible|fits?|left|room|remains?|free|available|more)\b")


def limit(view: str, words: frozenset[str]) -> re.Match[str] | None:
    """Return what only limits a change, unless somebody is said to have said so, or it is a question or condition."""
    found = None if view.endswith("?") else _LIMITS.search(view, words)
    if found is None or scope.recorded(view[: found.start()]) or scope.hypothetical(view[: found.start()]):
        return None
    return found


def without_lookalikes(view: str) -> str:
    """Return a sentence without the parts that resemble a refusal and refuse nothing."""
    view = _NO_REFUSAL.sub(" ", view)
    limit = _LIMIT.search(view)
    if limit is None:
        return view
    barred = max((found.end() for found in _BARS.finditer(view, limit.end())), default=limit.end())
    hence = _HENCE.search(view, barred)
    room = hence and _ROOM.search(view, hence.end())
    return view[: limit.start()] + view[room.end() :] if room else view
