"""The callers' reasons for a cancellation or a new insurance. The agent decides which rule applies."""

from env_server.domains.healthcare.scenarios.base import Case
from env_server.domains.healthcare.scenarios.knowing import drawn
from env_server.domains.kit import Known

CHARGED = ("no_longer_needed", "schedule_conflict", "changed_doctor", "transport_problem")
"""Reasons for which a late cancellation costs the fee."""

EXCUSED = ("illness", "bereavement", "severe_weather", "clinic_request")
"""Reasons for which a late cancellation is free."""

_WHY = {
    "no_longer_needed": (
        "The visit is not needed any more.",
        "It has cleared up, so there is no need for it.",
        "There is nothing left to see a doctor for.",
        "All is well again, so the visit is not needed.",
        "It went away by itself; no visit is needed.",
        "There is simply no need for it now.",
    ),
    "schedule_conflict": (
        "Something else has come up at that very time.",
        "I have to be somewhere else then.",
        "It clashes with a meeting at work.",
        "Two things fall on the same hour, and the other cannot be moved.",
        "The time does not fit in with work.",
        "There is another appointment elsewhere just then.",
    ),
    "changed_doctor": (
        "We have changed to another doctor.",
        "Another doctor has taken over.",
        "We go to a different doctor now.",
        "There is a new doctor, outside your clinics.",
        "The doctor is not ours any longer; we found another.",
        "Somebody else is the doctor now.",
    ),
    "transport_problem": (
        "The car broke down and there is no other way to get there.",
        "Nobody can drive, and no bus goes there.",
        "There is no ride to the clinic.",
        "My lift has fallen through, and it is too far to walk.",
        "The car is at the garage, so there is no getting there.",
        "I cannot find anybody to drive.",
    ),
    "illness": (
        "There is flu in the house.",
        "There is a fever, so going out is not possible.",
        "A bad cold has put everybody to bed.",
        "It is a stomach bug; nobody should come near.",
        "Down with the flu, I am sorry to say.",
        "There is illness at home: a high fever.",
    ),
    "bereavement": (
        "There has been a death in the family.",
        "A grandmother has died, and we travel to the funeral.",
        "We have lost somebody in the family.",
        "There is a funeral in the family.",
        "An uncle passed away.",
        "Somebody very close to us has died.",
    ),
    "severe_weather": (
        "The storm has closed our road.",
        "The road is under water after the storm.",
        "We are snowed in.",
        "There is a storm warning, and the roads are shut.",
        "Ice everywhere: the road is closed.",
        "The blizzard has cut us off.",
    ),
    "clinic_request": (
        "Your clinic rang and asked me to cancel it.",
        "The clinic called: I was told to cancel.",
        "Your own people asked for it.",
        "The doctor's office asked me to call it off.",
        "Somebody from the clinic rang to say it should be cancelled.",
        "It was the clinic's idea; they phoned about it.",
    ),
}

_LIFE = {
    "job": (
        "I started a new job last week.",
        "I have a new employer.",
        "There is a new job, with a plan of its own.",
        "I changed jobs.",
        "My new job brings another plan.",
        "It comes with the job I have just begun.",
    ),
    "marriage": (
        "I got married last month.",
        "We have just married.",
        "There was a wedding: mine.",
        "I am a newlywed, and on my spouse's plan.",
        "Marriage: we share a plan now.",
        "I married, and so the plan changes.",
    ),
    "child": (
        "We had a baby.",
        "A child was born to us.",
        "There is a new baby in the family.",
        "We have adopted a child.",
        "Our baby has arrived.",
        "We became parents again.",
    ),
    "loss": (
        "My old insurance ended because I was laid off.",
        "I lost the job, and the old cover with it.",
        "The old cover was lost together with the job.",
        "I was let go, so the old plan is gone.",
        "The old insurance has ceased: I lost my work.",
        "With the job the old insurance went too.",
    ),
    "": (
        "Nothing has changed in my life, I just like the new plan better.",
        "No particular reason: the new plan is cheaper.",
        "I simply wanted another plan.",
        "There is no event behind it, I just switched.",
        "It is only that the new plan suits me more.",
        "No change in life, just a better offer.",
        "I fancied a change of plan, that is all.",
        "Life goes on as ever; the plan is just nicer.",
    ),
}
LIFE = tuple(name for name in _LIFE if name)
"""The life events after which an insurance is in force from today."""


def reason_given(call: Case, reason: str) -> Known:
    """Return the reason for a cancellation."""
    return Known(drawn(call, _WHY[reason]))


def event_given(call: Case, event: str) -> Known:
    """Return the life event. Return nothing if `event` is empty."""
    return Known(drawn(call, _LIFE[event]))
