"""The changes that callers agree to: each in words, its forms in a proposal, and its calls."""

from collections.abc import Mapping, Sequence

from env_server.domains.healthcare.scenarios import phrases
from env_server.domains.kit import Row, WantedChange, change, full_name, listed, shape, spoken

Slot = tuple[str, str]

_CANCEL = (
    "cancel", "call off", "called off", "calling off", "void", "drop", "take off", "remov", "delete", "deleting",
    "strike",
)  # fmt: skip
_MOVE = (
    "mov", "reschedule", "rescheduling", "shift", "chang", "switch", "postpon", "push", "bring forward", "rebook",
    "put",
)  # fmt: skip
_BOOK = (
    "book", "schedule", "scheduling", "arrange", "arranging", "set up", "setting up", "make", "making", "made",
    "reserve", "reserving", "sign you up",
)  # fmt: skip
_JOIN = ("join", "adding", "added", "add you", "add the", "put", "plac", "enter", "sign", "enrol")
_LEAVE = (
    "leav", "left", "remov", "take you", "take the", "taken", "taking", "drop", "delete", "deleting", "withdraw",
    "give up", "given up", "giving up", "ended", "end the", "end your",
)  # fmt: skip
_REFILL = ("refill", "fill", "order", "request", "submit")
_RENEW = ("renew", "extend", "request", "ask the", "ask your", "ask dr", "submit")
_REFER = ("request", "refer", "ask the", "ask your", "ask dr", "submit", "put in")
_SEND = (
    "send", "sent", "shar", "deliver", "forward", "transmit", "email you", "email the", "email it", "mail you",
    "mail the", "mail it", "mailed", "emailed", "post the", "post it", "posted", "mail a", "email a",
)  # fmt: skip
_INSURE = (
    "update", "updating", "put", "chang", "record", "replac", "switch", "set the", "set your", "adding", "added",
    "add the", "add your", "enter", "register",
)  # fmt: skip
_CONTACT = (
    "update", "updating", "chang", "replac", "set the", "set your", "record", "put", "enter", "adding", "added",
    "add the", "add your", "correct", "save",
)  # fmt: skip
_PHARMACY = (
    "set the", "set your", "set it", "setting", "chang", "update", "updating", "make the", "make it", "making",
    "switch", "replac", "put", "i'll make", "i will make", "i'd make", "i would make", "i'll set", "i will set",
    "i'd set", "i would set",
)  # fmt: skip
_ALLOW = (
    "record", "allow", "adding", "added", "add your", "add the", "add a", "authori", "grant", "give", "given",
    "permit", "enter", "register", "set up",
)  # fmt: skip
_REVOKE = (
    "revok", "ended", "ending", "end the", "end your", "end that", "end this", "remov", "withdraw", "cancel",
    "terminat", "stop",
)  # fmt: skip


def _when(slot: Slot | None) -> str:
    return f"{spoken(slot[0])} at {slot[1]}" if slot else "the time you asked for"


def _exactly(slot: Slot | None) -> dict[str, str]:
    """Return the day and hour as arguments if the caller knows them."""
    return {"date": slot[0], "time": slot[1]} if slot else {}


def _named(slot: Slot | None) -> tuple[str, ...]:
    return ("time",) if slot else ()


def cancelling(who: Row, day: str | None = None, *, fee: bool | None = None) -> WantedChange:
    """Return the change that cancels a visit. `fee` holds the caller's words about the fee: a waiver, or consent to
    pay.
    """
    on = f" on {spoken(day)}" if day else ""
    terms = {None: "", True: " and charge the late fee of $40.00", False: " without any fee"}[fee]
    return change(
        f"cancel the appointment with {phrases.doctor(who)}{on}{terms}",
        f"the appointment with {phrases.doctor(who)} has been cancelled",
        verbs=_CANCEL,
        names=("appointment", "fee") if fee is not None else ("appointment",),
        calls=[shape("cancel_appointment", **({} if fee is None else {"charge_late_fee": fee}))],
    )


def cancelling_for(name: str) -> WantedChange:
    """Return the change that cancels another person's next visit, whose doctor the caller does not know."""
    return change(
        f"cancel the next appointment of {name}",
        f"the next appointment of {name} has been cancelled",
        verbs=_CANCEL,
        names=("neighbor",),
        calls=[shape("cancel_appointment")],
    )


def moving(who: Row, slot: Slot | None) -> WantedChange:
    """Return the change that moves a visit. `slot` is set if the caller names day and hour."""
    return change(
        f"move the appointment with {phrases.doctor(who)} to {_when(slot)}",
        f"the appointment with {phrases.doctor(who)} has been moved",
        verbs=_MOVE,
        names=("appointment", *_named(slot)),
        calls=[shape("reschedule_appointment", **_exactly(slot))],
    )


