"""Parsing of an agent's message into clauses: normalised spelling, sentences, conditions and conjunctions."""

import re
from itertools import pairwise

from env_server.domains.telecom import conditions

LONGEST = 8000
"""The maximum number of characters of a message that are read."""
_LEAD = re.compile(
    r"^(?:[\s,:-]*(?:please|kindly|now|next|first(?:ly)?|second(?:ly)?|third(?:ly)?|finally|lastly|also|just|simply"
    r"|then|and|so|ok(?:ay)?|great|alright|all right|good|perfect|sure|thanks?(?: you)?|but|instead|again|once more"
    r"|after that|afterwards|step \d+|(?:could|can|would|will) you(?! like| prefer| want| mind)|would you mind"
    r"|(?:you|we)(?:'ll| will)? (?:should|can|could|need to|have to|must)|(?:i|we) (?:need|want|ask) you to"
    r"|i(?:'d| would) like you to|i(?:'d| would|'ll| will)? ask you to|let's|let us|try(?: to)?|go ahead and"
    r"|(?:make|be) sure (?:to|you)|remember to|for me|on your (?:phone|device)|in (?:your )?settings"
    r"|(?:go (?:in)?to|open) (?:your |the )?(?:phone'?s? |device'?s? )?settings|manually|quickly|briefly|directly"
    r"|(?:run|use|call|execute)(?= (?:toggle|set|reset|grant|connect|disconnect|reboot|reseat|check|make payment|can))"
    r"|the (?:next|first|last|second|final) (?:step|thing)[^,.]{0,20}? is to|do the following|as follows|one more time"
    r")\b)*[\s,:-]*"
)
_GERUNDS = {
    "turning": "turn", "switching": "switch", "toggling": "toggle", "enabling": "enable", "disabling": "disable",
    "restarting": "restart", "rebooting": "reboot", "reseating": "reseat", "removing": "remove",
    "inserting": "insert", "reinserting": "reinsert", "tapping": "tap", "approving": "approve",
    "resetting": "reset", "granting": "grant", "setting": "set", "changing": "change", "connecting": "connect",
    "disconnecting": "disconnect", "checking": "check", "running": "run", "paying": "pay", "looking": "look",
    "sending": "send", "taking": "take", "giving": "give", "allowing": "allow", "making": "make", "power": "power",
}  # fmt: skip
_TRYING = re.compile(r"\b(?:try|mind|by) \w+ing\b(?: (?:and|or) (?:then )?\w+ing\b)?")
_POLITE = re.compile(
    r"\bif (?:possible|you (?:can|could|would|do not mind|don't mind|wish)|that(?:'s| is) (?:ok|okay|fine))\b"
)
# A text matches a joint in one way only. With several ways, a search could take exponential time.
_JOINT = r"(?=,| and| then),?(?: and)?(?: then)?"
_BACK_ON = (  # "off, then on again", not "off, then turn on mobile data"
    r"(?:turn |switch )?(?:it )?(?:back )?(?P<b>on|off)\b(?: again)?"
    r"(?= *(?:$|[,.;:!?()]|(?:and|then|to|after|so|please|for|once|when|in|right|manually|quickly|now)\b))"
)
_CYCLE = re.compile(
    r"\b(?:turn|switch|toggle|put|set) (?P<what>[^,.;?]{0,40}?) ?\b(?P<a>on|off)\b(?P<between>[^.?]{0,40}?)"
    rf"{_JOINT} {_BACK_ON}"
)
_CYCLE_2 = re.compile(
    rf"\b(?:turn|switch|toggle) (?P<a>on|off) (?P<what>[^,.;?]{{0,40}}?){_JOINT} {_BACK_ON}",
)
_PHONE = r"(?:your|the|that) (?:mobile |cell )?(?:phone|device|handset)(?: completely)?"
_WAIT = r"(?:,?(?: and)?(?: then)? wait[^,.]{0,60}?)?"
_PHONE_CYCLE = re.compile(
    rf"\b(?:turn|switch|power|shut) (?:{_PHONE} (?:off|down)|(?:off|down) {_PHONE})"
    rf"(?: completely)?{_WAIT}{_JOINT} (?:turn |switch |power )?(?:it )?(?:(?:back )?on|start it(?: up)?)(?: again)?"
)


