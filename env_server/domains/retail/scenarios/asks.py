"""How shoppers bring up each kind of wish, to follow "I would like to"; the last third of each bank is for `test`."""

CANCEL = (
    "cancel an order",
    "have one of my orders cancelled",
    "call off something I ordered",
    "get out of an order",
    "stop an order before it is sent",
    "withdraw an order of mine",
    "have an order called off",
    "undo an order of mine",
    "take back an order that I placed",
)
REDIRECT = (
    "change the shipping address of an order",
    "have an order sent to a different address",
    "correct where an order goes",
    "redirect one of my orders",
    "give an order another delivery address",
    "get something I ordered sent elsewhere",
    "let an order go to another place",
    "alter the destination of an order",
)
REDIRECT_HOME = (
    "have an order sent to my home after all",
    "get an order shipped to my usual address",
    "correct an order that is going to the wrong place",
    "let an order go to where I live",
    "send one of my orders home instead",
    "put my own address on an order",
    "make an order come to my house",
    "swap the address on an order for my usual one",
)
MOVE_HOUSE = (
    "update my default address",
    "change the address in my profile",
    "get my new home into your files",
    "correct the address of my account",
    "have my profile show where I live now",
    "tell you that I have moved, so that my account is right",
    "replace the old address in my profile",
    "bring the address of my account up to date",
)
CORRECT = (
    "give you a new address for my profile",
    "have the address in my account changed",
    "set a new default address",
    "put another home address into my profile",
    "fix the address that you keep for me",
    "change what my account says about where I live",
    "have a new address saved for me",
    "amend the address in my account",
)
MODIFY = (
    "change something in an order I placed",
    "take other options in an order",
    "correct what I picked in an order",
    "have another version of something I just ordered",
    "alter an order of mine",
    "swap something in an order that is not out yet",
    "adjust what I chose in an order",
    "change my pick in one of my orders",
)
EXCHANGE = (
    "exchange something that I received",
    "swap part of an order that came",
    "have another version of something that was delivered",
    "exchange part of an order",
    "trade something you sent me for another version",
    "get something replaced by another version",
    "change something that has arrived for a different one",
    "do an exchange",
)
VERSION = (
    "have another version of something I ordered",
    "take a different version of something",
    "swap something from an order for another version",
    "change the options of something I bought",
    "switch to another version of an item",
    "get something in different options",
    "trade an item for another version of it",
    "rather have a different version of something",
)
EXTREME = (
    "swap something in an order for another version, and to know the price difference",
    "change the version of something I bought and hear what the difference in price is",
    "take another version of an item and learn the price difference",
    "have something exchanged for another version and be told the difference in price",
    "switch something to another version, with the price difference told",
    "get another version of a thing I ordered and hear the difference in price",
    "trade something for another version and find out about the price difference",
    "replace a thing by another version of it and know by how much the price differs",
)
REPAY = (
    "pay for an order in a different way",
    "change how an order is paid",
    "move an order to another way of paying",
    "use another payment method for an order",
    "have an order charged elsewhere",
    "switch the payment of an order",
    "put an order on something else of mine",
    "alter the payment of one of my orders",
)
CARD_LEFT = (
    "pay for an order with my gift card instead, and to know what is left on it then",
    "move an order to my gift card and hear how much remains on it",
    "have my gift card pay for an order and be told the rest on it",
    "switch an order to my gift card and learn what stays on the card",
    "put an order on my gift card and know its balance afterwards",
    "use my gift card for an order and hear what it holds after that",
    "let my gift card cover an order and find out what remains",
    "charge my gift card for an order and know what I have left on it",
)
CANCEL_TO_CARD = (
    "cancel an order that I paid with my gift card, and to hear the balance of the card afterwards",
    "call off an order paid by gift card and know what the card holds then",
    "have an order cancelled and learn what is on my gift card after that",
    "stop an order that my gift card paid for and be told the card's new balance",
    "get out of an order and hear how much my gift card has then",
    "withdraw an order that went on my gift card and know its balance after the refund",
    "take back an order paid from my gift card and find out the card's balance",
    "undo an order and hear what my gift card is worth afterwards",
)
RETURN = (
    "return something",
    "send part of an order back",
    "give back something I bought",
    "start a return",
    "return something that was delivered",
    "send something back to you",
    "hand back something from an order",
    "get rid of something I bought from you and have my money",
)
RETURN_TOTAL = (
    "return a few things, and to know the total refund",
    "send some things back and hear what I get for them",
    "give back part of an order and be told the whole refund",
    "return several things and learn how much money comes back",
    "start a return and find out the total that I get",
    "send back part of an order and know the refund",
    "hand some things back and hear the sum I will see again",
    "return some of my things and get to know what that brings",
)
RETURN_ONE = (
    "return one thing from an order",
    "send a single item back",
    "give back one item of an order",
    "return just one of the things I ordered",
    "send back only one thing out of an order",
    "return an item and keep the rest",
    "hand back one thing and nothing else",
    "have just one item taken back",
)
RETURN_ALL = (
    "return everything in that order instead",
    "send the whole order back",
    "return all of it",
    "give everything in it back",
    "start a return of the whole lot",
    "hand all of it back to you",
    "have the entire order taken back",
)
CANCEL_ALL = (
    "cancel the whole order",
    "have the entire order cancelled",
    "call off all of it",
    "cancel everything in that order",
    "drop the order as a whole and have it cancelled",
    "get the complete order cancelled",
    "see the whole lot cancelled",
)
REDIRECT_THEN = (
    "keep it and have it sent to another address",
    "at least have that order sent elsewhere",
    "change the address it is shipped to",
    "let it go to a different address",
    "have that same order redirected",
    "get it delivered to somebody else's address",
    "see it shipped to another place",
)
TRACK_THEN = (
    "at least have its tracking number",
    "get the tracking number of that order",
    "know the tracking number, so that I can follow it",
    "be told under which tracking number it travels",
    "track it, for which I need the number",
    "follow the parcel by its tracking number",
    "hear the tracking number",
)
OTHER_THEN = (
    "take the same thing in other options",
    "have it in another version after all",
    "go for a different version of it",
    "settle for other options",
    "pick another version of that item",
    "choose a version that you can give me",
    "have a different variant of it",
)
REFUND_THEN = (
    "return it and have the refund elsewhere",
    "have the return refunded to something else of mine",
    "return the same things with another refund method",
    "take the refund another way",
    "send it back all the same, with the money going elsewhere",
    "return it nonetheless, refunded differently",
    "go on with the return and take the money in another way",
)
QUOTE = (
    "know how much money I would get back if I returned some things",
    "hear what returning a few things would bring",
    "find out what refund I would get for some items",
    "learn how much a return would be worth, without making one",
    "ask what I would be refunded for part of an order",
    "get a figure for a return that I am only thinking of",
    "understand what money a return would bring me",
    "hear, just in theory, what I would be refunded",
)
SWAP_QUOTE = (
    "know the price difference if I had taken another version of something",
    "ask what the difference in price to another version is",
    "find out how the price of another version compares",
    "hear by how much the price of a different version differs",
    "learn the price difference between two versions of a thing",
    "compare the price of what I ordered with that of another version",
    "hear what price difference another version would make",
    "get the difference in price to a version I did not take",
)
TRACKING = (
    "have a tracking number",
    "track a parcel of mine",
    "get the tracking number of an order",
    "know under which number a parcel is travelling",
    "follow a parcel, so I need its tracking number",
    "be given a tracking number",
    "look up where my parcel is by its tracking number",
    "hear the tracking number of something you sent",
)
BALANCE = (
    "know what is left on my gift card",
    "hear the balance of my gift card",
    "ask how much my gift card still holds",
    "find out what I have on my gift card",
    "learn the balance of my gift card",
    "be told how much is on my gift card",
    "get the present balance of my gift card",
    "check what my gift card is still worth",
)
ALL_ORDERS = (
    "know what all the orders in my account come to, taken together",
    "hear the total of everything I ever ordered from you",
    "find out what my orders cost in sum",
    "add up all the orders in my account",
    "learn how much all of my orders come to",
    "get one total over all my orders",
    "see a single sum for everything in my order history",
    "be told what my orders amount to together",
)
STOCK = (
    "know what your cheapest {} costs that is in stock",
    "hear the lowest price of a {} that you have in stock",
    "find out the price of the cheapest {} in stock",
    "ask what the least expensive {} in stock costs",
    "learn at what price a {} in stock starts",
    "get the price of your cheapest {} that can be had now",
    "hear how little a {} costs, if it is to be in stock",
    "be told the price of the least expensive {} on the shelf",
)
FEWER = (
    "return a few things",
    "send several things back",
    "give back some of what I ordered",
    "return part of an order",
    "have some items taken back",
    "send a number of things back to you",
    "hand back a couple of things",
    "return various things",
)
UNSURE = (
    "cancel an order, I think",
    "drop an order that I placed",
    "have an order cancelled, probably",
    "get out of something I ordered, if I may",
    "call off an order, I believe",
    "cancel something that I ordered lately",
    "stop an order, as far as I can tell",
    "perhaps cancel an order",
)
NEVER_CAME = (
    "cancel an order that never reached me",
    "have an order cancelled that did not arrive",
    "get my money for an order that has not come",
    "call off an order for which I waited in vain",
    "get out of an order that never turned up",
    "cancel something that has not reached me at all",
    "withdraw an order because nothing has come",
    "cancel an order of which I have seen nothing",
)
STILL_WANTED = (
    "make sure that an order still comes, but to another address",
    "have an order that I still want sent somewhere else",
    "keep an order alive and have it delivered elsewhere",
    "get an order after all, only at another address",
    "receive an order that I do want, at a new address",
    "see to it that an order still goes out, to a different place",
    "be sure to get an order of mine, though at another place",
    "rescue an order and let it come to a different address",
)
NEW_CARD = (
    "pay for an order with another card of mine",
    "move an order to my other card",
    "have a different card charged for an order",
    "change the card that an order is on",
    "use my other card for an order",
    "switch an order to another of my cards",
    "let another card pay for an order",
    "put an order on a card that I like better",
)
BROKEN = (
    "get something replaced that arrived broken",
    "have the same thing again, as mine came in pieces",
    "exchange something that was broken when it came",
    "receive an intact one for something that arrived damaged",
    "swap a thing that came broken for the same one in one piece",
    "have a broken thing exchanged",
    "get a whole one in exchange for what arrived in shards",
    "trade something that was damaged on arrival for the same one anew",
)
