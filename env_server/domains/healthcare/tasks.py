"""The builtin tasks: templates of wishes, filled in from the world."""

from env_server.domains.healthcare.scenarios import TEMPLATES
from env_server.domains.healthcare.scenarios.base import Case, Desk
from env_server.domains.healthcare.scenarios.callers import caller
from env_server.domains.kit import GeneratedTasks

RULES = {
    1: "impostor",
    2: "no-guardian",
    3: "out-of-scope",
    4: "cancel-and-neighbor",
    5: "move-and-denied",
    6: "lab-value-and-copays",
    7: "lapsed-consent",
    8: "procedure-cost",
    9: "owed-and-emergency",
    10: "first-visit",
    11: "out-of-network",
    12: "second-visit",
    13: "no-referral",
    14: "cancel-late",
    15: "third-move-and-controlled",
    16: "not-crowded-and-leave",
    17: "controlled-and-contact",
    18: "too-early-and-waive",
    19: "run-out-and-send",
    20: "unreleased-and-refill",
    21: "from-today-and-moved",
    22: "procedure-cost",
    23: "refill-day-and-pharmacy",
    24: "allow-again-and-send",
    25: "refill-and-owes-too-much",
    26: None,  # a habit of talking, not an outcome
}

TOPICS = {
    "channel": r"\bchannel|\bportal|\bby (?:post|mail|letter|e-?mail)\b|\bway of sending"
    r"|\bhow\b.*\b(?:send|sent|receive|get it)\b"
    r"|\b(?:send|sent|receive|deliver\w*)\b.*\bhow\b",
    "result": r"\bresults?\b|\b(?:which|what|the|of the) (?:blood |lab )?(?:tests?|reports?|panel)\b|\blab reports?\b",
    "time": r"\btimes?\b|\bdays?\b|\bdate\b(?! of birth)|\bwhen\b|\bslot",
    "scope": r"\bscope|\bmatters\b|\ballowed to\b|\b(?:speak|talk|deal with us) (?:with us )?about\b"
    r"|\bconsent (?:be )?(?:for|cover)"
    r"|\bwhat (?:should|may|can) (?:it|the consent) cover",
    "visit": r"\bvisit|\b(?:type|kind|sort) of appointment|\bappointment type",
}
"""Topic -> the pattern of an agent's question about it."""

TASKS = GeneratedTasks(
    domain="healthcare",
    templates=TEMPLATES,
    world=Desk,
    case=Case,
    caller=caller,
    rules=RULES,
    module=__name__,
)
"""The builtin pack's tasks."""
