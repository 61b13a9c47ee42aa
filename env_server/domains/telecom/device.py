"""The phone's behaviour. It follows from the settings, the surroundings and the last network search.

Nothing is remembered or scripted. The speeds and shares are those of the public benchmark.
"""

from collections.abc import Mapping
from typing import cast

from env_server.domains.telecom.tables import App, Permissions, Phone, Surroundings

NONE = "none"
CONNECTED, NO_SERVICE = "connected", "no_service"
NETWORK_STATES = (CONNECTED, "searching", NO_SERVICE)
MISSING, SIM_ACTIVE, LOCKED_PIN, LOCKED_PUK = "missing", "active", "locked_pin", "locked_puk"
CARRIER_APN = "internet"
POOR_VPN = "poor"

MODES: Mapping[str, tuple[str, ...]] = {
    "4g_5g_preferred": ("5G", "4G", "3G", "2G"),
    "4g_only": ("4G",),
    "3g_only": ("3G",),
    "2g_only": ("2G",),
}
"""Network mode -> the technologies that the phone looks for, best first."""

PACE: Mapping[str, tuple[float, float]] = {
    "2G": (0.1, 0.4),
    "3G": (1.0, 5.0),
    "4G": (10.0, 100.0),
    "5G": (50.0, 500.0),
}
"""Technology -> least and most Mbps."""

SIGNAL_SHARE: Mapping[str, float] = {"poor": 0.2, "fair": 0.5, "good": 0.8, "excellent": 1.0}
"""Signal strength -> the share of the pace that is left."""

POOR_VPN_SHARE = 0.1
DATA_SAVER_SHARE = 0.2

GRADES = ((1, "Very Poor"), (5, "Poor"), (25, "Fair"), (100, "Good"))
BEST_GRADE = "Excellent"


def sim_status(phone: Phone) -> str:
    """Return the SIM card's status: `missing`, or its status in the slot."""
    return MISSING if phone["sim_card_missing"] else phone["sim_card_status"]


def search(phone: Phone, around: Surroundings) -> None:
    """Look for a network: `phone` (a mutable copy) is connected to the best one its settings allow, or to none.

    There is none in airplane mode, without a working SIM card, with wrong access point settings or on a line that is
    not active. A phone searches when one of these changes on its own side, not when the line does.
    """
    strengths = around["signal_strength"] if _may_connect(phone, around) else {}
    found = next(
        (name for name in MODES[phone["network_mode_preference"]] if strengths.get(name, NONE) != NONE),
        NONE,
    )
    phone["network_technology_connected"] = found
    phone["network_signal_strength"] = strengths.get(found, NONE)
    phone["network_connection_status"] = NO_SERVICE if found == NONE else CONNECTED


def _may_connect(phone: Phone, around: Surroundings) -> bool:
    return (
        not phone["airplane_mode"]
        and sim_status(phone) == SIM_ACTIVE
        and phone["active_apn_settings"]["apn_name"] == CARRIER_APN
        and around["line_active"]
    )


def data_works(phone: Phone, around: Surroundings) -> bool:
    """Return whether mobile data gets through."""
    return (
        not phone["airplane_mode"]
        and phone["network_connection_status"] == CONNECTED
        and phone["data_enabled"]
        and (not around["is_abroad"] or (phone["roaming_enabled"] and around["roaming_allowed"]))
        and not around["mobile_data_usage_exceeded"]
    )


def speed(phone: Phone, around: Surroundings) -> float | None:
    """Return the speed of mobile data in Mbps, to two decimals. Return None if mobile data does not work."""
    if not data_works(phone, around):
        return None
    least, most = PACE[phone["network_technology_connected"]]
    share = SIGNAL_SHARE[phone["network_signal_strength"]]
    vpn = phone["vpn_details"]
    if phone["vpn_connected"] and vpn is not None and vpn["server_performance"] == POOR_VPN:
        share *= POOR_VPN_SHARE
    if phone["data_saver_mode"]:
        share *= DATA_SAVER_SHARE
    return round((least + most) / 2 * share, 2)


def grade(mbps: float) -> str:
    """Return the word for a speed, from `Very Poor` to `Excellent`."""
    return next((word for limit, word in GRADES if mbps < limit), BEST_GRADE)


def sends_mms(phone: Phone, around: Surroundings) -> bool:
    """Return whether the messaging app can send a picture. It needs mobile data beyond 2G, its permissions and the
    carrier's URL.
    """
    app = phone["app_statuses"].get("messaging")
    return (
        data_works(phone, around)
        and phone["network_technology_connected"] != "2G"
        and not (phone["wifi_calling_enabled"] and phone["wifi_calling_mms_over_wifi"])
        and phone["active_apn_settings"]["mmsc_url"] is not None
        and app is not None
        and app["permissions"]["sms"]
        and app["permissions"]["storage"]
    )


def set_airplane_mode(phone: Phone, around: Surroundings, on: bool) -> None:
    """Switch every radio of `phone` (a mutable copy) off, or on again (which looks for a network)."""
    phone["airplane_mode"] = on
    if on:
        leave_wifi(phone)
        leave_vpn(phone)
    search(phone, around)


def leave_wifi(phone: Phone) -> None:
    """Disconnect `phone` (a mutable copy) from Wi-Fi."""
    phone["wifi_connected"] = False
    phone["wifi_ssid"] = None
    phone["wifi_signal_strength"] = NONE


def leave_vpn(phone: Phone) -> None:
    """Disconnect `phone` (a mutable copy) from its VPN."""
    phone["vpn_connected"] = False
    phone["vpn_details"] = None


def permit(app: App, permission: str, given: bool) -> None:
    """Give `app` (a mutable copy) a permission, or take it away; it must be one that the phone knows."""
    app["permissions"] = cast(Permissions, {**app["permissions"], permission: given})
