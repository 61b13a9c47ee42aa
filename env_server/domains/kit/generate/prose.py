"""A wish as prose in the second person, for the people and language models who play the caller.

Every bank ends with its held-out wordings (see `Voice.pick`). The scripted user does not use these texts.
"""

from collections.abc import Sequence

from env_server.domains.kit.generate.asking import Voice

_INTRODUCES = (
    "You are {name}; {known}.",
    "Your name is {name}; {known}.",
    "You play {name}; {known}.",
    "You speak as {name}; {known}.",
    "Your role is {name}; {known}.",
    "The customer is you, {name}; {known}.",
    "Call yourself {name}; {known}.",
    "{name} is who you are; {known}.",
    "Today you are {name}; {known}.",
    "You go by {name}; {known}.",
    # Kept for the held-out split.
    "In this conversation you are {name}; {known}.",
    "Your part is that of {name}; {known}.",
    "Put yourself in the place of {name}; {known}.",
    "Imagine being {name}; {known}.",
    "People know you as {name}; {known}.",
    "Whoever asks, you are {name}; {known}.",
    "Here speaks {name}; {known}.",
    "Your papers name {name}; {known}.",
    "Step into the shoes of {name}; {known}.",
)
_LACKS = (
    "You do not remember your {lacks}.",
    "Your {lacks}? You have forgotten.",
    "You do not know your {lacks}.",
    "You cannot give your {lacks}.",
    "Nothing comes to mind when asked for your {lacks}.",
    "Do not give any {lacks}; you have none at hand.",
    "You never wrote down your {lacks}.",
    "You are unable to name your {lacks}.",
    # Kept for the held-out split.
    "You could not tell your {lacks}.",
    "Of your {lacks} you have no memory.",
    "Your {lacks} escapes you.",
    "Wherever you noted your {lacks}, it is lost.",
    "Nobody will hear your {lacks} from you.",
    "Any {lacks} has slipped your mind.",
    "Asked for {lacks}, you must pass.",
)
_WANTS = (
    "You want to {wish}.",
    "You would like to {wish}.",
    "You are getting in touch to {wish}.",
    "Your wish is to {wish}.",
    "You need to {wish}.",
    "You have made up your mind to {wish}.",
    "You hope to {wish}.",
    "Your plan: to {wish}.",
    "What you want is to {wish}.",
    "You ask to {wish}.",
    "You call because you want to {wish}.",
    "You have been meaning to {wish}.",
    "Help is what you seek to {wish}.",
    "Since this morning you want to {wish}.",
    "It is time, you feel, to {wish}.",
    "You decided to {wish}.",
    "You try to {wish}.",
    "Somebody should help you {wish}.",
    # Kept for the held-out split.
    "Your aim is to {wish}.",
    "You intend to {wish}.",
    "All you are after is to {wish}.",
    "What brings you here: you mean to {wish}.",
    "You wish to {wish}.",
    "High on your list stands to {wish}.",
    "You came to {wish}.",
    "The purpose of your call is to {wish}.",
    "There is one matter on your mind, namely to {wish}.",
    "Without much ado you set out to {wish}.",
    "For some days now you have wanted to {wish}.",
    "You count on this conversation to {wish}.",
    "Help them help you {wish}.",
    "A sticky note reminds you to {wish}.",
    "At last you get round to it: to {wish}.",
    "Before the day is over you must {wish}.",
    "Nobody but you can decide to {wish}, and you have.",
)
_INSTEAD = (
    "Only if that is refused, you want to {wish}.",
    "Should that be refused, and only then, you would like to {wish}.",
    "If you are told that it is not possible, you ask to {wish}, but not otherwise.",
    "Only when that turns out to be impossible, you want to {wish}.",
    "In case of a refusal, but in no other, your wish is to {wish}.",
    "You do not bring it up before, but after a refusal you want to {wish}.",
    "After a clear no, and not sooner, you ask to {wish}.",
    "Being refused, you would rather {wish}; otherwise you keep that to yourself.",
    # Kept for the held-out split.
    "Your second choice, for the case of a refusal alone, is to {wish}.",
    "A refusal would make you ask to {wish}; without one you keep silent about it.",
    "Where that is denied, and nowhere else, you want to {wish}.",
    "As long as nothing is refused, that is all; if it is, you want to {wish}.",
    "Were it turned down, then and only then would you ask to {wish}.",
)
_ANSWERS = (
    "Asked for details, you say: {said}",
    "What you say when asked: {said}",
    "Questions about it you answer with: {said}",
    "When the agent asks, you say: {said}",
    "Your answers, as far as they are asked for: {said}",
    "Details, if wanted: {said}",
    "You can tell, if asked: {said}",
    "In your own words, once a question comes: {said}",
    "This much you know: {said}",
    "Upon request you explain: {said}",
    "An agent who asks hears: {said}",
    "Pressed for more, you offer: {said}",
    "One question at a time, you reveal: {said}",
    "Facts you hold back until they are asked for: {said}",
    "To be said on demand: {said}",
    "Answer with: {said}",
    # Kept for the held-out split.
    "If questions come up, you reply: {said}",
    "On being asked you tell: {said}",
    "Keep these answers ready: {said}",
    "All that you can add: {said}",
    "Whoever inquires learns this: {said}",
    "Particulars, for when they matter: {said}",
    "You give it piece by piece: {said}",
    "Nothing unasked, but otherwise: {said}",
    "Should somebody want to know: {said}",
    "Prompted, you respond: {said}",
    "Ready to be told: {said}",
    "A patient agent gets to hear: {said}",
    "What else there is: {said}",
    "Inquiries meet with this: {said}",
    "Such are the details: {said}",
    "Once invited to, you specify: {said}",
)
_ACCEPTS = (
    "You accept it if you are refused and told why.",
    "If it is refused with a reason, you let it be.",
    "Should that not be possible, you leave it at that.",
    "You give in when you are refused, after one objection.",
    "If the answer is no, you live with it.",
    "You can live with a refusal that has a reason.",
    "A clear no with its reason is good enough for you.",
    "Turned away, you object once and then drop it.",
    "You do not insist for long if it cannot be done.",
    "No battles: a reasoned refusal ends the matter.",
    # Kept for the held-out split.
    "A no is all right with you in the end.",
    "You put up with a refusal.",
    "Being refused is no drama, given a reason.",
    "You take no for an answer once you know what stands in the way.",
    "Where there is a reason against it, so be it.",
    "If there is no way, you shrug and move on.",
)
_TRANSFERRED = (
    "You agree to being transferred if the agent cannot do that.",
    "If people have to settle it, you agree to being handed over.",
    "Should the agent offer to transfer you, you agree.",
    "A transfer is all right with you.",
    "You have nothing against being put through to somebody.",
    "Being passed on to a person is fine with you.",
    "Another department may take over, if it must.",
    "You say yes to a transfer where one is needed.",
    # Kept for the held-out split.
    "To an offer of being connected with people you say yes.",
    "You let yourself be transferred if it has to be.",
    "You would talk to other people about it if you must.",
    "Go along with it when they hand you on.",
    "Whether you end up with a colleague makes no difference to you.",
)
_REVISES = (
    "When the agent asks you to confirm, you say: {said} That is final.",
    "Asked for your yes, you change your mind first: {said} You stay with that.",
    "Before you confirm anything you think again: {said} It stays so.",
    "As soon as you are to confirm, you say: {said} After that nothing changes any more.",
    "Your first answer to a question for a yes is: {said} Then you are sure.",
    "Instead of the first yes comes: {said} Your last word.",
    "A question for your consent makes you reconsider: {said} Done deciding.",
    # Kept for the held-out split.
    "On the point of agreeing you say: {said} And so it remains.",
    "Rather than agree at once, you reply: {said} You do not change it again.",
    "You hesitate when asked to confirm: {said} From then on you are sure.",
    "The first time that you are to agree, something occurs to you: {said} That settles it.",
)
_AFTER = (
    "After that: {goal}",
    "Once that is settled: {goal}",
    "Your next wish: {goal}",
    "Then there is this: {goal}",
    "Besides: {goal}",
    "Next: {goal}",
    "Secondly, when it is your turn again: {goal}",
    "Your list goes on: {goal}",
    # Kept for the held-out split.
    "When that is out of the way: {goal}",
    "A further matter: {goal}",
    "Only then do you go on: {goal}",
    "Still to come: {goal}",
    "One thing leads to another: {goal}",
)


