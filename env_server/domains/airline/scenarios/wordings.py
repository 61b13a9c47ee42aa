"""The wordings that callers draw their details from; the last third of each bank is kept for the held-out split."""

BY_NUMBER = (
    "It is reservation {0}.",
    "The reservation number is {0}.",
    "My booking reference is {0}.",
    "It goes under {0}.",
    "I have {0} here as the reservation.",
    "Please look at {0}.",
    "That is booking {0}.",
    "The code of that trip is {0}.",
    # Kept for the held-out split.
    "My confirmation says {0}.",
    "You will find it as {0}.",
    "{0} is what the email gives as its number.",
    "It should be stored under {0}.",
)
BY_WAY = (
    "I do not have the number at hand; it is my trip {0}.",
    "I cannot find the number. I mean the trip {0}.",
    "The number is not with me, but it is the one {0}.",
    "It is my booking {0}; I do not know its number.",
    "I have no number for it. The trip goes {0}.",
    "It is the journey {0}. I have lost the number.",
    # Kept for the held-out split.
    "I only know that it goes {0}; the number escapes me.",
    "No number here, I am afraid, but I mean the one {0}.",
    "You would have to find it for me: I travel {0}.",
)

PAY = (
    "Please use {0}.",
    "I want to use {0} for that.",
    "Take {0}, please.",
    "It should go by {0}.",
    "I would like to settle it with {0}.",
    "Let us do that with {0}.",
    "My choice is {0}.",
    "For the money, please take {0}.",
    # Kept for the held-out split.
    "Put it on {0}, if you would.",
    "{0} is the one to use.",
    "I'd have it go through {0}.",
    "The way to pay is {0}.",
)
PAY_WITH_TWO = (
    "Please use all of {0} and then {1}.",
    "First use up {0}, and the rest goes on {1}.",
    "Take everything that is on {0}, and {1} for what is left.",
    "Begin with {0}, all of it, and charge the remainder to {1}.",
    "I want {0} used up, then {1}.",
    # Kept for the held-out split.
    "All of {0} should go into it, and {1} covers what remains.",
    "Empty {0} for it; whatever is missing comes from {1}.",
    "Use {0} up completely and put the other part on {1}.",
)

CABIN = (
    "In {0}, please.",
    "I would like {0}.",
    "The cabin should be {0}.",
    "It should be {0} for everybody.",
    "We want to sit in {0}.",
    "Please make it {0}.",
    "I have {0} in mind.",
    "{0} is what I want.",
    # Kept for the held-out split.
    "My preference is {0}.",
    "Let it be {0}.",
    "As for the cabin: {0}.",
    "Seats in {0}, please.",
)
CABIN_STAYS = (
    "The cabin stays as it is.",
    "I want to keep the cabin that I have.",
    "Nothing changes about the cabin.",
    "The same cabin as now, please.",
    "Please leave the cabin alone.",
    # Kept for the held-out split.
    "The class of travel remains what it is.",
    "Same class as before.",
    "No other cabin, please.",
)
FLIGHTS_STAY = (
    "The flights themselves stay as they are.",
    "I want to keep all flights.",
    "Nothing changes about the flights.",
    "The same flights as now, please.",
    "Please leave the flights alone.",
    # Kept for the held-out split.
    "The times and days remain what they are.",
    "Same flights as before.",
    "No other flights, please.",
)

BAGS = (
    "The number of checked bags is {0} in all.",
    "We have {1} to check.",
    "There will be {1}, all together.",
    "It is {1} for the whole trip.",
    "Please put in {1}.",
    "I count {1}.",
    "That makes {1} for all of us.",
    "{1}, please.",
    # Kept for the held-out split.
    "Our luggage comes to {1}.",
    "Make that {1}.",
    "All in all {1}.",
    "We will hand in {1} at the counter.",
)
NO_BAGS = (
    "There are no checked bags.",
    "We have no bags to check.",
    "No checked bags, please.",
    "We travel with hand luggage only, so there are no checked bags.",
    "There is nothing to check: no bags.",
    # Kept for the held-out split.
    "No bags go into the hold.",
    "We take no checked bags along.",
    "As for checked bags, there are none: no bags.",
)
MORE_BAGS = (
    "Please add {1} to those we have.",
    "I want {1} more than now.",
    "It is {1} on top of what is booked.",
    "What has to be added: {1}.",
    "We need {1} in addition.",
    "Please book {1} more for us.",
    "{1} more, please.",
    "We have bought too much, so it is {1} extra.",
    # Kept for the held-out split.
    "Make it {1} above what we have.",
    "We ended up with {1} beyond those booked.",
    "Put {1} on top, please.",
    "Beyond the present ones it is {1}.",
)

