"""The wordings of what shoppers say of their wishes; the last third of each bank is for the `test` split alone."""

ORDER = (
    "It is order {}.",
    "The order number is {}.",
    "That would be order {}.",
    "I have the number here: {}.",
    "It says {} on my confirmation.",
    "My order is {}.",
    "Order {}, please.",
    "You will find it under {}.",
    # For `test`.
    "The one I mean carries the number {}.",
    "According to the e-mail you sent me it is {}.",
    "Number {} is the one in question.",
    "I am looking at {} right now.",
    "Let me read it out: {}.",
)
ORDER_WITH = (
    "I do not have the number, but it is the order with the {} in it.",
    "I have lost the number; it is the one in which I bought the {}.",
    "No idea what its number is. There is the {} in it.",
    "It is the order with the {}; the number I cannot find.",
    "I only know that the {} was part of it.",
    "The number escapes me, but that order contains the {}.",
    # For `test`.
    "Sorry, I threw the papers away. Look for the {}, it is in that order.",
    "I could not tell you the number. The {} belongs to it, though.",
    "Whichever of my orders has the {} in it.",
    "Without the number, I am afraid; it includes the {}.",
)
ADDRESS = (
    "The new address is {}.",
    "It should be {}.",
    "Please take this one: {}.",
    "From now on I am at {}.",
    "Write down {}, please.",
    "My new place is {}.",
    "Here it is: {}.",
    "The right one is {}.",
    # For `test`.
    "I live at {} these days.",
    "Make that {}.",
    "You can note {} for me.",
    "We are to be found at {} now.",
)
HOME = (
    "Please use the default address in my profile.",
    "To the address in my profile, please.",
    "To my home, the default address that you have.",
    "Take the one in my profile.",
    "My default address is the right one.",
    "It should go to my default address.",
    # For `test`.
    "Where my profile says I live: my home address.",
    "The address is in my profile already.",
    "Home, that is the default address of my account.",
)
REASONS = {
    "no longer needed": (
        "I no longer need it.",
        "I do not need it any more.",
        "It is no longer needed.",
        "My plans changed and I have no need for it now.",
        "I simply have no use for it any more, it is not needed.",
        "We do not need it any longer.",
        # For `test`.
        "Things have changed here: no longer needed.",
        "It turned out that I can do without it, so I don't need it anymore.",
        "There is no need for it now.",
    ),
    "ordered by mistake": (
        "I ordered it by mistake.",
        "It was a mistake, I never meant to order it.",
        "I clicked the wrong button; it was ordered by mistake.",
        "That order was an accident, placed by mistake.",
        "By mistake I ordered it.",
        "My finger slipped, so it was a mistake.",
        # For `test`.
        "Honestly, the whole order was a mistake of mine.",
        "I must have ordered it by mistake while half asleep.",
        "A plain mistake: I did not want to order that.",
    ),
}
REASON_FORMS = {
    "no longer needed": (
        "no longer need",
        "not need",
        "don't need",
        "no need",
        "no longer needed",
        "no use",
        "no longer",
    ),
    "ordered by mistake": ("mistake", "accident", "accidentally", "mistakenly", "in error"),
}
RETURNED = (
    "I want to return {}.",
    "What goes back is {}.",
    "It is about {}.",
    "I would send back {}.",
    "Please take back {}.",
    "That would be {}.",
    "I mean {}.",
    "It concerns {}.",
    # For `test`.
    "The things to go back: {}.",
    "You may have {} back.",
    "I am done with {}.",
    "Returning {}, that is the plan.",
)
ABOUT = (
    "It is about {}.",
    "I mean {}.",
    "That would be {}.",
    "It concerns {}.",
    "I am speaking of {}.",
    "What I mean is {}.",
    "Well, {}.",
    "My question is about {}.",
    # For `test`.
    "The thing in question: {}.",
    "I have {} in mind.",
    "Specifically {}.",
    "We are talking about {}.",
)
WANTED = (
    "I would like {}.",
    "Please give me {}.",
    "Make it {}.",
    "What I want is {}.",
    "I have chosen {}.",
    "Let me have {}.",
    "It should be {}.",
    "I would go for {}.",
    # For `test`.
    "My choice is {}.",
    "I have set my heart on {}.",
    "Instead of it: {}.",
    "Could I have {}?",
)
DIFFERENCE = (
    "Please use {} for the price difference.",
    "Settle the difference with {}.",
    "The difference can go over {}.",
    "Take {} for whatever the difference is.",
    "For the difference I would use {}.",
    "Any difference in price goes to {}.",
    "I would like to use {}.",
    "With {}, please.",
    # For `test`.
    "Whatever it costs more or less, {} is what I use.",
    "Let it run over {}.",
    "{}, if you please.",
    "My choice for the difference would be {}.",
)
REFUND = (
    "Please refund me to {}.",
    "I would like the money on {}.",
    "The refund should go to {}.",
    "Send the money to {}.",
    "Put the money back on {}.",
    "Let the refund go to {}.",
    "I want my money on {}.",
    "To {}, please.",
    # For `test`.
    "My money belongs on {}.",
    "As for the refund: {}.",
    "I would want to see it back on {}.",
    "Have it paid out to {}.",
)
CHARGE = (
    "Please charge {} instead.",
    "I would rather pay with {}.",
    "Put it on {}.",
    "Take {} for it.",
    "I want to use {}.",
    "It should go on {}.",
    "From now on {}, please.",
    "With {}, if I may.",
    # For `test`.
    "Let {} pay for it.",
    "I would have it go over {}.",
    "You can take the money from {}.",
    "{} is what I want to pay with.",
)
TRANSFER = (
    "Yes, please transfer me.",
    "All right, put me through.",
    "Yes, I will talk to a colleague of yours.",
    "Fine, connect me with them.",
    "Please do transfer me then.",
    # For `test`.
    "Good, let me speak to them.",
    "If that is what it takes, yes, transfer me.",
    "Yes, hand me over.",
)
TOPICS = ("order", "items", "new_items", "reason", "payment", "address")
"""The topics that are part of the prose."""

