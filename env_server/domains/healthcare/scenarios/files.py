"""Plain wishes about what is on file: contact details, insurance, lab results, consents, referrals."""

from collections.abc import Iterable
from random import Random

from env_server.domains.healthcare import people
from env_server.domains.healthcare.clock import TODAY, days_after
from env_server.domains.healthcare.scenarios import phrases
from env_server.domains.healthcare.scenarios.base import LAST_TWELVE_MONTHS, Call, Desk, Row
from env_server.domains.healthcare.scenarios.callers import details
from env_server.domains.kit import GoldCall, Move, Part, Request, read, write

NEXT_MONTH = "2026-04-01"
LAST_DAY = "2027-03-09"
"""Until when a consent can last."""

CHANGES_IN_LIFE = {
    "job": "I started a new job last week.",
    "marriage": "I got married last month.",
    "child": "We had a baby.",
    "loss": "My old insurance ended because I was laid off.",
}
NO_CHANGE = "Nothing has changed in my life, I just like the new plan better."
CHANNELS = {"portal": "to my account at the portal", "email": "by email", "mail": "by ordinary mail"}
SCOPES = ("appointments", "insurance", "prescriptions", "results")


def email(rng: Random, row: Row) -> str:
    """A new email address for somebody."""
    return f"{row['name']['last_name'].lower()}.{rng.randint(100, 9999)}@example.com"


def contact(call: Call) -> Part:
    """Change phone number or email address, or both."""
    new = {"phone": call.new_phone(), "email": email(call.rng, call.patient)}
    chosen = call.rng.choice((("phone",), ("email",), ("phone", "email")))
    words = {"phone": "phone number", "email": "email address"}
    said = phrases.listed(f"the new {words[k]} is {new[k]}" for k in chosen)
    what = phrases.listed(words[k] for k in chosen)
    return Part(
        requests=(
            Request(
                ask=f"There is a new {what} to put on file{phrases.for_whom(call)}.",
                details=details(call, **{f"new_{chosen[0]}": f"{said[0].upper()}{said[1:]}."}),
            ),
        ),
        goal=f"You want contact details changed: {said}.",
        writes=(contact_call(call, {k: new[k] for k in chosen}),),
        slots={k: new[k] for k in chosen},
    )


def contact_call(call: Call, new: dict[str, str]) -> GoldCall:
    """The write that changes contact details."""
    return write("update_contact_details", patient_id=call.patient_id, **new)


def moved(call: Call) -> Part:
    """Change the address; the zip code that proves who calls is still the old one."""
    new = people.address(call.rng)
    said = f"The new address is {phrases.address(new)}."
    return Part(
        requests=(
            Request(
                ask=f"We have moved; please change the address on file{phrases.for_whom(call)}.",
                details=details(call, new_address=said),
            ),
        ),
        goal=f"You have moved and want the address changed to {phrases.address(new)}.",
        writes=(contact_call(call, new),),
        slots={"address": new},
    )


def insurance_call(call: Call, plan: Row, member: str, start: str) -> GoldCall:
    """The write that puts a new insurance on file."""
    return write(
        "update_insurance", patient_id=call.patient_id, plan_id=plan["plan_id"], member_id=member, effective_date=start
    )


def other_plan(call: Call) -> tuple[Row, str]:
    """A plan that the patient is not in, and a member number there."""
    insured = {call.patient["insurance"]["plan_id"], "PLN-90"}
    plan = call.rng.choice([row for key, row in call.world.rows["plans"].items() if key not in insured])
    return plan, f"M{call.rng.randrange(10**8):08}"


def insure(call: Call) -> Part:
    """Put a new insurance on file; from when it counts follows from why it was changed."""
    plan, member = other_plan(call)
    event = call.rng.choice([*CHANGES_IN_LIFE, ""])
    why = CHANGES_IN_LIFE.get(event, NO_CHANGE)
    said = f"The plan is {plan['name']}, member number {member}."
    return Part(
        requests=(
            Request(
                ask=f"There is a new insurance to put on file{phrases.for_whom(call)}.",
                details=details(call, insurance=said, reason=why, start="From whatever day your rules say."),
            ),
        ),
        goal=f"You want a new insurance put on file. {said} {why} It may begin on whatever day the rules say.",
        reads=(read("list_plans"),),
        writes=(insurance_call(call, plan, member, TODAY if event else NEXT_MONTH),),
        slots={"plan": plan["plan_id"], "member": member, "event": event},
    )


def send_call(row: Row, channel: str) -> GoldCall:
    """The write that sends a lab result."""
    return write("send_lab_results", result_id=row["result_id"], channel=channel)


