"""A small carrier with one caller and their phone, under telecom's builtin rules."""

from typing import Any

from env_server.domains.kit import tools_of
from env_server.domains.kit.shared import TOOLS
from env_server.domains.telecom import tools, user_tools
from env_server.domains.telecom.dialects import BUILTIN
from env_server.domains.telecom.sync import sync
from env_server.domains.telecom.tables import INTERNET, NOBODY, TABLES, Phone, Surroundings
from env_server.state import Change, Db, Snapshot, State
from env_server.tools.dispatch import CallOutcome, Toolset

PHONE: Phone = {
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
    "active_apn_settings": INTERNET,
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
        "camera": {
            "app_name": "camera",
            "permissions": {"sms": False, "storage": False, "phone": False, "network": False},
        },
    },
}
"""A phone on which everything works."""

AROUND: Surroundings = NOBODY | {"name": "Jo Doe", "phone_number": "555-200-0001"}
"""The caller's surroundings, in which nothing is wrong."""


def line(line_id: str, number: str, status: str = "Active", plan_id: str = "P1") -> dict[str, Any]:
    """A line."""
    row = {
        "line_id": line_id,
        "phone_number": number,
        "status": status,
        "plan_id": plan_id,
        "device_id": "D1",
        "data_used_gb": 4.0,
        "data_refueling_gb": 0.0,
        "roaming_enabled": False,
        "contract_end_date": "2026-12-31",
        "last_plan_change_date": "2024-05-01",
        "last_sim_replacement_date": None,
        "suspension_start_date": "2025-02-01" if status == "Suspended" else None,
    }
    return row | ({"suspension_reason": "vacation"} if status == "Suspended" else {})


def bill(bill_id: str, status: str, month: str, *amounts: float, customer_id: str = "C1") -> dict[str, Any]:
    """A bill of a month."""
    day = f"2025-{month}-05"
    return {
        "bill_id": bill_id,
        "customer_id": customer_id,
        "period_start": f"2025-{month}-01",
        "period_end": f"2025-{month}-28",
        "issue_date": day,
        "total_due": round(sum(amounts, 0.0), 2),
        "due_date": f"2025-{month}-19",
        "line_items": [
            {"description": "Plan", "amount": amount, "date": day, "item_type": "Plan Charge"} for amount in amounts
        ],
        "status": status,
    }


def method(payment_method_id: str, expires: str) -> dict[str, str]:
    """A payment method."""
    return {
        "payment_method_id": payment_method_id,
        "method_type": "Credit Card",
        "account_number_last_4": "1234",
        "expiration_date": expires,
    }


def customer(customer_id: str, name: str, number: str, lines: list[str], bills: list[str]) -> dict[str, Any]:
    """A customer with two cards: one is valid for three more days, the other has expired."""
    return {
        "customer_id": customer_id,
        "full_name": name,
        "date_of_birth": "1990-05-06",
        "email": f"{customer_id.lower()}@example.com",
        "phone_number": number,
        "address": {"street": "1 Elm Street", "city": "Denver", "state": "CO", "zip_code": "80203"},
        "account_status": "Active",
        "payment_methods": [method(f"good-{customer_id}", "02/2025"), method(f"old-{customer_id}", "01/2025")],
        "line_ids": lines,
        "bill_ids": bills,
        "created_at": "2020-01-02 10:30:00",
        "last_extension_date": None,
        "goodwill_credit_used_this_year": 0.0,
    }


def plan(plan_id: str, limit: float, per_gb: float) -> dict[str, Any]:
    """A plan."""
    return {
        "plan_id": plan_id,
        "name": plan_id,
        "data_limit_gb": limit,
        "price_per_month": 30.0,
        "data_refueling_price_per_gb": per_gb,
    }


DEVICE = {
    "device_id": "D1",
    "device_type": "phone",
    "model": "Brick",
    "imei": "1",
    "is_esim_capable": True,
    "activated": True,
    "activation_date": "2022-02-02 12:00:00",
    "last_esim_transfer_date": None,
}

ROWS: dict[str, list[Any]] = {
    "plans": [plan("P1", 5.0, 2.35), plan("P2", 50.0, 1.1)],
    "customers": [
        customer("C1", "Jo Doe", "555-200-0001", ["L1", "L2"], ["B1", "B2", "B3", "B4"]),
        customer("C2", "Al Roe", "555-200-9999", ["L3"], ["B5"]),
    ],
    "lines": [
        line("L1", "555-200-0001"),
        line("L2", "555-200-0002", "Suspended"),
        line("L3", "555-200-0003", plan_id="P2"),
    ],
    "bills": [
        bill("B1", "Paid", "01", 60.0),
        bill("B2", "Overdue", "02", 60.0, 7.5),
        bill("B3", "Issued", "02", 12.25),
        bill("B4", "Draft", "03"),
        bill("B5", "Issued", "02", 60.0, customer_id="C2"),
    ],
    "devices": [DEVICE],
    "user": [PHONE, AROUND],
}


class Carrier:
    """The carrier and the caller of one episode, with both sides' tools; every call synchronises the two sides."""

    base = Snapshot(TABLES, ROWS)
    tools = Toolset({t.name: t for t in (*tools_of(tools), *TOOLS)}, BUILTIN, sync)
    own = Toolset({t.name: t for t in tools_of(user_tools)}, BUILTIN, sync)

    def __init__(self, phone: Any = PHONE, around: Any = AROUND) -> None:
        """Begin with this phone in these surroundings."""
        changes = (Change("user", "device", phone), Change("user", "surroundings", around))
        self.db = Db(State.at(self.base, changes), BUILTIN)

    def agent(self, name: str, **arguments: Any) -> CallOutcome:
        """Call a tool of the agent."""
        return self._call(self.tools, name, arguments)

    def user(self, name: str, **arguments: Any) -> CallOutcome:
        """Call a tool of the user."""
        return self._call(self.own, name, arguments)

    def _call(self, side: Toolset, name: str, arguments: dict[str, Any]) -> CallOutcome:
        """Make a call. A failed call, and any read, must leave the state unchanged."""
        before = self.db.state.hash
        outcome = side.call(self.db, name, arguments)
        if outcome.fault is not None or (outcome.tool and outcome.tool.kind == "read"):
            assert self.db.state.hash == before
        return outcome

    def row(self, table: str, key: str) -> Any:
        """The present row."""
        return self.db.state.overlay.get(table, key)

    @property
    def phone(self) -> Any:
        """The phone's present state."""
        return self.row("user", "device")

    @property
    def around(self) -> Any:
        """The present surroundings."""
        return self.row("user", "surroundings")