def booking(who: Row, slot: Slot | None, visit_type: str) -> WantedChange:
    """Return the change that books a visit. For a first visit, the caller does not know its kind."""
    kind = {} if visit_type == "new_patient" else {"visit_type": visit_type}
    return change(
        f"book a {phrases.visit(visit_type)} with {phrases.doctor(who)} for {_when(slot)}",
        f"the visit with {phrases.doctor(who)} has been booked",
        verbs=_BOOK,
        names=("doctor", *_named(slot)),
        calls=[shape("schedule_appointment", **_exactly(slot), **kind)],
    )


def joining(who: Row, visit_type: str) -> WantedChange:
    """Return the change that joins a doctor's waitlist."""
    return change(
        f"add you to the waitlist of {phrases.doctor(who)} for a {phrases.visit(visit_type)}",
        f"you have been added to the waitlist of {phrases.doctor(who)}",
        verbs=_JOIN,
        names=("doctor",),
        calls=[shape("join_waitlist", visit_type=visit_type)],
    )


def leaving(who: Row) -> WantedChange:
    """Return the change that leaves a doctor's waitlist."""
    return change(
        f"take you off the waitlist of {phrases.doctor(who)}",
        f"you have been taken off the waitlist of {phrases.doctor(who)}",
        verbs=_LEAVE,
        names=("doctor",),
        calls=[shape("leave_waitlist")],
    )


def refilling(row: Row, pharmacy: Row | None = None) -> WantedChange:
    """Return the change that refills a prescription, at its own pharmacy unless the caller names another."""
    where = phrases.pharmacy(pharmacy) if pharmacy else "the pharmacy on the prescription"
    return change(
        f"request the refill of {row['medication']} {row['strength']} at {where}",
        f"the refill of {row['medication']} has been requested",
        verbs=_REFILL,
        names=("medication", "pharmacy") if pharmacy else ("medication",),
        calls=[shape("request_refill")],
    )


def renewing(row: Row) -> WantedChange:
    """Return the change that asks the doctor to renew a prescription."""
    return change(
        f"request the renewal of {row['medication']} {row['strength']}",
        f"the renewal of {row['medication']} has been requested",
        verbs=_RENEW,
        names=("medication",),
        calls=[shape("request_renewal")],
    )


def referring(specialty: str) -> WantedChange:
    """Return the change that requests a referral."""
    return change(
        f"request a referral to {phrases.specialty(specialty)} from the primary doctor",
        f"the referral to {phrases.specialty(specialty)} has been requested",
        verbs=_REFER,
        names=("specialty",),
        calls=[shape("request_referral", specialty=specialty)],
    )


_WAY = {"portal": "to the portal", "email": "by email", "mail": "by ordinary mail"}


def sending(row: Row, channel: str) -> WantedChange:
    """Return the change that sends a lab result."""
    return change(
        f"send the {row['test']} {_WAY[channel]}",
        f"the {row['test']} has been sent",
        verbs=_SEND,
        names=("result", "channel"),
        calls=[shape("send_lab_results", channel=channel)],
    )


def insuring(plan: Row, member: str, start: str | None = None) -> WantedChange:
    """Return the change that puts a new insurance on file. `start` is set if the caller names its first day."""
    first = f", in force from {spoken(start)}" if start else ""
    exact = {"effective_date": start} if start else {}
    return change(
        f"record the {plan['name']} plan with member number {member} as the new insurance{first}",
        f"the {plan['name']} plan has been recorded",
        verbs=_INSURE,
        names=("insurance", "start") if start else ("insurance",),
        calls=[shape("update_insurance", member_id=member, **exact)],
    )


def contacting(topic: str, new: Mapping[str, str]) -> WantedChange:
    """Return the change of contact details. `topic` names the detail of the caller."""
    words = listed(f"the {name} to {value}" for name, value in new.items())
    return change(
        f"change {words}",
        "the contact details have been changed",
        verbs=_CONTACT,
        names=(topic,),
        calls=[shape("update_contact_details", **new)],
    )


def preferring(pharmacy: Row) -> WantedChange:
    """Return the change of the default pharmacy."""
    return change(
        f"change the default pharmacy to {phrases.pharmacy(pharmacy)}",
        "the default pharmacy has been changed",
        verbs=_PHARMACY,
        names=("pharmacy",),
        calls=[shape("set_pharmacy")],
    )


def allowing(name: Row, dob: str, relationship: str, scopes: Sequence[str], end: str | None) -> WantedChange:
    """Return the change that records a consent. `end` is set if the caller names its last day."""
    last = f" until {spoken(end)}" if end else ""
    exact = {"expires_on": end} if end else {}
    return change(
        f"record that {full_name(name)} may speak for you about {listed(scopes)}{last}",
        f"the consent for {full_name(name)} has been recorded",
        verbs=_ALLOW,
        names=("person", "scope", "until") if end else ("person", "scope"),
        calls=[
            shape("record_consent", **name, dob=dob, relationship=relationship, scopes=list(scopes), **exact),
        ],
    )


def revoking(name: Row) -> WantedChange:
    """Return the change that ends a consent."""
    return change(
        f"revoke the consent of {full_name(name)}",
        f"the consent of {full_name(name)} has been revoked",
        verbs=_REVOKE,
        names=("person",),
        calls=[shape("revoke_consent")],
    )
