"""Consent: sentences that ask for a yes to a future action of the agent."""

from env_server.reading.sentences import checks, questions
from env_server.reading.sentences.patterns import Rules, compiled, words_of
from env_server.reading.sentences.proposals import ONE_MORE, TAKE_IT, TURNS
from env_server.reading.words.changes import DEED, DOING_SO, DONE, NOUN, VERB
from env_server.reading.words.lexis import words as listed

_LIKE = (
    r"(?:would you (?:still |also |then |rather )?(?:like|want|prefer|wish)|(?:do|did) you (?:still |also |then "
    r"|really )?(?:want|wish)|want|like"
    r"|you(?:'d| would) (?:still |also )?(?:like|want)|you (?:want|wish))"
)
_PROCEED = (
    r"(?:proceed|go ahead|go on|continue|move forward|move ahead|carry on|do (?:this|that|it|so|both|these"
    r"|all (?:of )?(?:this|that|these|three|four))|go (?:for|with) (?:it|this|that)"
    rf"|(?:make|do|perform|carry out) (?:this|these|the|that|those|both|your|an?) (?:\w+ )?{NOUN}"
    r"|complete (?:this|the|your)|carry (?:it|them|this|that|these|those) out|start(?: (?:it|this|that))?"
    rf"|go (?:through|forward) with (?:it|this|that|them|these|those|(?:the|your) (?:\w+ )?{NOUN}))"
)
_SOON = r"(?:(?:now|also|please|then|just|go ahead and|go and|so) )*"
_ALL = (
    r"(?:that|this|it|these|those|them|everything|all(?: of (?:this|that|these))?|the above"
    r"|the (?:\w+ )?(?:details|information|summary|plan))"
)
_GOOD = (
    r"(?:correct|right|ok|okay|fine|good|accurate|acceptable|alright|all right|works?|sounds?|looks?|suits?"
    r"|agreeable|fair|clear|in order|as (?:it should be|you (?:want|wanted|wish|like))|to your liking)"
)
_MEETS = (
    r"(?:(?:meets?|match(?:es)?|reflects?|fits?|captures?|aligns? with|suits?)(?= (?:all |exactly )?(?:your (?:\w+ )?"
    r"(?:requests?|wish(?:es)?|expectations?|needs?|requirements?|preferences?|intentions?|instructions?|approval"
    r"|plans?)\b"
    r"|what (?:you(?:'d|'re| had| have| are| were| would)? (?:want|ask|request|need|like|expect|look|after|in mind)"
    r"|we (?:discuss|agree|talk)))))"
)
_THEM = r"(?:it|this|that|them|these|those|both|everything)"
_INTO_PLACE = r"(?:in|on|off|up|out|away|across|going|moving|rolling|started|done|sorted|arranged|settled)"
"""The particle or participle after a plain verb and its object: `pop that in`, `get it sorted`, `take you off`."""

