"""Trouble with the phone: the agent finds the causes by asking, and has the caller put right what is wrong."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from env_server.domains.kit import EnvAssertion, GoldCall, Move, OwnCheck, Part, Request, Row
from env_server.domains.telecom.dialects import OVERDUE
from env_server.domains.telecom.scenarios import faults, phrases
from env_server.domains.telecom.scenarios.base import (
    Call,
    Carrier,
    can_pay,
    in_debt,
    limited,
    look_at_bills,
    look_at_lines,
    look_at_usage,
    on_bill,
    on_line,
    own,
    room,
)
from env_server.domains.telecom.scenarios.faults import Fault
from env_server.domains.telecom.scenarios.scene import scene

RESTART = own("reboot_device")
AT_HOME = {"travel": "I am at home, in my usual area, not travelling."}
ABROAD = {"travel": "I am abroad at the moment, travelling."}


@dataclass(frozen=True)
class Trouble:
    """What does not work, how the caller says so, and how both sides see that it works again."""

    asks: tuple[str, ...]
    goal: str
    until: OwnCheck
    holds: EnvAssertion
    causes: tuple[Fault, ...]
    harmless: tuple[Fault, ...]
    """What may be otherwise besides without being a cause."""


def _holds(name: str, **arguments: object) -> EnvAssertion:
    return EnvAssertion(name=f"assert_{name}", arguments=arguments, requestor="user")


NO_SERVICE = Trouble(
    asks=("My phone has no service.", "My phone finds no network, I cannot even make calls."),
    goal="Your phone finds no network, and you want to have service again.",
    until=OwnCheck(name="check_network_status", says="Mobile network: connected"),
    holds=_holds("service_status", expected_status="connected"),
    causes=(faults.AIRPLANE, faults.SIM_LOOSE, faults.APN_WRONG),
    harmless=(faults.WIFI_ON, faults.ROAMS_AT_HOME, faults.VPN_GOOD, faults.DATA_SAVER, faults.MODE_4G),
)
NO_DATA = Trouble(
    asks=("I have no internet on my phone.", "Mobile internet does not work on my phone at all."),
    goal="Mobile internet does not work on your phone, and you want it back.",
    until=OwnCheck(name="run_speed_test", says="Mbps"),
    holds=_holds("mobile_data_status", expected_status=True),
    causes=(faults.DATA_OFF, faults.AIRPLANE, faults.SIM_LOOSE, faults.APN_WRONG),
    harmless=(faults.WIFI_ON, faults.ROAMS_AT_HOME, faults.VPN_GOOD),
)
NO_DATA_ABROAD = Trouble(
    asks=("I am abroad and have no internet on my phone.", "Since I left the country my phone has no internet."),
    goal="You are abroad, mobile internet does not work on your phone, and you want it to work there.",
    until=NO_DATA.until,
    holds=NO_DATA.holds,
    causes=(faults.PHONE_ROAMING_OFF, faults.LINE_ROAMING_OFF, faults.NEITHER_ROAMS),
    harmless=(faults.WIFI_ON, faults.VPN_GOOD),
)
SLOW = Trouble(
    asks=("The internet on my phone is terribly slow.", "Mobile data crawls on my phone."),
    goal="Mobile internet on your phone is slow, and you want a speed test to say excellent.",
    until=OwnCheck(name="run_speed_test", says="excellent"),
    holds=_holds("internet_speed", expected_speed=200, expected_desc="excellent"),
    causes=(faults.DATA_SAVER, faults.VPN_SLOW, faults.MODE_2G, faults.MODE_3G, faults.MODE_4G),
    harmless=(faults.WIFI_ON, faults.ROAMS_AT_HOME, faults.NO_STORAGE),
)
NO_MMS = Trouble(
    asks=("I cannot send pictures with the messaging app.", "Picture messages no longer go out from my phone."),
    goal="Your phone cannot send picture messages, and you want to be able to.",
    until=OwnCheck(name="can_send_mms", says="can send"),
    holds=_holds("can_send_mms", expected_status=True),
    causes=(
        faults.WIFI_CALLING, faults.NO_SMS, faults.NO_STORAGE, faults.MMSC_MISSING, faults.MODE_2G, faults.DATA_OFF,
        faults.AIRPLANE, faults.SIM_LOOSE,
    ),
    harmless=(faults.WIFI_ON, faults.ROAMS_AT_HOME, faults.VPN_GOOD, faults.DATA_SAVER, faults.MODE_3G),
)  # fmt: skip


def _healthy(carrier: Carrier, customer: Row) -> bool:
    """Whether the caller's own line is in use, with data left, and nothing is owed."""
    line = carrier.lines[customer["line_ids"][0]]
    allowed = carrier.plan_of(line)["data_limit_gb"] + line["data_refueling_gb"]
    return line["status"] == "Active" and line["data_used_gb"] < allowed and not in_debt(carrier, customer)


def own_line(carrier: Carrier, customer: Row) -> list[str]:
    """The line of the phone that the caller has in hand, if all is well with it."""
    return [customer["line_ids"][0]] if _healthy(carrier, customer) else []


def _with_room(carrier: Carrier, customer: Row) -> list[str]:
    lines = [carrier.lines[line_id] for line_id in own_line(carrier, customer)]
    return [line["line_id"] for line in lines if limited(carrier, line) and room(line) >= 1]


def _cut_off(carrier: Carrier, customer: Row) -> list[str]:
    """The caller's own line, if it was suspended because of overdue bills."""
    line = carrier.lines[customer["line_ids"][0]]
    fits = line.get("suspension_reason") == "overdue bill" and can_pay(carrier, customer)
    return [line["line_id"]] if fits else []


