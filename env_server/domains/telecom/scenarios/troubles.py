"""Problems with the phone. The agent finds the causes with questions and has the caller fix them.

Most settings with unusual values are harmless. A fixed list of orders would change some of them and so do harm.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from env_server.domains.kit import EnvAssertion, GoldCall, Known, OwnCheck, Row, WantedChange, Wish, WishKind, wish
from env_server.domains.telecom.dialects import OVERDUE
from env_server.domains.telecom.scenarios import agreed, details, faults, phrases
from env_server.domains.telecom.scenarios.base import (
    Carrier,
    Case,
    can_pay,
    in_debt,
    limited,
    look_at_bills,
    look_at_lines,
    look_at_usage,
    on_line,
    own,
    room,
)
from env_server.domains.telecom.scenarios.bills import method_id, paid, pays_on_phone
from env_server.domains.telecom.scenarios.faults import Fault
from env_server.domains.telecom.scenarios.scene import scene

RESTART = own("reboot_device")

_AT_HOME = (
    "I am at home, in my usual area, not travelling.",
    "At home, I have not gone anywhere.",
    "I am where I always am, at home.",
    "In my own town, not abroad.",
    "I am not travelling, I am at home.",
    "Here at home, as usual.",
    # Kept for the held-out split.
    "On my own sofa, far from any border.",
    "I have not left the country, I am at home.",
    "Nowhere special, just in my usual area.",
)
_ABROAD = (
    "I am abroad at the moment, travelling.",
    "In another country, I am on a journey.",
    "I am travelling abroad.",
    "Abroad, since a few days.",
    "I am out of the country right now.",
    "On a trip abroad.",
    # Kept for the held-out split.
    "Far from home, in a foreign country.",
    "I have crossed the border, I am abroad.",
    "I am visiting another country.",
)


def at_home(case: Case) -> str:
    """Return the answer of a caller at home to the question where they are."""
    return case.voice.pick(*_AT_HOME)


@dataclass(frozen=True)
class Trouble:
    """A problem: what does not work, the caller's words for it, and how both sides verify the fix."""

    wishes: tuple[str, ...]
    until: OwnCheck
    holds: EnvAssertion
    causes: tuple[Fault, ...]
    harmless: tuple[Fault, ...]
    """Unusual settings that are no cause."""

    traps: tuple[Fault, ...]
    """Harmless settings that an agent would change if it tried every possible fix."""


def asks(trouble: Trouble) -> tuple[str, ...]:
    """Return the caller's words for the problem."""
    return trouble.wishes


def _holds(name: str, **arguments: object) -> EnvAssertion:
    return EnvAssertion(name=f"assert_{name}", arguments=arguments, requestor="user")


