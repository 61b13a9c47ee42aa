"""The builtin tasks: who calls, and what of retail goes into the generated source."""

from env_server.domains.kit import ASKS_ITEMS, ASKS_ORDER, Caller, GeneratedTasks, GoldCall, prose
from env_server.domains.retail.scenarios import TEMPLATES, Shop
from env_server.domains.retail.scenarios.base import Case, open_user

RULES = {
    1: "*",
    2: "not-theirs",
    3: "other-version",
    4: None,  # what an agent makes up is for `heard` and `conduct` to find
    5: None,  # a habit of writing, not an outcome
    6: "too-late",
    7: "return-total",
    8: "mistake",
    9: "overhaul",
    10: "second-change",
    11: "short-card",
    12: "wrong-refund",
    13: "broken-due",
    14: "too-late",
    15: "three-errands",
    16: "lost-parcel",
    17: "new-home",
}
"""Rule of the policy -> a template that fails if the agent ignores the rule."""


def caller(case: Case, strict: bool) -> Caller:
    """Return the customer who calls, and the gold calls that find them."""
    facts, unknown, sign_in = _identity(case, one_way=strict)
    return Caller(_introduction(case, facts, unknown), facts, unknown, (sign_in,), (open_user(case.user),))


def _identity(case: Case, *, one_way: bool) -> tuple[dict[str, str], tuple[str, ...], GoldCall]:
    """Return the caller's known and unknown details, and the call that finds them.

    `one_way` leaves a single way to find the caller, so that the call can be required. Arguments that the tools read
    without regard to case are not compared.
    """
    user, name, rng = case.user, case.user["name"], case.rng
    full = f"{name['first_name']} {name['last_name']}"
    by_zip = GoldCall(
        name="find_user_id_by_name_zip", arguments={**name, "zip": user["address"]["zip"]}, compare=("zip",)
    )
    by_mail = GoldCall(name="find_user_id_by_email", arguments={"email": user["email"]}, compare=())
    way = rng.choice(("zip", "mail") if one_way else ("both", "zip", "mail"))
    if way == "mail":
        return {"name": full, "email": user["email"]}, ("zip", "user_id"), by_mail
    facts = {"name": full, "zip": user["address"]["zip"]}
    if way == "both":
        return facts | {"email": user["email"]}, ("user_id",), by_mail
    if rng.random() < 0.3:
        return facts | {"user_id": user["user_id"]}, ("email",), by_zip
    return facts, ("email", "user_id"), by_zip


TOPICS = {
    "order": ASKS_ORDER,
    "items": ASKS_ITEMS,
    "new_items": r"\b(new|replacement|replace|swap|instead|variant|version|option|colou?r|size|specification)"
    r"|(change|switch|exchange|swap|replace) (it|them|this|that|these|those|the \w+( \w+)?) (to|for|with|into)\b",
}
"""Topic -> the pattern of an agent's question about it."""

_TOPICS = {"zip": "zip code", "email": "email address", "user_id": "user id"}


def _introduction(case: Case, facts: dict[str, str], unknown: tuple[str, ...]) -> str:
    known = [f"your {_TOPICS[k]} is {v}" for k, v in facts.items() if k in _TOPICS]
    return prose.introduced(case.voice, facts["name"], known, [_TOPICS[k] for k in unknown])


TASKS = GeneratedTasks("retail", TEMPLATES, Shop, Case, caller, RULES, __name__)
"""The builtin pack's tasks."""
