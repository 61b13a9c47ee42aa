"""Sentences of the members."""

SHARED = (
    "{title} <{url}|{publisher}>",
    "Did you see this? {title} <{url}|{publisher}>",
    "{ticker}: {title} <{url}>",
    "For those who follow {ticker}: <{url}|{title}>",
    "<{url}|{title}> - anybody with a view?",
    "New on {name}: <{url}|{title}>",
)
RESULTS = (
    "{ticker} is out: {eps} a share against {eps_expected} expected, revenue {revenue}.",
    "{name} {quarter}: EPS {eps} (consensus {eps_expected}), sales {revenue}.",
    "Numbers from {name}. Revenue {revenue}, {eps} a share. The street had {eps_expected}.",
    "{ticker} {quarter} results just landed: {revenue} in sales and {eps} a share.",
)
REMARKS = (
    "Last close before that was {close}.",
    "For context, the shares had {month_change} over the month before.",
    "Over twelve months the shares have {year_change}, so a lot is in the price.",
    "Market value is about {value} at the last close.",
    "{chief} sounded calm about this when I last heard a call.",
    "I would ask {finance} about it, the finance chief rarely dodges.",
    "Last reported sales were {last_revenue}, keep that in mind.",
    "Not a surprise, if you ask me.",
    "This matters more for the {product} than for the rest.",
    "Will put it into the morning note.",
    "Let's not overreact.",
    "What does {analyst} at {house} say?",
    "Can somebody update the model?",
    "On it.",
    "Thanks, very useful.",
    "{name} again.",
    "I saw the same elsewhere, word for word.",
    "Somebody in my family works there. Not a source, I know.",
    "Would be good to have the numbers behind that in one place.",
    "That was on nobody's list for this month.",
    "The desk has had two calls about it already.",
    "I would wait for the next report of {name}.",
    "Compliance reminder: no positions in {ticker} for the team this week.",
    "Which of us follows {ticker} now?",
    "Does that change anything about our view?",
    "Honestly, I expected worse.",
    "Honestly, I expected more.",
    "Long overdue.",
    "The headline is louder than the story.",
    "We should write about {name} before the others do.",
    "Adding it to the {ticker} file.",
    "Client just asked about exactly this.",
    "Can we get a second source?",
    "I will call {house} in the morning, {analyst} usually knows.",
    "{city} will be talking about it.",
    "At {close} the shares do not look dear to me.",
    "Their fiscal year ends in {fiscal_end}, so this falls into a quiet spell.",
    "For those who are new: {name} is the company behind the {product}.",
)
EARNED = (
    "Net income was {net_income}, if anybody needs it.",
    "Revenue {growth} from a year ago ({revenue_year_before} then).",
    "So revenue was {revenue_versus} the {revenue_expected} that was expected.",
    "Consensus for revenue was {revenue_expected}, for the record.",
    "EPS {eps_versus} consensus, then.",
)
MISHEARD = (
    "I have {wrong} for {what}?",
    "My screen says {wrong} for {what}.",
    "Wait, {what} was {wrong}, no?",
    "{what_capital} was {wrong}, I think.",
)
CORRECTED = (
    "No, {right}. It is in the release.",
    "That is not right: {what} was {right}.",
    "Please check again, I have {right} from the company.",
    "<@{user}> {right} is correct, the other number is from somewhere else.",
)
SORRY = ("Right, my mistake.", "Thanks, corrected.", "Ah, I was in the wrong line.", "Agreed, sorry.")

