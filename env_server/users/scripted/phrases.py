"""The scripted user's small talk: a bank of wordings for each kind, and the changes that a style makes to them.

The choice of a wording depends on the seeds alone. The last third of a bank (`_KEPT_BACK`) is used only in the `test`
split.
"""

import hashlib
import re
from collections.abc import Sequence
from math import ceil

_BANKS: dict[str, Sequence[str]] = {
    "hello": (
        "Hello.", "Hi.", "Good day.", "Hello there.", "Hi there.", "Good morning.", "Greetings.",
        "Hello, are you there?",
        "Good afternoon to you.", "Hey.", "Hello, I hope this is the right place.", "Good evening.",
    ),
    "besides": (
        "And there is a second thing.", "Besides that:", "Another matter:", "Apart from that, one more thing.",
        "And while I am here:", "Also:", "There is more:", "Next to that:",
        "On top of it:", "Then there is something else:", "And as well:", "One other thing:",
    ),
    "yes": (
        "Yes, please go ahead.", "Yes, that is right.", "Yes, please.", "Yes, do that.", "Yes, that is what I want.",
        "Yes, go on.", "Yes, I agree.", "Yes, please do it.",
        "Yes, you may do so.", "Yes, exactly that.", "Yes, I confirm.", "Yes, proceed.",
    ),
    "right": (
        "Yes, that is right.", "Yes, that is my wish.", "Yes, you understood me.", "Right, that is why I am here.",
        "Yes, that is what it is about.", "Correct, that is it.", "Yes, that is what I came for.", "Yes, quite right.",
        "Right, that is what I need help with.", "Correct, you have got it.", "Yes, that is the matter.",
        "Yes, correct.",
    ),
    "next": (
        "Thank you.", "Thanks.", "Good, thank you.", "Very well, thanks.", "Perfect, thanks.", "I appreciate it.",
        "Great, thank you.", "That is fine, thanks.",
        "Much obliged.", "Lovely, thanks for that.", "Excellent.", "Thank you for taking care of it.",
    ),
    "accept": (
        "All right.", "I see.", "Understood.", "Well, if that is so.", "Then I have to accept that.",
        "That is how it is.",
        "Fair enough.", "I take your word for it.",
        "Then so be it.", "I will live with that.", "It cannot be helped, I suppose.", "Point taken.",
    ),
    "insist": (
        "Are you sure? Is there really no way?", "Could you please check that again?", "Is there nothing you can do?",
        "That is a pity. Can you not make an exception?", "Please have another look.", "Is that the last word on it?",
        "Hm, I had hoped for another answer. Are you certain?", "Would you look into it once more?",
        "Surely there is some way?", "I find that hard to accept. Is there no other way?",
        "Can that be right? Please check.",
        "May I ask you to try again?",
    ),
    "why": (
        "Why is that?", "Could you tell me why not?", "For what reason?", "Why not?", "What is the reason?",
        "What stands in the way?", "May I know why?", "And why is that so?",
        "How come?", "What makes it impossible?", "On what grounds?", "I would like to know the reason.",
    ),
    "again": (
        "I still need help with this:", "Let me say it again:", "To come back to my wish:",
        "What I need is still this:",
        "My question is still open:", "As I said:", "I am still waiting for this:", "Back to the point:",
        "Once more, then:", "What about this:", "Let us return to this:", "This is still unsettled:",
    ),
    "first": (
        "One thing first:", "To be clear:", "Please note:", "So that we mean the same:", "One detail:", "Mind this:",
        "You left something out:", "To complete that:",
        "Do not forget:", "Let me add:", "For the record:", "This belongs to it:",
    ),
    "wrong": (
        "No, that is not what I said.", "No, there is a mistake in that.", "No, not like that.", "No, that is wrong.",
        "No, please look again.", "No, you misunderstood me.", "No, something is off there.", "No, that does not fit.",
        "No, that was not it.", "No, this differs from my wish.", "No, correct that, please.",
        "No, you mixed something up.",
    ),
    "what": (
        "What exactly would you do?", "With what exactly? Please say it in full.", "Go ahead with what?",
        "What am I agreeing to?", "Please say first what will happen.", "Tell me what you are going to do, please.",
        "To what do I say yes?", "Could you sum up what you would do?",
        "Which change do you mean?", "I do not know yet what that would be.", "Please spell out what you have in mind.",
        "What precisely do you propose?",
    ),
    "yes?": (
        "Do you need my yes to do what I asked for?", "Would you do it now, as I asked, if I say yes?",
        "Are you asking whether you may do what I want?", "Shall I say yes, so that you do it?",
        "Is a yes from me all that it takes to get it done?", "Do you want me to agree that you do it now?",
        "So you would do what I asked for if I agree?", "Are you waiting for my yes to get it done?",
        "Would you like my consent to do what I asked for?", "Is it my approval that you want, to do it now?",
        "Am I to confirm that you should do it?", "Should I give my consent that you do it now?",
    ),
    "no?": (
        "So that is not possible?", "Does that mean no?", "Is that a no?", "So it cannot be done?",
        "Do you mean that it is not allowed?", "So you will not do it?", "Am I to understand that it cannot be done?",
        "Is it out of the question, then?",
        "Then the answer is no?", "Are you turning me down?", "So there is no way?", "Do you mean it is impossible?",
    ),
    "transfer?": (
        "Does that mean that you transfer me?", "Do you want to hand me over to somebody?",
        "Am I being put through to somebody?", "Is that a transfer?", "So you would pass me on?",
        "Do you mean that somebody else takes over?", "Are you going to transfer me?", "Will I be handed over?",
        "Do you mean to put me through?", "So that would be a transfer?", "Is somebody else to take over from you?",
        "Would you be passing me on, then?",
    ),
    "not_asked": (
        "No, I did not ask for that.", "No, please do not do that.", "No, that is not what I want.",
        "No, leave that as it is.", "No thanks, I do not want that.", "No, nobody asked for that.",
        "No, I want only what I said.", "No, that was never my wish.",
        "No, keep it to what I asked for.", "No, nothing of the kind, please.", "No, I would not like that.",
        "No, I have no use for that.",
    ),
    "only": (
        "I say yes to this only:", "You may do this and nothing else:", "My yes is only for this:",
        "I agree to this part, not to the rest:", "Only this, please, and not the rest:",
        "This much is right, the rest I do not want:", "Please do just this, I agree to no more:",
        "To this alone I say yes:",
        "I agree, but only to this:", "No more than this, to which I agree:", "Go ahead with this alone:",
        "This you may do, and leave the rest as it is:",
    ),
    "done?": (
        "Is that done now?", "Has it been done?", "So is it done?", "Does that mean it is done?",
        "Is it all done then?",
        "Just to be sure: is it done?", "Did that work, is it done?", "May I take it that it is done?",
        "And is it really done?", "Then it is done, is it?", "Is it settled and done?",
        "Can I cross it off, is it done?",
    ),
    "one_more": (
        "There was one more thing I wanted to hear:", "You have not told me one thing yet:", "And what about this:",
        "I asked something else, too:", "One question is left:", "I still want to know this:",
        "You forgot my question:", "There is something you have not answered:",
        "My question was not answered yet:", "What I also wanted to know:", "Please answer this as well:",
        "An answer is missing:",
    ),
    "works": (
        "It works now.", "That has helped, it works now.", "Now it works.", "That did it, it works again.",
        "Good, it works.", "It is working again.", "Yes, that works now.", "Problem gone, it works.",
        "There we are, it works.", "And it works once more.", "It has come back to life and works.",
        "It works at last.",
    ),
    "all": (
        "That was all.", "That was all I needed.", "I need nothing else.", "Nothing more from my side.",
        "That is everything.", "No more wishes.", "I have no other questions.", "That settles it.",
        "We are through, then.", "There is nothing else.", "I am happy with that.", "That would be it.",
    ),
    "still": (
        "It still does not work.", "I still have the same trouble.", "No change here, it does not work.",
        "The trouble is still there.", "Nothing has changed on my side.", "It is as broken as before.",
        "That has not helped.", "Still the same.",
        "It makes no difference so far.", "The fault is there as ever.", "I see no improvement.",
        "It will not work yet.",
    ),
    "wait": (
        "Sure, I will wait.", "Take your time.", "I will hold.", "No hurry.", "Of course.", "I am here.",
        "All right, I am waiting.", "Go on, I have time.",
        "By all means.", "I can wait a moment.", "Fine, I will stay on.", "Please do.",
    ),
    "stay": (
        "No, please do not transfer me. I would like to settle this here.", "No transfer, please.",
        "I would rather settle it with you than be transferred.", "Please do not pass me on.",
        "No, let us settle it here, without a transfer.", "Do not transfer me, please.",
        "I do not want to be transferred.", "Please let me stay with you, no transfer.",
        "Being transferred is not what I want.", "I prefer to go on with you, no transfer.",
        "Spare me the transfer, please.", "A transfer would not help me.",
    ),
    "puzzled": (
        "Sorry, I did not quite follow that.", "I am not sure what you mean.", "I do not understand.",
        "Pardon?", "What do you mean?", "Could you put that differently?", "You have lost me.",
        "That was not clear to me.",
        "I could not make sense of that.", "How do you mean?", "Sorry, what was that?",
        "Please say that in other words.",
    ),
    "only_me": (
        "I can speak only for myself.", "I call on my own behalf only.", "I have nobody else's details to give you.",
        "I can tell you only about myself.", "I know such things only about myself.", "I speak for nobody but myself.",
        "It is only me here, I have no details of anybody else.", "I am here for nobody but myself.",
        "I have only my own details at hand.", "About others I cannot tell you anything.",
        "I can give you my own details and nobody else's.", "I have no such thing about anybody else.",
    ),
    "this_one": (
        "It is the one that I have here with me.", "The one in my hand.", "The one that I am looking at.",
        "It is the one I carry with me.", "I mean the one that I have before me.", "The one beside me here.",
        "It is the one that I hold right now.", "The one that I use every day.",
        "It is the one lying in front of me.", "The one within my reach, I mean.",
        "I speak of the one at my fingertips.", "It is the one resting in my palm.",
    ),
    "myself": (
        "That is me.", "It is for me.", "I call for myself.", "That would be me.", "It is about me.",
        "Me, nobody else.",
        "I am asking for myself.", "This is for myself.", "It is me.", "It is on my own behalf.", "No other than me.",
        "I am the one.",
    ),
    "either": (
        "Either is fine with me.", "I have no preference there.", "Whichever you think best.", "I leave that to you.",
        "Both would be fine.", "That makes no difference to me.", "It is all the same to me.", "You may choose.",
        "One is as good as the other for me.", "I do not mind which.", "Take whichever is easier.", "Either will do.",
    ),
    "unsure": (
        "I could not tell you which.", "I do not know which of them.", "That I do not know.", "I cannot say which.",
        "I am not sure which.", "I have no idea which.", "That is more than I know.", "I would not know which.",
        "Which of the two I cannot tell.", "I really do not know.", "No idea which of them.", "I could not say.",
    ),
    "no_reason": (
        "There is no special reason.", "I have no particular reason.", "I would simply like it that way.",
        "No reason in particular.", "It is just what I would like.", "It suits me better, that is all.",
        "I just think it is best so.", "Nothing special is behind it.",
        "There is not much of a reason, I would just like it.", "I have no better reason than that I would like it.",
        "No deeper reason, really.", "It is simply my wish.",
    ),
    "persona": (
        "I am just a customer who needs help.", "I do not know what you mean; I am a customer and only want help.",
        "Instructions? I am a customer with a question, please help me.", "I am only here as a customer, for help.",
        "That makes no sense to me, I just need help.", "What an odd question. I need help as a customer.",
        "I have nothing of the kind; I am a customer in need of help.", "Me? I am a customer. Can you help?",
        "You must take me for somebody else; I am a customer who wants help.", "I would not know. I came for help.",
        "Are you all right? I am a customer asking for help.", "No idea. Please just help me.",
    ),
}  # fmt: skip