NO_SERVICE = Trouble(
    wishes=(
        "get service on my phone again, it finds no network",
        "have my phone working, it has no service",
        "make calls again, my phone has no network",
        "get my phone back on the network",
        "find out why my phone has no service, and have it back",
        "get rid of the no service sign on my phone",
        # Kept for the held-out split.
        "bring my phone back to life, there is no network on it",
        "be reachable again, as my phone shows no service at all",
        "see bars on my phone again, it is cut from the network",
    ),
    until=OwnCheck(name="check_network_status", says="Mobile network: connected"),
    holds=_holds("service_status", expected_status="connected"),
    causes=(faults.AIRPLANE, faults.SIM_LOOSE, faults.APN_WRONG),
    harmless=(faults.WIFI_ON, faults.ROAMS_AT_HOME, faults.DATA_SAVER, faults.WIFI_CALLING, faults.NO_STORAGE),
    traps=(faults.MMSC_MISSING, faults.VPN_GOOD, faults.MODE_4G, faults.MODE_3G),
)
NO_DATA = Trouble(
    wishes=(
        "have the internet on my phone back",
        "get mobile internet working on my phone",
        "use mobile data on my phone again, nothing loads",
        "find out why my phone has no internet, and get it back",
        "go online with my phone again, it does not connect",
        "get pages to load on my phone, there is no internet",
        # Kept for the held-out split.
        "surf on my phone again, mobile internet is dead",
        "get rid of this: no mobile internet at all on my phone",
        "have my phone online, it refuses to load anything",
    ),
    until=OwnCheck(name="run_speed_test", says="Mbps"),
    holds=_holds("mobile_data_status", expected_status=True),
    causes=(faults.DATA_OFF, faults.AIRPLANE, faults.SIM_LOOSE, faults.APN_WRONG),
    harmless=(faults.WIFI_ON, faults.WIFI_CALLING, faults.NO_STORAGE, faults.NO_SMS),
    traps=(faults.MMSC_MISSING, faults.VPN_GOOD, faults.MODE_4G, faults.ROAMS_AT_HOME, faults.DATA_SAVER),
)
NO_DATA_ABROAD = Trouble(
    wishes=(
        "have internet on my phone here abroad",
        "get mobile internet on my phone, I am abroad",
        "use mobile data on my trip, my phone has none",
        "get my phone online, since I left the country it is not",
        "have data on my phone in another country",
        "find out why my phone has no internet abroad, and get it",
        # Kept for the held-out split.
        "read maps on my phone while I travel, it has no internet here",
        "be online in this country too, my phone is not",
        "have my phone load pages on this side of the border",
    ),
    until=NO_DATA.until,
    holds=NO_DATA.holds,
    causes=(faults.PHONE_ROAMING_OFF, faults.LINE_ROAMING_OFF, faults.NEITHER_ROAMS),
    harmless=(faults.WIFI_ON, faults.WIFI_CALLING, faults.NO_STORAGE),
    traps=(faults.VPN_GOOD, faults.MODE_4G, faults.MMSC_MISSING, faults.DATA_SAVER),
)
SLOW = Trouble(
    wishes=(
        "have faster internet on my phone, it is terribly slow",
        "get mobile data up to speed on my phone",
        "stop mobile internet from crawling on my phone",
        "find out why the internet on my phone is slow, and have it fast",
        "get my phone's internet fast again",
        "get excellent speed on my phone, now it is slow",
        # Kept for the held-out split.
        "watch a film on my phone without all the waiting, it is that slow",
        "put an end to the snail's pace of my phone's internet",
        "have my phone load pages in no time, as it once did",
    ),
    until=OwnCheck(name="run_speed_test", says="excellent"),
    holds=_holds("internet_speed", expected_speed=200, expected_desc="excellent"),
    causes=(faults.DATA_SAVER, faults.VPN_SLOW, faults.MODE_2G, faults.MODE_3G, faults.MODE_4G),
    harmless=(faults.WIFI_ON, faults.NO_STORAGE, faults.NO_SMS, faults.WIFI_CALLING),
    traps=(faults.VPN_GOOD, faults.ROAMS_AT_HOME, faults.MMSC_MISSING),
)
NO_MMS = Trouble(
    wishes=(
        "send pictures with the messaging app again",
        "have picture messages go out from my phone",
        "get my phone to send picture messages",
        "find out why I cannot send pictures, and be able to",
        "send a photo by message, my phone does not do it",
        "get picture messages working on my phone",
        # Kept for the held-out split.
        "share photos by message again, they get stuck on my phone",
        "show my family pictures by message, which fails at the moment",
        "see my picture messages leave the phone",
    ),
    until=OwnCheck(name="can_send_mms", says="can send"),
    holds=_holds("can_send_mms", expected_status=True),
    causes=(
        faults.WIFI_CALLING, faults.NO_SMS, faults.NO_STORAGE, faults.MMSC_MISSING, faults.MODE_2G, faults.DATA_OFF,
        faults.AIRPLANE, faults.SIM_LOOSE,
    ),
    harmless=(faults.WIFI_ON, faults.DATA_SAVER),
    traps=(faults.ROAMS_AT_HOME, faults.VPN_GOOD, faults.VPN_SLOW, faults.MODE_3G, faults.MODE_4G),
)  # fmt: skip


def _healthy(carrier: Carrier, customer: Row) -> bool:
    """Return whether the caller's own line is in use, has data left, and has no debt."""
    line = carrier.lines[customer["line_ids"][0]]
    allowed = carrier.plan_of(line)["data_limit_gb"] + line["data_refueling_gb"]
    return line["status"] == "Active" and line["data_used_gb"] < allowed and not in_debt(carrier, customer)