INSURED = (
    "Yes, with travel insurance, please.",
    "I want the travel insurance.",
    "Please include the insurance.",
    "With insurance for everybody.",
    "We take the insurance.",
    # Kept for the held-out split.
    "Insurance: yes.",
    "It should be insured.",
    "Do put the travel insurance in.",
)
UNINSURED = (
    "No travel insurance, please.",
    "I do not want the insurance.",
    "Without insurance.",
    "We do not need any insurance.",
    "Please leave the insurance out.",
    # Kept for the held-out split.
    "Insurance: no.",
    "It need not be insured.",
    "I would rather do without travel insurance.",
)

ONLY_ME = (
    "It is only me, with my name and date of birth as in my profile.",
    "I fly alone; my profile has my name and date of birth.",
    "Just me, as I stand in my profile.",
    "One passenger: me, as in the profile.",
    "Nobody but me, and you have my name and birthday in the profile.",
    # Kept for the held-out split.
    "I travel on my own; take what the profile says of me.",
    "Only me on board, as the profile has it.",
    "Only myself, with the details that are in my profile.",
)
PASSENGERS = (
    "There are {0}, in this order: {1}.",
    "We are {0}: {1}, in this order.",
    "It is {0}: {1}. Please keep the order.",
    "Please enter {0}, one after the other: {1}.",
    "{0} will fly: {1}. That is also the order.",
    # Kept for the held-out split.
    "On board will be {0}, listed as I say them: {1}.",
    "Make it {0}: {1}, just in that order.",
    "Down for it are {0}: {1}, and in this order, please.",
)

ONE_WAY = (
    "It is a one-way trip {0} on {1}.",
    "One way {0}, on {1}.",
    "I want to go {0} on {1}, one way.",
    "Only there, {0}, on {1}.",
    "A one-way trip {0}; the day is {1}.",
    "We fly {0} on {1} and not back.",
    # Kept for the held-out split.
    "No way back: {0} on {1}.",
    "It goes {0}, on {1}, one way only.",
    "Just a single journey {0}; it is for {1}.",
)
ROUND_TRIP = (
    "It is a round trip {0}, there on {1} and back on {2}.",
    "A round trip {0}: out on {1}, home on {2}.",
    "I want to go {0} on {1} and return on {2}.",
    "There and back, {0}, leaving on {1} and returning on {2}.",
    "We fly {0} on {1} and come back on {2}.",
    "Round trip {0}; the days are {1} and {2}.",
    # Kept for the held-out split.
    "Both ways: {0} on {1}, and the other way on {2}.",
    "It goes {0} on {1}; on {2} we want to be home again.",
    "A return journey {0}, beginning on {1} and coming back on {2}.",
)

FLIGHT = {
    "number": (
        "I would like flight {1} {0} on {2}.",
        "Flight {1} {0} on {2}, please.",
        "It should be {1} {0}, on {2}.",
        "I have chosen {1} {0}; the day is {2}.",
        "Please take flight {1} {0} on {2}.",
        # Kept for the held-out split.
        "I picked {1} {0} on {2}.",
        "The one called {1}, {0}, on {2}.",
        "{1} suits me {0}, on {2}.",
    ),
    "earliest": (
        "I would like the direct flight {0} that leaves earliest on {2}.",
        "The earliest direct flight {0} on {2}, please.",
        "On {2} I want to leave {0} as early as I can, without a stop.",
        "Direct {0} on {2}, and the one that leaves first.",
        "Whichever direct flight {0} goes earliest on {2}.",
        # Kept for the held-out split.
        "The first direct departure of the day {0}, on {2}.",
        "Nonstop {0} on {2}, at the earliest hour there is.",
        "Nothing leaves before the direct flight that I want {0} on {2}.",
    ),
    "latest": (
        "I would like the direct flight {0} that leaves latest on {2}.",
        "The latest direct flight {0} on {2}, please.",
        "On {2} I want to leave {0} as late as I can, without a stop.",
        "Direct {0} on {2}, and the one that leaves last.",
        "Whichever direct flight {0} goes latest on {2}.",
        # Kept for the held-out split.
        "The last direct departure of the day {0}, on {2}.",
        "Nonstop {0} on {2}, at the latest hour there is.",
        "Nothing leaves after the direct flight that I want {0} on {2}.",
    ),
    "cheapest": (
        "I would like the direct flight {0} with the lowest fare on {2}.",
        "The cheapest direct flight {0} on {2}, please.",
        "On {2} I want to go {0} for as little as I can, without a stop.",
        "Direct {0} on {2}, and the one that costs least.",
        "Whichever direct flight {0} is cheapest on {2}.",
        # Kept for the held-out split.
        "The best price for a direct flight {0}, on {2}.",
        "Nonstop {0} on {2}, at the smallest fare there is.",
        "Nothing costs less than the direct flight that I want {0} on {2}.",
    ),
}

