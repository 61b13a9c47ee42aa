"""How callers bring up wishes about orders, money and addresses. The last third of each is heard in `test` alone."""

CANCEL = (
    "cancel an order",
    "have an order of mine cancelled",
    "call off an order",
    "get one of my orders cancelled",
    "cancel something that I ordered",
    # Kept for the held-out split.
    "see an order of mine called off",
    "withdraw from an order",
    "undo an order that I placed",
)
CANCEL_AND_FEE = (
    "cancel an order and be told the fee",
    "have an order of mine cancelled, whatever it costs, and know the fee",
    "call off an order and hear what fee that takes",
    "get one of my orders cancelled and learn the fee for it",
    "cancel something that I ordered and know the cancellation fee",
    # Kept for the held-out split.
    "see an order of mine called off and find out the fee",
    "withdraw from an order and hear what that costs me",
    "undo an order that I placed, and be told the fee that is due",
)
PAYS_FEE = (
    "If there is a fee, I will pay it.",
    "A fee is all right with me.",
    "I accept the fee.",
    "Whatever the fee is, I pay it.",
    "The fee does not matter, I pay.",
    # Kept for the held-out split.
    "I put up with the fee.",
    "Let the fee be what it is.",
    "A fee I can live with.",
)
CANCEL_AND_REFUND = (
    "cancel an order that has not come, and know how much I get back",
    "have an order cancelled that I am still waiting for, and hear how much I get back",
    "call off an order that has not arrived and be told the refund",
    "get an order cancelled that never came, and learn what I get back",
    "cancel food that still is not here, and know what comes back to me",
    # Kept for the held-out split.
    "see a delivery called off that has not turned up, and find out the refund",
    "withdraw from an order I wait for in vain, and hear what I get back",
    "undo an order that does not arrive, and be told what is refunded",
)
CANCEL_OVERDUE = (
    "cancel an order that has not come",
    "have an order cancelled that I am still waiting for",
    "call off an order that has not arrived",
    "get an order cancelled that never came",
    "cancel food that still is not here",
    # Kept for the held-out split.
    "see a delivery called off that has not turned up",
    "withdraw from an order I wait for in vain",
    "undo an order that does not arrive",
)
CANCEL_FREE = (
    "cancel an order without paying a fee",
    "have an order of mine cancelled free of charge",
    "call off an order at no cost",
    "get one of my orders cancelled, with no fee for me",
    "cancel something that I ordered without being charged for that",
    # Kept for the held-out split.
    "see an order of mine called off and owe nothing for it",
    "withdraw from an order with no fee at all",
    "undo an order that I placed, with nothing to pay for that",
)
NO_FEE = (
    "I want to pay no fee.",
    "Only without a fee.",
    "There should be no fee at all.",
    "I am going to pay no fee for that.",
    "It has to be free of charge.",
    # Kept for the held-out split.
    "Any fee has to be waived.",
    "No fee, that is my condition.",
    "Cancelling it must cost me nothing, no fee.",
)
CANCEL_PAYING = (
    "cancel it with the fee and know how much that is",
    "have it cancelled all the same, and hear the fee",
    "pay the fee, cancel it and be told how much it was",
    "accept the fee for cancelling it and learn how much it is",
    "call it off with the fee, and know the amount of that",
    # Kept for the held-out split.
    "take the fee upon me, see it called off and find out the amount",
    "go on and cancel, fee and all, and hear what the fee is",
    "have it undone for the fee, and be told how large that is",
)
PAID_FOR_IT = (
    "know at least what I paid for it in all",
    "be told what that order cost me in total",
    "hear the total that I paid for it",
    "learn what I have paid for that order altogether",
    "know the total of that order",
    # Kept for the held-out split.
    "find out how much I spent on it in all",
    "get the total of that order from you",
    "hear what that order came to",
)
REDIRECT = (
    "have an order sent to another address",
    "change where an order of mine goes",
    "redirect an order",
    "get an order delivered somewhere else",
    "send one of my orders to a different place",
    # Kept for the held-out split.
    "see an order brought to another place",
    "have the courier go to another address with my order",
    "alter the address of an order under way",
)
INSTRUCT = (
    "change the instructions for the courier",
    "have an order handed over in another way",
    "change how an order is handed over",
    "give the courier of an order other instructions",
    "get the handing over of an order changed",
    # Kept for the held-out split.
    "tell the courier to hand over my order differently",
    "arrange another way of receiving an order",
    "see other instructions on my order",
)
RAISE_TIP = (
    "tip the courier of an order more",
    "raise the tip of an order",
    "give the courier of an order a larger tip",
    "increase what I tip for an order",
    "add to the tip of an order",
    # Kept for the held-out split.
    "be more generous with the tip of an order",
    "see the tip of an order go up",
    "have a courier tipped better",
)
RAISE_TIP_AND_TOTAL = (
    "tip the courier of an order more, and know the new total",
    "raise the tip of an order and hear what it costs in all then",
    "give the courier of an order a larger tip and be told the new total",
    "increase what I tip for an order, and learn the total after that",
    "add to the tip of an order and hear the new total of it",
    # Kept for the held-out split.
    "be more generous with the tip of an order and find out the new total",
    "see the tip of an order go up and be told what the order comes to then",
    "have a courier tipped better and know the total of the order after that",
)
LOWER_TIP = (
    "have the tip of an order lowered",
    "get part of a tip back",
    "lower the tip that I gave",
    "reduce the tip of an order",
    "take back some of a tip",
    # Kept for the held-out split.
    "see less of a tip on an order",
    "cut the tip of an order",
    "bring the tip of an order down",
)
ADD_ADDRESS = (
    "add an address to my account",
    "have a new address saved",
    "get another address into my account",
    "put a further address into my profile",
    "store one more address",
    # Kept for the held-out split.
    "see a new address in my address book",
    "register an additional address",
    "give you an address to keep for me",
)
MOVE_OUT = (
    "have an old address removed after moving",
    "update my addresses, as I have moved",
    "get rid of an address where I no longer live",
    "tidy up my addresses after a move",
    "drop an address that I have moved away from",
    # Kept for the held-out split.
    "see my addresses follow my move",
    "strike out my former address",
    "leave an old address behind",
)
REMOVE_ADDRESS = (
    "have an address removed from my account",
    "get rid of one of my addresses",
    "delete an address of mine",
    "take an address out of my account",
    "remove a saved address",
    # Kept for the held-out split.
    "see an address of mine struck out",
    "drop one of the addresses I have saved",
    "clear an address out of my address book",
)
REMOVE_OTHER = (
    "keep that one and have another address removed",
    "get rid of a different address",
    "delete another address of mine",
    "take some other address out of my account",
    "have another one of them removed",
    # Kept for the held-out split.
    "see a different address struck out",
    "drop another of the addresses instead",
    "clear out some other one",
)
REDIRECT_NEW = (
    "have an order sent to an address that is not in my account yet",
    "redirect an order to a new address",
    "get an order delivered to a place that I have not saved yet",
    "send an order to an address that you do not know yet",
    "change where an order goes, to an address that is new",
    # Kept for the held-out split.
    "see an order brought to an address I never used",
    "have the courier go to a brand-new address with my order",
    "alter the address of an order to one that is yet to be saved",
)
REFUND_AND_AMOUNT = {
    "missing": (
        "get a refund for something that was missing, and know how much it is",
        "have missing food refunded and hear the amount",
        "report that something was missing, get my money back and be told how much",
        "be refunded for what did not come, and learn how much that is",
        "get money back for a missing item and know the amount",
        # Kept for the held-out split.
        "be paid back for what was left out and find out how much it is",
        "see a missing item refunded, and hear the amount",
        "have my money for food that was not in the bag, and be told how much",
    ),
    "wrong": (
        "get a refund for something that was wrong, and know how much it is",
        "have a wrong item refunded and hear the amount",
        "report that I got something wrong, get my money back and be told how much",
        "be refunded for food that I did not order, and learn how much that is",
        "get money back for a mixed-up item and know the amount",
        # Kept for the held-out split.
        "be paid back for a dish that was another, and find out how much it is",
        "see a wrong item refunded, and hear the amount",
        "have my money for food that was not what I ordered, and be told how much",
    ),
    "damaged": (
        "get a refund for something that was damaged, and know how much it is",
        "have damaged food refunded and hear the amount",
        "report that something was damaged, get my money back and be told how much",
        "be refunded for what was spilled, and learn how much that is",
        "get money back for a ruined item and know the amount",
        # Kept for the held-out split.
        "be paid back for what broke on the way, and find out how much it is",
        "see a damaged item refunded, and hear the amount",
        "have my money for food that came spoiled, and be told how much",
    ),
}
REFUND = {
    "missing": (
        "get a refund for something that was missing",
        "have missing food refunded",
        "report that something was missing and get my money back",
        "be refunded for what did not come",
        "get money back for a missing item",
        # Kept for the held-out split.
        "be paid back for what was left out",
        "see a missing item refunded",
        "have my money for food that was not in the bag",
    ),
    "wrong": (
        "get a refund for something that was wrong",
        "have a wrong item refunded",
        "report that I got something wrong and get my money back",
        "be refunded for food that I did not order",
        "get money back for a mixed-up item",
        # Kept for the held-out split.
        "be paid back for a dish that was another",
        "see a wrong item refunded",
        "have my money for food that was not what I ordered",
    ),
    "damaged": (
        "get a refund for something that was damaged",
        "have damaged food refunded",
        "report that something was damaged and get my money back",
        "be refunded for what was spilled",
        "get money back for a ruined item",
        # Kept for the held-out split.
        "be paid back for what broke on the way",
        "see a damaged item refunded",
        "have my money for food that came spoiled",
    ),
}
TAKE_CREDITS = (
    "have it as credits and know how much it is",
    "take credits for it and hear the amount",
    "get it in credits and be told how much",
    "accept credits for it, and learn how much that makes",
    "have the amount put on my credits, and know what it is",
    # Kept for the held-out split.
    "make do with credits and find out the amount",
    "see it turned into credits, and hear how much it is",
    "be given credits for it, and be told the amount",
)
LATE_AND_MINUTES = (
    "get something for food that came far too late, and know how many minutes late it was",
    "be compensated for a late delivery and hear by how many minutes it was late",
    "have credits for an order that came late, and be told how many minutes late",
    "complain about a late order, get what is given for that, and learn the minutes",
    "get what the service gives for lateness, and know how many minutes it was",
    # Kept for the held-out split.
    "be made good for a delivery behind time, and find out by how many minutes",
    "see a late arrival compensated, and hear how many minutes it was late",
    "have something for the wait, and be told by how many minutes it was late",
)
LATE = (
    "get something for food that came late",
    "be compensated for a late delivery",
    "have credits for an order that came late",
    "complain about a late order and get what is given for that",
    "get what the service gives for lateness",
    # Kept for the held-out split.
    "be made good for a delivery behind time",
    "see a late arrival compensated",
    "have something for the long wait",
)
COLD_AND_AMOUNT = (
    "get something for food that arrived cold, and know how much it is",
    "be compensated for cold food and hear the amount",
    "have credits for a meal that was cold, and be told how much",
    "complain about cold food, get what is given for that, and learn how much it is",
    "get what the service gives for cold food, and know the amount",
    # Kept for the held-out split.
    "be made good for a meal gone cold, and find out how much that is",
    "see cold food compensated, and hear the amount",
    "have something for a dinner that was stone cold, and be told how much",
)
CERTAIN_SUM = (
    "get ${1} in credits for food that {0}",
    "be given ${1} in credits because my food {0}",
    "have ${1} as credits, as my order {0}",
    "complain about an order that {0} and get ${1} in credits for it",
    "receive credits of ${1} for a meal that {0}",
    # Kept for the held-out split.
    "be made good with ${1} in credits for food that {0}",
    "see ${1} of credits given for an order that {0}",
    "have my meal, which {0}, compensated with ${1} in credits",
)
THAT_SUM = (
    "I want ${}, no more and no less.",
    "It has to be ${}.",
    "The amount I want is ${}.",
    "Only ${} will do.",
    "I think ${} is right.",
    # Kept for the held-out split.
    "${} is the sum I have in mind.",
    "Let it be ${} exactly.",
    "I insist on ${}.",
)
WHAT_IS_GIVEN = (
    "take what I can get for it, and know how much that is",
    "have what is usually given for it, and hear the amount",
    "get whatever credits there are for it, and be told how much",
    "accept what the service gives, and learn how much it is",
    "be given what is due for it, and know the amount",
    # Kept for the held-out split.
    "make do with what there is for it, and find out how much",
    "see the usual credits given, and hear the amount",
    "be content with your credits for it, and be told how much they are",
)
RUDE = (
    "get something for the conduct of a courier",
    "complain about a courier and be compensated",
    "have credits for how a courier treated me",
    "report a courier's conduct and get what is given for that",
    "be compensated for a courier who behaved badly",
    # Kept for the held-out split.
    "be made good for a courier's manners",
    "see a courier's conduct compensated",
    "have something for what a courier did to me",
)
NOT_PLACED = (
    "have an order cancelled that I never placed",
    "call off an order in my account that is not mine",
    "get an order cancelled that somebody else placed in my account",
    "cancel an order I know nothing about",
    "have an order in my account called off that I did not make",
    # Kept for the held-out split.
    "see an order cancelled that was placed behind my back",
    "undo an order that somebody made with my account",
    "withdraw from an order that was never mine",
)
NOT_MINE = (
    "I never placed it; somebody else must have used my account.",
    "It was not me, somebody else placed it.",
    "I did not place that order, whoever did.",
    "Somebody used my name; I did not place it.",
    "I know nothing about it, I did not order that.",
    # Kept for the held-out split.
    "Not I but somebody else placed it.",
    "I have not placed it, my account must have been misused.",
    "I never placed it, nor did anybody here.",
)
STAYS = (
    "My default address is not to change.",
    "Leave my default address the one it is.",
    "The default address stays the same one.",
    "I want no other default address than now.",
    "Whatever my default address is, it remains that.",
    # Kept for the held-out split.
    "Do not choose another default address for me.",
    "My default address should be the same afterwards.",
    "No change of the default address, please.",
)
REMOVE_IT = (
    "I mean {}.",
    "Please remove {}.",
    "It is {} that has to go.",
    "Take out {}.",
    "The one to go is {}.",
    # Kept for the held-out split.
    "{} is the one I want gone.",
    "Strike out {}.",
    "I am speaking of {}.",
)
MOVED = (
    "I want {} removed.",
    "I have moved away from {}, so remove it.",
    "The old one is {}; it has to go.",
    "Please remove {}, I do not live there any more.",
    "The address to be removed is {}.",
    # Kept for the held-out split.
    "{} can be struck out.",
    "Gone should be {}.",
    "I am no longer to be found at {}, delete it.",
)
NEW_DEFAULT = (
    "My default address should be {}.",
    "Make {} my default address.",
    "The new default is {}.",
    "From now on {} is the default.",
    "As the default I want {}.",
    # Kept for the held-out split.
    "{} becomes my default address.",
    "Let the default address be {}.",
    "I choose {} as my default.",
)