def own_line(carrier: Carrier, customer: Row) -> list[str]:
    """Return the line of the caller's phone if it is healthy."""
    return [customer["line_ids"][0]] if _healthy(carrier, customer) else []


def _with_room(carrier: Carrier, customer: Row) -> list[str]:
    lines = [carrier.lines[line_id] for line_id in own_line(carrier, customer)]
    return [line["line_id"] for line in lines if limited(carrier, line) and room(line) >= 1]


def _cut_off(carrier: Carrier, customer: Row) -> list[str]:
    """Return the caller's own line if it was suspended for overdue bills."""
    line = carrier.lines[customer["line_ids"][0]]
    fits = line.get("suspension_reason") == "overdue bill" and can_pay(carrier, customer)
    return [line["line_id"]] if fits and len(carrier.bills_of(customer, OVERDUE)) == 1 else []


def _drawn(case: Case, causes: tuple[Fault, ...], least: int, most: int) -> list[Fault]:
    """Return some of the causes in their order, at most one for each setting."""
    wanted = case.rng.randint(least, most)
    picked: list[Fault] = []
    for fault in case.rng.sample(causes, len(causes)):
        if len(picked) < wanted and not any(_same_setting(fault, other) for other in picked):
            picked.append(fault)
    return sorted(picked, key=causes.index)


def _same_setting(one: Fault, two: Fault) -> bool:
    return one.sets == two.sets


def _settled(case: Case, causes: Iterable[Fault]) -> tuple[GoldCall, ...]:
    """Return the fixes in order. One restart at the end covers all fixes that need one."""
    found = tuple(causes)
    fixes = tuple(call for cause in found for call in cause.fix(case))
    return (*fixes, RESTART) if any(cause.restart for cause in found) else fixes


def _beside(case: Case, trouble: Trouble, causes: list[Fault]) -> list[Fault]:
    """Return harmless settings beside the causes: at least one trap, and at most one for each setting."""
    drawn = [*case.rng.sample(trouble.traps, len(trouble.traps))[: case.rng.choice((2, 3))]]
    drawn += case.rng.sample(trouble.harmless, case.rng.choice((0, 1, 1, 2)))
    found: list[Fault] = []
    for fault in drawn:
        if not any(_same_setting(fault, other) for other in (*causes, *found)):
            found.append(fault)
    return found[: case.rng.choice((2, 2, 3))]


def _part(
    case: Case,
    trouble: Trouble,
    causes: list[Fault],
    writes: tuple[GoldCall, ...],
    known: Mapping[str, Known | str],
    changes: tuple[WantedChange, ...] = (),
    reads: tuple[GoldCall, ...] = (),
    more: tuple[str, ...] = (),
) -> Wish:
    """Return the wish for a problem with its causes and some harmless settings."""
    beside = _beside(case, trouble, causes)
    return Wish(
        requests=(wish(case, *trouble.wishes, details=known, changes=changes, until=trouble.until),),
        goal=phrases.goal(case, trouble.wishes, known, phrases.hands_on(case), *more),
        reads=reads,
        writes=writes,
        slots={
            "line": case.line["line_id"],
            "causes": [cause.name for cause in causes],
            "harmless": [fault.name for fault in beside],
        },
        initial=scene(case.world, case.customer, *(fault.comes(case) for fault in (*beside, *causes))),
        assertions=(trouble.holds,),
    )


def _plain(trouble: Trouble, least: int, most: int) -> WishKind:
    def make(case: Case) -> Wish:
        causes = _drawn(case, trouble.causes, least, most)
        return _part(case, trouble, causes, _settled(case, causes), {"travel": at_home(case)})

    return WishKind(make, own_line)


def roaming(case: Case) -> Wish:
    """There is no data abroad. The phone or the line does not roam, and there may be a further, simpler cause."""
    also = case.rng.choice(((), (), (faults.DATA_OFF,), (faults.AIRPLANE,)))
    causes = [*also, case.rng.choice(NO_DATA_ABROAD.causes)]
    known = {"travel": case.voice.pick(*_ABROAD)}
    return _part(case, NO_DATA_ABROAD, causes, _settled(case, causes), known, (agreed.roam(None),))