_YES = Rules(
    (
        "like want prefer wish",
        rf"\b{_LIKE} (?:(?:me|us|for me|that i) )?(?:to )?{_SOON}{_PROCEED}\b|^want me to\?|\b{_LIKE} (?:me|us"
        rf"|for me) (?:to )?{_SOON}{DEED}\b",
    ),
    (
        "shall should may can could do",
        rf"\b(?:shall|should|may|can|could|do) (?:i|we) {_SOON}(?:{_PROCEED}|make|place|submit|process"
        rf"|confirm (?:(?:it|this|that|these|everything)\b|the (?:\w+ )?{NOUN}\b(?! (?:number|reference|id|code|date"
        rf"|time)))"
        r"|finali[sz]e|book|cancel)\b"
        rf"|\b(?:shall|should) (?:i|we) {_SOON}{DEED}\b",
    ),
    (
        "confirm agree approve authorize authorise consent accept",
        r"\b(?:do|can|could|would|will) you (?:please |also |just |now |hereby ){0,4}+(?:confirm|agree|approve"
        r"|authori[sz]e|consent|accept(?= (?:this|that|it|these|the|a|an|\$)|\?))\b"
        r"(?! (?:your|the|which|what|if (?:the|your|it|you're|you are|you have|you can)|whether|how|that the"
        r"|when|where|an?"
        r"|both|either)\b)",
    ),
    (
        "confirm approve authorize authorise say reply respond answer",
        r"(?<!could you )(?<!can you )(?<!would you )(?<!will you )"  # the rule above handles questions
        r"\b(?:please|kindly|pls|plz),? (?:also |now |just |then |kindly |could you ){0,4}+"
        r"(?:confirm|approve|authori[sz]e|say yes|reply|respond|answer|review and confirm)\b"
        r"(?! (?:your|which|what|with me|how|when|where|whether the|if (?:the|your|it)|that you have|if you have"
        r"|the payment method|with (?:\(?[a1]\) \w+|the|your)|the (?:\w+ )?(?:name|number|date|reason|id|model|size"
        r"|colou?r))\b)",
    ),
    # "... confirm that you'd like this", not "I'll confirm it" or "confirm you have given all items"
    (
        "confirm",
        r"(?<!will )(?<!'ll )(?<!\bi )(?<!just to )(?<!^to )(?<!so to )"
        r"\bconfirm (?:that |if |whether )?(?:you(?:'d| would|'re| are)?+ (?!have|provided"
        r"|able|like to use"
        r"|like to keep|on |now |back )|everything|all (?:the )?(?:details|of)|these|(?:that |if )?this"
        r"|that (?:all|everything|i|we)\b(?! (?:have|got|understood|understand)|'ve)|to proceed|so i|and i"
        r"|(?<!if )(?<!whether )(?<!that )the (?:above"
        r"|details(?! of)|changes?"
        r"|cancel+ation|exchange|return"
        r"|booking|upgrade|following)\b)",
    ),
    (
        "yes y confirm ok go no",
        r"\b(?:say|reply|answer|respond|type|with|a|hear|tell me) (?:with )?(?:a |me )?(?:simple |quick |clear "
        r"|explicit )?[(\"]?(?:yes|y|confirm|ok|go|i agree)\b"
        r"|\byes ?(?:/|or) ?no\b|\by ?/ ?n\b",
    ),
    (
        "correct right ok okay fine good accurate acceptable alright work works sound sounds look looks suit suits "
        "fair clear order liking as correctly agreeable meet meets match matches reflect reflects fit fits capture "
        "captures align aligns",
        rf"\b(?:is|are|does|do|would|will|(?:confirm|know|tell me|check|verify) (?:that|if|whether)) {_ALL}"
        rf"(?: \w+){{0,3}}? (?:{_GOOD}|work|sound|look|suit"
        rf"|{_MEETS})\b(?<!if it works)(?<!whether it works)(?<!if this works)"
        r"(?<!if that works)|\bam i (?:right|correct)\b"
        r"|\b(?:is|have|do) (?:my understanding|i (?:got|understood|have|understand)(?: (?:it|this|that|you))?)"
        r"(?: \w+){0,2} (?:correct|correctly|right)\b",
    ),
    (
        "if",
        rf"\bif {_ALL}(?:'s| is| are)? (?:all )?(?:so|{_GOOD})(?: \w+){{0,3}},? (?:please |just |then )?"
        r"(?:i(?:'ll| will|'d| would)?|we(?:'ll| will)?|say|tell me|answer|reply|type|let me know)\b",
    ),
    (
        "confirmation consent approval go-ahead ahead permission authorization authorisation ok okay light nod yes",
        r"(?<!\byou )(?<!you'll )(?<!you will )(?<!you should )(?<!you'll also )(?<!may )(?<!might )"
        r"\b(?:need|needs|require|have(?: i)?|get|await|waiting for|wait for|with|give|ask for|receive|want|obtain"
        r"|looking for|upon) (?:me )?"
        r"(?:your|explicit|an?) (?!text |sms |e-?mail |booking |order |insur\w+ "
        r"|{carers}(?:'s)? )(?:\w+ )?(?:confirmation(?! (?:e-?mail|number|code|by|via|message|page|text|sms"
        r"|within|shortly|soon|as soon)\b)"
        r"|consent|approval|go-ahead"
        r"|go ahead|permission"
        r"|authori[sz]ation|ok|green light|nod|yes)\b(?! to (?:look|check|search))"
        # # "your OK", but not "thank you for your approval"
        r"|(?<!thanks for )(?<!thank you for )(?<!received )(?<!have )(?<!got )(?<!with )(?<!without )"
        r"\byour (?!insur\w+ |{carers}(?:'s)? |bank\S* )(?:\w+ )?(?:ok|okay|go-ahead|yes|approval"
        r"|consent|nod|green light"
        r"|permission)\b(?! to (?:look|check"
        r"|search))(?! (?:[\w',]+ ){0,9}?(?:expired|ran out|run out|lapsed|ended|withdrawn|no longer|on (?:file"
        r"|record))\b)"
        r"|\bgive me (?:the|a|your) (?:go-ahead|go|green light|nod|ok|okay|yes)\b"
        r"|\bi(?:'d| would) like your (?:\w+ )?(?:confirmation|consent|authori[sz]ation)\b"
        r"(?! (?:e-?mail|number|code|id|message|page|text|sms|form)\b)",
    ),
    (
        "objection objections object",
        r"(?:^|[,;:] )(?:do you have |are there )?any objections?(?=$|[?.,!]| if i\b"
        r"| to (?:that|this|it|me|my|\w+ing)\b)"
        r"|^if you don't object, i(?:'ll|'d| will| would| can| shall)\b",
    ),
    (
        "ok okay happy fine good comfortable content sure alright right ready open",
        r"\b(?:are you|would you be|if you're|if you are) (?:ok|okay|happy|fine|good|comfortable|content|sure|alright"
        r"|all right) "
        r"(?:with|to|for|about|you(?! don't| do not))\b|(?:\b(?:are you|if you're) |^)ready (?:to|for me to) "
        r"(?:proceed|go|confirm|book|continue with|make|place|cancel|submit)\b"
        rf"|\b(?:ok|okay|alright|fine|good|all right|ready) (?:to (?:proceed|go(?=.{{0,200}}\?)|continue"
        rf"|(?:{_PROCEED}|{DEED})(?=.{{0,200}}\?))"
        r"|with you|for you|if i)\b"
        r"|\bhappy for me to\b",
    ),
    (
        "ok okay okey yes confirm confirmed correct right agree agreed proceed good ahead deal ready no approve "
        "approved "
        "interested fair accept fine alright",
        r"(?:^|[,;:.-] ?|^.{1,30} )(?:ok|okay|okey|yes|confirm|confirmed|correct|right|agreed?|proceed|sound good"
        r"|go ahead|good|deal|all good|approved?|interested|accept|fine|alright|fair enough"
        r"|ready|sounds good|look good|looks good|you ok|is ok|is okay|yes or no)\?$",
    ),
    (
        "if whether",
        r"\blet me know (?:if|whether) (?:that|this|it)(?:'s| is)? (?:works? for you|ok|okay|fine|good|alright"
        r"|acceptable"
        r"|suits|sounds)\b|\b(?:let me know|tell me) (?:whether|if) (?:i|we) (?:may|can|should|shall|could)\b"
        rf"|\b(?:let me know|tell me) (?:whether|if) you(?:'d| would) (?:like|want) me to {_SOON}{DEED}\b",
    ),
    # "Say the word and I cancel it": the yes comes first, and the action after it.
    (
        "confirm approve agree nod yes ok okay go say give",
        r"(?:^|[,;:] |- )(?:so |just |please |simply |then |a (?:quick |simple )?)*(?:confirm|approve|agree|nod|yes"
        r"|ok|okay|go"
        r"|(?:say|give me) (?:the word|go|so|yes|ok|the nod))(?: (?:it|this|that|from you|to (?:it|that|this)))?,?"
        r" and (?:i"
        r"|we|it|the)\b"
        r"|[,;-] (?:just|please|simply) (?:confirm|approve)(?: (?:it|this|that))?[.!]?$",
    ),
    (
        "with on",
        r"^(?:with|on) your (?:yes|ok|okay|nod|go-ahead|approval|consent|word|permission|confirmation|agreement"
        r"|blessing),? (?:i(?:'ll|'d| will| would)?"
        r"|we(?:'ll)?|the|it|your|order)\b",
    ),
    ("allow permit", rf"\b(?:please|kindly) (?:allow|permit) me to {_SOON}{DEED}\b"),
    (
        "like want",
        rf"\b(?:do|would) you (?:want|like) me to\?$|\b(?:do|would) you (?:really |still )?(?:want"
        rf"|like) (?:me to do )?{_ALL}(?: one| time| slot| appointment| option)?\?$",
    ),
    (
        "verify check confirm approve",
        r"\b(?:verify|check) that (?:these|this|everything|all)\b(?=.{0,200}\b(?:correct|right|what you want"
        r"|accurate)\b)|^(?:please|kindly) verify:|^(?:confirm|approve)(?:,? please| below| this| it)?[.!]?$",
    ),
    (
        "work sound look word",
        r"\b(?:does|do|would) (?:that|this|it|these) (?:\w+ )?(?:work|sound|look)\b|\bjust say the word\b",
    ),
    (
        "like want",
        rf"^(?:\w+[,!.:]? )?(?:just |so |and )*to (?:confirm|recap|be clear)[,:]? you(?:'d"
        rf"| would) like (?:me )?to {DEED}\b",
    ),
    ("start begin do proceed", r"\bi (?:start|begin|do it|proceed)(?: now| then)?$"),
    (
        "it that this them those",
        rf"(?:^|[,;:-] )(?:so |and |then )?(?:do|want|{DEED}) (?:it|that|this|them|those)(?: then| now| too)?\?$",
    ),
    (
        "something suit board blessing yes agree want like accept",
        r"^(?:so |and |then )*you (?:agree|want|like|accept)(?: (?:with|to))? (?:this|that|it|so)"
        r"(?: (?:change|plan|proposal|one|then|now|too|please))?\?"
        r"|\bis (?:that|this|it|what i propose) something you(?:'d| would) (?:like|want)(?: me to (?:do|go ahead with"
        r"|proceed with))?\?|(?:^|\b(?:would|does) )(?:that|this|it) suit you\?|\bon board with (?:that|this|it)\?"
        r"|\bis (?:that|this|it) (?:an? )?yes(?=\?| from you\b| then\b)"
        r"|\b(?:do i|does (?:that|this|it)) have your blessing(?=\?| to (?:do|go|proceed)\b)",
    ),
    (
        "take pop put bring get push run have grab snag hold pencil",
        rf"\b(?:shall|should|may|can) (?:i|we) {_SOON}(?:(?:grab|snag|hold|pencil) (?:you|{_THEM})\b|(?:pop|put|bring"
        rf"|get|push|run|have) {_THEM} {_INTO_PLACE}\b"
        rf"|take (?:you|{_THEM}) off\b|(?:put|push) {_THEM} through\b"
        rf"|bring (?:{_THEM}|(?:that|this|the|your) \w+) back (?:to life|into|on\b|up\b))(?! hold\b)",
    ),
    (
        "if",
        r"\bif you(?:'re|'d| are| would)? (?:say so|say yes|agree\w*|accept|approve|confirm|in agreement|(?:like"
        r"|want|wish)"
        r" (?:that|this|it|so|me to))\b.{0,40},? (?:please |just |then )?"
        r"(?:i(?:'ll| will|'d| would)(?! (?:also |then |just )?need)|reply"
        r"|say|type|answer)\b"
        r"|\bif you(?:'re| are) (?:fine|ok|okay|happy|good|alright|all right|comfortable) with [^,]{1,60},"
        r" (?:then )?(?:i|we)(?:'ll| will)\b"
        r"|\bi(?:'ll| will|'d| would) .{0,90}\bif (?:you|that"
        r"|this|it)(?:'re|'s| are| is)? "
        r"(?:agree|approve|accept|ok|okay|fine|alright|all right|right|happy|confirm)\b",
    ),
)
# Yes-or-no questions: about an action of the agent ("Is it alright if we upgrade it?"), or complete in themselves
# ("Agreed?").
_ASKED = Rules(
    (
        "i we me us",
        r"\b(?:shall|should|may|can|could|might|do|if|that|am|are|would you mind|want|with|for|to have) (?:i"
        r"|we|me|us) (?:should |could |may )?"
        rf"{_SOON}(?:to |be |proceed to )*(?:{DEED}|{DOING_SO})\b|\b(?:shall|should|may|can|could) (?:i|we) (?:get"
        r"|have|put"
        r"|take|do|give)\b(?! (?:your|the|an?|some|anything|something|more)\b)"
        r"|^(?:so )?(?:i|we) (?:should |would |will )?(?:now |then "
        r"|just )?"
        rf"{DEED}\b|(?:^|[,.;-] )(?:shall|should|may) (?:i|we)\?$",
    ),
    (
        "",
        r"^(?:(?:so|and|then|all|everything|is|are|it|that|this|you|we|with|by|for|me|to|now|please|still|does"
        r"|would|be"
        r"|do|that's|looks?|like|what|i"
        r"|sounds?|works?|thumbs|up|is it|the|these|those|your)[ ,])*(?:ok|okay|okey|agreed?|right|correct"
        r"|fine|good|yes|yep"
        r"|confirmed?|proceed|ready|sure|deal|go|cool|alright|all right|up|sounds?|works?|happy|accurate|interested"
        r"|accept|acceptable|want"
        r"|approved?|good to go|go ahead|go on|go for it"
        r"|(?:would you|do you|you'd) (?:like|want|accept) (?:that|this|it|so))"
        r"(?: (?:with|by|for) (?:you|that|this|me))?(?: (?:please|now|then|if i do|like this|this way))?\?$",
    ),
    (
        "turn",
        rf"\b{TURNS}\b",
    ),
    (
        "want like",
        rf"\b(?:do|would) you (?:want|like) (?:the|this|that|both|these|a"
        rf"|an) (?:[\w$#.%-]+ ){{0,6}}?{DONE}\b(?! or\b)",
    ),
)
_BARE = compiled(
    rf"^(?:{DEED}|confirm) (?:it|this|that|them|both|these|the|your|now|all|everything|upgrade)\b"
    r"(?!.*\b(?:do|did|are|were|have|had|can|could|would|will|is|was) (?:you|there|it|that|this)\b).*\?$"
    rf"|^{VERB}\?$"
)
_YOURSELF = Rules(
    (
        "like want wish",
        rf"(?:\b(?:would|do) you (?:still )?(?:like|want|wish)|^(?:so |and )?want) to (?:{_PROCEED}|book|cancel"
        rf"|exchange|return"
        r"|upgrade|downgrade|purchase"
        r"|switch|swap|replace|trade|move|place|finali[sz]e|submit|renew|activate|accept|confirm|reschedule|order"
        r"|refill|rebook|request|record|revoke|remove|redeem|refund|schedule|pause|resume|suspend"
        r"|modify|change|update)\b"
        rf"|\b(?:would|do) you (?:still )?(?:like|want|wish) to (?:{ONE_MORE}|{TAKE_IT}|(?:take|have|grab) (?:that"
        rf"|this|it)(?=[?,.]| (?:then|instead)\b))",
    )
)
_OPEN = compiled(
    r"\b(?:what|which|how(?! about\b)|where|why|who|when|whose)\b (?:\S+ ){0,6}?(?:should|shall|would|do|can|did"
    r"|could|may"
    r"|is|are|to|you|i|you'd)\b",
    r"\bnew size\b|\bwhether you\b(?!'d)|\bmake any (?:other )?changes",
)
_OPEN_AFTER = compiled(
    r"\b(?:and|so|but)(?: if (?:so|yes))?,? (?:for )?(?:which|what|how many|when|where|how|who)(?: \w+){0,2}\?$"
    r"|\b(?:and|also)(?: if (?:so|yes))?,? (?:for |to |on |with |in )?(?:which|what) (?:new |other |kind of "
    r"|type of )?"
    r"(?:items?|options?|models?|sizes?|colou?rs?|products?|versions?|variants?|ones?|dates?|times?|days?"
    r"|slots?|plans?"
    r"|address|{bookable})\b"
)
_LOOKS = compiled(
    r"\b(?:me|us|i|we|to) (?:first |also |now |then |to |go ahead and ){0,6}(?:search|check|look|find|see|explore"
    r"|review|verify"
    r"|retrieve|list|show|provide|explain|walk|speak"
    rf"|talk|transfer|connect|escalate|(?:placed?|put) you on (?:a |brief |short )*hold|ask(?:ed)? you|hear|consider"
    rf"|hand|run|troubleshoot|try|(?:help"
    rf"|assist)(?! (?:you )?(?:with |to )?(?:\w+ ){{0,2}}?(?:{DOING_SO}|{VERB}|{NOUN})))\b"
)
_THEN_LOOKS = compiled(r"\b(?:i'll|i will|let me|i can|so i can) (?:\w+ )?(?:check|see|look|search|find)\b")
_CHOICE = compiled(
    r"\b(?:like|want|wish|care) to (?:add|purchase|buy|include|get|take(?: out)?) (?:\w+ ){0,3}?(?:insur\w+|protection"
    r"|coverage|warranty)\b",
    r"\b(?:start|begin|continue|go on|move on|proceed) with (?:the|your|our) (?:remaining|other|rest|next|first"
    r"|search"
    r"|check|investigation|look-?up|troubleshooting|steps?|verification"
    r"|second)\b",
    r"\b(?:start|begin|resume|continue|proceed)(?: with)? (?:(?:a|the|your|our|another"
    r"|my) )?(?:\w+ )?(?:search\w*|checks?"
    r"|checking|look-?up|verif\w+|troubleshoot\w*|diagnos\w+|investigat\w+)\b",
    r"\b(?:start|begin|continue|keep|resume|proceed|go ahead|go on|carry on|move (?:on|forward|ahead))(?: by| with)? "
    r"(?:to )?(?:finding|looking|checking|searching|retrieving|gathering|exploring|reviewing|listing|collecting"
    r"|verifying|locating|pulling|comparing|identifying|investigating|fetching|obtaining|calculating|estimating"
    r"|determining|researching|browsing|troubleshooting|diagnosing|discussing|showing)\b",
    r"\b(?:with|follow|try|through) (?:these|those|this|the) (?:\w+ )?steps?\b",
    r"^or |\ban? [\w-]+ or an? \w|^(?:is|was) there (?:anything|something) else\b|\b(?:either|(?:one|any)"
    r" of (?:these|the|those|them)|another one)\b",
    r" or (?:would you|do you|should i|should we|shall i|shall we|is there|are there|if there|a different"
    r"|another|cancel|modify"
    r"|return|exchange|keep|change|choose|add|remove"
    r"|switch|upgrade|look|prefer|maybe|perhaps|explore|provide the|must it|leave)\b",
    r"\b(?:to|for|into) (?:a |an )?(?:different|another|other|alternative)\b|\ba (?:\w+ )?option\b"
    r"|\b(?:is|was) (?:it|this|that) (?:the|an?) [^?]{1,80} or (?:the|an?)\b|\boption \w+ or (?:option )?\w+"
    r"|\bboth\b[^.]{1,40} or (?:only|just)\b"
    r"|\bwhether you(?:'d| would) (?:like|want|prefer) (?:the|an?) \S+ or (?:the|an?)\b"
    r"|\bis (?:the one|the only|your order|the correct (?:order|account))\b|\bstill the (?:right|correct)\b",
    r"\b(?:i'll|i will) (?:then )?(?:explain|prepare|summari[sz]e|guide|begin|start|confirm everything|walk)\b",
    r"\bare you sure you (?:don't|do not|still)\b|\bso (?:that )?i can (?:calculate|check|look|verify"
    r"|find|locate|prepare)\b",
    r"\bi (?:can|will|could) (?:assist|help|guide) you (?:further|with the next)\b",
)
_BESIDES = compiled(
    r", or let me know\b| and (?:please |also )*(?:let me know|provide|tell me|specify|give me|share|state) (?!if "
    r"|whether )"
)
"""The end of a question for a yes, where another question begins."""

