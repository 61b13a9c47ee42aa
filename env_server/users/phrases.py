"""The scripted user's small talk, by style; which wording comes follows from the seed alone."""

import hashlib
from collections.abc import Sequence

_TALK: dict[str, dict[str, Sequence[str]]] = {
    "hello": {
        "plain": ("Hello.", "Hi.", "Good day."),
        "chatty": ("Hi there, I hope you are having a good day!", "Hello! Thanks for taking the time."),
        "terse": ("",),
    },
    "yes": {
        "plain": ("Yes, please go ahead.", "Yes, that is right.", "Yes, please."),
        "chatty": ("Yes, that is exactly right, please go ahead!", "Yes, thank you, please do that."),
        "terse": ("Yes.",),
    },
    "next": {
        "plain": ("Thank you.", "Thanks."),
        "chatty": ("Wonderful, thank you so much!", "Great, thanks a lot!"),
        "terse": ("OK.",),
    },
    "accept": {
        "plain": ("All right.", "I see."),
        "chatty": ("Oh well, I understand.", "That is a pity, but all right."),
        "terse": ("Fine.",),
    },
    "insist": {
        "plain": ("Are you sure? Is there really no way?", "Could you please check that again?"),
        "chatty": ("Oh, that would be a real pity. Are you quite sure?", "Hm, could you have another look for me?"),
        "terse": ("Are you sure?",),
    },
    "again": {
        "plain": ("I still need help with this:", "Let me say it again:"),
        "chatty": ("Sorry, I think we lost the thread. I wanted to say:", "Let me put it once more:"),
        "terse": ("Again:",),
    },
    "help": {
        "plain": ("Can you help me with that, please?", "I would be glad of your help with that."),
        "chatty": ("It would be lovely if you could help me with that!", "I am sure you can help me with that!"),
        "terse": ("Please help.",),
    },
    "first": {
        "plain": ("One thing first:", "To be clear:"),
        "chatty": ("Just so that we mean the same thing:", "Before you do that, one thing:"),
        "terse": ("First:",),
    },
    "works": {
        "plain": ("It works now.", "That has helped, it works now."),
        "chatty": ("Oh wonderful, it works again, thank you so much!", "You did it, it works now, thanks a lot!"),
        "terse": ("Works now.",),
    },
    "all": {
        "plain": ("That was all.", "That was all I needed."),
        "chatty": ("That was all I needed, have a lovely day!", "That was all from my side, thank you!"),
        "terse": ("That's all.",),
    },
    "still": {
        "plain": ("It still does not work.", "I still have the same trouble."),
        "chatty": ("Hm, I am afraid it still does not work.", "Sadly it is still the same."),
        "terse": ("Still broken.",),
    },
    "wait": {"plain": ("Sure, I will wait.",), "chatty": ("Of course, take your time!",), "terse": ("OK.",)},
    "complete": {
        "plain": ("No, that is all of it.",),
        "chatty": ("No, that is everything for this one.",),
        "terse": ("That's all.",),
    },
    "stay": {
        "plain": ("No, please do not transfer me. I would like to settle this here.",),
        "chatty": ("Oh no, please do not transfer me, I would much rather settle it with you.",),
        "terse": ("No transfer, please.",),
    },
    "nothing_more": {
        "plain": ("That is all I can tell you.", "I have told you all I know about it."),
        "chatty": ("I am afraid I have told you all I know about it.",),
        "terse": ("That's all I know.",),
    },
}


def say(kind: str, style: str, *seeds: object) -> str:
    """One wording for `kind` in `style`; the same seeds give the same wording."""
    choices = _TALK[kind][style]
    digest = hashlib.sha256("\0".join(map(str, (kind, *seeds))).encode()).digest()
    return choices[digest[0] % len(choices)]
