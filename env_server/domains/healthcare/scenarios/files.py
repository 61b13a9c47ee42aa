"""Plain wishes about the file: contact details, insurance, lab results, consents, referrals."""

from collections.abc import Iterable
from random import Random

from env_server.domains.healthcare import people
from env_server.domains.healthcare.clock import TODAY
from env_server.domains.healthcare.scenarios import changes, knowing, phrases
from env_server.domains.healthcare.scenarios.base import LAST_TWELVE_MONTHS, Case, Desk, ahead
from env_server.domains.healthcare.scenarios.bringing import bring
from env_server.domains.healthcare.scenarios.reasons import LIFE, event_given
from env_server.domains.kit import GoldCall, Known, Row, Wish, WishKind, listed, read, write

NEXT_MONTH = "2026-04-01"
LAST_DAY = "2027-03-09"
"""The latest possible end of a consent."""

CHANNELS = knowing.CHANNELS
SCOPES = ("appointments", "insurance", "prescriptions", "results")

CONTACTS = (
    "put a new {what} on file",
    "change the {what} on file",
    "have the {what} updated",
    "give you a new {what}",
    "have another {what} put down",
    "replace the {what} that you have",
    "let you have a new {what}",
    "bring the {what} up to date",
    "swap the old {what} for a new one",
    "have a {what} changed that is out of date",
)
MOVED_HOUSE = (
    "change the address on file, as we have moved",
    "have a new address put on file",
    "give you a new postal address",
    "update the address after a move",
    "have the old address replaced",
    "let you know about a move to another address",
    "put down where we live now",
    "correct the home address, which is an old one",
    "have the file show our new home",
)
INSURES = (
    "put a new insurance on file",
    "have a new insurance plan put down",
    "tell you about a new insurance",
    "switch the insurance on file to another plan",
    "update the insurance",
    "change the insurance that you have on file",
    "register a new insurance card",
    "bring the insurance on file up to date",
    "hand in the numbers of a new plan",
    "replace the insurance there is by another",
)
SENDS = (
    "get a copy of a lab result",
    "have a lab result sent",
    "receive a lab result",
    "have the copy of a test result",
    "be sent a lab result",
    "ask for a copy of some lab work",
    "have some lab values sent over",
    "get hold of a lab report",
    "see a copy of a laboratory report",
    "have a result from the lab passed on",
)
ALLOWS = (
    "allow somebody to speak for me",
    "let somebody else handle things for me",
    "give somebody consent to call on my behalf",
    "put somebody on file who may speak for me",
    "authorize somebody to talk to you about me",
    "have somebody else act for me here",
    "sign somebody up as a proxy for me",
    "permit a person to deal with you in my place",
    "name a person who may ask about my matters",
)
REVOKES = (
    "end somebody's permission to speak for me",
    "take back a consent that I once gave",
    "have somebody no longer speak for me",
    "revoke somebody's consent",
    "stop somebody from calling on my behalf",
    "withdraw the permission of somebody on my file",
    "have a proxy struck from my file",
    "put an end to somebody's say in my matters",
    "see that a certain person cannot act for me any more",
)
REFERS = (
    "get a referral",
    "have a referral requested",
    "ask for a referral to a specialist",
    "have the primary doctor refer us to somebody",
    "request a referral",
    "be referred to a specialist",
    "have a referral put in",
    "obtain the referral that the plan wants",
    "see that a referral is asked for",
)


def _told(text: str) -> str:
    """Return a sentence with a capital first letter. An email address keeps its first letter."""
    return f"{text}." if "@" in text.split(maxsplit=1)[0] else f"{text[0].upper()}{text[1:]}."


_NEW = ("the new {what} is {new}", "it is {new}", "{new} is the new {what}", "my {what} is now {new}",
        "please write down {new} as {what}", "from now on it is {new}", "you can have {new} as the {what}",
        "the {what} I use now: {new}", "for {what}, take {new}")  # fmt: skip


def email(rng: Random, row: Row) -> str:
    """Return a new email address for a person."""
    return f"{row['name']['last_name'].lower()}.{rng.randint(100, 9999)}@example.com"