_LISTED = compiled(r", or |, .{1,60} or ")
_EITHER = compiled(r"(?<!\byes) or (?!not?\b|so\b|more\b|less\b|fewer\b|later\b|earlier\b|above\b|below\b|better\b)")
"""Alternatives in a question, such as `Shall I refund it to the card or to the account?`"""

_THEN = compiled(
    r",? and (?:please )?(?:provide|let me know|tell me|specify|give me|share|if so|should|shall|would|do|is"
    r"|are|which|what|how)\b"
)
_LATER = compiled(
    r"^(?:feel free|whenever|if you\b(?!.*please confirm).*\blet me know)|\bwhen(?:ever)? you(?:'re"
    r"| are) ready\b|^please (?:feel free|let me know when)",
    r"\b(?:once|when|after|as soon as) you .{1,60}\bready to\b|\bask (?:for|you for) your (?:\w+ )?\w+ (?:before"
    r"|first)\b",
    r"^if you(?:'d| would)? (?:like|want|wish|prefer).{0,120}please (?:provide|share|tell|send|give|specify)",
)
_WHICH = compiled(
    r"\b(?:confirm|specify|tell me|let me know|choose|select|say|clarify|indicate) which (?!(?:\w+ ){0,3}?(?:payment"
    r"|card"
    r"|method|account|certificates?|reason|way)\b)(?:\w+ ){1,4}?(?:you|it|to|i|we)\b"
)
_ASKS_AGAIN = compiled(
    r"\bso (?:that )?(?:i|we) can\b.{1,120}\bfor (?:your )?(?:\w+ )?(?:confirmation|approval|review)\b",
    r"\b(?:i|we)(?:'ll| will) (?:then |also )?ask (?:you )?(?:again )?(?:for|to)\b.{1,60}\b(?:confirm\w*|approv\w+"
    r"|consent)\b",
    r"\bi(?:'ll| will) (?:then |first )?(?:explain|summari[sz]e|prepare|list|outline|show|walk)\b"
    r".*\b(?:approval|confirmation|consent|permission|yes|go-ahead)\b",
)
_ONCE = compiled(
    r"\b(?:once|when|after|as soon as) (?:you(?:'ve| have)? )?(?:[\w ]{1,25} and )?confirm(?:ed)?\b"
    r"(?! (?:your|which|what|how|whether|when|where|the (?:\w+ )?(?:name|number|date|reason|id|model|size"
    r"|colou?r|address"
    r"|item|method|option|time))\b).{0,20}\b(?:i"
    r"|we)(?:'ll| will| can) "
    r"(?!explain|guide|begin|start|provide|walk|prepare|summari[sz]e|let|check|look|confirm|tell|be able)",
    r"\bplease confirm\b.*#\w+.*\bi(?:'ll| will)\b",
    r"\b(?:once|after|when) (?:i (?:hear|have|get)|you say) (?:a |your |an? \w+ )?(?:yes|ok|okay|confirmation"
    r"|approval)\b",
)
_BESIDE = compiled(
    r"\b(?:proceed|confirm|agree|okay|ok)\b.{0,120}\b(?:and|also|,) (?:please |also |if so,? )*(?:let me know|provide"
    r"|specify|choose|tell me|share|if there are|select|would you tell me|i(?:'ll| will)? need|should (?:the|it)"
    r"|which|what|how) "
    r"(?!if you(?:'d| would)? (?:like|want) (?:me )?to (?:proceed|go)|if i |whether i )"
)
_HOW = compiled(
    r"\b(?:how|what) (?:you(?:'d| would) (?:like|prefer)|do you want|would you like|you want"
    r"|you prefer)\b(?: me)?(?: to (?:proceed|continue|do|go on)\b|$|[.?!])"
    r"|\bwhat would (?:help|suit|work|be|feel)(?: \w+){0,2}? (?:most|best|better|right|helpful|useful|easiest)\b"
)
_GOES_ON = compiled(
    r"^(?:please )?(?:let me know|tell me) how you(?:'d| would) like (?:me )?to (?:proceed|continue|go on"
    r"|go ahead)[.!]?$"
)
# "Is that what you want?" contains a `what`, but is a question for a yes.
_STEP = compiled(
    r"\b(?:with|to|on) (?:\w+ing |\w+ )?(?:your|the) (?:(?:{devices}|network) |{switches}|phone|device"
    r"|router)"
    r"|\b(?:rebooting|restarting|{switches}|{devices} settings)\b"
)
_BY_AGENT = compiled(r"\b(?:i|me|we|us|line|account)\b")
_WHAT_YOU_WANT = compiled(
    r"\b(?:(?:is|are|was) (?:that|this|it|these|those|everything)|(?:if|confirm|verify|sure)"
    r"(?: that| if| whether)? (?:that|this|it|these|those|everything)(?: \w+)?(?: is| are|'s)|\b(?:reflects?"
    r"|match(?:es)?|captures?|fits?|meets?))"
    r"(?: all| exactly| really)* what you(?:'d| would| had"
    r"|'re| are)? (?:like|want|wanted|need|mean|meant|wish|asked for|after|in mind)\b"
)
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


