"""Who calls: what they know of themselves, how the agent finds them, and the phone in their hand."""

from env_server.domains.kit import Caller, GoldCall, read
from env_server.domains.telecom.scenarios.base import Call
from env_server.domains.telecom.scenarios.scene import scene


def caller(case: Call, one_way: bool) -> Caller:
    """The customer as a caller; `one_way` leaves one way to find them, so that the call can be asked for."""
    row = case.customer
    way = case.rng.choice(("phone", "name") if one_way else ("phone", "name", "both"))
    facts = {"name": row["full_name"]}
    if way != "name":
        facts["phone"] = row["phone_number"]
    if way != "phone":
        facts["dob"] = row["date_of_birth"]
    unknown = tuple(topic for topic in ("phone", "dob") if topic not in facts)
    by_name = {"full_name": row["full_name"], "dob": row["date_of_birth"]}
    sign_in = (
        GoldCall(name="get_customer_by_name", arguments=by_name, compare=("dob",))
        if way == "name"
        else read("get_customer_by_phone", phone_number=row["phone_number"])
    )
    return Caller(
        introduction=_introduction(facts, unknown),
        facts=facts,
        unknown=(*unknown, "customer_id"),
        sign_in=(sign_in,),
        initial=scene(case.world, row),
    )


def _introduction(facts: dict[str, str], unknown: tuple[str, ...]) -> str:
    known = [f"Your phone number is {facts['phone']}."] if "phone" in facts else []
    known += [f"You were born on {facts['dob']}."] if "dob" in facts else []
    missing = {"phone": "You do not know your own phone number.", "dob": "You do not tell your date of birth."}
    known += [missing[topic] for topic in unknown]
    return f"You are {facts['name']}. {' '.join(known)} You do not know your customer id."
