"""The texts that a phone shows its user: the defaults are the builtin pack's, TAU2_PHONE the public benchmark's.

A text may name values in braces; the user's tools fill them in where they use it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from env_server.domains.kit import Dialect


def _texts(**texts: str) -> Any:
    return field(default_factory=lambda: dict(texts))


@dataclass(frozen=True)
class PhoneDialect(Dialect):
    """Rules and texts of the user's own tools."""

    phone_refusals_fail: bool = True
    """Whether a setting that the phone refuses is a failed call. Otherwise its text is an ordinary answer."""

    on: str = "on"
    off: str = "off"
    yes: str = "yes"
    no: str = "no"

    changed: str = "{text}\n{bar}"
    """The text after a change: a description of the change, and the new status bar."""

    bar: str = "Status bar: {parts}"
    bar_separator: str = ", "
    bar_signal: Mapping[str, str] = _texts(
        none="no signal", poor="poor signal", fair="fair signal", good="good signal", excellent="excellent signal"
    )
    bar_airplane: str = "airplane mode"
    bar_data_on: str = "mobile data on"
    bar_data_off: str = "no mobile data"
    bar_data_saver: str = "data saver"
    bar_wifi_connected: str = "Wi-Fi {ssid}"
    bar_vpn: str = "VPN"
    bar_battery: str = "battery {percent}%"

    network_status: str = (
        "Airplane mode is {airplane_mode}. SIM card: {sim}. Mobile network: {connection}, signal {signal}, technology "
        "{technology}. Mobile data is {data}, data roaming is {roaming}. Wi-Fi is {wifi}."
    )
    network_status_ssid: str = " It is connected to {ssid}."
    words: Mapping[str, str] = _texts(no_service="no service", locked_pin="locked (PIN)", locked_puk="locked (PUK)")
    """State of the network or SIM card -> its text in the network status, if that differs."""

    network_mode: str = "The network mode is {mode}."
    network_mode_set: str = "The network mode is now {mode}."
    network_mode_unknown: str = "there is no network mode {mode!r}; the modes are: {known}"

    no_speed: str = "Speed test: no connection."
    speed: str = "Speed test: {speed:.2f} Mbps, {grade}."
    speed_says: Mapping[str, str] = field(default_factory=dict)
    """Grade -> the text added to the speed."""

    speed_grades: Mapping[str, str] = field(
        default_factory=lambda: {word: word.lower() for word in ("Very Poor", "Poor", "Fair", "Good", "Excellent")}
    )
    """Grade -> its spelling."""

    airplane_mode: str = "Airplane mode is now {on}."
    data: str = "Mobile data is now {on}."
    roaming: str = "Data roaming is now {on}."
    data_saver: str = "Data saver is now {on}."
    wifi: str = "Wi-Fi is now {on}."
    wifi_calling: str = "Wi-Fi calling is now {on}."
    wifi_in_airplane_mode: str = "Wi-Fi cannot be changed in airplane mode"

    sim_status: Mapping[str, str] = _texts(
        active="The SIM card works.",
        missing="There is no SIM card, or it does not sit properly.",
        locked_pin="The SIM card is locked and asks for its PIN.",
        locked_puk="The SIM card is locked and asks for its PUK.",
    )
    sim_reseated: str = "The SIM card was taken out and put back."

    data_saver_on: str = "Data saver is on and slows mobile data down."
    data_saver_off: str = "Data saver is off."

    apn: str = "The access point is {apn_name!r}. The MMSC URL for picture messages is {mmsc_url}."
    apn_unset: str = "not set"
    apn_set: str = "The access point is now {apn_name!r}."
    apn_reset: str = "The access point settings will be the carrier's again after a restart."

    wifi_off: str = "Wi-Fi is off."
    wifi_alone: str = "Wi-Fi is on but not connected to a network."
    wifi_connected: str = "Wi-Fi is on and connected to {ssid}, signal {signal}."
    wifi_calling_status: str = "Wi-Fi calling is {on}."

    vpn_off: str = "The VPN is off."
    vpn_on: str = "The VPN is connected to {server_address} by {protocol}; its performance is {server_performance}."
    vpn_alone: str = "The VPN is on but not connected."
    vpn_connected: str = "The VPN is now connected."
    vpn_connected_already: str = "The VPN was connected already."
    vpn_disconnected: str = "The VPN is now disconnected."
    vpn_disconnected_already: str = "The VPN was not connected."

    apps: str = "Installed apps: {apps}."
    no_such_app: str = "there is no app {app_name!r} on this phone"
    no_such_app_to_grant: str = "there is no app {app_name!r} on this phone"
    app: str = "The app {app_name!r} may use: {permissions}."
    app_without: str = "The app {app_name!r} may use nothing."
    app_separator: str = ", "
    app_permissions: str = "The app {app_name!r} may use: {permissions}."
    app_permissions_without: str = "The app {app_name!r} may use nothing."
    no_such_permission: str = "there is no permission {permission!r}; the permissions are: {known}"
    permission_separator: str = ", "
    permission_granted: str = "The app {app_name!r} may now use: {permission}."

    mms_works: str = "The messaging app can send picture messages."
    mms_fails: str = "The messaging app cannot send picture messages."

    rebooted: str = "The phone has restarted."
    rebooted_with_apn: str = "The phone has restarted, with the carrier's access point settings."

    no_request: str = "There is no payment request."
    request: str = "There is a payment request for bill {bill_id}: ${amount_due:.2f}."
    nothing_to_pay: str = "there is no payment request, so there is nothing to pay"
    paid: str = "Bill {bill_id} is paid: ${amount_due:.2f}."


