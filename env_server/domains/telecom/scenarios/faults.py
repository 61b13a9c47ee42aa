"""Faults of a phone or its line: how each is set up, and the calls that fix it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from env_server.domains.kit import GoldCall
from env_server.domains.telecom import setups
from env_server.domains.telecom.checks import TelecomDb
from env_server.domains.telecom.parts import change_phone
from env_server.domains.telecom.scenarios.base import Case, on_line, own
from env_server.domains.telecom.scenarios.scene import Step
from env_server.domains.telecom.tables import LINES, USER, Phone
from env_server.domains.telecom.user_tools import connect_vpn

BEST_MODE = "4g_5g_preferred"
MESSAGING = "messaging"


@dataclass(frozen=True)
class Fault:
    """One cause of a problem."""

    name: str
    comes: Callable[[Case], Step]
    """The step that creates the fault before the call."""

    fix: Callable[[Case], tuple[GoldCall, ...]]
    """The calls that fix the fault, on either side."""

    restart: bool = False
    """Whether the phone has to be restarted after the fix."""

    sets: str = ""
    """The setting that the fault affects. Two faults of one setting do not occur together."""


def _simple(name: str, sets: str, step: Step, *fix: GoldCall, restart: bool = False) -> Fault:
    return Fault(name, lambda _: step, lambda _: fix, restart, sets)


def _mode(mode: str) -> Fault:
    def step(db: TelecomDb) -> None:
        phone = change_phone(db)
        phone["network_mode_preference"] = mode
        db[USER].put(phone)

    return _simple(f"mode {mode}", "mode", step, own("set_network_mode_preference", mode=BEST_MODE))


def _without(permission: str) -> Fault:
    def step(db: TelecomDb) -> None:
        setups.remove_app_permission(db, MESSAGING, permission)

    fix = own("grant_app_permission", app_name=MESSAGING, permission=permission)
    return _simple(f"no {permission} permission", permission, step, fix)


def _abroad(*steps: Step) -> Step:
    def step(db: TelecomDb) -> None:
        setups.set_user_location(db, abroad=True)
        for further in steps:
            further(db)

    return step


def _line_roams(case: Case, allowed: bool) -> Step:
    def step(db: TelecomDb) -> None:
        line = db[LINES].edit(case.line["line_id"])
        line["roaming_enabled"] = allowed
        db[LINES].put(line)

    return step


def _use_up(case: Case) -> Step:
    """Use a little more than the line may, so that any amount on offer is enough."""
    allowed = case.plan["data_limit_gb"] + case.line["data_refueling_gb"]
    used = round(allowed + case.rng.choice((0.1, 0.2, 0.3, 0.4)), 1)

    def step(db: TelecomDb) -> None:
        setups.set_data_usage(db, case.customer["customer_id"], case.line["line_id"], used)

    return step


AIRPLANE = _simple("airplane mode", "airplane", cast(Step, setups.turn_airplane_mode_on), own("toggle_airplane_mode"))
SIM_LOOSE = _simple("SIM card loose", "sim", setups.unseat_sim_card, own("reseat_sim_card"))
APN_WRONG = _simple("APN wrong", "apn", setups.break_apn_settings, own("reset_apn_settings"), restart=True)
DATA_OFF = _simple("mobile data off", "data", setups.turn_data_off, own("toggle_data"))
DATA_SAVER = _simple("data saver", "saver", setups.turn_data_saver_mode_on, own("toggle_data_saver_mode"))
VPN_SLOW = _simple("VPN slow", "vpn", setups.break_vpn, own("disconnect_vpn"))
MODE_2G, MODE_3G, MODE_4G = _mode("2g_only"), _mode("3g_only"), _mode("4g_only")
NO_SMS, NO_STORAGE = _without("sms"), _without("storage")
MMSC_MISSING = _simple("MMSC URL missing", "apn", setups.break_apn_mms_setting, own("reset_apn_settings"), restart=True)
WIFI_CALLING = _simple(
    "Wi-Fi calling",
    "wifi calling",
    lambda db: setups.set_wifi_calling(db, True, mms_over_wifi=True),
    own("toggle_wifi_calling"),
)
PHONE_ROAMING_OFF = Fault(
    "phone does not roam",
    lambda case: _abroad(setups.turn_roaming_off, _line_roams(case, True)),
    lambda _: (own("toggle_roaming"),),
    sets="roaming",
)
LINE_ROAMING_OFF = Fault(
    "line does not roam",
    lambda case: _abroad(setups.turn_roaming_on, _line_roams(case, False)),
    lambda case: (on_line(case, "enable_roaming", case.line),),
    sets="roaming",
)
NEITHER_ROAMS = Fault(
    "neither phone nor line roams",
    lambda case: _abroad(setups.turn_roaming_off, _line_roams(case, False)),
    lambda case: (on_line(case, "enable_roaming", case.line), own("toggle_roaming")),
    sets="roaming",
)
USED_UP = Fault("data used up", _use_up, lambda _: (), sets="usage")
"""Its fix depends on what the caller wants; see `troubles.used_up`."""


# Settings off the usual that harm nothing: a careful agent leaves them as they are.

WIFI_ON = _simple("Wi-Fi on", "wifi", cast(Step, lambda db: _set(db, "wifi_enabled", True)))
ROAMS_AT_HOME = _simple("data roaming on at home", "roaming", setups.turn_roaming_on)
VPN_GOOD = _simple("VPN good", "vpn", cast(Step, connect_vpn))


def _set(db: TelecomDb, field: str, value: bool) -> None:
    phone = dict(change_phone(db))
    phone[field] = value
    db[USER].put(cast(Phone, phone))
