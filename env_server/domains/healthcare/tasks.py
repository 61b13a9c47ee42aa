"""The builtin tasks: templates of wishes, filled in from the world."""

from env_server.domains.healthcare.scenarios import TEMPLATES
from env_server.domains.healthcare.scenarios.base import Call, Desk
from env_server.domains.healthcare.scenarios.callers import caller
from env_server.domains.kit import GeneratedTasks

RULES = {
    1: "impostor",
    2: "no-guardian",
    3: "out-of-scope",
    4: "cancel-and-neighbor",
    5: "other-time",
    6: "dose",
    7: "lapsed-consent",
    8: "procedure-cost",
    9: "owed-and-emergency",
    10: "first-visit",
    11: "out-of-network",
    12: "second-visit",
    13: "no-referral",
    14: "cancel-late",
    15: "third-move",
    16: "not-crowded",
    17: "controlled-and-contact",
    18: "too-early",
    19: "run-out",
    20: "unreleased",
    21: "from-today",
    22: "procedure-cost",
    23: "refill-day-and-pharmacy",
    24: "allow",
    25: "complaint",
    26: None,  # a habit of talking, not an outcome
}

TASKS = GeneratedTasks(
    domain="healthcare",
    templates=TEMPLATES,
    world=Desk,
    case=Call,
    caller=caller,
    rules=RULES,
    module=__name__,
)
"""The builtin pack's tasks."""
