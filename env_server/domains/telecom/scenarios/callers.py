"""The callers: what they know of themselves, how the agent finds them, and their phone."""

from env_server.domains.kit import Caller, GoldCall, prose, read
from env_server.domains.telecom.scenarios.base import Case
from env_server.domains.telecom.scenarios.scene import scene


def caller(case: Case, one_way: bool) -> Caller:
    """Return the customer as a caller. `one_way` leaves one way to find them, so that the call can be required."""
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
        introduction=_introduction(case, facts, unknown),
        facts=facts,
        unknown=(*unknown, "customer_id"),
        sign_in=(sign_in,),
        initial=scene(case.world, row),
    )


def _introduction(case: Case, facts: dict[str, str], unknown: tuple[str, ...]) -> str:
    known = [f"your phone number is {facts['phone']}"] if "phone" in facts else []
    known += [f"you were born on {facts['dob']}"] if "dob" in facts else []
    lacks = {"phone": "phone number", "dob": "date of birth"}
    return prose.introduced(case.voice, facts["name"], known, [*(lacks[topic] for topic in unknown), "customer id"])
