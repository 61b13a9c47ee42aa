"""Scenario templates of the healthcare tasks: which wishes one caller brings, in order."""

from env_server.domains.healthcare.scenarios import (
    appointments,
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
from env_server.domains.kit import Template

TEMPLATES = (
    # One wish.
    Template("cancel", 1, (appointments.CANCEL,)),
    Template("move", 2, (appointments.MOVE,)),
    Template("follow-up", 2, (appointments.FOLLOW_UP,)),
    Template("first-visit", 3, (appointments.FIRST_VISIT,)),
    Template("referred-visit", 4, (appointments.REFERRED_VISIT,)),
    Template("refill", 2, (medication.REFILL,)),
    Template("refill-elsewhere", 2, (medication.REFILL_ELSEWHERE,)),
    Template("insure", 2, (files.INSURE,)),
    Template("allow", 2, (files.ALLOW,)),
    # One wish and a value told back.
    Template("cancel-late", 3, (questions.CANCEL_LATE,)),
    Template("join-and-place", 3, (waitlists.JOIN_PLACE,)),
    # Questions.
    Template("procedure-cost", 3, (questions.PROCEDURE_COST,)),
    Template("lab-value-and-copays", 3, (questions.LAB_VALUE, questions.COPAYS)),
    Template("owed-and-open-day", 3, (questions.OWED, questions.FIRST_OPEN_DAY)),
    Template("refill-day-and-pharmacy", 3, (questions.REFILL_DAY, medication.DEFAULT_PHARMACY)),
    # A change of mind.
    Template("other-time", 3, (revised.OTHER_TIME,)),
    Template("keep-it", 3, (revised.KEEP_IT,)),
    Template("pharmacy-after-all", 3, (revised.PHARMACY_AFTER_ALL,)),
    Template("misread-number-and-other-channel", 3, (revised.MISREAD_NUMBER, revised.OTHER_CHANNEL)),
    # Two and three wishes.
    Template("renew-and-contact", 3, (medication.RENEW, files.CONTACT)),
    Template("refer-and-move", 3, (files.REFER, appointments.MOVE)),
    Template("revoke-and-contact", 2, (files.REVOKE, files.CONTACT)),
    Template("leave-and-send", 2, (waitlists.LEAVE, files.SEND)),
    Template("swap-waitlists", 3, (waitlists.SWAP,)),
    Template("cancel-and-join", 3, (appointments.CANCEL, waitlists.JOIN)),
    Template("new-home", 4, (files.MOVED, medication.DEFAULT_PHARMACY, files.INSURE)),
    Template("three-errands", 4, (appointments.CANCEL, medication.REFILL, files.SEND)),
    # Somebody to whom the desk must not talk about what they ask.
    Template("impostor", 3, (strangers.IMPOSTOR,)),
    Template("no-guardian", 3, (strangers.NO_GUARDIAN,)),
    Template("lapsed-consent", 3, (strangers.LAPSED,)),
    Template("out-of-scope", 3, (strangers.OUT_OF_SCOPE,)),
    Template("cancel-and-neighbor", 3, (appointments.CANCEL, strangers.FRIEND)),
    # A wish that a rule forbids.
    Template("too-late", 3, (refused.TOO_LATE,)),
    Template("third-move", 3, (refused.THIRD_MOVE,)),
    Template("waive", 3, (refused.WAIVE,)),
    Template("second-visit", 4, (refused.SECOND_VISIT,)),
    Template("no-referral", 4, (refused.NO_REFERRAL,)),
    Template("not-seen-and-cancel", 4, (refused.NOT_SEEN_LATELY, appointments.CANCEL)),
    Template("out-of-network", 4, (refused.OUT_OF_NETWORK,)),
    Template("full-practice", 4, (refused.FULL_PRACTICE,)),
    Template("not-crowded", 4, (waitlists.NOT_CROWDED,)),
    Template("two-already-and-cancel", 4, (waitlists.TWO_ALREADY, appointments.CANCEL)),
    Template("controlled-and-contact", 3, (withheld.CONTROLLED, files.CONTACT)),
    Template("too-early", 3, (withheld.TOO_EARLY,)),
    Template("run-out", 4, (withheld.RUN_OUT,)),
    Template("no-renewal-and-send", 4, (withheld.NO_RENEWAL, files.SEND)),
    Template("unreleased", 3, (withheld.UNRELEASED,)),
    Template("from-today", 3, (withheld.FROM_TODAY,)),
    Template("minors-consent-and-move", 4, (withheld.ALLOW_FOR_MINOR, appointments.MOVE)),
    Template("owed-and-emergency", 3, (questions.OWED, questions.EMERGENCY)),
    # A wish that only people can settle.
    Template("dose", 2, (transferred.DOSE,)),
    Template("meaning", 2, (transferred.MEANING,)),
    Template("dispute", 2, (transferred.DISPUTE,)),
    Template("contact-and-married-name", 3, (files.CONTACT, transferred.MARRIED_NAME)),
    Template("complaint", 2, (transferred.COMPLAINT,)),
)
"""In the order in which a split's indices go through them."""
