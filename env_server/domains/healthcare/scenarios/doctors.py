"""Visits with doctors who cannot be booked: no referral, no network, no new patients. The twin grants each visit."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from env_server.domains.healthcare.clock import days_after
from env_server.domains.healthcare.scenarios import changes, knowing, phrases
from env_server.domains.healthcare.scenarios.appointments import (
    APPOINTMENTS,
    SEES_FIRST,
    SEES_SPECIALIST,
    book_call,
    look_at_times,
    new_time,
    newcomers,
    search,
    unmet,
)
from env_server.domains.healthcare.scenarios.base import LAST_TWELVE_MONTHS, Case, Desk, ago
from env_server.domains.healthcare.scenarios.bringing import bring, goal, requests
from env_server.domains.healthcare.scenarios.files import refer_call
from env_server.domains.healthcare.scenarios.refused import VISIT
from env_server.domains.kit import Form, GoldCall, Patch, Refusal, Row, Wish, WishKind, spoken

_ASKS_FOR_IT = (
    "have the referral requested that is needed",
    "ask for a new referral",
    "have the primary doctor asked for a referral",
    "get a fresh referral",
    "request a referral",
    "have a referral put in first",
    "see that a new referral is asked for",
    "start with a request for a referral",
)
_ANOTHER = (
    "take another doctor, one not seen before either",
    "see a different doctor of that kind",
    "have a first visit with another doctor",
    "go to somebody else in the same field",
    "try another doctor",
    "be seen by a different doctor",
    "settle for another doctor",
    "book with another doctor of the same field",
)


def no_referral(call: Case) -> Wish:
    """The caller wants to book on an expired referral, and then has another requested. In the twin
    it is still valid.
    """
    doctor = call.row("doctors")
    field = doctor["specialty"]
    row = call.world.referrals(call.patient, field)[0]
    gone, issued = ago(call.rng, 3, 70), ago(call.rng, 10, 60)
    slot, named, when = new_time(call, doctor["doctor_id"])
    kind = knowing.visit(call, "new_patient")
    own = {"doctor": knowing.doctor(call, doctor), "time": when, "visit": kind}
    first = bring(call, SEES_SPECIALIST, own, changes.booking(doctor, named, "new_patient"))
    then = bring(
        call, _ASKS_FOR_IT, {"specialty": knowing.specialty(call, field)}, changes.referring(field), instead=True
    )
    part = Wish(
        requests=requests(first, then),
        goal=goal(first, then),
        slots={"doctor": doctor["doctor_id"], "slot": slot, "named": named},
    )
    look = call.listing("get_referrals")
    if call.due:
        looks = (look, search(field), look_at_times(doctor["doctor_id"]))
        granted = (book_call(call, doctor, slot, "new_patient", row["referral_id"]),)
        good = _approved(row, issued, days_after(issued, 180))
        return replace(part, reads=looks, writes=granted, initial=good)
    says = f"the referral to {phrases.specialty(field)} expired on {spoken(gone)}"
    refusal = Refusal(says, because=(gone,), about=(*VISIT, "referral", "book"))
    return replace(
        part,
        proof=(look, call.listing(APPOINTMENTS)),
        writes=(refer_call(call, field),),
        refusals=(refusal,),
        initial=_approved(row, days_after(gone, -180), gone),
    )


def _approved(row: Row, issued: str, expires: str) -> Patch:
    """Return the referral, approved for three visits and unused."""
    dates = {"issued_on": issued, "expires_on": expires}
    fields = {"status": "approved", "visits_allowed": 3, "visits_used": 0, **dates}
    return {"referrals": {row["referral_id"]: fields}}


def _another_doctor(call: Case, says: str, because: tuple[Form, ...], others: tuple[str, ...], fix: Patch) -> Wish:
    """Return a wish for a doctor who cannot be booked, and then for another of the specialty. With `fix` the first can
    be booked.
    """
    wrong = call.row("doctors")
    right = call.rng.choice([row for row in _alike(call, wrong) if row is not wrong])
    slots: dict[str, Any] = {"wrong": wrong["doctor_id"], "right": right["doctor_id"]}
    wishes, writes = [], list[GoldCall]()
    for doctor, said, instead in ((wrong, SEES_FIRST, False), (right, _ANOTHER, True)):
        slot, named, when = new_time(call, doctor["doctor_id"])
        own = {"doctor": knowing.doctor(call, doctor), "time": when, "visit": knowing.visit(call, "new_patient")}
        wishes.append(bring(call, said, own, changes.booking(doctor, named, "new_patient"), instead=instead))
        writes.append(book_call(call, doctor, slot, "new_patient"))
        slots |= {"instead" if instead else "first": slot}
    part = Wish(requests=requests(*wishes), goal=goal(*wishes), slots=slots)
    if call.due:
        looks = (search(wrong["specialty"]), look_at_times(wrong["doctor_id"]))
        return replace(part, reads=looks, writes=(writes[0],), initial=fix)
    refusal = Refusal(says, because=because, others=others, about=VISIT)
    return replace(part, proof=(search(wrong["specialty"]),), writes=(writes[1],), refusals=(refusal,))


def _alike(call: Case, wrong: Row) -> list[Row]:
    return [row for row in newcomers(call.world, call.patient) if row["specialty"] == wrong["specialty"]]


def out_of_network(call: Case) -> Wish:
    """The caller wants a doctor outside the network of an HMO or EPO. In the twin the doctor accepts the plan."""
    doctor, plan = call.row("doctors"), call.world.plan(call.patient)
    says = f"{phrases.doctor(doctor)} is not in the network of the {plan['name']} plan, an {plan['kind']}"
    accepted = {"doctors": {doctor["doctor_id"]: {"plans": [plan["plan_id"], *doctor["plans"]]}}}
    others = ("no new patients", "not accept new patients", "not taking new patients")
    return _another_doctor(call, says, (plan["name"], plan["kind"]), others, accepted)


def full_practice(call: Case) -> Wish:
    """The caller wants a doctor who takes no new patients. In the twin the doctor takes them."""
    doctor = call.row("doctors")
    says = f"{phrases.doctor(doctor)} accepts no new patients"
    others = ("out of network", "not in the network", "not in network", "outside the network")
    taken = {"doctors": {doctor["doctor_id"]: {"accepts_new_patients": True}}}
    return _another_doctor(call, says, ("new patients", "new patient"), others, taken)


def _lapsed_referral(desk: Desk, patient: Row) -> Iterable[str]:
    """Return specialists whom the patient could see on a referral, with exactly one on file and no booking on it."""
    recent = desk.seen(patient, patient["primary_doctor_id"], LAST_TWELVE_MONTHS)
    if not recent or not desk.may(patient, "appointments"):
        return []
    used = {row.get("referral_id") for row in desk.of(patient, "appointments")}
    fields = [
        field
        for field in desk.plan(patient)["referral_specialties"]
        if [row["referral_id"] in used for row in desk.referrals(patient, field)] == [False]
    ]
    return [row["doctor_id"] for row in newcomers(desk, patient) if row["specialty"] in fields][:4]


def _with_others(desk: Desk, patient: Row, wrong: list[Row]) -> Iterable[str]:
    """Return those of `wrong` in whose specialty another doctor can be booked, both without a referral."""
    if not desk.may(patient, "appointments"):
        return []
    found = {d["specialty"] for d in newcomers(desk, patient) if not desk.needs_referral(patient, d["specialty"])}
    return [row["doctor_id"] for row in wrong if row["specialty"] in found][:4]


def _outside(desk: Desk, patient: Row) -> Iterable[str]:
    if desk.plan(patient)["kind"] not in {"HMO", "EPO"} or "upcoming_insurance" in patient:
        return []
    wrong = [d for d in unmet(desk, patient) if d["accepts_new_patients"] and not desk.in_network(patient, d)]
    return _with_others(desk, patient, wrong)


def _full(desk: Desk, patient: Row) -> Iterable[str]:
    wrong = [d for d in unmet(desk, patient) if not d["accepts_new_patients"] and desk.in_network(patient, d)]
    return _with_others(desk, patient, wrong)


NO_REFERRAL = WishKind(no_referral, _lapsed_referral)
OUT_OF_NETWORK = WishKind(out_of_network, _outside)
FULL_PRACTICE = WishKind(full_practice, _full)
