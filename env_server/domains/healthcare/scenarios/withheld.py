"""Wishes about medication, results and the file that a rule forbids. Other rows grant them in the twin."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Literal

from env_server.domains.healthcare.clock import TODAY, days_after
from env_server.domains.healthcare.scenarios import changes, knowing
from env_server.domains.healthcare.scenarios.base import Case, Desk, ago, ahead, due_on, together
from env_server.domains.healthcare.scenarios.bringing import SpokenWish, bring, goal, requests
from env_server.domains.healthcare.scenarios.files import (
    ALLOWS,
    CHANNELS,
    LAST_DAY,
    NEXT_MONTH,
    SCOPES,
    SENDS,
    allow_call,
    insurable,
    insurance_call,
    other_plan,
    revocable,
    send_call,
)
from env_server.domains.healthcare.scenarios.medication import (
    PRESCRIPTIONS,
    REFILLS,
    RENEWALS,
    prescribed,
    refill_call,
    renew_call,
    seen_by_prescriber,
)
from env_server.domains.healthcare.scenarios.reasons import event_given
from env_server.domains.kit import Known, Patch, Refusal, Row, Wish, WishKind, full_name, read, spoken, write

_RENEWS_IT = (
    "have the doctor asked to renew it",
    "ask for a renewal",
    "have it renewed",
    "get it renewed by the doctor",
    "request its renewal",
    "have the doctor write it anew",
    "see that it is renewed",
    "go for a renewal",
)
_ANOTHER_RESULT = (
    "get a copy of another result",
    "have another lab result sent",
    "be sent a different result",
    "have some other result, the same way",
    "ask for another lab report",
    "take the copy of another one",
    "see a different lab result",
    "receive another report for now",
)
_FROM_NOW = (
    "put a new insurance on file and have it count from today",
    "switch to a new insurance as of today",
    "have a new plan in force from today on",
    "change the insurance with effect from today",
    "have a new insurance count at once, from today",
    "register a new plan that begins today",
    "start with a new insurance this very day",
    "move over to another plan today",
    "have another insurance valid as of this day",
)
_FROM_THEN = (
    "put it on file from the first day that is possible",
    "have it begin as soon as your rules allow",
    "take the first day that your rules give",
    "let it start on the earliest day there is",
    "have it in force from the next day that is allowed",
    "register it for whatever day comes first",
    "have it count from the day the rules name",
    "settle for the first possible day",
)
_ENDS_IT = (
    "end the consent that there is",
    "have the present consent ended",
    "take back the consent on file",
    "revoke the one that is there",
    "have the old consent taken off",
    "withdraw the consent that stands there",
    "cancel the permission there is",
    "have no consent for that person at all",
)
_TODAY = (
    "From today.",
    "As of today.",
    "Today, that is what I want.",
    "It should begin today.",
    "Starting today.",
    "It has to count from today on.",
    "With today as the first day.",
    "The first day should be today.",
)
_SOON = (
    "From the first day that your rules allow.",
    "The first day that is possible.",
    "As early as your rules have it.",
    "On the day the rules give.",
    "Whatever day comes first by the rules.",
    "The earliest you can do.",
    "The soonest day allowed.",
    "Any day that is right, the first one.",
)
REFILL = ("refill", "refilled", "fill", "filled", "prescription", "medication")
"""The phrases that name a wish for a refill."""


def _refill_wish(call: Case, row: Row, bears: Literal["", "refusal"] = "refusal") -> SpokenWish:
    own = {"medication": knowing.medication(call, row), "pharmacy": knowing.same_pharmacy(call)}
    return bring(call, REFILLS, own, changes.refilling(row), bears=bears)


def _good(row: Row, **fields: object) -> Patch:
    """Return the prescription, valid for a refill that is due. `fields` are the changes."""
    supply = int(row["days_supply"])
    good = {"refills_left": max(1, row["refills_left"]), "last_filled": days_after(TODAY, 3 - supply)}
    return {"prescriptions": {row["prescription_id"]: {**good, **fields}}}


def controlled(call: Case) -> Wish:
    """The caller wants a refill of a controlled medication but has not seen its doctor recently. In
    the twin they have.
    """
    row, rng = call.row("prescriptions"), call.rng
    long_ago, recent, good = ago(rng, 100, 360), ago(rng, 6, 80), _good(row, expires_on=ahead(rng, 30, 150))
    brought = _refill_wish(call, row)
    part = Wish(requests=(brought.request,), goal=brought.prose, slots={"prescription": row["prescription_id"]})
    looks = (call.listing(PRESCRIPTIONS), call.listing("list_appointments"))
    if call.due:
        met = together(good, call.met_on(row["doctor_id"], recent))
        return replace(part, reads=looks, writes=(refill_call(row),), initial=met)
    says = f"the last visit with the doctor who prescribes it was on {spoken(long_ago)}, more than 90 days ago"
    return replace(
        part,
        proof=looks,
        refusals=(Refusal(says, because=(long_ago,), about=(*REFILL, row["medication"])),),
        initial=together(good, call.met_on(row["doctor_id"], long_ago)),
    )


def too_early(call: Case) -> Wish:
    """The caller wants a refill too early. In the twin the last fill was longer ago."""
    row = call.row("prescriptions")
    day = due_on(row)
    brought = _refill_wish(call, row)
    part = Wish(requests=(brought.request,), goal=brought.prose, slots={"prescription": row["prescription_id"]})
    looks = (call.listing(PRESCRIPTIONS),)
    if call.due:
        return replace(part, reads=looks, writes=(refill_call(row),), initial=_good(row))
    says = f"it cannot be refilled before {spoken(day)}, seven days before the last fill runs out"
    refusal = Refusal(says, because=(day, row["last_filled"]), about=(*REFILL, row["medication"]))
    return replace(part, proof=looks, refusals=(refusal,))


def run_out(call: Case) -> Wish:
    """The caller wants a refill of an expired prescription, and then a renewal. In the twin it is still valid."""
    row, rng = call.row("prescriptions"), call.rng
    gone, good = ago(rng, 2, 28), ahead(rng, 20, 200)
    first = _refill_wish(call, row, "")
    again = {"medication": knowing.medication(call, row)}
    then = bring(call, _RENEWS_IT, again, changes.renewing(row), instead=True)
    part = Wish(requests=requests(first, then), goal=goal(first, then), slots={"prescription": row["prescription_id"]})
    look = call.listing(PRESCRIPTIONS)
    if call.due:
        return replace(part, reads=(look,), writes=(refill_call(row),), initial=_good(row, expires_on=good))
    says = f"the prescription expired on {spoken(gone)}"
    return replace(
        part,
        proof=(look, call.listing("list_appointments")),
        writes=(renew_call(row),),
        refusals=(Refusal(says, because=(gone,), about=(*REFILL, row["medication"])),),
        initial=_good(row, expires_on=gone),
    )


def no_renewal(call: Case) -> Wish:
    """The caller wants a renewal from a doctor not seen for a year. In the twin they met since."""
    row, rng = call.row("prescriptions"), call.rng
    long_ago, recent, end = ago(rng, 380, 700), ago(rng, 15, 300), ahead(rng, 10, 120)
    brought = bring(
        call, RENEWALS, {"medication": knowing.medication(call, row)}, changes.renewing(row), bears="refusal"
    )
    part = Wish(requests=(brought.request,), goal=brought.prose, slots={"prescription": row["prescription_id"]})
    looks = (call.listing(PRESCRIPTIONS), call.listing("list_appointments"))
    empty = _good(row, refills_left=0, expires_on=end)
    if call.due:
        met = together(empty, call.met_on(row["doctor_id"], recent))
        return replace(part, reads=looks, writes=(renew_call(row),), initial=met)
    says = f"the last visit with the doctor who prescribes it was on {spoken(long_ago)}, more than a year ago"
    refusal = Refusal(says, because=(long_ago,), about=("renewal", "renew", "renewed", row["medication"]))
    met = together(empty, call.met_on(row["doctor_id"], long_ago))
    return replace(part, proof=looks, refusals=(refusal,), initial=met)


def unreleased(call: Case) -> Wish:
    """The caller wants a result in review, and then a released one. In the twin the first is also released."""
    row, channel = call.row("lab_results"), call.rng.choice(CHANNELS)
    other = call.rng.choice([r for r in call.world.of(call.patient, "lab_results") if r["status"] == "released"])
    how = knowing.channel(call, channel)
    first = bring(call, SENDS, {"result": knowing.result(call, row), "channel": how}, changes.sending(row, channel))
    own = {"result": knowing.result(call, other), "channel": how}
    then = bring(call, _ANOTHER_RESULT, own, changes.sending(other, channel), instead=True)
    part = Wish(
        requests=requests(first, then),
        goal=goal(first, then),
        slots={"result": row["result_id"], "other": other["result_id"], "channel": channel},
    )
    look = (call.listing("get_lab_results"),)
    if call.due:
        out = {"lab_results": {row["result_id"]: {"status": "released"}}}
        return replace(part, reads=look, writes=(send_call(row, channel),), initial=out)
    says = f"the {row['test']} is still in review and has not been released"
    refusal = Refusal(says, because=("review", "reviewed"), others=("pending",), about=("result", row["test"]))
    return replace(part, proof=look, writes=(send_call(other, channel),), refusals=(refusal,))


_BEGINNINGS = ("2025-09-15", "2025-10-01", "2025-10-15", "2025-11-01", "2025-11-15", "2025-12-01", "2025-12-15",
               "2026-01-01", "2026-01-15", "2026-02-01", "2026-02-15", "2026-03-01")  # fmt: skip
"""Start dates of an insurance that is younger than six months."""


def from_today(call: Case) -> Wish:
    """The caller wants a new insurance from today without a reason, and then takes the allowed day. In the twin the old
    one is old enough.
    """
    plan, member = other_plan(call)
    young, old = call.rng.choice(_BEGINNINGS), ago(call.rng, 200, 800)
    own = {"insurance": knowing.insurance(call, plan, member), "reason": event_given(call, "")}
    today = {"start": Known(call.voice.pick(*_TODAY), says=("today", TODAY), others=(NEXT_MONTH,))}
    soon = {"start": Known(call.voice.pick(*_SOON))}
    first = bring(call, _FROM_NOW, own | today, changes.insuring(plan, member, TODAY))
    then = bring(call, _FROM_THEN, own | soon, changes.insuring(plan, member), instead=True)
    part = Wish(
        requests=requests(first, then), goal=goal(first, then), slots={"plan": plan["plan_id"], "member": member}
    )
    look = (read("get_patient_info", patient_id=call.patient_id),)
    if call.due:
        granted = (insurance_call(call, plan, member, TODAY),)
        return replace(part, reads=look, writes=granted, initial=_began(call, old))
    says = f"the present insurance began on {spoken(young)}, less than six months ago"
    refusal = Refusal(says, because=(young,), about=("insurance", "plan", "today"))
    granted = (insurance_call(call, plan, member, NEXT_MONTH),)
    return replace(part, proof=look, writes=granted, refusals=(refusal,), initial=_began(call, young))


def _began(call: Case, day: str) -> Patch:
    return {"patients": {call.patient_id: {"insurance": {"effective_date": day}}}}


def allow_again(call: Case) -> Wish:
    """The caller wants a consent for a person who has one, and then ends that one. In the twin it has expired."""
    row, rng = call.row("consents"), call.rng
    runs, gone = ahead(rng, 20, 340), ago(rng, 5, 200)
    scopes = sorted(rng.sample(SCOPES, rng.choice((1, 2, 2, 3))))
    who = knowing.person(call, row["name"], row["dob"], row["relationship"])
    own = {"person": who, "scope": knowing.scope(call, scopes, SCOPES), "until": knowing.until(call, None)}
    given = (row["name"], row["dob"], row["relationship"], scopes)
    first = bring(call, ALLOWS, own, changes.allowing(*given, None))
    then = bring(call, _ENDS_IT, {"person": who}, changes.revoking(row["name"]), instead=True)
    part = Wish(
        requests=requests(first, then),
        goal=goal(first, then),
        slots={"consent": row["consent_id"], "scopes": scopes},
    )
    look = (call.listing("get_proxies"),)
    if call.due:
        return replace(part, reads=look, writes=(allow_call(call, *given, LAST_DAY),), initial=_until(row, gone))
    says = f"a consent for {full_name(row['name'])} is in force until {spoken(runs)}"
    refusal = Refusal(says, because=(runs,), about=("consent", "permission", row["name"]["first_name"]))
    ended = (write("revoke_consent", consent_id=row["consent_id"]),)
    return replace(part, proof=look, writes=ended, refusals=(refusal,), initial=_until(row, runs))


def _until(row: Row, day: str) -> Patch:
    return {"consents": {row["consent_id"]: {"expires_on": day, "status": "active"}}}


def _in_review(desk: Desk, patient: Row) -> Iterable[str]:
    rows = desk.of(patient, "lab_results") if desk.may(patient, "results") else []
    some = any(row["status"] == "released" for row in rows)
    return [row["result_id"] for row in rows if some and row["status"] == "in_review"]


def _early(_: Desk, __: Row, row: Row) -> bool:
    fine = row["status"] == "active" and row["refills_left"] > 0 and not row["controlled"]
    return bool(fine and TODAY < due_on(row) <= row["expires_on"] and row["last_filled"] < TODAY)


def _known_prescriber(desk: Desk, patient: Row, row: Row, *, controlled: bool) -> bool:
    """Return whether the patient has met the prescriber, so that the visits can move to another day."""
    fine = row["status"] == "active" and row["controlled"] is controlled
    return bool(fine and desk.met(patient, row["doctor_id"]))


CONTROLLED = WishKind(controlled, prescribed(lambda desk, p, row: _known_prescriber(desk, p, row, controlled=True)))
TOO_EARLY = WishKind(too_early, prescribed(_early))
RUN_OUT = WishKind(
    run_out,
    prescribed(
        lambda desk, p, row: row["status"] == "active" and not row["controlled"] and seen_by_prescriber(desk, p, row)
    ),
)
NO_RENEWAL = WishKind(no_renewal, prescribed(lambda desk, p, row: _known_prescriber(desk, p, row, controlled=False)))
UNRELEASED = WishKind(unreleased, _in_review)
FROM_TODAY = WishKind(from_today, insurable)
ALLOW_AGAIN = WishKind(allow_again, revocable)
