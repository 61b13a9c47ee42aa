"""The builtin base: a seeded carrier with customers, lines, bills and devices. The same rows in every process."""

from random import Random
from typing import Any

from env_server.domains.kit import fresh
from env_server.domains.telecom import people
from env_server.domains.telecom.plans import OTHER_PLANS, PHONE_PLANS, UNLIMITED, Row, device, plans
from env_server.domains.telecom.statements import ASKED, DEBTOR, DEEP_DEBTOR, DISPUTING, STEADY, statements
from env_server.domains.telecom.tables import INTERNET, NOBODY

SEED = 20250225
CUSTOMERS = 800

_PAYERS = {STEADY: 54, DEBTOR: 14, DEEP_DEBTOR: 11, ASKED: 11, DISPUTING: 10}
_OWN = {"active": 95, "ended": 5}
_FURTHER = {"active": 58, "paused": 19, "ended": 13, "pending": 6, "closed": 4}
_CUT_OFF = {True: 0.6, False: 0.35}
"""Whether a line is the first of a debtor -> the share of these lines that is suspended for the debt."""

_KINDS = {"phone": 55, "tablet": 25, "watch": 12, "router": 8}
_REFUELLED = (0.0,) * 8 + (0.5, 1.0, 2.0, 3.0)
_METHODS = ("Credit Card", "Credit Card", "Debit Card", "PayPal")

PHONE: Row = {
    "part": "device",
    "sim_card_status": "active",
    "sim_card_missing": False,
    "airplane_mode": False,
    "network_signal_strength": "excellent",
    "network_technology_connected": "5G",
    "network_connection_status": "connected",
    "battery_level": 80,
    "data_enabled": True,
    "roaming_enabled": False,
    "network_mode_preference": "4g_5g_preferred",
    "active_apn_settings": dict(INTERNET),
    "wifi_enabled": False,
    "wifi_connected": False,
    "wifi_ssid": None,
    "wifi_signal_strength": "none",
    "wifi_calling_enabled": False,
    "wifi_calling_mms_over_wifi": False,
    "data_saver_mode": False,
    "vpn_enabled_setting": False,
    "vpn_connected": False,
    "vpn_details": None,
    "app_statuses": {
        "messaging": {
            "app_name": "messaging",
            "permissions": {"sms": True, "storage": True, "phone": True, "network": False},
        },
        "browser": {
            "app_name": "browser",
            "permissions": {"sms": False, "storage": True, "phone": False, "network": True},
        },
    },
}
"""A phone on which everything works. A task changes it into the caller's phone."""


def world(*, scale: int = 1) -> dict[str, list[Row]]:
    """Return the rows of all tables. `scale` multiplies the customers and their rows."""
    rng = Random(SEED)
    offered = plans()
    by_id = {plan["plan_id"]: plan for plan in offered}
    made: dict[str, list[Row]] = {"plans": offered, "customers": [], "lines": [], "bills": [], "devices": []}
    taken: set[str] = set()
    for _ in range(CUSTOMERS * scale):
        _customer(rng, taken, by_id, made)
    return {**made, "user": [PHONE, {**NOBODY}]}


def _customer(rng: Random, taken: set[str], by_id: dict[str, Row], made: dict[str, list[Row]]) -> None:
    """Draw one customer with their lines, devices and bills into `made`."""
    payer = _pick(rng, _PAYERS)
    lines = [_line(rng, taken, by_id, made["devices"], _situation(rng, payer, first=True), "phone")]
    for _ in range(rng.choice((0, 0, 0, 1, 1, 1, 1, 2, 2, 2))):
        lines.append(_line(rng, taken, by_id, made["devices"], _situation(rng, payer, first=False), _pick(rng, _KINDS)))
    row = _person(rng, taken)
    bills = statements(rng, taken, row["customer_id"], payer, lines, by_id)
    row["phone_number"] = lines[0]["phone_number"]
    row["line_ids"] = [line["line_id"] for line in lines]
    row["bill_ids"] = [bill["bill_id"] for bill in bills]
    made["customers"].append(row)
    made["lines"] += lines
    made["bills"] += bills


def _pick(rng: Random, weights: dict[str, int]) -> str:
    return rng.choices(list(weights), list(weights.values()))[0]


def _situation(rng: Random, payer: str, *, first: bool) -> str:
    if payer in {DEBTOR, DEEP_DEBTOR} and rng.random() < _CUT_OFF[first]:
        return "cut off"
    return _pick(rng, _OWN if first else _FURTHER)