_IF_USED_UP = (
    "If my data is used up, please add {} GB. I do not want another plan.",
    "Should there be no data left, add {} GB, but leave the plan.",
    "In case I have used up my data: {} GB more, and the same plan as now.",
    "{} GB, if I have no data left. No other plan, please.",
    "Add {} GB if that is the cause; I keep my plan.",
    # Kept for the held-out split.
    "Were my data all gone, I would take {} GB more and stay with my plan.",
    "Only if nothing is left of my data: {} GB on top, no new plan.",
    "Provided the data has run out, {} GB more, and hands off my plan.",
)


def used_up(case: Case, *, always: bool = True) -> Wish:
    """There is no data, because the allowance is used up or for a simpler cause. The caller wants more GB only in the
    first case.
    """
    amount = case.rng.choice([gb for gb in (0.5, 1.0, 1.5, 2.0, 2.5) if gb <= room(case.line)])
    said = phrases.gb(amount)
    much = details.Named(
        case.voice.pick(*_IF_USED_UP).format(said), (said,), noun=f"{said} GB of data", arguments={"gb_amount": amount}
    )
    known: dict[str, Known | str] = {"travel": at_home(case), "add": much}
    reads = (look_at_usage(case, case.line),)
    changes = (agreed.refuel(None, much),)
    if not always and case.rng.random() < 0.5:
        causes = _drawn(case, NO_DATA.causes, 1, 2)
        part = _part(case, NO_DATA, causes, _settled(case, causes), known, changes, reads)
    else:
        also = case.rng.choice(((), (), (faults.DATA_OFF,), (faults.AIRPLANE,)))
        refuel = on_line(case, "refuel_data", case.line, gb_amount=amount)
        causes = [*also, faults.USED_UP]
        part = _part(case, NO_DATA, causes, (*_settled(case, also), refuel), known, changes, reads)
    part.slots.update(amount=amount)
    return part


def maybe_used_up(case: Case) -> Wish:
    """There is no data. Only the records show whether the allowance is used up."""
    return used_up(case, always=False)


_ALL_OVERDUE = (
    "I want to pay all that is overdue. {}",
    "If bills are overdue, I pay every one of them. {}",
    "Whatever is overdue, I pay it now. {}",
    "All overdue bills, one after the other. {}",
    "I will pay everything overdue. {}",
    # Kept for the held-out split.
    "Should I be behind with bills, let me pay each of them. {}",
    "Let nothing stay overdue, I pay it all. {}",
    "Any bill that is past due, I settle today. {}",
)


def cut_off(case: Case) -> Wish:
    """There is no service because the line was suspended for overdue bills. Pay the oldest first, resume the line, and
    restart the phone.
    """
    bills = case.world.bills_of(case.customer, OVERDUE)
    method = case.rng.choice((None, *case.methods))
    how = details.paying(case, method)
    text = case.voice.pick(*_ALL_OVERDUE).format(how.text)
    how = details.Named(text, how.says, how.others, noun=how.noun)
    pay = agreed.pay(None, how, by_request=method is None, noun="the overdue bill")
    calls = (call for bill in bills for call in paid(case, bill, method))
    part = _part(
        case,
        NO_SERVICE,
        [],
        (*calls, on_line(case, "resume_line", case.line), RESTART),
        {"travel": at_home(case), "payment": how},
        (pay, agreed.resume(None)),
        (look_at_lines(case), look_at_bills(case)),
        (pays_on_phone(case),),
    )
    part.slots.update(payment=method_id(method))
    return part


SERVICE_1 = _plain(NO_SERVICE, 1, 1)
SERVICE_3 = _plain(NO_SERVICE, 2, 3)
ROAMING = WishKind(roaming, own_line)
SLOW_1 = _plain(SLOW, 1, 1)
SLOW_3 = _plain(SLOW, 2, 3)
MMS_1 = _plain(NO_MMS, 1, 1)
MMS_3 = _plain(NO_MMS, 2, 3)
OUT_OF_DATA = WishKind(used_up, _with_room)
DATA = WishKind(maybe_used_up, _with_room)
CUT_OFF = WishKind(cut_off, _cut_off)
