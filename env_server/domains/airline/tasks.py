"""The builtin tasks: the callers, and the template that tests each rule of the policy."""

from env_server.domains.airline.people import birthday
from env_server.domains.airline.scenarios import TEMPLATES
from env_server.domains.airline.scenarios.base import Carrier, Case, open_user
from env_server.domains.airline.scenarios.refused import IMPOSTOR
from env_server.domains.kit import Caller, GeneratedTasks, prose, spoken


def caller(case: Case, strict: bool) -> Caller:  # there is one way only to be identified
    """Return the customer, or a caller whose date of birth only a twin's profile has."""
    user = case.customer
    name = f"{user['name']['first_name']} {user['name']['last_name']}"
    dob, initial = user["dob"], {}
    if case.subject == IMPOSTOR:
        dob = next(day for _ in range(99) if (day := birthday(case.rng)) != user["dob"])
        initial = {"users": {user["user_id"]: {"dob": dob}}} if case.due else {}
    known = [f"your user id is {user['user_id']}", f"you were born on {spoken(dob)}"]
    return Caller(
        introduction=prose.introduced(case.voice, name, known),
        facts={"name": name, "user_id": user["user_id"], "dob": dob},
        unknown=(),
        sign_in=(open_user(user),),
        initial=initial,
    )


RULES = {
    1: "impostor",
    2: "friends-trip-and-cancel",
    3: "second-thoughts",
    4: "overhaul",
    5: None,  # a habit of writing, not an outcome
    6: "no-ground",
    7: "one-more-passenger",
    8: "sold-out",
    9: "too-many-people",
    10: "overhaul",
    11: "book-and-reconsider",
    12: "two-certificates",
    13: "fixed-flights",
    14: "one-leg-only",
    15: "paper-for-change",
    16: "fewer-passengers",
    17: "fewer-bags",
    18: "no-ground",
    19: "trip-over",
    20: "undeserved",
    21: "delay-alone",
    22: "begun-trip",
    23: "book-and-cancel",
}
"""Rule of the policy -> a template that fails if the agent ignores the rule. None means that no outcome can show it."""

TOPICS = {
    "reservation": r"\breservation|\bbooking|\bconfirmation (?:code|number)",
    "cabin": r"\bcabin|\bclass\b|\beconomy|\bbusiness\b",
    "bag": r"\bbags?\b|\bluggage|\bbaggage",
    "passenger": r"\bpassenger|\btravell?er|\bwho (?:else )?(?:is|will be|are) (?:flying|travell?ing)",
}
"""Topic -> the pattern of an agent's question about it."""

TASKS = GeneratedTasks(
    domain="airline",
    templates=TEMPLATES,
    world=Carrier,
    case=Case,
    caller=caller,
    rules=RULES,
    module=__name__,
)
"""The builtin pack's tasks."""