def send(call: Call) -> Part:
    """Have a released lab result sent."""
    row, channel = call.row("lab_results"), call.rng.choice(list(CHANNELS))
    said = phrases.result(row)
    return Part(
        requests=(
            Request(
                ask=f"I'd like a copy of a lab result{phrases.for_whom(call)}.",
                details=details(call, result=said, channel=f"Please send it {CHANNELS[channel]}."),
            ),
        ),
        goal=f"You want a copy of a lab result {phrases.in_prose(said)} sent {phrases.yours(CHANNELS[channel])}.",
        reads=(call.listing("get_lab_results"),),
        writes=(send_call(row, channel),),
        slots={"result": row["result_id"], "channel": channel},
    )


def allow(call: Call) -> Part:
    """Let somebody speak for the patient."""
    rng = call.rng
    name, dob = people.name(rng), people.birthday(rng, TODAY, 25, 70)
    relationship = rng.choice(("spouse", "sibling", "adult_child", "caregiver"))
    scopes = sorted(rng.sample(SCOPES, rng.choice((1, 2, 2, 3))))
    end = rng.choice((LAST_DAY, days_after(TODAY, rng.randint(30, 300))))
    until = "I have no particular last day in mind." if end == LAST_DAY else f"It should end on {phrases.day(end)}."
    who = f"It is {phrases.full(name)}, born on {phrases.day(dob)}, my {relationship.replace('_', ' ')}."
    scope = f"It is for these matters and no others: {phrases.listed(scopes)}."
    return Part(
        requests=(
            Request(
                ask="I'd like to allow somebody to speak for me.",
                details=details(call, person=who, scope=scope, until=until),
            ),
        ),
        goal=f"You want to allow somebody to speak for you. {who} {scope} {until}",
        reads=(call.listing("get_proxies"),),
        writes=(
            write(
                "record_consent",
                patient_id=call.patient_id,
                **name,
                dob=dob,
                relationship=relationship,
                scopes=scopes,
                expires_on=end,
            ),
        ),
        slots={"name": name, "dob": dob, "relationship": relationship, "scopes": scopes, "end": end},
    )


def revoke(call: Call) -> Part:
    """End somebody's consent."""
    row = call.row("consents")
    said = f"It is {phrases.full(row['name'])}, my {row['relationship']}."
    return Part(
        requests=(
            Request(ask="Somebody should no longer be allowed to speak for me.", details=details(call, person=said)),
        ),
        goal=f"You want to end somebody's consent to speak for you {phrases.in_prose(said)}.",
        reads=(call.listing("get_proxies"),),
        writes=(write("revoke_consent", consent_id=row["consent_id"]),),
        slots={"consent": row["consent_id"]},
    )


def refer(call: Call) -> Part:
    """Have a referral requested from the primary doctor, seen not long ago."""
    specialty = call.subject
    return Part(
        requests=(
            Request(
                ask=f"My plan says that I need a referral{phrases.for_whom(call)}.",
                details=details(call, specialty=f"The referral would be to {phrases.specialty(specialty)}."),
            ),
        ),
        goal=f"You want a referral to {phrases.specialty(specialty)} requested.",
        reads=(call.listing("get_referrals"), call.listing("list_appointments")),
        writes=(refer_call(call, specialty),),
        slots={"specialty": specialty},
    )


def refer_call(call: Call, specialty: str) -> GoldCall:
    """The write that requests a referral."""
    return write("request_referral", patient_id=call.patient_id, specialty=specialty)


def unreferred(desk: Desk, patient: Row) -> list[str]:
    """The specialties that the patient needs a referral for and has none of any kind."""
    known = {row["specialty"] for row in desk.of(patient, "referrals")}
    return [specialty for specialty in desk.plan(patient)["referral_specialties"] if specialty not in known]


def _referable(desk: Desk, patient: Row) -> Iterable[str]:
    recent = desk.seen(patient, patient["primary_doctor_id"], LAST_TWELVE_MONTHS)
    return unreferred(desk, patient)[:3] if recent and desk.may(patient, "appointments") else []


def released(desk: Desk, patient: Row) -> Iterable[str]:
    """Lab results that the patient may know."""
    rows = desk.of(patient, "lab_results") if desk.may(patient, "results") else []
    return [row["result_id"] for row in rows if row["status"] == "released"]


def _own_file(desk: Desk, patient: Row) -> Iterable[str]:
    return [""] if desk.may(patient, None) else []


def _insurable(desk: Desk, patient: Row) -> Iterable[str]:
    return [""] if desk.may(patient, "insurance") and "upcoming_insurance" not in patient else []


def _of_age(desk: Desk, patient: Row) -> Iterable[str]:
    return [""] if desk.speaker(patient) is None else []


def _revocable(desk: Desk, patient: Row) -> Iterable[str]:
    return [row["consent_id"] for row in desk.of(patient, "consents")] if desk.speaker(patient) is None else []


CONTACT = Move(contact, _own_file)
MOVED = Move(moved, _own_file)
INSURE = Move(insure, _insurable)
SEND = Move(send, released)
ALLOW = Move(allow, _of_age)
REVOKE = Move(revoke, _revocable)
REFER = Move(refer, _referable)