def plain(message: str) -> str:
    """Return `message` in lower case, without marks of layout, and with one spelling for each word."""
    straight = message.lower().translate({0x2019: "'", 0x2018: "'", 0x201C: '"', 0x201D: '"', 0x2011: "-"})
    straight = re.sub(r"[*`\"#>\u2192]+", " ", straight).replace("_", " ").replace("()", " ")
    straight = re.sub(r"\b(it|that|there|what|everything)'s\b", r"\1 is", straight)
    straight = re.sub(r"\b(is|are|has|does|was)n't\b", r"\1 not", straight)
    straight = re.sub(r"\bwi[- ]?fi\b", "wifi", straight)
    straight = re.sub(r"\bre-(?=seat|start|boot|insert|enable|set)", "re", straight)
    straight = re.sub(r"4g(?:/| and | & | or |, ?)5g", "4g 5g", straight)
    straight = _POLITE.sub(" ", straight)
    straight = re.sub(
        r"\b(check|see|verify|confirm|tell me|know|test|look|find out|try)( again)? if\b", r"\1 whether", straight
    )
    straight = _TRYING.sub(lambda m: " ".join(_GERUNDS.get(word, word) for word in m[0].split()), straight)
    return re.sub(r"[ \t]+", " ", straight)


_BULLET = re.compile(r"\s*(?:[-+\u2022]|\d+[.)])\s+")
_ENTRY = re.compile(rf"{_BULLET.pattern}|\s*$")
_OPTIONS = re.compile(
    r"(?!.*\b(?:try|fix|solve|resolve)\b|.*\bno (?:\w+ )?(?:options|ways|choices|possibilities)\b"
    r"|.*\b(?:in|under|open|go (?:in)?to) (?:the|your) (?:[\w-]+ ){0,3}options(?: \w+)? ?:)"
    r"(?P<head>[^.?!]*\b(?:options|ways|choices|possibilities)\b[^.?!:]*)(?::(?P<rest>.*)|\s*$)"
)
"""A heading or the beginning of a sentence that lists what the user may choose from. A menu of the phone does not."""

_SEVERAL = re.compile(r"\bor\b|[,;]|\S[.!?] ")
"""What separates options in one line. A single one is an instruction: `There is one way: restart the phone.`"""

_PLANS = re.compile(
    r"(?P<head>[^.?!:]*(?:\bwhat i(?:'ll|'d| will| would|(?: a|')m going to| can| plan to| propose to| intend to)"
    r"(?: (?!you\b)\w+){0,2} do\b"
    r"|\bi(?:'ll|'d| will| would|(?: a|')m going to)(?: (?:now|then|also|next|go ahead and))? (?:do|make|apply"
    r"|carry out|perform|process|submit) (?:this|that|the following|these|the (?:\w+ ){0,2}(?:changes?|steps?))\b"
    r"|^\W*(?:(?:so|now|here is|here's|this is),? )?my (?:plan|proposal|steps)\b|^[\w ,]*\bon my (?:end|side) ?(?=:))"
    r"(?![^.?!:]*\bplease\b)[^.?!:]*):(?P<rest>.*)"
)
"""A heading or the beginning of a sentence that says what the agent does itself: `Here is what I will do: ...`."""


def without_options(text: str) -> str:
    """Return plain text without the lists of what the user may choose from (`Your options: ...`), and without those of
    what the agent does itself (`Here is what I will do: ...`).
    """
    kept, listing = list[str](), False
    for line, after in pairwise([*text.splitlines(), ""]):
        listing = listing and _ENTRY.match(line) is not None
        if listing:
            continue
        options = None if _BULLET.match(line) else _OPTIONS.match(line)
        rest = (options["rest"] or "").strip() if options else ""
        if rest and not _SEVERAL.search(rest) and not _BULLET.match(after):
            options = None
        plans = None if options else _PLANS.match(line)
        listing = options is not None or (plans is not None and not plans["rest"].strip())
        if plans:
            _, _, then = plans["rest"].partition(". ")
            kept.append(f"{plans['head']}. {then}")
        else:
            kept.append(options["head"] if options else line)
    return "\n".join(kept)