_TERSE: dict[str, Sequence[str]] = {
    "hello": ("", "", "Hi.", "Hello.", ""),
    "yes": ("Yes.", "Yes, do.", "Yes please.", "Yes, go.", "Yes, fine."),
    "next": ("OK.", "Thanks.", "Good.", "Fine.", "Great."),
    "accept": ("Fine.", "OK then.", "Too bad.", "Hm, fine.", "So be it."),
    "insist": ("Are you sure?", "Really?", "Check again.", "No way around it?", "Certain?"),
    "again": ("Again:", "Still:", "Once again:", "As said:", "Once more:"),
    "wait": ("OK.", "Waiting.", "Sure.", "Fine.", "Right."),
    "all": ("That's all.", "All good.", "Done.", "Nothing else.", "Bye."),
}
"""The wordings of the style `terse`, which replace those of `_BANKS`."""

_BEFORE: dict[str, Sequence[str]] = {
    "chatty": (
        "Oh, how nice.", "Wonderful to talk to you.", "Ha, well.", "You are very kind.", "Oh my.",
        "Splendid.", "Goodness.", "How good of you.",
    ),
    "upset": (
        "Honestly.", "This is tiresome.", "For heaven's sake.", "I have little patience left.", "Good grief.",
        "What a day.", "This is getting on my nerves.", "Oh, come on.",
    ),
    "unsure": (
        "Um.", "I think so, hm.", "Sorry if this is silly.", "Let me see.", "I hope I say this right.",
        "Well, hm.", "Bear with me.", "If I am not mistaken.",
    ),
}  # fmt: skip
"""Style -> its marks: sentences that are put before a message."""