def contact(call: Case) -> Wish:
    """Change phone number or email address, or both."""
    new = {"phone": call.new_phone(), "email": email(call.rng, call.patient)}
    chosen = call.rng.choice((("phone",), ("email",), ("phone", "email")))
    words = {"phone": "phone number", "email": "email address"}
    text = listed(knowing.drawn(call, _NEW, what=words[k], new=new[k]) for k in chosen)
    topic, given = f"new_{chosen[0]}", {k: new[k] for k in chosen}
    detail = Known(_told(text), says=(tuple(given.values()),))
    said = [phrase.format(what=listed(words[k] for k in chosen)) for phrase in CONTACTS]
    brought = bring(call, said, {topic: detail}, changes.contacting(topic, given))
    return Wish(requests=(brought.request,), goal=brought.prose, writes=(contact_call(call, given),), slots=dict(given))


def contact_call(call: Case, new: dict[str, str]) -> GoldCall:
    """Return the write that changes contact details."""
    return write("update_contact_details", patient_id=call.patient_id, **new)


def moved(call: Case) -> Wish:
    """Change the address. The zip code that identifies the caller is still the old one."""
    new = people.address(call.rng)
    text = knowing.drawn(call, _NEW, what="address", new=phrases.address(new))
    own = {"new_address": Known(_told(text), says=((new["street"], new["zip"]),))}
    brought = bring(call, MOVED_HOUSE, own, changes.contacting("new_address", new))
    return Wish(
        requests=(brought.request,),
        goal=brought.prose,
        writes=(contact_call(call, new),),
        slots={"address": new},
    )


def insurance_call(call: Case, plan: Row, member: str, start: str) -> GoldCall:
    """Return the write that puts a new insurance on file."""
    return write(
        "update_insurance", patient_id=call.patient_id, plan_id=plan["plan_id"], member_id=member, effective_date=start
    )


def other_plan(call: Case) -> tuple[Row, str]:
    """Return a plan that the patient is not in, and a member number there."""
    insured = {call.patient["insurance"]["plan_id"], "PLN-90"}
    plan = call.rng.choice([row for key, row in call.world.rows["plans"].items() if key not in insured])
    return plan, f"M{call.rng.randrange(10**8):08}"


_ANY_DAY = (
    "From whatever day your rules say.",
    "Whenever your rules let it begin.",
    "On the day that is right by your rules.",
    "I leave that to your rules.",
    "As your rules have it.",
    "You will know which day that has to be.",
    "The first day that is due by the rules.",
    "Go by the rules for that.",
)


def insure(call: Case) -> Wish:
    """Put a new insurance on file. Its start date follows from the reason for the change."""
    plan, member = other_plan(call)
    event = call.rng.choice([*LIFE, ""])
    own = {
        "insurance": knowing.insurance(call, plan, member),
        "reason": event_given(call, event),
        "start": Known(knowing.drawn(call, _ANY_DAY)),
    }
    brought = bring(call, INSURES, own, changes.insuring(plan, member))
    return Wish(
        requests=(brought.request,),
        goal=brought.prose,
        reads=(read("list_plans"),),
        writes=(insurance_call(call, plan, member, TODAY if event else NEXT_MONTH),),
        slots={"plan": plan["plan_id"], "member": member, "event": event},
    )


def send_call(row: Row, channel: str) -> GoldCall:
    """Return the write that sends a lab result."""
    return write("send_lab_results", result_id=row["result_id"], channel=channel)


def send(call: Case) -> Wish:
    """Have a released lab result sent."""
    row, channel = call.row("lab_results"), call.rng.choice(CHANNELS)
    own = {"result": knowing.result(call, row), "channel": knowing.channel(call, channel)}
    brought = bring(call, SENDS, own, changes.sending(row, channel))
    return Wish(
        requests=(brought.request,),
        goal=brought.prose,
        reads=(call.listing("get_lab_results"),),
        writes=(send_call(row, channel),),
        slots={"result": row["result_id"], "channel": channel},
    )


