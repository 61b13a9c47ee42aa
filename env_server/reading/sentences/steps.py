"""Steps: sentences that ask the user to act themselves, on a device, in an app or elsewhere."""

from env_server.reading.sentences.patterns import Rules, compiled
from env_server.reading.words.lexis import words as listed
from env_server.vocabulary import forms

_POLITE = (
    r"(?:please |first,? |also |now |next,? |then |go ahead and |start by |try |carefully |simply |kindly "
    r"|both |just |you can "
    r"|again |begin by |do |let's |don't |be sure to |make sure to |remember to |could you |can you "
    r"|would you mind |would you "
    r"|i need you to |you(?:'ll| will)? (?:need|have|want) to |finally,? ){0,8}+"
)
_START = (
    r"(?:^|[,;:] |[(]| - |\b(?:please|then|and|now|next|need to|have to|want to|by|device|phone|could you|can you"
    rf"|would you mind|have you) ){_POLITE}"
)
_HARD = (
    r"(?:run (?!into|out|a (?:check|search)|some|through|the numbers)|running (?:a|the|this|it|another) (?!check"
    r"|search|number)|tap(?:ping)? |swip(?:e|ing) "
    r"|toggl(?:e|ing) "
    r"|reboot(?!ed)|restart(?!ed)|re-?seat|re-?insert|unplug|plug (?:it|the|in|your)|pull(?:ing)? (?:out|the) "
    r"|eject|navigat(?:e"
    r"|ing) to|scroll|dial|disconnect(?!ed)"
    r"|power(?:ing)? (?:off|on|down|cycle|it|your|the)|turn(?:ing)? (?:\S+ ){0,5}?(?:on|off)\b"
    r"|go(?:ing)? (?:in)?to (?:the |your )?"
    r"(?:settings|app|menu|website|store|http|www|control|network|security|{handled}|mobile|connections|cellular)"
    r"|log (?:in|out|back|into)|sign (?:in|out|into)|click(?:ing)? |double-click|long-press"
    r"|press(?:ing)? (?:and|the)|uninstall"
    r"|download|factory reset|hold down|{switches})"
)
_SOFT = (
    r"(?:(?:open|check|try|enter|remove|reset|enable|disable|select|visit|complete|pay|make|call|wait|follow"
    r"|install|update|test"
    r"|start|grant|switch|set|contact|connect|reconnect|look|inspect|move|take|clear|ensure|verify|refresh"
    r"|launch|insert"
    r"|unlock|use|send|put|review|bring|approve|accept|double-check)(?:ing)?"
    r"|removing|enabling|disabling|completing|making|updating|moving|taking|using|approving|setting|putting"
    r"|resetting)"
)
_THING = (
    r"(?:phones?(?! numbers?)|devices?|{handled}|{services}|settings|apps?|network"
    r"|status bar|screens?|menu|e-?mail|inbox|spam|websites?|portal"
    r"|browser|router|cable"
    r"|payment requests?|the payment|the bill|your bill|pin\b|permissions?|bluetooth|battery"
    r"|customer (?:support|service)|profile|online account|your account|reminders?|link|app store"
    r"|messag\w+|quick settings|tray|icon|icons|service)"
)
_HARD_CUES = (
    "run running tap tapping swipe swiping toggle toggling reboot rebooting restart restarting reseat "
    "reseating re-seat reinsert "
    "re-insert reinserting pull pulling eject unplug plug navigate navigating scroll scrolling dial dialing"
    " disconnect "
    "disconnecting power powering "
    "turn turning go going log sign click clicking double-click long-press press pressing uninstall download "
    "factory hold "
    "uninstalling downloading " + " ".join(forms("switches"))
)
_SOFT_CUES = " ".join(
    f"{word} {word}ing {word.removesuffix('e')}ing {word}{word[-1]}ing"
    for word in listed(
        "open check try enter remove reset enable disable select visit complete pay make call wait follow install",
        "update test start grant switch set contact connect reconnect look inspect move take clear ensure verify",
        "refresh launch insert unlock use send put review bring approve accept double-check",
    )
)
_IMPERATIVE = Rules(
    (_HARD_CUES, rf"{_START}{_HARD}"),
    (_SOFT_CUES, rf"{_START}{_SOFT} (?:\S+ ){{0,6}}?\S{{0,3}}?{_THING}"),
)
_RESULT = Rules(
    (
        "know tell share report send paste",
        r"\b(?:let me know|tell me|share|report back|send me|paste|and report)\b.{0,40}?\b"
        r"(?:(?<!lab )(?<!which )(?<!test )results?(?!,| and| do| you| is)|outputs?"
        r"|what (?:you (?:see|find|get|notice)|it|each|happens|they|shows|download|the (?:speed|test|status))"
        r"|if (?:these steps|the (?:issue|problem|speed|message|test|status|connection|service|photo"
        r"|picture|{devices}|app)"
        r"|you're comfortable|there's any|there are any|this (?:resolves|helps|works|fixes)|it(?! is correct)"
        r"|you (?:see|still|get|notice)|your (?!\w+ is correct)|service|any (?:issue|error))"
        r"|whether (?:it|you see|your)|how it|once (?:that's|it's|this is|done|it is|completed?|finished)"
        r"|when (?:that's|it's|done|finished)|which permissions|exactly what)\b",
    ),
    ("once", r"\bonce (?:you've|you have) (?:done|completed|finished|tried|rebooted|restarted)\b"),
)
_ADVICE = Rules(
    (
        "check contact call visit reach try log open look reboot restart download refer follow checking contacting "
        "calling "
        "visiting reaching trying logging opening looking rebooting restarting downloading referring following "
        "yourself "
        "app website",
        r"\b(?:i(?:'d)? (?:would )?(?:recommend|suggest|advise)|you (?:may|might|can|could"
        r"|should)(?: also)?(?: want to| wish to)?"
        r"|you(?:'ll| will)? (?:need|want) to|it's best to) (?:you )?(?:\w+ly )?(?:check|contact|call|visit"
        r"|reach(?:ing)? out|try"
        r"|log|open|look|reboot|restart|download|refer|follow)(?:ing)?\b(?!.{0,20}\b(?:human"
        r"|transfer))(?! (?:for|out|at|into) )"
        r"|\byou can \w+ (?:it|this|that|them|your \w+) .{0,40}\b(?:yourself|in (?:the|your) (?:\S+ )?app"
        r"|on (?:the|our) website)\b",
    )
)
_CODE = compiled(r"\b[a-z]+_[a-z_]+\(")
_OURS = compiled(
    r"\b(?:i|we)(?:'ll| will|'m| am|'d| can| could|'ve)? (?!need you|recommend|suggest|want you)|\blet me\b"
    r"|\bwould you like\b"
    r"|\bshall\b|\bhelps? (?:me|us)\b|\bin order to\b|\bunable to\b|(?<!you )\bwill now "
)


_LABELS = ("action: ", "confirm: ", "change: ", "request: ", "what i'd do: ", "what i would do: ", "what i will do: ")
"""Labels before what the agent itself does: `Action: enable roaming`."""

_YOURS = compiled(
    r"\b(?:please|kindly|yourself|(?<!for )you)\b"
    r"|\b(?:your|the|this) (?:\w+ )?(?:phones?|devices?|{devices}|{handled}"
    r"|settings|screen|app)\b"
)
"""What shows that the user is to act: `Action: restart your phone`."""


def instructs(view: str, words: frozenset[str]) -> bool:
    """Return whether a sentence asks the user to act themselves."""
    if view.startswith(_LABELS) and not _YOURS.search(view):
        return False
    if "_" in view and _CODE.search(view):
        return True
    if _RESULT.found(view, words) or _ADVICE.found(view, words):
        return True
    found = _IMPERATIVE.search(view, words)
    return found is not None and not _OURS.search(view, 0, found.end())


def reports(view: str, words: frozenset[str]) -> bool:
    """Return whether a sentence asks the user to report the result of a step."""
    return "let me know once" in view or _RESULT.found(view, words)