_ALWAYS_FIRST = frozenset({"yes", "right", "wrong", "not_asked", "only"})
"""Kinds whose first word is the answer. Style marks are not put before them."""

_NO_ANSWERS = frozenset({"puzzled", "what", "yes?", "no?", "transfer?", "again", "first", "wrong", "not_asked"})
"""Kinds that show that a message was not what the user waits for."""

_UNFIT: dict[str, frozenset[str]] = {
    "chatty": frozenset(_NO_ANSWERS | {"hello", "insist", "why", "still", "accept", "done?"}),
    "upset": frozenset({"hello", "next", "works", "all"}),
    "unsure": frozenset({"hello", "next", "works", "all", "accept", "insist", "why"}),
}
"""Style -> the kinds that get none of its marks: nobody says `Splendid. Can that be right?`"""

_ARTICLES = re.compile(r"\b(?:the|an?) (?=[a-z])")
_OFTEN = 2
"""One message in this many has a mark of its style."""

_KEPT_BACK = 0.35
"""The share of a bank that only the `test` split uses."""


def say(kind: str, style: str, split: str | None, *seeds: object) -> str:
    """Return one wording for `kind` in `style`; the same seeds give the same wording."""
    digest = hashlib.sha256("\0".join(map(str, (kind, *seeds))).encode()).digest()
    if style == "terse" and kind in _TERSE:
        return _TERSE[kind][digest[0] % len(_TERSE[kind])]
    bank = _bank(_BANKS[kind], split)
    text = bank[digest[0] % len(bank)]
    if style == "foreign":
        return _ARTICLES.sub("", text)
    if style in _BEFORE and kind not in _ALWAYS_FIRST | _UNFIT[style] and digest[1] % _OFTEN == 0:
        marks = _bank(_BEFORE[style], split)
        return f"{marks[digest[2] % len(marks)]} {text}"
    return text


def _bank(bank: Sequence[str], split: str | None) -> Sequence[str]:
    back = ceil(len(bank) * _KEPT_BACK)
    return bank[-back:] if split == "test" else bank[:-back]
