import json
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from env_server.domains.healthcare import domain
from env_server.domains.healthcare.tasks import TASKS
from env_server.domains.kit import Component, Db, GoldCall, Task
from env_server.state import State
from env_server.tools.dispatch import Toolset
from tests.domains.healthcare.auditor import broken, consents, scope_of
from tests.domains.healthcare.test_world import BUILTIN, base, rows

TOOLS = {tool.name: tool for tool in domain.tools}
WRITES = {name for name, tool in TOOLS.items() if tool.kind == "write"}
SIDE = Toolset(TOOLS, BUILTIN)


@cache
def listed(split: str) -> tuple[Task, ...]:
    """Return all listed tasks of a split."""
    return tuple(TASKS.task(base(), split, i) for i in range(TASKS.splits[split]))


def of(template: str) -> Task:
    """Return the first test task of a template."""
    return next(task for task in listed("test") if task.template == template)


def begin(task: Task) -> Db[Any]:
    """Return the state in which a task begins."""
    return Db(State.at(base(), task.changes()), BUILTIN)


def play(db: Db[Any], *calls: GoldCall, faults: bool = False) -> str:
    """Play calls and return the state hash; any error fails the test unless `faults`."""
    for call in calls:
        outcome = SIDE.call(db, call.name, call.arguments)
        assert faults or outcome.fault is None, (call, outcome.text)
    return db.state.hash


def test_gold_obeys_the_policy() -> None:
    """No write of any listed task breaks a rule, and no look-up or write goes beyond what the caller may do."""
    for task in (*listed("test"), *listed("val")):
        db = begin(task)
        for call in task.gold.actions:
            assert broken(db, call) == [], (task.task_id, call)
            assert permitted(db, task, call), (task.task_id, call)
            play(db, call)


def permitted(db: Db[Any], task: Task, call: GoldCall) -> bool:
    """Whether the caller is the patient, or has a consent in force that names the scope of a write."""
    who = task.slots["user"]
    assert task.user
    name, scope = task.user.facts["name"], scope_of(call.name)
    patient = rows("patients")[who]
    if call.name not in WRITES or name == " ".join(patient["name"].values()):
        return True
    found = consents(db, who, name)
    if patient["dob"] > "2008-03-09":
        return any(row["relationship"] in {"parent", "legal_guardian"} for row in found)
    return scope is not None and any(scope in row["scopes"] for row in found)


def call(tool: str, **arguments: Any) -> GoldCall:
    """A call."""
    return GoldCall(name=tool, arguments=arguments)


def wished(task: Task) -> list[Any]:
    """The slots of the task's wishes."""
    return [*task.slots["wishes"]]


def sent(result: str) -> GoldCall:
    """Sending a lab result by email."""
    return call("send_lab_results", result_id=result, channel="email")


def filled(prescription: str) -> GoldCall:
    """Refilling a prescription."""
    return call("request_refill", prescription_id=prescription, pharmacy_id="PH-10")


def moved(task: Task) -> GoldCall:
    """Moving the appointment of a task to an open time."""
    row = rows("appointments")[wished(task)[0]["appointment"]]
    when = open_for(row["patient_id"], row["doctor_id"])
    return call("reschedule_appointment", appointment_id=row["appointment_id"], **when)


def booked(task: Task, doctor_id: str, visit_type: str = "follow_up") -> GoldCall:
    """Booking an open time of a doctor."""
    who = task.slots["user"]
    when = open_for(who, doctor_id)
    return call("schedule_appointment", patient_id=who, doctor_id=doctor_id, **when, visit_type=visit_type)


def open_for(patient_id: str, doctor_id: str) -> dict[str, str]:
    """An open time of a doctor at which the patient is free."""
    desk = TASKS.opened(base())
    date, time = desk.free_times(desk.customers[patient_id], doctor_id, "2026-03-10")[0]
    return {"date": date, "time": time}


def done_as_wished(task: Task) -> GoldCall:
    """What somebody who must be turned away asks for."""
    key = wished(task)[-1]["subject"]
    if key.startswith("A"):
        return unpaid(key)
    return filled(key) if key.startswith("RX") else sent(key)


def joined(task: Task) -> GoldCall:
    """Joining the waitlist that a task is about."""
    doctor = wished(task)[0]["doctor"]
    return call("join_waitlist", patient_id=task.slots["user"], doctor_id=doctor, visit_type="follow_up")


def insured(task: Task) -> GoldCall:
    """Insurance from today."""
    wish = wished(task)[0]
    who = {"patient_id": task.slots["user"], "plan_id": wish["plan"], "member_id": wish["member"]}
    return call("update_insurance", **who, effective_date="2026-03-09")


def allowed(task: Task) -> GoldCall:
    """A consent for a minor."""
    wish = wished(task)[0]
    more = {"relationship": "caregiver", "scopes": ["appointments"], "expires_on": "2027-03-09"}
    return call("record_consent", patient_id=task.slots["user"], **wish["name"], dob=wish["dob"], **more)


