"""Setup steps of the public benchmark's tasks before an episode begins. `SETUPS` lists them by side.

Each step is a function of the database and named arguments. Its result is the recorded one; nothing depends on it.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from env_server.domains.kit import refuse
from env_server.domains.telecom import device, user_tools
from env_server.domains.telecom.checks import TelecomDb, bills_of, customer_of, found, line_of, plan_of
from env_server.domains.telecom.dialects import ACTIVE, OVERDUE, SUSPENDED
from env_server.domains.telecom.parts import around_of, change_around, change_phone
from env_server.domains.telecom.tables import BILLS, CUSTOMERS, LINES, TODAY, USER, Bill, Customer, Line, Phone

LAST_CONTRACT_END = "2025-01-31"


def set_data_usage(db: TelecomDb, customer_id: str, line_id: str, data_used_gb: float) -> str:
    """Set the data that the customer's line has used in this cycle."""
    line = line_of(db, customer_id, line_id)
    line["data_used_gb"] = data_used_gb
    db[LINES].put(line)
    return f"Data usage set to {data_used_gb} GB for line {line_id}"


def suspend_line_for_overdue_bill(
    db: TelecomDb, customer_id: str, line_id: str, new_bill_id: str, contract_ended: bool
) -> str:
    """Suspend an active line over a new overdue bill of its plan's price; its contract may have ended as well."""
    if found(db, LINES, line_id) is None:
        refuse(db.dialect.no_such_line, id=line_id)
    line = db[LINES].edit(line_id)
    if line["status"] != ACTIVE:
        refuse("Line must be active to suspend for unpaid bill")
    customer = customer_of(db, customer_id)
    if any(bill["status"] == OVERDUE for bill in bills_of(db, customer)):
        refuse("Customer already has an overdue bill")
    db[BILLS].put(_unpaid(customer, line, new_bill_id, plan_of(db, line["plan_id"])["price_per_month"]))
    changed = db[CUSTOMERS].edit(customer_id)
    changed["bill_ids"].append(new_bill_id)
    db[CUSTOMERS].put(changed)
    line["status"] = SUSPENDED
    line["suspension_start_date"] = TODAY
    if contract_ended:
        line["contract_end_date"] = LAST_CONTRACT_END
    db[LINES].put(line)
    return f"Line {line_id} suspended for unpaid bill {new_bill_id}. Contract ended: {contract_ended}"


def _unpaid(customer: Customer, line: Line, bill_id: str, amount: float) -> Bill:
    description = f"Charge for line {line['line_id']}"
    return {
        "bill_id": bill_id,
        "customer_id": customer["customer_id"],
        "period_start": "2025-01-01",
        "period_end": "2025-01-31",
        "issue_date": "2025-01-01",
        "total_due": amount,
        "due_date": "2025-01-15",
        "line_items": [{"description": description, "amount": amount, "date": TODAY, "item_type": "Charge"}],
        "status": OVERDUE,
    }


def set_user_info(db: TelecomDb, name: str, phone_number: str) -> None:
    """Set who is calling, and from which line."""
    around = change_around(db)
    around["name"], around["phone_number"] = name, phone_number
    db[USER].put(around)


def set_user_location(db: TelecomDb, abroad: bool) -> None:
    """Set whether the user is abroad."""
    around = change_around(db)
    around["is_abroad"] = abroad
    db[USER].put(around)


def simulate_network_search(db: TelecomDb) -> None:
    """Make the phone look for a network."""
    _change(db, search=True)


def turn_airplane_mode_on(db: TelecomDb) -> str:
    """Turn airplane mode on."""
    return _turn(db, user_tools.toggle_airplane_mode, "airplane_mode", True, db.dialect.airplane_mode)


def turn_airplane_mode_off(db: TelecomDb) -> str:
    """Turn airplane mode off."""
    return _turn(db, user_tools.toggle_airplane_mode, "airplane_mode", False, db.dialect.airplane_mode)


def turn_roaming_on(db: TelecomDb) -> str:
    """Turn data roaming on."""
    return _turn(db, user_tools.toggle_roaming, "roaming_enabled", True, db.dialect.roaming)


def turn_roaming_off(db: TelecomDb) -> str:
    """Turn data roaming off."""
    return _turn(db, user_tools.toggle_roaming, "roaming_enabled", False, db.dialect.roaming)


def turn_data_saver_mode_on(db: TelecomDb) -> str:
    """Turn data saver on."""
    return _turn(db, user_tools.toggle_data_saver_mode, "data_saver_mode", True, db.dialect.data_saver)


def turn_data_saver_mode_off(db: TelecomDb) -> str:
    """Turn data saver off."""
    return _turn(db, user_tools.toggle_data_saver_mode, "data_saver_mode", False, db.dialect.data_saver)


def turn_data_on(db: TelecomDb) -> str:
    """Turn mobile data on."""
    _change(db, lambda phone: phone.update(data_enabled=True))
    return "Data connection restored."


