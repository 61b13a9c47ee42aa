"""Who calls, what they know, and the calls that identify them."""

from env_server.domains.healthcare.scenarios import phrases
from env_server.domains.healthcare.scenarios.base import Call, Row
from env_server.domains.kit import Caller, GoldCall, read

_TOLD = {"phone": "phone number", "zip": "zip code"}


def caller(call: Call, strict: bool) -> Caller:
    """The patient, or whoever speaks for them. All know the patient's name, birthday and one or both second factors.

    There is one way to find the patient anyway (rule 1 of the policy), so `strict` makes no difference.
    """
    patient, speaker = call.patient, call.speaker
    who = speaker or patient
    second = second_factors(call)
    name, born = phrases.full(who["name"]), phrases.day(who["dob"])
    told = " and ".join(f"the {_TOLD[k]} on file is {v}" for k, v in second.items())
    about = f" {_about(speaker, patient)}" if speaker else ""
    return Caller(
        introduction=f"You are {name}, born on {born}.{about} You know that {told}; you know no ids.",
        facts={"name": name, "dob": born} | ({} if speaker else second),
        unknown=() if speaker else tuple(k for k in ("phone", "zip", "user_id") if k not in second),
        sign_in=sign_in(call),
    )


def _about(consent: Row, patient: Row) -> str:
    relation = phrases.relation(consent).replace("my ", "your ").replace(" I ", " you ")
    return f"You speak for {phrases.full(patient['name'])} ({relation}), born on {phrases.day(patient['dob'])}."


def second_factors(call: Call) -> dict[str, str]:
    """What the caller knows beside name and date of birth; the same for all wishes of one caller."""
    known = {"phone": call.patient["phone"], "zip": call.patient["address"]["zip"]}
    which = int(call.patient_id[1:]) % 3
    return known if which == 0 else {k: known[k] for k in (("phone",), ("zip",))[which - 1]}


def details(call: Call, **own: str) -> dict[str, str]:
    """What a caller answers about a wish: who the patient is, where it is somebody else, and then `own`."""
    if call.speaker is None:
        return own
    patient = call.patient
    who = f"It is about {phrases.full(patient['name'])} ({phrases.relation(call.speaker)})"
    second = {k: f"The {_TOLD[k]} on file is {v}." for k, v in second_factors(call).items()}
    return {"patient": f"{who}, born on {phrases.day(patient['dob'])}."} | second | own


def sign_in(call: Call) -> tuple[GoldCall, ...]:
    """The calls that rules 1 to 3 of the policy ask for before anything else."""
    found = (find(call.patient), read("get_patient_info", patient_id=call.patient_id))
    return (*found, call.listing("get_proxies")) if call.speaker else found


def find(patient: Row) -> GoldCall:
    """The look-up of a patient by name and date of birth; the case of names does not matter."""
    name = patient["name"]
    return GoldCall(
        name="find_patient",
        arguments={"first_name": name["first_name"], "last_name": name["last_name"], "dob": patient["dob"]},
        compare=("dob",),
    )