NOTHING_NOW = (
    "You only want to know; nothing should be changed.",
    "You do not want anything done about it now.",
    "It is a question and no more.",
    "You agree to no change of anything.",
    "For now you only ask.",
    # For `test`.
    "It is for your information only.",
    "You are merely curious, and nothing is to be done.",
    "Nothing is to happen yet.",
)
ALL_ORDERS = (
    "All of the orders in my account, whatever their status.",
    "Every order that I ever placed.",
    "I mean all of my orders.",
    "The whole list of my orders, cancelled ones too.",
    "Each and every order of mine.",
    # For `test`.
    "Whatever stands in my account: all orders.",
    "Any order that you find under my name.",
    "All of them together.",
)
NEVER_CAME = (
    "It never reached me, so it is no longer needed.",
    "Nothing arrived, and I do not need it any more.",
    "It has not come, and by now I no longer need it.",
    "I waited for it in vain; it is no longer needed.",
    "No parcel ever came, and there is no need for it now.",
    # For `test`.
    "I have seen nothing of it, and I no longer need it either.",
    "It did not turn up here. It is no longer needed anyway.",
    "As it never came I have no need for it any longer.",
)
SAME_AGAIN = (
    "The very same thing again, only in one piece.",
    "Exactly the same one, but not broken.",
    "The same version once more.",
    "I want the same one, just intact.",
    "The same again, please.",
    # For `test`.
    "What I ordered, the same one, but whole.",
    "Nothing else than the same thing, unbroken.",
    "An undamaged one of the same kind and version.",
)
EVERYTHING = (
    "I want to return everything in that order: {}.",
    "All of it goes back: {}.",
    "Everything in it, that is {}.",
    "The whole lot: {}.",
    "All that was in it: {}.",
    # For `test`.
    "Nothing of it stays here: {}.",
    "Every single thing: {}.",
    "The complete content: {}.",
)
WHICH = {
    "cheapest": (
        "The cheapest other version that you have in stock, whatever its options.",
        "Whatever other version is the cheapest in stock.",
        "I take the cheapest other one you can deliver.",
        "The cheapest of the other versions in stock, the options do not matter.",
        "Simply the cheapest other version in stock.",
        "Give me the cheapest other one on the shelf.",
        # For `test`.
        "The cheapest of all others, as long as it is in stock.",
        "Among the other versions in stock the cheapest.",
        "I do not care about options: the cheapest other one in stock.",
    ),
    "most expensive": (
        "The most expensive other version that you have in stock, whatever its options.",
        "Whatever other version is the most expensive in stock.",
        "I take the most expensive other one you can deliver.",
        "The most expensive of the other versions in stock, the options do not matter.",
        "Simply the most expensive other version in stock.",
        "Give me the most expensive other one on the shelf.",
        # For `test`.
        "The most expensive of all others, as long as it is in stock.",
        "Among the other versions in stock the most expensive.",
        "I do not care about options: the most expensive other one in stock.",
    ),
}
REVISED_VERSION = (
    "Wait, I have changed my mind: please make it {} instead.",
    "Hold on, I would rather have {}.",
    "No, actually I want {}.",
    "On second thoughts, {} would be better.",
    "Hm, let me take {} after all.",
    "Sorry, I have decided otherwise: {}.",
    # For `test`.
    "One moment, let us say {} in place of that.",
    "Come to think of it, I prefer {}.",
    "Scrap that, I will go with {}.",
)
FEWER = (
    "Actually, I will keep {kept}. Please return only {rest}.",
    "Wait, {kept} stays with me. Only {rest} goes back.",
    "Hold on, I want to keep {kept} after all, so just {rest}.",
    "I have changed my mind about {kept}: I keep that. Return {rest} only.",
    "Hm, not {kept}. Only {rest}, please.",
    "Let me keep {kept}, then. What goes back is {rest}.",
    # For `test`.
    "Thinking about it, I am fond of {kept}. So only {rest} then.",
    "Leave {kept} out of it, please, and take back {rest}.",
    "Sorry, {kept} is to stay here. It is {rest} alone that I return.",
)
NOT_CANCEL = (
    "Wait, please do not cancel it after all. Just send that order to another address instead: {}.",
    "No, let me keep it. But it should be sent to {}.",
    "Hold on, I do want it. Have it shipped to {} instead of cancelling.",
    "On second thoughts, keep the order and send it to {}.",
    "Actually, do not cancel it; I only need it delivered to {}.",
    "I have changed my mind: no cancellation, just a new address, {}.",
    # For `test`.
    "Stop, my sister would take it. So let it go to {} rather than cancel it.",
    "Hm, it would be a pity. Let it live, and ship it to {}.",
    "Sorry, forget the cancelling. The parcel should simply go to {}.",
)
CORRECTED = (
    "Sorry, I made a mistake. The correct address is {}.",
    "Wait, that is wrong. It has to be {}.",
    "Oh, I mixed something up: it is {}.",
    "Hold on, I gave you the wrong one. Please take {}.",
    "No, I misread my own note: {} is right.",
    "Let me correct that: {}.",
    # For `test`.
    "My apologies, the street was wrong. {} is how it should be.",
    "I just see that it must be {}.",
    "That was the old draft of my lease. Now it is {}.",
)