def introduced(voice: Voice, name: str, known: Sequence[str], lacks: Sequence[str] = ()) -> str:
    """Return the caller's identity: the name, clauses of known facts (`your zip code is 12345`), and unknown facts."""
    texts = [voice.pick(*_INTRODUCES).format(name=name, known=" and ".join(known))]
    if lacks:
        texts.append(voice.pick(*_LACKS).format(lacks=" or ".join(lacks)))
    return " ".join(texts)


def wanted(voice: Voice, wish: str) -> str:
    """Return a sentence for a wish; `wish` follows "You want to"."""
    return voice.pick(*_WANTS).format(wish=wish)


def instead(voice: Voice, wish: str) -> str:
    """Return a sentence for a wish that replaces a refused one."""
    return voice.pick(*_INSTEAD).format(wish=wish)


def answered(voice: Voice, texts: Sequence[str]) -> list[str]:
    """Return one sentence with all answers of the caller, in quotes; an empty list if there are no answers."""
    return [voice.pick(*_ANSWERS).format(said=_quoted(" ".join(texts)))] if texts else []


def accepts(voice: Voice) -> str:
    """Return a sentence: the caller accepts a refusal with a reason."""
    return voice.pick(*_ACCEPTS)


def transferred(voice: Voice) -> str:
    """Return a sentence: the caller agrees to a transfer."""
    return voice.pick(*_TRANSFERRED)


def revised(voice: Voice, text: str) -> str:
    """Return a sentence: the caller says `text` in place of the first yes."""
    return voice.pick(*_REVISES).format(said=_quoted(text))


def after(voice: Voice, goal: str) -> str:
    """Return the text of a wish that follows another one."""
    return voice.pick(*_AFTER).format(goal=goal)


def _quoted(text: str) -> str:
    return f'"{text}"'