def allow(call: Case) -> Wish:
    """Let a person speak for the patient."""
    rng = call.rng
    name, dob = people.name(rng), people.birthday(rng, TODAY, 25, 70)
    relationship = rng.choice(("spouse", "sibling", "adult_child", "caregiver"))
    scopes = sorted(rng.sample(SCOPES, rng.choice((1, 2, 2, 3))))
    end = rng.choice((None, ahead(rng, 30, 300)))
    own = {
        "person": knowing.person(call, name, dob, relationship),
        "scope": knowing.scope(call, scopes, SCOPES),
        "until": knowing.until(call, end),
    }
    brought = bring(call, ALLOWS, own, changes.allowing(name, dob, relationship, scopes, end))
    return Wish(
        requests=(brought.request,),
        goal=brought.prose,
        reads=(call.listing("get_proxies"),),
        writes=(allow_call(call, name, dob, relationship, scopes, end or LAST_DAY),),
        slots={"name": name, "dob": dob, "relationship": relationship, "scopes": scopes, "end": end},
    )


def allow_call(call: Case, name: Row, dob: str, relationship: str, scopes: list[str], end: str) -> GoldCall:
    """Return the write that records a consent."""
    return write(
        "record_consent",
        patient_id=call.patient_id,
        **name,
        dob=dob,
        relationship=relationship,
        scopes=scopes,
        expires_on=end,
    )


def revoke(call: Case) -> Wish:
    """End a person's consent."""
    row = call.row("consents")
    own = {"person": knowing.person(call, row["name"], row["dob"], row["relationship"])}
    brought = bring(call, REVOKES, own, changes.revoking(row["name"]))
    return Wish(
        requests=(brought.request,),
        goal=brought.prose,
        reads=(call.listing("get_proxies"),),
        writes=(write("revoke_consent", consent_id=row["consent_id"]),),
        slots={"consent": row["consent_id"]},
    )


def refer(call: Case) -> Wish:
    """Have a referral requested from the primary doctor, seen not long ago."""
    field = call.subject
    brought = bring(call, REFERS, {"specialty": knowing.specialty(call, field)}, changes.referring(field))
    return Wish(
        requests=(brought.request,),
        goal=brought.prose,
        reads=(call.listing("get_referrals"), call.listing("list_appointments")),
        writes=(refer_call(call, field),),
        slots={"specialty": field},
    )


def refer_call(call: Case, specialty: str) -> GoldCall:
    """Return the write that requests a referral."""
    return write("request_referral", patient_id=call.patient_id, specialty=specialty)


def unreferred(desk: Desk, patient: Row) -> list[str]:
    """Return the specialties for which the patient needs a referral and has none of any status."""
    return [field for field in desk.plan(patient)["referral_specialties"] if not desk.referrals(patient, field)]


def referable(desk: Desk, patient: Row) -> list[str]:
    """Return the specialties for which a referral may be requested, none being on file."""
    recent = desk.seen(patient, patient["primary_doctor_id"], LAST_TWELVE_MONTHS)
    return unreferred(desk, patient)[:3] if recent and desk.may(patient, "appointments") else []


def released(desk: Desk, patient: Row) -> Iterable[str]:
    """Return lab results that the patient may know."""
    rows = desk.of(patient, "lab_results") if desk.may(patient, "results") else []
    return [row["result_id"] for row in rows if row["status"] == "released"]


def _own_file(desk: Desk, patient: Row) -> Iterable[str]:
    return [""] if desk.may(patient, None) else []


def insurable(desk: Desk, patient: Row) -> list[str]:
    """Return whether a new insurance may be put on file. That requires that no other one is upcoming."""
    return [""] if desk.may(patient, "insurance") and "upcoming_insurance" not in patient else []


def _of_age(desk: Desk, patient: Row) -> Iterable[str]:
    return [""] if desk.speaker(patient) is None else []


def revocable(desk: Desk, patient: Row) -> list[str]:
    """Return the consents that a patient who calls has given."""
    return [row["consent_id"] for row in desk.of(patient, "consents")] if desk.speaker(patient) is None else []


CONTACT = WishKind(contact, _own_file)
MOVED = WishKind(moved, _own_file)
INSURE = WishKind(insure, insurable)
SEND = WishKind(send, released)
ALLOW = WishKind(allow, _of_age)
REVOKE = WishKind(revoke, revocable)
REFER = WishKind(refer, referable)