_SITUATIONS: dict[str, tuple[str, str | None, tuple[str, ...]]] = {
    "active": ("Active", None, ()),
    "paused": ("Suspended", "vacation", ("2025-01-14", "2025-01-27", "2025-02-03", "2025-02-11")),
    "cut off": ("Suspended", "overdue bill", ("2025-02-10", "2025-02-17")),
    "ended": ("Suspended", "contract ended", ("2024-11-30", "2024-12-31", "2025-01-31")),
    "pending": ("Pending Activation", None, ()),
    "closed": ("Closed", None, ()),
}
"""Situation of a line -> its status, why it is suspended, and since when (one of these days)."""


def _line(
    rng: Random, taken: set[str], by_id: dict[str, Row], devices: list[Row], situation: str, kind: str
) -> dict[str, Any]:
    """Return a line row and add its device to `devices`."""
    status, reason, days = _SITUATIONS[situation]
    plan_id = rng.choice(PHONE_PLANS) if kind == "phone" else OTHER_PLANS[kind]
    device_id, imei = fresh(rng, taken, 6, "D"), fresh(rng, taken, 15)
    devices.append(device(rng, device_id, kind, imei, activated=situation != "pending"))
    since = rng.choice(days) if days else None
    used = situation in {"active", "paused", "cut off", "ended"}
    limited = plan_id != UNLIMITED and used
    line = {
        "line_id": fresh(rng, taken, 6, "L"),
        "phone_number": people.phone_number(rng, taken),
        "status": status,
        "plan_id": plan_id,
        "device_id": device_id,
        "data_used_gb": _used(rng, by_id[plan_id]["data_limit_gb"], limited=limited) if used else 0.0,
        "data_refueling_gb": rng.choice(_REFUELLED) if limited else 0.0,
        "roaming_enabled": used and rng.random() < 0.4,
        "contract_end_date": _contract_end(rng, situation, since),
        "last_plan_change_date": f"2024-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}",
        "last_sim_replacement_date": None,
        "suspension_start_date": since,
    }
    return line | {"suspension_reason": reason} if reason else line


def _used(rng: Random, limit: float, *, limited: bool) -> float:
    """Return the GB used so far, in tenths. On a limited plan it is mostly below the limit."""
    if not limited:
        return rng.randint(5, 900) / 10
    share = rng.uniform(1.01, 1.2) if rng.random() < 0.06 else rng.uniform(0.1, 0.93)
    return round(limit * share, 1)


def _contract_end(rng: Random, situation: str, since: str | None) -> str | None:
    if situation in {"ended", "closed"}:
        return since or "2024-10-31"
    return f"{rng.choice((2025, 2026, 2027))}-{rng.randint(4, 12):02d}-{rng.randint(1, 28):02d}"


def _person(rng: Random, taken: set[str]) -> dict[str, Any]:
    """Return a customer row without lines, bills and phone number. Name and birthday together are unique."""
    while True:
        name, born = f"{rng.choice(people.FIRST)} {rng.choice(people.LAST)}", people.birthday(rng)
        if f"{name} {born}" not in taken:
            break
    taken.add(f"{name} {born}")
    return {
        "customer_id": fresh(rng, taken, 6, "C"),
        "full_name": name,
        "date_of_birth": born,
        "email": fresh(rng, taken, 4, f"{name.lower().replace(' ', '.')}") + "@example.com",
        "phone_number": "",
        "address": people.address(rng),
        "account_status": "Active",
        "payment_methods": _methods(rng, taken),
        "line_ids": [],
        "bill_ids": [],
        "created_at": f"{rng.randint(2018, 2023)}-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d} 10:30:00",
        "last_extension_date": None,
        "goodwill_credit_used_this_year": 0.0,
    }


def _methods(rng: Random, taken: set[str]) -> list[dict[str, str]]:
    """Return one to three payment methods. The first is always valid; a further one may have expired."""
    methods = []
    for i in range(rng.choice((1, 2, 2, 3))):
        year = 2024 if i and rng.random() < 0.4 else rng.choice((2026, 2027, 2028))
        methods.append(
            {
                "payment_method_id": fresh(rng, taken, 6, "M"),
                "method_type": rng.choice(_METHODS),
                "account_number_last_4": fresh(rng, taken, 4, f"m{len(taken)}-")[-4:],
                "expiration_date": f"{rng.randint(1, 12):02d}/{year}",
            }
        )
    return methods
