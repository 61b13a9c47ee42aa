"""The builtin tasks: template, caller, orders and restaurants follow from (split, index) alone."""

from env_server.domains.doordash.scenarios import TEMPLATES, Case, Kitchens
from env_server.domains.doordash.scenarios.base import open_user
from env_server.domains.kit import ASKS_ITEMS, ASKS_ORDER, Caller, GeneratedTasks, GoldCall, prose

_WORDS = {"email": "email address", "phone": "phone number", "user_id": "user id"}


RULES = {
    1: "*",
    2: "strange-order-and-other-place",
    3: "other-count-and-tip",
    4: "cart-bill",
    5: None,  # a habit of writing, not an outcome
    6: "cancel-on-the-way",
    7: "meal-and-cancel",
    8: "two-places",
    9: "too-far",
    10: "below-minimum",
    11: "under-age",
    12: "second-code",
    13: "no-waiver",
    14: "redirect-on-the-way",
    15: "tip-back-and-address",
    16: "reported-too-late-and-tip",
    17: "too-many-refunds-and-meal",
    18: "credits-only",
    19: "asks-for-more",
    20: "keep-default",
    21: "too-large",
    22: "way-and-price",
}
"""Rule of the policy -> a template that fails if the agent ignores the rule. None means that no outcome can show it."""


def _caller(case: Case, compared: bool) -> Caller:
    """Return the caller, known by email address or by phone number. If calls are not `compared`,
    the caller knows both.
    """
    user, name = case.user, case.user["name"]
    by_mail = GoldCall(name="find_user_by_email", arguments={"email": user["email"]}, compare=())
    by_phone = GoldCall(
        name="find_user_by_phone", arguments={"phone": user["phone"], "last_name": name["last_name"]}, compare=()
    )
    way = case.rng.choice(("email", "phone") if compared else ("email", "phone", "both"))
    topics = ("email", "phone") if way == "both" else (way,)
    unknown = tuple(topic for topic in _WORDS if topic not in topics)
    facts = {"name": f"{name['first_name']} {name['last_name']}"} | {topic: user[topic] for topic in topics}
    known = [f"your {_WORDS[topic]} is {user[topic]}" for topic in topics]
    return Caller(
        introduction=prose.introduced(case.voice, facts["name"], known, [_WORDS[topic] for topic in unknown]),
        facts=facts,
        unknown=unknown,
        sign_in=(by_phone if way == "phone" else by_mail,),
        opens=(open_user(case),),
    )


TOPICS = {
    "order": ASKS_ORDER,
    "items": ASKS_ITEMS,
    "label": r"\blabel|\b(?:home|work)\b[^.?]*(?:\bor\b|,)",
    "instructions": r"\binstruction|\bnotes? for the (?:driver|courier)|\bwhere .*\b(?:leave|left|put)\b"
    r"|\bhand(?:ed)?[ -](?:it |the \w+ )?over\b",
}
"""Topic -> the pattern of an agent's question about it."""

TASKS = GeneratedTasks(
    domain="doordash",
    templates=TEMPLATES,
    world=Kitchens,
    case=Case,
    caller=_caller,
    rules=RULES,
    module=__name__,
)
"""The builtin pack's tasks."""