def _drawn(case: Call, causes: tuple[Fault, ...], least: int, most: int) -> list[Fault]:
    """Some of the causes, in their order, at most one network mode or place among them."""
    wanted = case.rng.randint(least, most)
    picked: list[Fault] = []
    for fault in case.rng.sample(causes, len(causes)):
        if len(picked) < wanted and not any(_same_setting(fault, other) for other in picked):
            picked.append(fault)
    return sorted(picked, key=causes.index)


def _same_setting(one: Fault, two: Fault) -> bool:
    return one.name.split()[0] == two.name.split()[0] == "mode"


def _settled(case: Call, causes: Iterable[Fault]) -> tuple[GoldCall, ...]:
    """The fixes in order; one restart at the end serves all that need one."""
    found = tuple(causes)
    fixes = tuple(call for cause in found for call in cause.fix(case))
    return (*fixes, RESTART) if any(cause.restart for cause in found) else fixes


def _part(
    case: Call,
    trouble: Trouble,
    causes: list[Fault],
    writes: tuple[GoldCall, ...],
    details: Mapping[str, str] = AT_HOME,
    wish: str = "",
    reads: tuple[GoldCall, ...] = (),
) -> Part:
    """The trouble, staged with its causes and perhaps something harmless besides."""
    others = [fault for fault in trouble.harmless if not any(_same_setting(fault, cause) for cause in causes)]
    harmless = case.rng.sample(others, case.rng.choice((0, 0, 1, 1, 2)))
    place = (
        "You are travelling abroad." if details["travel"] == ABROAD["travel"] else "You are at home, not travelling."
    )
    ask = case.rng.choice(trouble.asks)
    return Part(
        requests=(Request(ask=f"{ask} Can you help?", details=dict(details), until=trouble.until),),
        goal=f"{trouble.goal} {place} You do on your phone what the agent asks you to, and tell what it shows.{wish}",
        reads=reads,
        writes=writes,
        slots={
            "trouble": ask,
            "line": case.line["line_id"],
            "causes": [cause.name for cause in causes],
            "harmless": [fault.name for fault in harmless],
        },
        initial=scene(case.world, case.customer, *(fault.comes(case) for fault in (*harmless, *causes))),
        assertions=(trouble.holds,),
    )


def _plain(trouble: Trouble, least: int, most: int) -> Move:
    def make(case: Call) -> Part:
        causes = _drawn(case, trouble.causes, least, most)
        return _part(case, trouble, causes, _settled(case, causes))

    return Move(make, own_line)


def roaming(case: Call) -> Part:
    """No data abroad: the phone or the line does not roam, and perhaps a plainer cause besides."""
    also = case.rng.choice(((), (), (faults.DATA_OFF,), (faults.AIRPLANE,)))
    causes = [*also, case.rng.choice(NO_DATA_ABROAD.causes)]
    return _part(case, NO_DATA_ABROAD, causes, _settled(case, causes), ABROAD)


def used_up(case: Call) -> Part:
    """No data because the allowance is used up; the caller wants some GB added rather than another plan."""
    amount = case.rng.choice([gb for gb in (0.5, 1.0, 1.5, 2.0, 2.5) if gb <= room(case.line)])
    also = case.rng.choice(((), (), (faults.DATA_OFF,), (faults.AIRPLANE,)))
    said = f"Please add {phrases.gb(amount)} GB of data. I do not want another plan."
    wish = f" If your data is used up, you want {phrases.gb(amount)} GB added and no other plan."
    refuel = on_line(case, "refuel_data", case.line, gb_amount=amount)
    reads = (look_at_usage(case, case.line),)
    causes = [*also, faults.USED_UP]
    part = _part(case, NO_DATA, causes, (*_settled(case, also), refuel), {**AT_HOME, "add": said}, wish, reads)
    return _slotted(part, amount=amount)


def cut_off(case: Call) -> Part:
    """No service because the line was suspended for overdue bills: pay the oldest first, resume, restart."""
    bills = case.world.bills_of(case.customer, OVERDUE)
    method = case.rng.choice((None, *case.methods))
    if method is None:
        how = "Please send me a payment request, I will pay on my phone."
        pay = [call for bill in bills for call in (on_bill(case, "send_payment_request", bill), own("make_payment"))]
    else:
        how = f"Please charge {phrases.method(method)}."
        paid = {"payment_method_id": method["payment_method_id"]}
        pay = [on_bill(case, "process_payment", bill, **paid) for bill in bills]
    wish = f" If bills are overdue, you want to pay them all. Asked how: {how}"
    details = {**AT_HOME, "payment": f"I want to pay all that is overdue. {how}"}
    writes = (*pay, on_line(case, "resume_line", case.line), RESTART)
    reads = (look_at_lines(case), look_at_bills(case))
    part = _part(case, NO_SERVICE, [], writes, details, wish, reads)
    return _slotted(part, payment="request" if method is None else method["payment_method_id"])


def _slotted(part: Part, **slots: object) -> Part:
    part.slots.update(slots)
    return part


SERVICE_1 = _plain(NO_SERVICE, 1, 1)
SERVICE_3 = _plain(NO_SERVICE, 2, 3)
DATA = _plain(NO_DATA, 1, 3)
ROAMING = Move(roaming, own_line)
SLOW_1 = _plain(SLOW, 1, 1)
SLOW_3 = _plain(SLOW, 2, 3)
MMS_1 = _plain(NO_MMS, 1, 1)
MMS_3 = _plain(NO_MMS, 2, 3)
OUT_OF_DATA = Move(used_up, _with_room)
CUT_OFF = Move(cut_off, _cut_off)