def sentences(text: str) -> list[str]:
    """Return the sentences and list entries of plain text, each with its closing mark."""
    found: list[str] = []
    for line in text.splitlines():
        bullet = _BULLET.match(line)
        entry = line[bullet.end() :] if bullet else line
        found += [part.strip() for part in re.split(r"(?<=[.!?;])\s+|\s[\u2013\u2014-]+\s|:\s+", entry) if part.strip()]
    return found


def led(chunk: str) -> tuple[str, str]:
    """Return the words that introduce a clause, such as `then could you please`, and the clause itself."""
    match = _LEAD.match(chunk)
    end = match.end() if match else 0
    return chunk[:end], chunk[end:]


_TAG = re.compile(
    r",? (?:(?P<do>(?:could|can|will|would|won't) you(?: please)?|for me)|okay|ok|all right|alright|yes|yeah)\?$"
)
_ACCOUNT = re.compile(r"\b(?:lines?|plans?|bills?|accounts?|cards?|[a-z]\d+|pay|payment|charge|for you|i|we)\b|\$\d")


def untagged(text: str) -> str:
    """Return an instruction without the question at its end: `Restart it, okay?` With `okay?`, a sentence about the
    account or the agent stays a question for a yes.
    """
    tag = _TAG.search(text)
    if tag is None or not (tag["do"] or ("," in tag[0] and not _ACCOUNT.search(text))):
        return text
    return text[: tag.start()]


def spelled_out(text: str) -> str:
    """Return `text` with `off and on again` as two instructions, and a phone turned off and on as a restart."""
    text = _PHONE_CYCLE.sub("restart your phone", text)
    text = _CYCLE.sub(lambda m: f"turn {m['what']} {m['a']} then turn {m['what']} {m['b']}", text)
    return _CYCLE_2.sub(lambda m: f"turn {m['a']} {m['what']} then turn {m['b']} {m['what']}", text)


_TAKEN_UP = re.compile(
    rf"(?:and |but )?(?:if|in) (?:(?P<so>{conditions.SO}|{conditions.NOT_SO})(?:,| then\b| please\b)"
    r"|(?P<bare>so|yes|that case)\b) ?(?P<rest>.*)"
)


def taken_up(text: str) -> tuple[str, str] | None:
    """Return the leading words that refer to an earlier question (`so`, `not` and others), and the rest of `text`."""
    match = _TAKEN_UP.match(text)
    return (match["so"] or match["bare"], match["rest"].strip()) if match else None


def conditional(text: str) -> tuple[str | None, str]:
    """Return the condition at the start of a sentence, or None, and the rest of the sentence."""
    if again := taken_up(text):
        return again
    match = re.match(
        r"(?:(?:[\w' ]{0,20}?\b)?(?:if|unless|in case)|(?:and |but )?should)\b(?P<condition>.*?)"
        r"(?:,| then\b| please\b)(?P<rest>.*)",
        text,
    )
    if match is None or re.match(
        r".*\b(?:turn|switch|check|restart|reboot|grant|set|reset)\b.*\bif\b", text[: match.start("condition")]
    ):
        return (None, text) if not re.match(r"(?:if|unless|in case)\b", text) else (text, "")
    if match["condition"].strip().startswith("you") and text.startswith("should"):
        return None, text
    return match["condition"], match["rest"].strip()


def without_time(text: str) -> str:
    """Return `text` without a leading time clause."""
    match = re.match(r"(?:and |then )?(?:once|when|after|as soon as|while|before)\b[^,]*,\s*(?P<rest>.*)", text)
    return match["rest"] if match else text


def split(text: str) -> list[tuple[str, str]]:
    """Return the clauses of a sentence, each with the word that joins it to the one before (`` for the first)."""
    parts = re.split(r"\s*[,()]+\s*(?:(and|or|but|then)\s+)?(?:then\s+)?|\s+(and then|then|and|or|nor|but)\s+", text)
    found = [("", parts[0].strip())]
    for i in range(1, len(parts), 3):
        joint = parts[i] or parts[i + 1] or ","
        found.append(("then" if joint in {"and then", "but"} else joint, parts[i + 2].strip()))
    return [(joint, chunk) for joint, chunk in found if chunk]
