"""The words in which callers tell their details. The last third of each bank is heard in the `test` split alone."""

NUMBERED = (
    "It is order {}.",
    "The order number is {}.",
    "I mean order {}.",
    "It is the order with the number {}.",
    "The number I have here is {}.",
    "That is order number {}.",
    "My confirmation says {}.",
    "You should find it as order {}.",
    # Kept for the held-out split.
    "{} is the number of the order.",
    "The order in question is {}.",
    "The app shows it as {}.",
    "It goes by the number {}.",
)
UNNUMBERED = (
    "I do not have the number, but it is my order from {}.",
    "It is the one from {}; I have no number at hand.",
    "I cannot find the number. It is what I ordered from {}.",
    "The order from {}. I do not know its number.",
    "I only know that it is from {}.",
    "It is my {} order, the number I do not have.",
    "It was placed with {}; the number I have lost.",
    "All I can say is that I ordered at {}.",
    # Kept for the held-out split.
    "No number, I am afraid: it is the food from {}.",
    "The one I got from {}, whatever its number is.",
    "I never wrote the number down. The restaurant is {}.",
    "My order at {}; please look the number up.",
)
PAY = (
    "I pay with {}.",
    "Please charge {}.",
    "Take it from {}.",
    "I would like to pay with {}.",
    "It should be paid with {}.",
    "Use {} for it.",
    "Put it on {}.",
    "For the payment take {}.",
    # Kept for the held-out split.
    "Let {} pay for it.",
    "{} is what I pay with.",
    "Bill it to {}, please.",
    "My choice for paying is {}.",
)
TO_CREDITS = (
    "Please give me the money back as credits.",
    "I would like it as credits.",
    "Put the money on my credits.",
    "Refund it to my credits.",
    "Credits are fine for the refund.",
    "I want to have it back in credits.",
    "It can go to my credits.",
    "Let me have credits for it.",
    # Kept for the held-out split.
    "I choose credits for the money.",
    "Turn the refund into credits.",
    "My credits should get the money.",
    "As credits, please, not any other way.",
)
TO_ORIGINAL = (
    "Please refund me the way I paid, to {}.",
    "The money should go back to {}.",
    "I want the refund on {}, with which I paid.",
    "Send it back to {}.",
    "Back to {}, please, as I paid with it.",
    "Refund it to {}.",
    "I would like the money returned to {}.",
    "It should go back where it came from: {}.",
    # Kept for the held-out split.
    "{} paid for it, so the money goes there.",
    "Have the money return to {}.",
    "The same way back, that is {}.",
    "Let {} have the money again.",
)
REASONS = {
    "changed_mind": (
        "I no longer want what I ordered, I changed my mind.",
        "I just do not want it any more, I changed my mind.",
        "We have changed our minds about dinner.",
        "The reason is a change of mind, I do not want it.",
        "I thought about it again and do not want it.",
        "I changed my mind and no longer want it, that is all.",
        # Kept for the held-out split.
        "No special reason: I changed my mind and can do without it.",
        "I decided otherwise, so nobody here wants it now.",
        "I have thought better of ordering there, that is why.",
    ),
    "ordered_by_mistake": (
        "I ordered it by mistake.",
        "It was a mistake, I pressed the wrong button.",
        "The order was placed by accident.",
        "I did not mean to order it at all.",
        "It was ordered in error.",
        "That was an accident, I only wanted to look.",
        # Kept for the held-out split.
        "My thumb slipped, I never meant to order.",
        "I placed it mistakenly.",
        "Placing it was an oversight of mine.",
    ),
    "wrong_address": (
        "It is going to the wrong address.",
        "The address is wrong on it.",
        "I picked the wrong address for it.",
        "It would arrive at the wrong address.",
        "I sent it to the wrong address.",
        "I gave the wrong address with it.",
        # Kept for the held-out split.
        "I had the wrong address selected.",
        "They would bring it to the wrong place.",
        "The delivery address is wrong.",
    ),
    "too_late": (
        "It should have been here long ago, it is too late for me now.",
        "It is far too late.",
        "I have waited too long, it is late.",
        "It is so late that I have eaten something else.",
        "It is late, it has not come in time.",
        "By now it is too late to eat.",
        # Kept for the held-out split.
        "They are much too late.",
        "The delay is more than I can take.",
        "It is overdue and I am no longer hungry.",
    ),
}
TO_ADDRESS = (
    "It should go to {}.",
    "Please send it to {}.",
    "Deliver it to {}.",
    "I want it at {}.",
    "Have it brought to {}.",
    "It is meant for {}.",
    "The place is {}.",
    "They should bring it to {}.",
    # Kept for the held-out split.
    "{} is where it goes.",
    "I will be waiting at {}.",
    "The courier should come to {}.",
    "Let it arrive at {}.",
)
NEW_ADDRESS = (
    "The new address is {}.",
    "It is {}.",
    "The address is {}.",
    "It reads {}.",
    "Please take down {}.",
    "Here it is: {}.",
    "I mean {}.",
    "In full it is {}.",
    # Kept for the held-out split.
    "Write {}.",
    "That would be {}.",
    "Everything together: {}.",
    "You can note {}.",
)
LABEL = (
    'Call it "{}".',
    'The label should be "{}".',
    'Save it as "{}".',
    'I would name it "{}".',
    'Put "{}" on it.',
    'It goes under "{}".',
    'As a label take "{}".',
    'Its name is "{}".',
    # Kept for the held-out split.
    '"{}" is the label I want.',
    'File it as "{}".',
    'Let it be labelled "{}".',
    'Mark it as "{}".',
)
MAKE_DEFAULT = (
    "Please make it my default address.",
    "It should become my default address.",
    "Yes, it is to be the default one.",
    "From now on it is my default address.",
    "I want it as the default.",
    "Set it as default, please.",
    # Kept for the held-out split.
    "It takes the place of my default address.",
    "My default should be this one.",
    "Let it be the default address.",
)
KEEP_DEFAULT = (
    "Keep my default address as it is.",
    "My default address stays.",
    "The default should not change.",
    "No, leave my default address alone.",
    "It is not to become the default.",
    "Do not touch the default address.",
    # Kept for the held-out split.
    "The default remains what it is.",
    "I want no other default address.",
    "Nothing changes about my default.",
)
HANDING = {
    "hand_to_me": (
        "The courier should hand it to me.",
        "Please have it handed to me.",
        "I want it handed over in person.",
        "Hand it to me at the door, please.",
        "The courier gives it to me in person.",
        "It should be put into my hands.",
        # Kept for the held-out split.
        "From hand to hand: it should be handed to me.",
        "Straight into my hands, please.",
        "I would like to be handed it.",
    ),
    "leave_at_door": (
        "Please have it left at my door.",
        "Leave it at the door.",
        "It can be left at my door.",
        "The courier should leave it at the door.",
        "At the door is fine, just leave it there.",
        "Have the courier put it down at my door.",
        # Kept for the held-out split.
        "My door is where it should be left.",
        "Drop it at my door.",
        "It may stand at the door until I come.",
    ),
    "meet_outside": (
        "I will meet the courier outside.",
        "I am coming outside to meet the courier.",
        "The courier should wait for me outside.",
        "Let us meet outside.",
        "I will be standing outside.",
        "Outside the house, I will come out.",
        # Kept for the held-out split.
        "I can fetch it outside.",
        "The courier finds me outside.",
        "Outside, please, I will go and meet them.",
    ),
    "leave_with_reception": (
        "Please have it left with the reception.",
        "Leave it with the reception.",
        "The reception will take it.",
        "It should be given to the reception.",
        "The courier can leave it at the reception.",
        "Hand it in at the reception.",
        # Kept for the held-out split.
        "Our reception accepts it for me.",
        "The reception is where it should be left.",
        "Somebody at the reception will take it.",
    ),
}
TIP = (
    "The tip is ${} in all.",
    "I want to tip ${} in all.",
    "Make the tip ${}.",
    "The courier gets ${} altogether.",
    "A tip of ${} in total.",
    "The tip should come to ${}.",
    "Let us say ${} as the tip.",
    "Put down a tip of ${}.",
    # Kept for the held-out split.
    "${} is what I tip.",
    "As for the tip, ${} in all.",
    "I give the courier ${} in all.",
    "Have the tip stand at ${}.",
)
NO_TIP = (
    "No tip, please.",
    "Without a tip.",
    "I want to leave no tip.",
    "I give no tip.",
    "There is no tip this time.",
    "No tip today.",
    # Kept for the held-out split.
    "I would rather not tip.",
    "Leave it without a tip.",
    "Put the tip at zero.",
)
MORE_TIP = (
    "Please add ${} to the tip there is.",
    "${} more than the tip is now.",
    "I want to add ${} to it.",
    "Raise it by ${}.",
    "The courier should get ${} more.",
    "Put another ${} on top of the tip.",
    "Increase the tip by ${}.",
    "I would give ${} more than I did.",
    # Kept for the held-out split.
    "${} on top of what I tip already.",
    "It should grow by ${}.",
    "Let it be ${} more.",
    "An extra ${} for the courier.",
)
DISHES = (
    "I would like {}.",
    "I want {}.",
    "Please get me {}.",
    "It is to be {}.",
    "I will have {}.",
    "What I want is {}.",
    "Make it {}.",
    "I am after {}.",
    # Kept for the held-out split.
    "My choice is {}.",
    "I have picked {}.",
    "{} is what I am hungry for.",
    "We are having {}.",
)
RESTAURANT = (
    "I want it from {}.",
    "It is from {}.",
    "The restaurant is {}.",
    "I am thinking of {}.",
    "From {}, please.",
    "I mean {}.",
    "It should come from {}.",
    "I have chosen {}.",
    # Kept for the held-out split.
    "{} is the place.",
    "The food of {} is what I want.",
    "I trust {} with it.",
    "Let it be {}.",
)
CODE = (
    "The promo code is {}.",
    "The code is {}.",
    "I have the code {}.",
    "Please use {}.",
    "It reads {}.",
    "The code I mean is {}.",
    "I was given {}.",
    "Take the code {}.",
    # Kept for the held-out split.
    "{} is the code.",
    "My code goes {}.",
    "On the flyer it says {}.",
    "You can enter {}.",
)
IN_CART = (
    "Just what is in my cart, nothing else.",
    "Exactly what is in my cart.",
    "All of my cart as it is.",
    "Only the things in my cart.",
    "My cart, and nothing more.",
    "Order the cart as it stands.",
    "Whatever is in my cart, no changes.",
    "The cart just as I left it.",
    # Kept for the held-out split.
    "Everything that waits in my cart.",
    "The cart needs no change.",
    "What my cart holds, that is all.",
    "My whole cart, unchanged.",
)
AFFECTED = {
    "missing": (
        "The {}, all of what I ordered of it, was missing.",
        "The {} did not come, none of it.",
        "None of the {} was in the bag.",
        "They forgot the {} altogether.",
        "The {} was missing, every bit of it.",
        "What was missing is the {}, all of it.",
        "I got nothing at all of the {}.",
        "All of the {} was left out.",
        # Kept for the held-out split.
        "Not one {} arrived.",
        "The {} never made it into the bag, none of it.",
        "The whole {} was not there.",
        "They packed no {} whatsoever.",
    ),
    "wrong": (
        "The {}, all of what I ordered of it, was not what I ordered.",
        "Instead of the {} I got something else, for all of it.",
        "All of the {} was wrong.",
        "The {} was wrong, every bit of it.",
        "Where the {} should have been there was something else, all of it.",
        "They gave me something else for all of the {}.",
        "The {} turned out to be another dish, all of it.",
        "All of the {} was mixed up with another dish.",
        # Kept for the held-out split.
        "The whole {} was the wrong food.",
        "What came as {} was something different throughout.",
        "None of the {} was right.",
        "In place of all the {} I found other food.",
    ),
    "damaged": (
        "The {}, all of what I ordered of it, was spilled and damaged.",
        "All of the {} was spilled.",
        "The {} arrived crushed, every bit of it.",
        "The {} was damaged, all of it.",
        "The box with the {} had burst, none of it was left whole.",
        "All of the {} had leaked into the bag.",
        "The {} was ruined on the way, all of it.",
        "I could eat none of the {}, it was all spilled.",
        # Kept for the held-out split.
        "The whole {} was squashed.",
        "The {} came damaged throughout.",
        "Everything of the {} was spilled over the bag.",
        "All the {} was broken and leaking.",
    ),
}
PROBLEMS = {
    "courier_conduct": (
        "The courier shouted at me.",
        "The courier threw the bag at my door.",
        "The courier was rude.",
        "The courier insulted me.",
        "The courier slammed my gate and swore.",
        "The courier was impolite all the time.",
        "The courier called me names.",
        "The courier kicked the bag towards me.",
        # Kept for the held-out split.
        "The courier yelled at my child.",
        "The courier mocked me.",
        "The courier behaved badly at my door.",
        "The courier was downright hostile.",
    ),
    "late": (
        "It came far too late.",
        "The food was late.",
        "They were late with it.",
        "It arrived late.",
        "It was delayed.",
        # Kept for the held-out split.
        "The delay was more than I can take.",
        "It got here late.",
        "The courier came late.",
    ),
    "cold_food": (
        "It was cold.",
        "The food came cold.",
        "It arrived stone cold.",
        "All of it was cold when it came.",
        "The meal had gone cold.",
        # Kept for the held-out split.
        "Nothing of it was warm, it was cold.",
        "It got here cold.",
        "I opened the bag and it was cold.",
    ),
}
TRANSFER = (
    "Yes, please transfer me.",
    "All right, transfer me then.",
    "Yes, put me through.",
    "That is fine, hand me over.",
    "Yes, please do.",
    "If that is needed, then yes.",
    # Kept for the held-out split.
    "Certainly, connect me.",
    "I agree to being transferred.",
    "Yes, let me speak to them.",
)
