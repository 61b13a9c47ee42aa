"""How callers bring up questions. The last third of each bank is heard in the `test` split alone."""

CART_BILL = (
    "know what I would pay in all for my cart",
    "hear the total of my cart if I ordered it",
    "find out what ordering my cart would cost altogether",
    "be told the full price of what is in my cart, fees included",
    "learn what my cart comes to with all fees",
    # Kept for the held-out split.
    "get the grand total of my cart before I decide",
    "have the whole bill of my cart worked out",
    "see what I would be charged for my cart",
)
CODE_VALUE = (
    "know how many dollars a promo code would take off my cart",
    "hear what a promo code would save me on my cart",
    "find out how much a code takes off what is in my cart",
    "be told the discount that a promo code gives on my cart",
    "learn how many dollars less my cart would be with a code",
    # Kept for the held-out split.
    "have the saving of a code on my cart worked out",
    "get to know what a voucher code is worth for my cart",
    "see in dollars what a code would do for my cart",
)
CANCELLING_COST = (
    "know what it would cost to cancel an order now",
    "hear the fee for cancelling an order, without cancelling it yet",
    "find out what fee a cancellation would take",
    "be told what I would lose by cancelling an order",
    "learn the cancellation fee of an order before I decide",
    # Kept for the held-out split.
    "get to know what calling off an order would cost me",
    "have the fee for a cancellation worked out, nothing more",
    "see what fee I would face if I cancelled an order",
)
REFUND_VALUE = (
    "know how much I would get back for something that was missing",
    "hear what a missing item would bring me, without a refund yet",
    "find out what would be refunded for an item that did not come",
    "be told the refund for a missing item before I decide",
    "learn how much money a missing item is worth in a refund",
    # Kept for the held-out split.
    "get to know what I could have back for food left out",
    "have the refund for a missing item worked out, nothing more",
    "see what would come back to me for an item that was not there",
)
WHOLE_ITEM = (
    "It is the {}, all of what I ordered of it.",
    "The {}, all of it.",
    "All of the {} was missing.",
    "I speak of the {}, the whole of it.",
    "That is the {}, as many as I ordered.",
    # Kept for the held-out split.
    "The whole {} did not come.",
    "Every {} that I ordered.",
    "It concerns all of the {}.",
)
SPENT = (
    "know what my latest {} orders cost together",
    "hear the sum of my last {} orders",
    "find out what I spent on my latest {} orders in all",
    "be told what my {} newest orders came to together",
    "learn the combined total of my latest {} orders",
    # Kept for the held-out split.
    "get the sum of the totals of my {} most recent orders",
    "have my last {} orders added up",
    "see what went into my {} latest orders altogether",
)
WHATEVER_BECAME = (
    "The latest {}, whatever became of them, by their totals.",
    "The {} newest ones, cancelled or not; take their totals.",
    "Just the last {}, no matter what came of them, total by total.",
    "All of the latest {}, the totals as they stand on the orders.",
    "My {} most recent ones, whatever their status, by the totals.",
    # Kept for the held-out split.
    "Count the {} latest, whether they arrived or not, with the totals.",
    "Take the last {} as they are, status aside, and the totals on them.",
    "The totals of the newest {}, even of a cancelled one.",
)
GOT_BACK = (
    "know how much money I got back over the last 30 days",
    "hear what was refunded to me within the last 30 days",
    "find out how much I had back from you in the past 30 days",
    "be told the sum of my refunds of the last 30 days",
    "learn what you gave back to me over the last 30 days",
    # Kept for the held-out split.
    "get the sum of what returned to me in 30 days",
    "have my refunds of the past 30 days added up",
    "see what came back to me during the last 30 days",
)
ALL_REFUNDS = (
    "For all orders, please, cancelled ones included.",
    "Whatever the order, cancelled ones too.",
    "Everything counts, also for cancelled orders.",
    "Of every order, those that were cancelled as well.",
    "All of it, with what came from cancelled orders.",
    # Kept for the held-out split.
    "Leave nothing out, cancelled orders count too.",
    "Across all orders, even the cancelled.",
    "Every refund, from cancelled orders also.",
)
WAY = (
    "know how many miles a restaurant is from me and within how many minutes it would deliver",
    "hear the miles to a restaurant and the minutes a delivery would take",
    "find out how far a restaurant is, in miles, and how many minutes it needs",
    "be told the distance of a restaurant in miles and its delivery time in minutes",
    "learn how many miles and how many minutes away a restaurant is",
    # Kept for the held-out split.
    "get the distance to a restaurant in miles and the minutes to a delivery",
    "have the miles and the minutes from a restaurant to me looked up",
    "see how far off a restaurant is, in miles and in minutes of delivery",
)
MENU_PRICE = (
    "know what a dish would cost, before fees and tax",
    "hear the price of a dish with its options, fees and tax aside",
    "find out what some food would cost me before fees",
    "be told the price of a dish in a certain quantity, without fees and tax",
    "learn what a dish comes to before tax and fees",
    # Kept for the held-out split.
    "get the bare price of a dish, no fees and no tax in it",
    "have the price of some food worked out, fees left aside",
    "see what I would pay for a dish alone",
)
HOW_MUCH_OF_IT = (
    "I mean {}, all together.",
    "{}, and the price of all of it.",
    "It is {}; I want the sum.",
    "That would be {}, taken together.",
    "Think of {}, the whole of it.",
    # Kept for the held-out split.
    "Say {}, added up.",
    "For {}, in one sum.",
    "{} is what I have in mind, everything together.",
)
FROM_ADDRESS = (
    "I mean {}.",
    "From {}.",
    "Seen from {}.",
    "The address is {}.",
    "Take {}.",
    # Kept for the held-out split.
    "I am thinking of {}.",
    "Measure it to {}.",
    "It is about {}.",
)
"""Wordings for the caller's address that a question is about."""

AT_PLACE = (
    "I mean {}.",
    "The restaurant is {}.",
    "It is about {}.",
    "I am asking about {}.",
    "At {}.",
    # Kept for the held-out split.
    "The place I have in mind is {}.",
    "My question is about {}.",
    "I speak of {}.",
)