TAU2_PHONE: Mapping[str, Any] = {
    "phone_refusals_fail": False,
    "on": "ON",
    "off": "OFF",
    "yes": "Yes",
    "no": "No",
    "bar": "Status Bar: {parts}",
    "bar_separator": " | ",
    "bar_signal": {
        "none": "📵 No Signal",
        "poor": "📶¹ Poor",
        "fair": "📶² Fair",
        "good": "📶³ Good",
        "excellent": "📶⁴ Excellent",
    },
    "bar_airplane": "✈️ Airplane Mode",
    "bar_data_on": "📱 Data Enabled",
    "bar_data_off": "📵 Data Disabled",
    "bar_data_saver": "🔽 Data Saver",
    "bar_wifi_connected": "📡 Connected to {ssid}",
    "bar_vpn": "🔒 VPN Connected",
    "bar_battery": "🔋 {percent}%",
    "network_status": (
        "Airplane Mode: {airplane_mode}\nSIM Card Status: {sim}\nCellular Connection: {connection}\n"
        "Cellular Signal: {signal}\nCellular Network Type: {technology}\nMobile Data Enabled: {data_yes}\n"
        "Data Roaming Enabled: {roaming_yes}\nWi-Fi Radio: {wifi}\nWi-Fi Connected: {wifi_connected_yes}"
    ),
    "network_status_ssid": "\nConnected Wi-Fi Network: {ssid}",
    "words": {},
    "network_mode": "Network Mode Preference: {mode}",
    "network_mode_set": "Preferred Network Mode set to: {mode}",
    "network_mode_unknown": ("Failed to set network mode: '{mode}' is not a valid option. Please use one of: {known}"),
    "no_speed": "Speed test failed: No Connection.",
    "speed": "Speed Test Result: {speed:.2f} Mbps ({grade}).",
    "speed_says": {
        "Very Poor": " Connection is very slow. Basic web browsing might be difficult.",
        "Poor": " Connection is slow. Web browsing may be sluggish, streaming difficult.",
        "Fair": " Connection is okay for web browsing and some standard definition streaming.",
        "Good": " Connection is good for most activities, including HD streaming.",
        "Excellent": " Connection is very fast.",
    },
    "speed_grades": {},
    "airplane_mode": "Airplane Mode is now {on}.",
    "data": "Mobile Data is now {on}.",
    "roaming": "Data Roaming is now {on}.",
    "data_saver": "Data Saver Mode is now {on}.",
    "wifi": "Wi-Fi is now {on}.",
    "wifi_calling": "Wi-Fi Calling is now {on}.",
    "wifi_in_airplane_mode": "Cannot change Wi-Fi settings while Airplane Mode is ON.",
    "sim_status": {
        "active": "Your SIM card is active and working.",
        "missing": "No SIM card detected in the phone.",
        "locked_pin": "The SIM card is locked with a PIN code.",
        "locked_puk": "The SIM card is locked with a PUK code.",
    },
    "sim_reseated": "SIM card re-seated successfully.",
    "data_saver_on": "Data Saver mode is ON (limits data usage).",
    "data_saver_off": "Data Saver mode is OFF.",
    "apn": (
        "Current APN Name: {apn_name}\nMMSC URL (for picture messages): {mmsc_url}\n"
        "(These are technical settings, usually best left unchanged.)"
    ),
    "apn_unset": "Not Set",
    "apn_set": "APN settings set to: {apn_name}",
    "apn_reset": "APN settings will reset at reboot.",
    "wifi_off": "Wi-Fi is turned OFF.",
    "wifi_alone": "Wi-Fi is ON but not connected to any network.",
    "wifi_connected": "Wi-Fi is ON and connected to '{ssid}'. Signal strength: {signal}.",
    "wifi_calling_status": "Wi-Fi Calling is currently turned {on}.",
    "vpn_off": "VPN is turned OFF.",
    "vpn_on": (
        "VPN is ON and connected. Details: {{'server_address': {server_address!r}, 'protocol': {protocol!r}, "
        "'server_performance': <PerformanceLevel.{PERFORMANCE}: {server_performance!r}>}}"
    ),
    "vpn_alone": "VPN is turned ON, but currently disconnected.",
    "vpn_connected": "VPN connected successfully.",
    "vpn_connected_already": "VPN already connected.",
    "vpn_disconnected": "VPN disconnected successfully.",
    "vpn_disconnected_already": "No active VPN connection to disconnect.",
    "apps": "The following apps are installed on the phone: {apps}",
    "no_such_app": "App '{app_name}' not found on this phone.",
    "no_such_app_to_grant": "Error. App '{app_name}' not found. Cannot grant permission.",
    "app": "Status for App: {app_name}\n - Permissions Granted:\n   - {permissions}",
    "app_without": "Status for App: {app_name}\n - Permissions: None granted.",
    "app_separator": "\n   - ",
    "app_permissions": "App '{app_name}' has permission for: {permissions}.",
    "app_permissions_without": "App '{app_name}' currently has no permissions granted.",
    "no_such_permission": (
        "Error. Permission '{permission}' not tracked for app '{app_name}', available permissions: ['{known}']"
    ),
    "permission_separator": "', '",
    "permission_granted": "Success. Permission '{permission}' granted to app '{app_name}'.",
    "mms_works": "Your messaging app can send MMS messages.",
    "mms_fails": "Your messaging app cannot send MMS messages.",
    "rebooted": "Restarting network services...",
    "rebooted_with_apn": "Resetting APN settings...\nRestarting network services...",
    "no_request": "No payment request has been made.",
    "request": "You have a payment request for bill {bill_id} of {amount_due} USD.",
    "nothing_to_pay": "You do not have a payment request.",
    "paid": "Payment of {amount_due} USD has been made for bill {bill_id}.",
}
"""The texts of the public benchmark's phone."""
