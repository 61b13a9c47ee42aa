"""The builtin pack's tasks: templates filled in from the base world."""

from env_server.domains.kit import GeneratedTasks
from env_server.domains.telecom.scenarios import TEMPLATES
from env_server.domains.telecom.scenarios.base import Carrier, Case
from env_server.domains.telecom.scenarios.callers import caller

RULES: dict[int, str | None] = {
    1: "data-left-and-quote",
    2: "strangers-line",
    3: "less-data",
    4: None,  # what an agent makes up cannot be told from the state
    5: None,  # a habit of writing, not an outcome
    6: "pay-draft",
    7: "amount-due-and-item",
    8: "suspend-in-debt",
    9: "resume-ended",
    10: "roam-suspended",
    11: "plan-too-small",
    12: "newer-first",
    13: "expired-method",
    14: "refuel-too-much",
    15: "out-of-data",
    16: "no-service-twice-over",
    17: "no-data-abroad",
    18: "very-slow-data",
    19: "no-pictures",
    20: "no-service",
    21: "sim-locked",
    22: None,  # a closing word
}
"""Rule of the policy -> a template that fails if the agent ignores the rule."""

TOPICS = {
    "line": r"(?<!\bon the )\blines?\b|\bwhich number\b",
    "add": r"\b(?:gb|gigs?|gigabytes?)\b(?!.*\bline\b)|\bhow much (?:data|more|extra)\b|\bhow many\b|\badd\b",
    "travel": r"travel|abroad|at home|\bin the country\b|(outside|which) (\w+ ){0,3}(area|country|region)"
    r"|where are you",
    "entry": r"\bentr(y|ies)\b|\bitems?\b|\bpositions?\b|which (of the |of these |\w+ )?charges?|look(ed)? into"
    r"|(know|question|ask|looked|wrong) (is )?(about|with|on) (it|your bill|the bill|that bill|this bill|bill)",
}
"""Topic -> the pattern of an agent's question about it."""

TASKS = GeneratedTasks(
    domain="telecom",
    templates=TEMPLATES,
    world=Carrier,
    case=Case,
    caller=caller,
    rules=RULES,
    module=__name__,
)
"""The builtin pack's tasks."""
