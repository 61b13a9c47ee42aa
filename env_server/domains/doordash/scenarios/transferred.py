"""Wishes outside what the agent can do, for which the policy demands a transfer to people."""

from env_server.domains.doordash.scenarios import phrases
from env_server.domains.doordash.scenarios.base import (
    LARGEST_REFUND,
    Case,
    Part,
    Row,
    Spot,
    about_caller,
    about_order,
    has_status,
    look,
    open_order,
    open_user,
)
from env_server.domains.doordash.scenarios.refunds import ISSUES, WISHES, amount, concerned, proofs
from env_server.domains.kit import GoldCall, Request

AGREED = {"transfer": "Yes, please transfer me.", "confirm": "No, I want nothing else."}


def _handed_over(
    ask: str, goal: str, details: dict[str, str], summary: str, proof: tuple[GoldCall, ...], slots: dict[str, object]
) -> Part:
    call = GoldCall(name="transfer_to_human_agents", arguments={"summary": summary}, compare=())
    return Part(
        requests=(Request(ask=ask, details=details | AGREED),),
        goal=f"{goal} You agree to being transferred if the agent cannot do that.",
        proof=proof,
        handover=(call,),
        slots=slots,
    )


def made_ill(case: Case) -> Part:
    """Somebody fell ill after eating."""
    said = phrases.order(case)
    return _handed_over(
        "I fell ill after eating what you delivered, and I want that looked into.",
        f"You fell ill after eating an order {phrases.in_prose(said)} and want that looked into.",
        {"order": said},
        f"The user fell ill after eating order {case.order_id}.",
        (open_order(case),),
        {"order": case.order_id},
    )


def accident(case: Case) -> Part:
    """A courier caused damage."""
    said = phrases.order(case)
    return _handed_over(
        "Your courier drove into my fence, and I want the damage paid.",
        f"The courier of an order {phrases.in_prose(said)} drove into your fence, and you want the damage paid.",
        {"order": said},
        f"The user claims damages caused by the courier of order {case.order_id}.",
        (open_order(case),),
        {"order": case.order_id},
    )


def not_mine(case: Case) -> Part:
    """The caller says that an order in their account is not theirs."""
    said = f"The order number is {case.order_id}."
    return _handed_over(
        "There is an order in my account that I never placed; somebody else must have used my account.",
        f"You never placed an order that is in your account {phrases.in_prose(said)}, and fear that somebody else uses"
        " your account.",
        {"order": said},
        f"The user did not place order {case.order_id} and reports misuse of the account.",
        (open_order(case),),
        {"order": case.order_id},
    )


def profile(case: Case) -> Part:
    """A change of the profile that only people can make."""
    number = f"{case.rng.randint(310, 319)}-557-{case.rng.randint(0, 9999):04d}"
    email = f"{case.user['name']['first_name'].lower()}.{number[-4:]}@example.org"
    what, ask, new = case.rng.choice(
        (
            ("phone number", "I need the phone number in my account changed.", f"The new phone number is {number}."),
            ("email address", "I have a new email address, please change it.", f"It is {email}."),
            ("membership", "I want to change my membership.", "If I am a plus member, end that; if not, make me one."),
            ("credit card", "I have a new credit card; please put it into my account.", f"It ends in {number[-4:]}."),
        )
    )
    return _handed_over(
        ask,
        f"{ask} {new}",
        {"change": new},
        f"The user wants another {what}.",
        (open_user(case),),
        {"what": what, "new": new},
    )


def too_large(case: Case) -> Part:
    """A refund that is larger than the agent may give."""
    lines, issue = list(case.order["lines"].values()), case.rng.choice(list(ISSUES))
    said = phrases.order(case)
    details = {"order": said, "items": concerned(lines, issue), "payment": "Please refund me the way I paid."}
    quoted = {line["line_id"]: line["quantity"] for line in lines}
    return _handed_over(
        f"{WISHES[issue]} I'd like my money back.",
        f"You had a problem with an order {phrases.in_prose(said)} and want a refund. {details['items']}",
        details,
        f"The user wants items of order {case.order_id} refunded, which come to more than {LARGEST_REFUND:.2f}"
        " dollars.",
        (*proofs(case), look("quote_item_refund", "order_id", order_id=case.order_id, items=quoted)),
        {"order": case.order_id, "issue": issue},
    )


def _large(at: Spot) -> bool:
    lines: list[Row] = list(at.order["lines"].values())
    return at.settleable and amount(at.order, lines) > LARGEST_REFUND + 2


MADE_ILL = about_order(made_ill, has_status("delivered"))
ACCIDENT = about_order(accident, has_status("delivered"))
NOT_MINE = about_order(not_mine, lambda at: at.order["status"] != "cancelled")
PROFILE = about_caller(profile)
TOO_LARGE = about_order(too_large, _large)
