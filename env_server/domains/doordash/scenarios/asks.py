"""How callers bring up their wishes about food and carts. The last third of each bank is heard in `test` alone."""

FOOD = (
    "order some food",
    "place an order",
    "get something to eat delivered",
    "have a meal brought to me",
    "order in",
    # Kept for the held-out split.
    "put in a food order",
    "get dinner delivered",
    "have some dishes sent over",
)
FOOD_AND_TOTAL = (
    "order some food and be told the total",
    "place an order and hear what it comes to",
    "get something to eat delivered and know the total",
    "have a meal brought to me, with the total told to me",
    "order in and learn what I pay in all",
    # Kept for the held-out split.
    "put in a food order and hear the full price",
    "get dinner delivered and find out the total",
    "have some dishes sent over and be told what I pay altogether",
)
FOOD_AND_DRINK = (
    "order some food and something to drink",
    "place an order with a drink in it",
    "get a meal with a drink delivered",
    "have food and a drink brought to me",
    "order in, with something to drink",
    # Kept for the held-out split.
    "put in an order of food and drink",
    "get dinner and a drink delivered",
    "have a dish and a drink sent over",
)
WITH_CODE = (
    "order some food with a promo code",
    "place an order and use a promo code",
    "get a meal delivered with a code for it",
    "use a promo code on a food order",
    "order in and have a promo code count",
    # Kept for the held-out split.
    "put in an order to which a promo code applies",
    "get dinner delivered with a voucher code",
    "have some dishes sent over on a promo code",
)
WITH_CODE_AND_TOTAL = (
    "order some food with a promo code and be told the total",
    "place an order with a promo code and hear what is left to pay",
    "get a meal delivered with a code for it and know the total",
    "use a promo code on a food order and learn what I pay in all",
    "order in with a promo code, and be told the total",
    # Kept for the held-out split.
    "put in an order with a promo code and hear the full price",
    "get dinner delivered with a voucher code and find out the total",
    "have some dishes sent over on a promo code, and know what they cost altogether",
)
MAIN_AND_PRICE = (
    "order a main dish and be told its price",
    "get a main delivered and hear what one costs",
    "have a main dish brought to me and know its price",
    "place an order for a main and learn what one of it costs",
    "order one kind of main, and hear the price of one",
    # Kept for the held-out split.
    "put in an order for a main course and be told what a single one costs",
    "get a main course sent over and find out its price",
    "have a main for dinner and hear its price apiece",
)
FOOD_AND_CREDITS = (
    "order food on my credits and hear how much of them is left",
    "place an order, pay with my credits and know what is left of them",
    "get something to eat for my credits and be told what remains of them",
    "have a meal brought that my credits pay, and learn what is left of them",
    "use my credits for a food order and hear what I have left of them",
    # Kept for the held-out split.
    "put in a food order on my credits and find out what remains",
    "spend credits on dinner and be told how many are left",
    "have my credits pay for some dishes, and know what is left afterwards",
)
CART_AND_TOTAL = (
    "order what is in my cart and be told the total",
    "have my cart ordered and hear what it comes to",
    "check out my cart and know the total",
    "place the order that waits in my cart, and hear the total",
    "get what is in my cart delivered and learn what I pay in all",
    # Kept for the held-out split.
    "turn my cart into an order and find out the full price",
    "send off my cart and be told the total",
    "finally order my cart, and know what it costs altogether",
)
CART = (
    "order what is in my cart",
    "have my cart ordered",
    "check out my cart",
    "place the order that waits in my cart",
    "get what is in my cart delivered",
    # Kept for the held-out split.
    "turn my cart into an order",
    "send off my cart",
    "finally order my cart",
)
SUPERLATIVES = (
    "I would like {0} of the {1} {2} dish among their mains that is not sold out. For every option of it I take the"
    " first choice.",
    "Please take the {1} {2} main that they still have, {0} of it, with the first choice for every option.",
    "{0} of the {1} {2} main dish that can still be had, always with the first choice of an option.",
    "Of the mains in stock the {1} {2} one, and {0} of it. With options I take what comes first.",
    "I want the {1} main that is {2} and not sold out, {0} of it, each option at its first choice.",
    # Kept for the held-out split.
    "Look among the mains in stock for the {1} {2} dish; {0} of that, the first choice of each option.",
    "Get me {0} of whatever {2} main is the {1} and not sold out. The options stay at their first choices.",
    "The {1} {2} main they have not run out of, {0} of it; for options the first choice will do.",
)
TIDY = (
    "change what is in my cart without ordering yet, and know the new subtotal",
    "have my cart changed and hear its new subtotal; I am not ordering yet",
    "tidy up my cart and be told the subtotal, the order can wait",
    "alter my cart, which I will order later, and learn its subtotal",
    "rearrange my cart, not ordering yet, and hear the subtotal after that",
    # Kept for the held-out split.
    "put my cart in order for later and find out the new subtotal",
    "make some corrections to my cart before I order another time, and know its subtotal",
    "have other things in my cart, which stays unordered, and be told the subtotal",
)
TAKE_OUT = (
    "Take out the {} altogether.",
    "The {} has to go.",
    "Remove the {} completely.",
    "I no longer want the {} in there.",
    "Please delete the {}.",
    # Kept for the held-out split.
    "Without the {}, please.",
    "Throw out the {}.",
    "The {} I do not need any more.",
)
MAKE_IT = (
    "Make it {0} of the {1} in all.",
    "I want {0} of the {1} altogether.",
    "The {1} should be {0} in all.",
    "There should be {0} of the {1} in total.",
    "Of the {1} I need {0} in all.",
    # Kept for the held-out split.
    "Bring the {1} to {0}.",
    "Have {0} of the {1} in there.",
    "The {1}: {0} in all.",
)
FILL_CART = (
    "have something put into my cart, to be ordered later",
    "fill my cart for an order that I will place later",
    "put food into my cart without ordering it yet",
    "prepare my cart; I will order another time",
    "get some dishes into my cart, the order comes later",
    # Kept for the held-out split.
    "have my cart made ready for later",
    "collect a few things in my cart for an order to come",
    "set up my cart now and order some other time",
)
MAY_GO = (
    "What is in my cart now may go.",
    "The cart can be emptied for it.",
    "You can throw out what is in there now.",
    "Nothing that is in the cart now is needed.",
    "Empty it first if you have to.",
    # Kept for the held-out split.
    "The old contents I do not want any more.",
    "Start with an empty cart if need be.",
    "I give up what is in there.",
)
ADD_TO_CART = (
    "have something added to my cart, to be ordered later",
    "get one more thing into my cart without ordering yet",
    "put something into my cart beside what may be there",
    "add a dish to my cart for an order that I place later",
    "have my cart hold one more dish, the order can wait",
    # Kept for the held-out split.
    "extend my cart by a dish for later",
    "drop another dish into my cart, not ordering yet",
    "see something more in my cart, which I order another time",
)
ALL_STAYS = (
    "All that is in my cart has to stay there.",
    "Nothing may be taken out of my cart for it.",
    "Whatever is in my cart stays.",
    "My cart must lose nothing by it.",
    "I want to keep everything that is in my cart.",
    # Kept for the held-out split.
    "What I have in the cart is not to be lost.",
    "Only add, do not take anything out of my cart.",
    "My cart keeps what it has.",
)
EMPTY_AND_FILL = (
    "have my cart emptied and that dish put into it",
    "give up what is in my cart and have the dish in it alone",
    "start my cart anew with that dish",
    "let go of what is in my cart and get the dish into it",
    "have the dish in an emptied cart",
    # Kept for the held-out split.
    "clear my cart and see the dish in it",
    "swap all of my cart for that dish",
    "lose the old contents of my cart and take the dish",
)
DROP_CODE = (
    "have the promo code taken off my cart and know what ordering it would cost without the code",
    "keep my promo code for later: take it off my cart and hear the total without it",
    "get rid of the promo code on my cart and learn the total without it; I am not ordering yet",
    "take the code off my cart, without ordering, and be told what the order would cost then",
    "have my cart freed of its promo code and hear what I would pay in all; the order can wait",
    # Kept for the held-out split.
    "save the promo code on my cart for another time and find out the full price without it",
    "see my cart without its promo code and be told the total, not ordering yet",
    "remove the code that is on my cart and know what ordering would come to",
)
WOULD_GO = (
    "It would go to {}, without a tip.",
    "Take {} as the address, and no tip.",
    "Reckon with {}; there would be no tip.",
    "It would be sent to {}, and I would not tip.",
    "To {}, with a tip of nothing.",
    # Kept for the held-out split.
    "Suppose it goes to {} and no tip is given.",
    "The address would be {}, a tip there would not be.",
    "With {} as the address and without any tip.",
)
JUST_FOOD = (
    "leave out the drink and have the rest ordered",
    "order the food alone, without that drink",
    "do without the drink and get the food",
    "have only the food sent",
    "order everything except that drink",
    # Kept for the held-out split.
    "drop the drink and take what remains",
    "get the food, if not the drink",
    "see the meal delivered without the drink",
)
ADD_AND_ORDER = (
    "add something to my cart and have it all ordered",
    "put one more dish into my cart and order everything",
    "have my cart made fuller and then ordered",
    "order my cart together with another dish",
    "take something in addition and order it all",
    # Kept for the held-out split.
    "complete my cart with one more dish and send it off",
    "get another dish on top and order the whole cart",
    "order the cart with something added to it",
)
SEND_HOME = (
    "have it sent to another address of mine",
    "order the same food to another address",
    "get the food at a different address",
    "have the same order go somewhere nearer",
    "let it be delivered to another place of mine",
    # Kept for the held-out split.
    "choose another of my addresses for the same food",
    "fetch the same food at another address of mine",
    "see it brought to a nearer address",
)
NO_CODE = (
    "order it without a code and be told the total",
    "have the same food without any code, and hear the total",
    "do without the code, order all the same and know the total",
    "place the order at the full price and learn what that is in total",
    "order it without any promo code, and hear what I pay in all",
    # Kept for the held-out split.
    "forget about the code, have it ordered and find out the total",
    "pay without a code and be told what it comes to",
    "get the same food with no code on it, and know the full price",
)
TWO_CODES = (
    "order what is in my cart with one more promo code",
    "have my cart ordered and a promo code used on it",
    "use a promo code on my cart and order it",
    "place the order for my cart with a code added to it",
    "get my cart delivered with a further promo code",
    # Kept for the held-out split.
    "turn my cart into an order with an additional code",
    "send off my cart with a promo code put on it",
    "see a promo code applied to my cart, and the cart ordered",
)
EXTRA_CODE = (
    "I want to add the code {}. If a code is on the cart already, that one has to count too.",
    "The code to add is {}, beside any code that is there already.",
    "Please put {} on it; a code that may be there stays and counts as well.",
    "It is {}, and whatever code is there must not be lost by it.",
    "Add {}. Should there be another code on it, both have to count.",
    # Kept for the held-out split.
    "{} comes on top; any code already there is to remain.",
    "The code {} is to be added, nothing that is there taken off.",
    "My code is {}, next to one that may be on the cart.",
)
ONE_CODE = (
    "order it with the code that is on it already, and be told the total",
    "leave the code as it is, have the cart ordered and hear the total",
    "have my cart ordered as it is, with its own code, and know the total",
    "go without the further code, order the cart and learn the total",
    "order the cart with the one code it has, and hear what I pay in all",
    # Kept for the held-out split.
    "let the cart keep its code alone, send it off and find out the total",
    "give up the second code, get the cart ordered and be told what it comes to",
    "order with what is on the cart already, and know the full price",
)
OTHER_RESTAURANT = (
    "order from another restaurant",
    "have food from a different place",
    "get something from somewhere else",
    "choose another restaurant and order there",
    "take my order to another restaurant",
    # Kept for the held-out split.
    "eat from some other kitchen",
    "see what I get elsewhere and order it",
    "have another restaurant cook for me",
)
