"""Scenario templates of the healthcare tasks: which wishes one caller brings, in order."""

from dataclasses import replace

from env_server.domains.healthcare.scenarios import (
    appointments,
    doctors,
    files,
    medication,
    questions,
    refused,
    revised,
    strangers,
    transferred,
    waitlists,
    withheld,
)
from env_server.domains.kit import Template, WishKind, twins


def firm(kind: WishKind) -> WishKind:
    """Return the same wish, but one that is refused in its template's twin as well."""
    return replace(kind, make=lambda call: kind.make(replace(call, due=False)))


TEMPLATES = (
    # Callers who may not learn what they ask about.
    *twins("impostor", strangers.IMPOSTOR),
    *twins("no-guardian", strangers.NO_GUARDIAN),
    *twins("lapsed-consent", strangers.LAPSED),
    *twins("out-of-scope", strangers.OUT_OF_SCOPE, strangers.WITHIN),
    *twins("cancel-and-neighbor", appointments.CANCEL, strangers.NEIGHBOR),
    # A visit that a rule forbids.
    *twins("too-late-and-errands", refused.TOO_LATE, medication.REFILL, files.SEND),
    *twins("third-move-and-controlled", refused.THIRD_MOVE, firm(withheld.CONTROLLED)),
    *twins("waive-and-pharmacy", refused.WAIVE, medication.DEFAULT_PHARMACY),
    *twins("second-visit", refused.SECOND_VISIT),
    *twins("not-seen-and-cancel", refused.NOT_SEEN_LATELY, appointments.CANCEL),
    *twins("no-referral", doctors.NO_REFERRAL),
    *twins("out-of-network", doctors.OUT_OF_NETWORK),
    *twins("full-practice-and-too-early", doctors.FULL_PRACTICE, firm(withheld.TOO_EARLY)),
    *twins("not-crowded-and-leave", waitlists.NOT_CROWDED, waitlists.LEAVE, files.CONTACT),
    *twins("two-already-and-too-late", waitlists.TWO_ALREADY, firm(refused.TOO_LATE)),
    # Something else that a rule forbids.
    *twins("controlled-and-contact", withheld.CONTROLLED, files.CONTACT),
    *twins("too-early-and-waive", withheld.TOO_EARLY, firm(refused.WAIVE)),
    *twins("run-out-and-send", withheld.RUN_OUT, files.SEND, revised.MISREAD_NUMBER),
    *twins("no-renewal-and-unreleased", withheld.NO_RENEWAL, firm(withheld.UNRELEASED)),
    *twins("unreleased-and-refill", withheld.UNRELEASED, medication.REFILL_ELSEWHERE, files.CONTACT),
    *twins("from-today-and-moved", withheld.FROM_TODAY, files.MOVED, medication.DEFAULT_PHARMACY),
    *twins("allow-again-and-send", withheld.ALLOW_AGAIN, files.SEND, files.CONTACT),
    # A wish that only people can settle.
    *twins("refill-and-owes-too-much", revised.PHARMACY_AFTER_ALL, transferred.OWES_TOO_MUCH),
    *twins("send-and-long-expired", revised.OTHER_CHANNEL, transferred.LONG_EXPIRED),
    *twins("contact-and-critical", files.CONTACT, transferred.CRITICAL),
    *twins("move-and-denied", revised.OTHER_TIME, transferred.DENIED),
    *twins("pharmacy-and-missed-visit", medication.DEFAULT_PHARMACY, transferred.MISSED_VISIT),
    # Questions.
    Template("procedure-cost", (questions.PROCEDURE_COST,)),
    Template("lab-value-and-copays", (questions.LAB_VALUE, questions.COPAYS)),
    Template("owed-and-open-day", (questions.OWED, questions.FIRST_OPEN_DAY)),
    Template("owed-and-emergency", (questions.OWED, questions.EMERGENCY)),
    # Changes, some with a value told back.
    Template("cancel-late", (questions.CANCEL_LATE,)),
    Template("join-and-place", (waitlists.JOIN_PLACE,)),
    Template("refill-day-and-pharmacy", (questions.REFILL_DAY, medication.DEFAULT_PHARMACY)),
    Template("follow-up-and-send", (appointments.FOLLOW_UP, files.SEND)),
    Template("first-visit", (appointments.FIRST_VISIT,)),
    Template("referred-visit-and-join", (appointments.REFERRED_VISIT, waitlists.JOIN)),
    Template("revoke-and-allow", (files.REVOKE, files.ALLOW)),
    Template("new-home", (files.MOVED, medication.DEFAULT_PHARMACY, files.INSURE)),
    Template("four-errands", (appointments.MOVE, medication.REFILL, files.SEND, files.REFER)),
    Template("swap-and-refill", (waitlists.SWAP, medication.REFILL_ELSEWHERE)),
)
"""All templates, in the order in which the indices of a split use them."""
