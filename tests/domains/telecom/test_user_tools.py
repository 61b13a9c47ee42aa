"""The user's own tools under the builtin rules: their effects on the phone, and what they show."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from env_server.domains.telecom import device
from env_server.domains.telecom.tables import Phone, Surroundings
from env_server.tools.dispatch import Fault
from tests.domains.telecom.carrier import AROUND, PHONE, Carrier
from tests.domains.telecom.test_device import BROKEN_APN, NO_MMSC, POOR_VPN, phones, searched, surroundings

READS = [name for name, tool in Carrier.own.tools.items() if tool.kind == "read"]
TOGGLES = {
    "toggle_data": "data_enabled",
    "toggle_roaming": "roaming_enabled",
    "toggle_data_saver_mode": "data_saver_mode",
    "toggle_wifi": "wifi_enabled",
    "toggle_wifi_calling": "wifi_calling_enabled",
    "toggle_airplane_mode": "airplane_mode",
}


def shown(carrier: Carrier, name: str, **arguments: Any) -> str:
    """The result of a user's call that must succeed."""
    outcome = carrier.user(name, **arguments)
    assert outcome.fault is None, outcome.text
    return outcome.text


@pytest.mark.parametrize(("name", "field"), TOGGLES.items())
def test_a_toggle_goes_to_and_fro(name: str, field: str) -> None:
    """Each toggle flips its switch and tells the position, with the status bar; twice is as before."""
    carrier = Carrier()
    first = shown(carrier, name)
    assert carrier.phone[field] != dict(PHONE)[field]
    assert f"is now {'on' if carrier.phone[field] else 'off'}." in first
    assert first.splitlines()[1] == shown(carrier, "check_status_bar")
    shown(carrier, name)
    assert carrier.phone == PHONE


@pytest.mark.parametrize("mode", device.MODES)
def test_a_network_mode_is_set_and_used(mode: str) -> None:
    """The phone connects at once to the best technology of the mode."""
    carrier = Carrier()
    assert mode in shown(carrier, "set_network_mode_preference", mode=mode)
    assert carrier.phone["network_technology_connected"] == device.MODES[mode][0]
    assert mode in shown(carrier, "check_network_mode_preference")


@pytest.mark.parametrize(
    ("phone", "check", "told", "fix"),
    [
        ({"sim_card_missing": True}, "check_sim_status", "no SIM card", [("reseat_sim_card", {})]),
        ({"airplane_mode": True}, "check_status_bar", "airplane mode", [("toggle_airplane_mode", {})]),
        ({"data_enabled": False}, "check_status_bar", "no mobile data", [("toggle_data", {})]),
        ({"data_saver_mode": True}, "check_data_restriction_status", "is on", [("toggle_data_saver_mode", {})]),
        (BROKEN_APN, "check_apn_settings", "'broken'", [("reset_apn_settings", {}), ("reboot_device", {})]),
        (NO_MMSC, "check_apn_settings", "not set", [("reset_apn_settings", {}), ("reboot_device", {})]),
        (NO_MMSC, "check_apn_settings", "not set", [("set_apn_settings", {"apn_settings": {}})]),
        (
            {"network_mode_preference": "2g_only"},
            "check_network_mode_preference",
            "2g_only",
            [("set_network_mode_preference", {"mode": "4g_5g_preferred"})],
        ),
        (
            {"wifi_calling_enabled": True, "wifi_calling_mms_over_wifi": True},
            "check_wifi_calling_status",
            "is on",
            [("toggle_wifi_calling", {})],
        ),
        ({"vpn_connected": True, "vpn_details": POOR_VPN}, "check_vpn_status", "poor", [("disconnect_vpn", {})]),
    ],
)
def test_each_trouble_shows_and_can_be_mended(
    phone: Any, check: str, told: str, fix: list[tuple[str, dict[str, Any]]]
) -> None:
    """A check shows each fault, something does not work as it should, and the right steps repair it."""
    carrier = Carrier(searched(phone))
    assert told in shown(carrier, check)
    assert not well(carrier)
    for name, arguments in fix:
        shown(carrier, name, **arguments)
    assert well(carrier)


def well(carrier: Carrier) -> bool:
    """Whether the phone has the best speed and can send pictures."""
    return "excellent" in shown(carrier, "run_speed_test") and "can send" in shown(carrier, "can_send_mms")


def test_access_points_are_reset_by_a_restart_only() -> None:
    """A requested reset happens once, at the restart."""
    carrier = Carrier(searched(BROKEN_APN))
    shown(carrier, "reset_apn_settings")
    assert "'broken'" in shown(carrier, "check_apn_settings")
    assert "carrier's" in shown(carrier, "reboot_device")
    assert carrier.phone == PHONE
    assert "carrier's" not in shown(carrier, "reboot_device")