def turn_data_off(db: TelecomDb) -> str:
    """Turn mobile data off."""
    _change(db, lambda phone: phone.update(data_enabled=False), search=True)
    return "Data connection broken."


def unseat_sim_card(db: TelecomDb) -> str:
    """Seat the SIM card badly."""
    _change(db, lambda phone: phone.update(sim_card_missing=True), search=True)
    return "SIM card un-seated successfully."


def lock_sim_card(db: TelecomDb, mode: str) -> str:
    """Lock the SIM card, `pin` or `puk`."""
    status = {"pin": device.LOCKED_PIN, "puk": device.LOCKED_PUK}.get(mode)
    if status is None:
        refuse("a SIM card is locked by 'pin' or 'puk', not by {mode!r}", mode=mode)
    _change(db, lambda phone: phone.update(sim_card_status=status), search=True)
    return f"SIM card locked successfully in {mode} mode."


def break_apn_settings(db: TelecomDb) -> str:
    """Set a wrong access point."""
    _change(db, lambda phone: phone["active_apn_settings"].update(apn_name="broken"), search=True)
    return "APN settings broken. Please call reset_apn_settings() to fix."


def break_apn_mms_setting(db: TelecomDb) -> str:
    """Remove the URL for picture messages from the access point settings."""
    _change(db, lambda phone: phone["active_apn_settings"].update(mmsc_url=None))
    return "APN MMS setting broken. Please call reset_apn_settings() to fix."


def break_vpn(db: TelecomDb) -> str:
    """Connect the VPN, with poor performance."""
    slow = {**user_tools.DEFAULT_VPN, "server_performance": device.POOR_VPN}
    _change(db, lambda phone: phone.update(vpn_connected=True, vpn_details=slow))
    return "VPN connection broken."


def remove_app_permission(db: TelecomDb, app_name: str, permission: str) -> tuple[bool, str]:
    """Take a permission from an app. Return whether that was possible, and the text."""
    asked = permission.lower()
    phone = change_phone(db)
    app = phone["app_statuses"].get(app_name)
    if app is None:
        return False, f"App '{app_name}' not found. Cannot remove permission."
    if asked not in app["permissions"]:
        return False, f"Permission '{asked}' not tracked for app '{app_name}'."
    device.permit(app, asked, False)
    db[USER].put(phone)
    return True, f"Permission '{asked}' removed from app '{app_name}'."


def set_wifi_calling(db: TelecomDb, enabled: bool, mms_over_wifi: bool | None = None) -> str:
    """Turn Wi-Fi calling on or off, and picture messages over Wi-Fi if `mms_over_wifi` is given."""
    switches = {"wifi_calling_enabled": enabled, "wifi_calling_mms_over_wifi": mms_over_wifi}
    _change(db, lambda phone: phone.update({k: v for k, v in switches.items() if v is not None}))
    word = {True: "ON", False: "OFF", None: None}
    second = f"\nMMS over Wi-Fi is now {word[mms_over_wifi]}." if mms_over_wifi is not None else ""
    return f"Wi-Fi Calling is now {word[enabled]}.{second}"


def _change(db: TelecomDb, change: Callable[[Any], object] | None = None, *, search: bool = False) -> None:
    phone: Phone = change_phone(db)
    if change is not None:
        change(phone)
    if search:
        device.search(phone, around_of(db))
    db[USER].put(phone)


def _turn(db: TelecomDb, toggle: Any, field: str, wanted: bool, text: str) -> str:
    """Toggle the switch until it has the wanted position, at least once, so that every side effect takes place."""
    toggle(db)
    if dict(change_phone(db))[field] != wanted:
        toggle(db)
    return text.format(on=db.dialect.on if wanted else db.dialect.off)


AGENT_SETUPS = (set_data_usage, suspend_line_for_overdue_bill)
USER_SETUPS = (
    set_user_info,
    set_user_location,
    simulate_network_search,
    turn_airplane_mode_on,
    turn_airplane_mode_off,
    turn_roaming_on,
    turn_roaming_off,
    turn_data_saver_mode_on,
    turn_data_saver_mode_off,
    turn_data_on,
    turn_data_off,
    unseat_sim_card,
    lock_sim_card,
    break_apn_settings,
    break_apn_mms_setting,
    break_vpn,
    remove_app_permission,
    set_wifi_calling,
)


def by_name(functions: tuple[Callable[..., Any], ...]) -> Mapping[str, Callable[..., Any]]:
    """Return name -> function. Public tasks name a setup step or an assertion by its function's name."""
    return {function.__name__: function for function in functions}


Sided = Mapping[Literal["agent", "user"], Mapping[str, Callable[..., Any]]]
"""Functions by side and by name."""

SETUPS: Sided = {"agent": by_name(AGENT_SETUPS), "user": by_name(USER_SETUPS)}