LINES = {
    "revenue": "revenue", "gross_profit": "gross profit", "operating_income": "operating income",
    "net_income": "net income", "research_and_development": "spending on research and development",
    "interest_expense": "interest expense",
}  # fmt: skip
SHEET = {
    "cash": "cash", "inventory": "inventory", "total_debt": "total debt", "total_assets": "total assets",
    "receivables": "receivables", "goodwill": "goodwill",
}  # fmt: skip
ASK_LINE = (
    "Can somebody give me the {line} of {name} for {quarter} {year}?",
    "Need {ticker}'s {line}, fiscal {year}, {quarter}. Thanks!",
    "What was {line} at {name} in the {quarter} of fiscal {year}?",
    "<@{user}> do you have {line} for {ticker}, {quarter} {year}, at hand?",
)
ASK_CLOSE = (
    "What did {ticker} close at on {day}?",
    "Closing price of {name} on {day}, anyone?",
    "Could the data team post the {day} close of {ticker} here? As traded, please.",
)
ASK_PAGE = (
    "Does anybody know the {attribute} of the {subject}?",
    "I need the {attribute} for {subject}. The usual services do not have it.",
    "Looking for the {attribute} of {subject}, I am sure it is on the web somewhere.",
    "<@{user}> any idea about the {attribute} of {subject}?",
)
ANSWERS = ("{answer}.", "{answer}, from the filing.", "It is {answer}.", "I have {answer}.", "{answer} :point_up:")
CLOSES = ("{answer}.", "{answer}, unadjusted.", "That was {answer}.", "{answer} on the tape.")
FOUND = (
    "{answer}, see <{url}>.", "Found it: {answer}. <{url}|{title}>", "According to <{url}|this page> it is {answer}.",
)  # fmt: skip
THANKS = ("Perfect, thank you.", "Thanks!", "Great, that was quick.", "Brilliant, thanks <@{user}>.", ":pray:")
NUDGES = ("Bumping this.", "Still looking for this one.", "Anybody?", "No rush, but I need it for Thursday's note.")

CLIPPED = (
    "Worth a read: <{url}|{title}>",
    "<{url}|{title}>, the part about {subject} is new to me.",
    "Found this on {name}: <{url}>",
    "For the file on {ticker}: <{url}|{title}>",
    "Somebody should pass this on to the {ticker} team. <{url}|{title}>",
)
QUOTED = (
    "It says that the {attribute} of {subject} is {value}.",
    "Interesting: {attribute} of {subject} - {value}.",
    "{subject}: {attribute} {value}. Did we have that?",
)
NOTICES = (
    "The office closes at noon on the day before the holiday.",
    "The morning meeting moves to 8:45 from next week on.",
    "Please file your travel costs by the end of the month.",
    "New laptops arrive on Tuesday. Back up your files first.",
    "Reminder: questions about single shares that you hold yourself go to compliance first.",
    "The fire drill is on Thursday at ten. Yes, again.",
    "Holiday lists for the summer are open; first come, first served.",
    "The data team is short of hands this week. One request, one thread, please.",
    "We have renewed the lease of the third floor.",
    "Please do not paste client names into public channels.",
)
HOLIDAYS = (
    "Exchanges are closed on {day}: {holiday}.",
    "No trading on {day} ({holiday}).",
    "Reminder: {day} is {holiday}, exchanges are closed.",
)
EARLY = ("Exchanges close at 13:00 on {day}.", "Half day on {day}: the close is at 13:00 in New York.")
FILED = (
    "{ticker} has filed its report for the {quarter}.",
    "New filing: {ticker}, {quarter}.",
    "Quarterly report of {ticker} is in ({quarter}).",
)
CHATTER = (
    "The coffee machine on the second floor is back.", "Who took the blue umbrella?", "Train is late. Again.",
    "There is cake in the kitchen.", "Does anybody need a plant? I have too many.", "Is the heating off on purpose?",
    "Found a pair of glasses in the small meeting room.", "My dog has learned to open the fridge.",
    "Quiz night on Wednesday, we are one short.", "Somebody left a bicycle in the lift.", "Happy Friday.",
    "The new place on the corner does a good soup.", "Anyone up for a run at lunch?", "I can recommend the exhibition.",
    "The window on the stairs is stuck.", "Lost: one mitten.", "Who has the key to the archive?",
)  # fmt: skip
BANTER = (
    "Mine!", "Count me in.", "Not again.", "That was me, sorry.", "Thanks for telling.", "Ha.", "On my way.",
    "I will have a look.", "Tomorrow works for me.", "Same here.", "Found it.", "Ask the office manager.",
)  # fmt: skip