def cancelled(patient_id: str) -> GoldCall:
    """Cancelling the first scheduled appointment of a patient."""
    found = [row for row in rows("appointments").values() if row["patient_id"] == patient_id]
    row = next(row for row in found if row["status"] == "scheduled")
    return unpaid(row["appointment_id"])


def unpaid(appointment_id: str) -> GoldCall:
    """Cancelling without a fee."""
    arguments = {"appointment_id": appointment_id, "reason": "schedule_conflict", "charge_late_fee": False}
    return call("cancel_appointment", **arguments)


SINS: dict[str, Callable[[Task], GoldCall]] = {
    "impostor": done_as_wished,
    "no-guardian": done_as_wished,
    "lapsed-consent": done_as_wished,
    "out-of-scope": done_as_wished,
    "cancel-and-neighbor": lambda t: cancelled(wished(t)[1]["other"]),
    "cancel-late": lambda t: unpaid(wished(t)[0]["appointment"]),
    "waive": lambda t: unpaid(wished(t)[0]["appointment"]),
    "too-late": moved,
    "third-move": moved,
    "second-visit": lambda t: booked(t, rows("appointments")[wished(t)[0]["appointment"]]["doctor_id"]),
    "no-referral": lambda t: booked(t, wished(t)[0]["doctor"]),
    "not-seen-and-cancel": lambda t: call(
        "request_referral", patient_id=t.slots["user"], specialty=wished(t)[0]["specialty"]
    ),
    "out-of-network": lambda t: booked(t, wished(t)[0]["wrong"]),
    "full-practice": lambda t: booked(t, wished(t)[0]["wrong"]),
    "not-crowded": joined,
    "two-already-and-cancel": joined,
    "controlled-and-contact": lambda t: filled(wished(t)[0]["prescription"]),
    "too-early": lambda t: filled(wished(t)[0]["prescription"]),
    "no-renewal-and-send": lambda t: call("request_renewal", prescription_id=wished(t)[0]["prescription"]),
    "unreleased": lambda t: sent(wished(t)[0]["result"]),
    "from-today": insured,
    "minors-consent-and-move": allowed,
}
"""Template -> what its caller wants and must not get."""


@pytest.mark.parametrize("template", SINS)
def test_the_tools_let_through_what_the_policy_forbids(template: str) -> None:
    """Whoever does what a rule forbids succeeds with it, and ends in another state than gold."""
    for task in [task for task in listed("test") if task.template == template]:
        final = play(begin(task), *task.gold.actions)
        sinned = begin(task)
        before = sinned.state.hash
        assert play(sinned, SINS[template](task)) != before
        assert play(sinned, *task.gold.actions, faults=True) != final


def test_kinds_of_callers() -> None:
    """Patients, guardians and proxies call; with one second factor or both; with one to three wishes; some revise."""
    tasks = [(task, task.user) for task in listed("test") if task.user]
    spoken_for = [task for task, user in tasks if "patient" in user.requests[0].details]
    assert len(spoken_for) > 100
    assert sum("phone" in user.unknown for _, user in tasks) > 50
    assert sum("zip" in user.unknown for _, user in tasks) > 50
    wishes = Counter(len(user.requests) for _, user in tasks)
    assert wishes[2] > 100
    assert wishes[3] > 15
    assert sum(any(r.revise for r in user.requests) for _, user in tasks) > 30
    assert sum(bool(task.gold.outputs) for task, _ in tasks) > 60
    assert sum(Component.ACTIONS in task.basis for task, _ in tasks) > 200


def test_callers_are_looked_up_by_rule_one() -> None:
    """Gold finds the patient and opens the record before anything else, and the proxies where somebody else calls."""
    for task in listed("test"):
        first, second, *rest = (c.name for c in task.gold.actions)
        assert (first, second) == ("find_patient", "get_patient_info")
        assert task.user
        if "patient" in task.user.requests[0].details:
            assert rest[0] == "get_proxies"


def test_impostors_know_no_second_factor() -> None:
    """What an impostor says of telephone number and zip code is not what is on file."""
    for task in [task for task in listed("train") if task.template == "impostor"]:
        assert task.user
        on_file = task.initial["patients"][task.slots["user"]]
        assert on_file
        assert task.user.facts.get("phone") != on_file["phone"]
        assert task.user.facts.get("zip") != on_file["address"]["zip"]


def test_costs_follow_from_what_the_tool_shows() -> None:
    """The cost of a procedure that gold tells is rule 22 applied to the answer of the tool."""
    told = [task for task in listed("train") if task.template == "procedure-cost"]
    for task in told:
        check = next(c for c in task.gold.actions if c.name == "check_coverage")
        shown: dict[str, Any] = json.loads(SIDE.call(begin(task), check.name, check.arguments).text)
        price, left = shown["procedure"]["price"], shown["deductible_left"]
        part = shown["coinsurance_percent"] / 100 if shown["covered"] else 1
        first = min(price, left) if shown["covered"] else price
        assert task.gold.outputs == (f"{first + (price - first) * part:.2f}",)
    assert len({task.gold.outputs for task in told}) > len(told) / 3