def test_a_locked_sim_card_stays_locked() -> None:
    """Neither reseating nor a restart unlocks a SIM card."""
    carrier = Carrier(searched({"sim_card_status": "locked_pin", "sim_card_missing": True}))
    shown(carrier, "reseat_sim_card")
    shown(carrier, "reboot_device")
    assert "PIN" in shown(carrier, "check_sim_status")
    assert "no signal" in shown(carrier, "check_status_bar")


def test_permissions_are_granted_one_by_one() -> None:
    """A granted permission is shown; the app's other permissions stay."""
    carrier = Carrier()
    assert "nothing" in shown(carrier, "check_app_permissions", app_name="camera")
    shown(carrier, "grant_app_permission", app_name="camera", permission="storage")
    assert shown(carrier, "check_app_status", app_name="camera").endswith("may use: storage.")
    assert "messaging, camera" in shown(carrier, "check_installed_apps")


def test_a_vpn_is_connected_once() -> None:
    """Connecting or disconnecting a second time changes nothing and says so."""
    carrier = Carrier()
    assert "OpenVPN" not in shown(carrier, "check_vpn_status")
    shown(carrier, "connect_vpn")
    connected = carrier.phone
    assert "already" in shown(carrier, "connect_vpn")
    assert carrier.phone == connected
    assert "excellent" in shown(carrier, "check_vpn_status")
    shown(carrier, "disconnect_vpn")
    assert carrier.phone == PHONE
    assert "was not" in shown(carrier, "disconnect_vpn")


def test_a_requested_bill_is_paid_on_the_phone() -> None:
    """A request reaches the phone; paying it marks the bill and removes the request."""
    carrier = Carrier()
    assert "no payment request" in shown(carrier, "check_payment_request")
    carrier.agent("send_payment_request", customer_id="C1", bill_id="B2")
    assert "B2: $67.50" in shown(carrier, "check_payment_request")
    assert "B2 is paid" in shown(carrier, "make_payment")
    assert carrier.row("bills", "B2")["status"] == "Paid"
    assert carrier.around == AROUND


@pytest.mark.parametrize(
    ("phone", "name", "arguments", "told"),
    [
        ({}, "make_payment", {}, "no payment request"),
        ({"airplane_mode": True}, "toggle_wifi", {}, "airplane mode"),
        ({}, "check_app_status", {"app_name": "maps"}, "'maps'"),
        ({}, "check_app_permissions", {"app_name": "maps"}, "'maps'"),
        ({}, "grant_app_permission", {"app_name": "maps", "permission": "sms"}, "'maps'"),
    ],
)
def test_what_the_phone_does_not_do_is_refused(phone: Any, name: str, arguments: Any, told: str) -> None:
    """A call that cannot be carried out fails, says why and changes nothing."""
    outcome = Carrier(searched(phone)).user(name, **arguments)
    assert outcome.fault is Fault.TOOL_ERROR
    assert told in outcome.text


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("set_network_mode_preference", {"mode": "6g"}),
        ("grant_app_permission", {"app_name": "messaging", "permission": "location"}),
        ("set_apn_settings", {"apn_settings": {"apn_name": "other"}}),
        ("set_apn_settings", {"apn_settings": {"speed": 1}}),
    ],
)
def test_unknown_settings_are_no_arguments(name: str, arguments: Any) -> None:
    """An unknown mode, permission or access point is refused before the phone is changed."""
    assert Carrier().user(name, **arguments).fault is Fault.BAD_ARGUMENTS


@given(phones(), surroundings(), st.sampled_from(READS))
def test_looking_changes_nothing(phone: Phone, around: Surroundings, name: str) -> None:
    """Every look succeeds and changes nothing, on any phone in any surroundings."""
    carrier = Carrier(phone, around | {"phone_number": None})
    arguments = {"app_name": "messaging"} if "app_name" in Carrier.own.tools[name].argument_names else {}
    shown(carrier, name, **arguments)


@given(phones(), surroundings(), st.lists(st.sampled_from([*TOGGLES, "reseat_sim_card", "reboot_device"]), max_size=5))
def test_the_phone_keeps_to_its_own_row(phone: Phone, around: Surroundings, names: list[str]) -> None:
    """The user's changes to the phone change neither the company's rows nor the surroundings."""
    around["phone_number"] = None
    carrier = Carrier(phone, around)
    for name in names:
        carrier.user(name)
    assert carrier.around == around
    assert {change.table for change in carrier.db.state.take_changes()} <= {"user"}
