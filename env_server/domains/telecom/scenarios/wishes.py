"""How callers bring up what they want: phrases that follow `I would like to`, some of them for `test` alone.

They say nothing that an agent has to ask for.
"""

SUSPEND = (
    "suspend a line",
    "put one of my lines on hold",
    "have a line of mine suspended",
    "pause one of my lines",
    "stop a line for a while",
    "get a line of mine suspended for some time",
    # Kept for the held-out split.
    "take one of my lines out of use for now",
    "freeze a line until I want it back",
    "have one of my lines rest for a while",
)
RESUME = (
    "have a suspended line work again",
    "bring one of my lines back into use",
    "resume a line that is suspended",
    "get a suspended line of mine active again",
    "have a line switched back on",
    "reactivate one of my lines",
    # Kept for the held-out split.
    "wake up a line that was put on hold",
    "use one of my suspended lines once more",
    "end the suspension of one of my lines",
)
ROAM = (
    "have roaming enabled for a line",
    "use one of my lines abroad, with roaming",
    "get roaming for a line of mine",
    "enable roaming on one of my lines",
    "have a line made ready for roaming abroad",
    "turn on roaming for one of my lines",
    # Kept for the held-out split.
    "let a line of mine roam in other countries",
    "make sure that a line roams when I travel",
    "have one of my lines cleared for networks abroad",
)
STAY = (
    "have roaming switched off for a line",
    "keep one of my lines from roaming",
    "disable roaming on a line of mine",
    "turn off roaming for one of my lines",
    "have a line no longer roam",
    "get roaming removed from one of my lines",
    # Kept for the held-out split.
    "stop a line of mine from using networks abroad",
    "put an end to roaming on one of my lines",
    "make sure that a line does not roam any more",
)
REFUEL = (
    "add data to a line for this month",
    "get more data for this month",
    "top up the data of one of my lines",
    "buy some more data for a line",
    "have data added to one of my lines",
    "refuel the data on a line",
    # Kept for the held-out split.
    "stretch the data of a line until the month is over",
    "book extra gigabytes for one of my lines",
    "put more data on a line of mine",
)
REFUEL_TOLD = (
    "get more data for this month and hear what it costs",
    "add data to a line and know the price",
    "top up the data of one of my lines and be told the cost",
    "buy more data for a line, and learn what I pay for it",
    "have data added to a line and its price named",
    "refuel the data on a line and hear the charge",
    # Kept for the held-out split.
    "book extra gigabytes for a line and find out what that comes to",
    "put more data on a line and know what it does to my bill",
    "stretch the data of a line and hear how much that sets me back",
)
CHANGE_PLAN = (
    "change the plan of a line",
    "have another plan on one of my lines",
    "put a line on a different plan",
    "switch plans on one of my lines",
    "move a line of mine to another plan",
    "get a line onto a new plan",
    # Kept for the held-out split.
    "swap the plan that one of my lines is on",
    "leave the present plan of a line for another",
    "have a line of mine run on a different plan",
)
PLAN_FOR_NEED = (
    "have another plan for a line and know by how much its monthly price differs",
    "change the plan of a line and hear the difference in price per month",
    "switch a line to a plan that suits me and be told how much the monthly price changes",
    "get a different plan for a line, and learn what it changes per month",
    "move a line to a fitting plan and know the monthly difference",
    "put a line on a better plan and hear how far the monthly prices are apart",
    # Kept for the held-out split.
    "find a plan that fits a line better, take it, and hear the gap between the monthly prices",
    "let you pick a plan by my needs for a line, and hear what the switch changes each month",
    "trade the plan of a line for a fitting one and find out the difference each month",
)
NEEDS = (
    "The cheapest other phone plan with at least {} GB.",
    "Whichever other phone plan is cheapest with {} GB or more.",
    "I need {} GB at least; the cheapest other phone plan that has it.",
    "At least {} GB, and as cheap as possible, but not the plan it is on.",
    "The least expensive of the other phone plans from {} GB on.",
    # Kept for the held-out split.
    "{} GB is the least I need. Take the other phone plan that does it for the lowest price.",
    "Any other phone plan with no less than {} GB, the cheapest of them.",
    "It has to have {} GB or more, be another phone plan, and cost as little as can be.",
)
PAY = (
    "pay a bill",
    "settle one of my bills",
    "have a bill paid",
    "get one of my bills out of the way",
    "pay for one of my bills",
    "clear a bill of mine",
    # Kept for the held-out split.
    "see to it that a bill of mine is paid",
    "take care of one of my bills",
    "be done with a bill",
)
PAY_TOLD = (
    "pay a bill and be told how much it was",
    "settle one of my bills and hear the amount",
    "have a bill paid and know what it came to",
    "get one of my bills paid, and learn its amount",
    "pay one of my bills and hear what it took",
    "clear a bill of mine and know the sum",
    # Kept for the held-out split.
    "take care of a bill and find out how large it was",
    "see one of my bills paid and have its amount named",
    "be done with a bill and hear what it cost me",
)
PAY_FIRST = (
    "pay one of my overdue bills",
    "catch up on an overdue bill",
    "settle a bill that is overdue",
    "get a bill paid that I have missed",
    "have an overdue bill of mine paid",
    "clear one of my overdue bills",
    # Kept for the held-out split.
    "make up for a bill that I forgot",
    "put right a bill that is past its day",
    "see one of the overdue bills gone",
)
PAY_AHEAD = (
    "pay the next bill ahead",
    "pay a bill before I forget it",
    "settle my bill for the coming month",
    "get my next bill paid",
    "have my newest bill paid early",
    "pay for next month already",
    # Kept for the held-out split.
    "have the coming bill off my mind",
    "pay early this time",
    "settle what next month is going to cost",
)
ONE_METHOD = (
    "pay a bill with a stored payment method",
    "have a bill charged to a payment method that you have on file",
    "settle a bill by one of my stored payment methods",
    "use a payment method of mine for a bill",
    "get a bill charged as it is stored with you",
    "let you charge a bill to a method in my account",
    # Kept for the held-out split.
    "have a bill taken from what is stored in my account",
    "pay one of my bills with what you keep on file for me",
    "settle a bill without typing in any card",
)
ANOTHER_WAY = (
    "pay it another way",
    "pay that bill differently",
    "settle that bill by other means",
    "use something else for that bill",
    "have that bill paid otherwise",
    "choose another way to pay it",
    # Kept for the held-out split.
    "fall back on another way of paying that bill",
    "take a different route for that bill",
    "get the bill paid by something else",
)
NEWEST = (
    "pay my newest bill",
    "settle the latest bill",
    "have my most recent bill paid",
    "pay the bill that came last",
    "get my latest bill out of the way",
    "pay this month's bill",
    # Kept for the held-out split.
    "deal with the bill that I got last",
    "see my most recent bill settled",
    "have the latest of my bills off the table",
)
OLDEST = (
    "pay the oldest overdue one today, and only that",
    "have only the oldest overdue bill paid",
    "settle the oldest overdue bill and no other",
    "pay just the oldest bill that is overdue",
    "begin with the oldest overdue bill, nothing else today",
    "get the oldest of the overdue bills paid, that one alone",
    # Kept for the held-out split.
    "deal with the oldest overdue bill and leave the rest for later",
    "see to the one that has been overdue the longest, and stop there",
    "take the oldest overdue bill off the list, no more than that",
)
CATCH_UP = (
    "pay all that is overdue first, and have the line resumed after that",
    "pay every overdue bill and then have that line back",
    "settle what is overdue, and get the line resumed then",
    "have all overdue bills paid and the line reactivated afterwards",
    "clear the overdue bills so that the line can be resumed",
    "pay what I owe that is overdue, then see the line working",
    # Kept for the held-out split.
    "get even with the overdue bills, one by one, and have that line running after that",
    "do the overdue bills now, and the line right after",
    "make good on everything overdue and get my line for it",
)
AS_MUCH = (
    "add as much as I can still get",
    "take as much as is possible",
    "have all the data that the rules still allow",
    "get the most that can be added",
    "fill it up to the limit",
    "have whatever is left up to the maximum",
    # Kept for the held-out split.
    "go as far as the rules let you with that line",
    "have the rest of what it may hold",
    "max it out",
)
FITTING = (
    "put the line on another plan that I have in mind",
    "take a different plan for that line",
    "have the next plan on my list",
    "go for another plan on that line",
    "choose my second favourite plan",
    "have that line on my other choice",
    # Kept for the held-out split.
    "settle for the plan that I liked second best",
    "fall back on the other plan I looked at",
    "move that line to the runner-up among the plans",
)
DATA_LEFT = (
    "know how much data a line has left",
    "hear how many GB are left on a line",
    "find out what data remains on one of my lines",
    "learn how much data I can still use on a line",
    "be told the data left on one of my lines",
    "check the remaining data of a line",
    # Kept for the held-out split.
    "see how far the data of a line will take me",
    "get the number of gigabytes that a line still has",
    "hear what is still there of the data on one of my lines",
)
AMOUNT_DUE = (
    "know how much I owe you in total",
    "hear what all my unpaid bills come to",
    "find out the total of my open bills",
    "be told what I owe altogether",
    "learn the sum of everything unpaid",
    "check what my unpaid bills add up to",
    # Kept for the held-out split.
    "see the whole of my debts with you in one number",
    "get the grand total of what is still to be paid",
    "hear how deep I am in with all my open bills",
)
MONTHLY_COST = (
    "know what my plans cost me a month",
    "hear how much the plans of my active lines are together",
    "find out the monthly price of all my plans",
    "be told what I pay per month for my plans",
    "learn what all my plans add up to each month",
    "check the monthly sum of my plans",
    # Kept for the held-out split.
    "see what my plans take out of my purse month by month",
    "get one number for all my plans per month",
    "hear what my active lines together cost by plan",
)
QUOTE = (
    "know what it would cost to add data to a line",
    "hear the price of more data on a line",
    "find out what extra data for a line would cost",
    "be quoted a price for data on one of my lines",
    "learn what I would pay for more data on a line",
    "ask what added data comes to on one of my lines",
    # Kept for the held-out split.
    "get an idea of the cost of a data top-up before I decide",
    "see what some gigabytes more would set me back",
    "hear, without buying any, what more data on a line is",
)
COMPARE = (
    "know by how much my monthly price would change with another plan",
    "hear the monthly difference between a line's plan and another one",
    "find out how far apart a line's plan and another are in price",
    "be told what another plan would change per month",
    "learn the difference in monthly price between two plans",
    "compare the price of a line's plan with another",
    # Kept for the held-out split.
    "weigh another plan against the one I have, by the month",
    "get the gap between what I pay for a line's plan and what another costs",
    "see what a different plan would do to the monthly price of a line",
)
BILL_ITEM = (
    "know about an entry on one of my bills",
    "ask about an entry on a bill",
    "find out what something on a bill cost",
    "hear the amount of an entry on one of my bills",
    "understand an entry on a bill of mine",
    "check one of the entries on my bill",
    # Kept for the held-out split.
    "go through a detail of one of my bills",
    "look into a line of my bill with you",
    "get to the bottom of an entry on a bill",
)
CONTRACT_END = (
    "know until when the contract of a line runs",
    "hear the date on which a line's contract ends",
    "find out when one of my contracts ends",
    "be told the end date of a line's contract",
    "learn how long the contract of a line goes on",
    "check when the contract of one of my lines is over",
    # Kept for the held-out split.
    "see for how long I am bound with one of my lines",
    "get the last day of the contract for a line",
    "hear when a line of mine comes out of its contract",
)
DUE_DATE = (
    "know by when a bill has to be paid",
    "hear the due date of one of my bills",
    "find out when a bill is due",
    "be told the day a bill of mine is due",
    "learn until when I can pay a bill",
    "check the due date on a bill",
    # Kept for the held-out split.
    "see how much time one of my bills gave me",
    "get the day on which a bill falls due",
    "hear what the latest day for a bill is",
)

PRICES = ("cost", "price", "charge", "pay", "comes to", "come to", "next bill")
DIFFERENCES = ("differ", "difference", "more", "less", "lower", "higher", "cheaper", "dearer", "save", "rise", "drop")
SUMS = ("amount", "total", "came to", "comes to", "charged", "paid", ("bill", "was"), ("bill", "is"))
TOTALS = ("total", "together", "sum", "altogether", "both", "add up", "adds up")
PAY_BOTH = (
    "pay the other overdue bill as well and hear what the two come to together",
    "have my second overdue bill paid too, and know the total of both",
    "settle the next overdue bill after that and be told the sum of the two",
    "clear the remaining overdue bill and learn what both were altogether",
    "get the other overdue bill out of the way and hear the total",
    "pay what is overdue besides, and find out what the two make together",
    # Kept for the held-out split.
    "leave no overdue bill open, so the second one too, and get the sum of the pair",
    "finish with the other bill that I missed and see what the two amount to",
    "put the second overdue bill right and have the two added up for me",
)