OLD_FLIGHT = (
    "It is about {0}. In its place: {1}",
    "I mean {0}. Instead: {1}",
    "The one to be changed is {0}. What I want now: {1}",
    "Please give me another in place of {0}. {1}",
    "{0} does not suit me any more. {1}",
    # Kept for the held-out split.
    "I can no longer take {0}. My wish now: {1}",
    "Out goes {0}. {1}",
    "Here is the one that I would give up: {0}. {1}",
)
LAST_FLIGHT = (
    "It is about {0}.",
    "I mean {0}.",
    "It is {0}, if you need it.",
    "It concerns {0}.",
    "That is {0}.",
    # Kept for the held-out split.
    "We speak of {0}.",
    "The one in question is {0}.",
    "You can look for {0}.",
)
COMPENSATION = (
    "Whatever compensation you give in such a case will do.",
    "I leave it to you what the compensation is.",
    "I would take the compensation that the airline has for that.",
    "The usual compensation will be fine.",
    "The compensation that your rules name, nothing more.",
    # Kept for the held-out split.
    "As to the compensation, I have no particular sum in mind.",
    "Any compensation that you hand out in that case.",
    "You will know what compensation is customary.",
)

COVERED = (
    "I have fallen ill and cannot travel.",
    "A storm is forecast there, and I will not fly into that.",
    "My doctor says that I am too ill to fly.",
    "The weather there is terrible, a hurricane is coming.",
    "I am down with the flu.",
    "Heavy snow is announced for that day.",
    "I was taken to hospital with pneumonia.",
    "Floods have hit the place where I wanted to go.",
    # Kept for the held-out split.
    "I caught something nasty and have to stay in bed.",
    "The whole region expects a blizzard.",
    "An illness keeps me at home.",
    "With that weather warning I do not want to go.",
)
NOT_COVERED = (
    "My plans have changed and I will not travel.",
    "I found a cheaper flight.",
    "A meeting of mine was called off.",
    "I would rather stay at home.",
    "My friend there has no time for me.",
    "I do not get the days off from work.",
    "I will spend those days somewhere else and do not need the trip.",
    "We want to go by train now.",
    # Kept for the held-out split.
    "The wedding that I wanted to attend is off.",
    "It turned out to be too expensive for me.",
    "I booked it in a hurry and do not need it.",
    "Somebody else takes care of that business now.",
)
GROUNDED = (
    "The airline has cancelled one of my flights.",
    "You cancelled a flight of that trip.",
    "One of its flights was cancelled by you.",
    "I was told that a flight of it is cancelled.",
    "A flight in it does not go, you cancelled it.",
    # Kept for the held-out split.
    "Your company took one of the flights out.",
    "I got a message that one flight was cancelled.",
    "It is because of the flight that you cancelled.",
)
"""Reasons to cancel that the insurance covers, that nothing covers, and that lie with the airline."""

YES_TRANSFER = (
    "Yes, please transfer me.",
    "All right, put me through.",
    "Yes, do hand me over.",
    "Fine, I will talk to a person.",
    "Yes, that is all right with me.",
    # Kept for the held-out split.
    "Go on and connect me, then.",
    "If that is the way, please transfer me.",
    "Sure, let me speak with somebody.",
)

QUESTION = (
    "Nothing should be changed.",
    "You only want to know; leave everything as it is.",
    "It is a question, and no change should come of it.",
    "You do not want anything done about it now.",
    "You ask for the information alone.",
    # Kept for the held-out split.
    "Knowing it is enough for you.",
    "Hearing the answer is all; nothing is to be touched.",
    "You decline any change that is offered.",
)