def asks_for_yes(view: str, words: frozenset[str]) -> bool:
    """Return whether a sentence asks for a yes to a future action."""
    view = questions.core(view)
    plan, dash, tail = view.rpartition(" - ")
    if dash and tail.endswith("?") and _PLANS.search(plan) and bare(own := words_of(tail)) and asks_for_yes(tail, own):
        return True
    if "what you" in view and _WHAT_YOU_WANT.search(view):
        return True
    found = _YES.search(view, words)
    if not found and view.endswith("?"):
        found = _ASKED.search(view, words) or _BARE.match(view)
    if not found and ("?" in view or view.endswith(":")):
        found = _YOURSELF.search(view, words)
        if found and _LISTED.search(view, found.end()):
            return False
    if not found:
        return "confirm" in view and bool(_ONCE.search(view))
    if (
        _OPEN.search(view, 0, found.end())
        or _CHOICE.search(_BESIDES.split(view, maxsplit=1)[0])
        or _LATER.search(view)
        or _OPEN_AFTER.search(view)
        or (" or " in view and view.endswith("?") and _EITHER.search(_THEN.split(view, maxsplit=1)[0], found.start()))
    ):
        return False
    if _LOOKS.search(view, found.start(), found.end() + 20):
        return False
    if _STEP.search(view) and not _BY_AGENT.search(view):
        return False
    return bool(_ONCE.search(view)) or not (checks.of_detail(view) or checks.of_facts(view))


def chooses(view: str) -> bool:
    """Return whether a sentence asks which of several things the change is about, and not only for the way to pay."""
    return "which " in view and bool(_WHICH.search(view))


def also_asks(view: str) -> bool:
    """Return whether a sentence asks for a yes and also for a detail."""
    return bool(_BESIDE.search(view))


def only_once(view: str, words: frozenset[str]) -> bool:
    """Return whether a sentence asks for no yes, but announces what will follow one."""
    return not _YES.search(view, words) and bool(_ONCE.search(view))


def asks_again(view: str) -> bool:
    """Return whether a sentence says that the agent will ask later: `I'll summarise it and ask for your yes`."""
    return bool(_ASKS_AGAIN.search(view))


def then_looks(view: str) -> bool:
    """Return whether a sentence announces a look-up."""
    return bool(_THEN_LOOKS.search(view))


def bare(words: frozenset[str]) -> bool:
    """Return whether a sentence names nothing and only refers to earlier words."""
    return words <= _POINTERS


def goes_either_way(view: str) -> bool:
    """Return whether a sentence only asks how to go on, after a question: `Let me know how you'd like to proceed!`"""
    return _GOES_ON.match(view) is not None


def opens(view: str) -> bool:
    """Return whether a sentence asks the user how to go on."""
    return ("how " in view or "what " in view) and bool(_HOW.search(view)) and not _WHAT_YOU_WANT.search(view)
