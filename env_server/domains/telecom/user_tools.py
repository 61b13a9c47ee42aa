"""The user's tools on their own phone. The agent must ask for each in words."""

from typing import Literal

from pydantic import ConfigDict, TypeAdapter, with_config
from typing_extensions import TypedDict

from env_server.domains.kit import READ, WRITE, tool
from env_server.domains.telecom import device, screen
from env_server.domains.telecom.checks import TelecomDb
from env_server.domains.telecom.parts import around_of, change_around, change_phone, phone_of
from env_server.domains.telecom.tables import INTERNET, USER, Vpn

DEFAULT_VPN: Vpn = {"server_address": "192.168.1.1", "protocol": "OpenVPN", "server_performance": "excellent"}
"""The connection that the phone's VPN app makes."""


@with_config(ConfigDict(extra="forbid"))
class ApnChange(TypedDict, total=False):
    """Access point settings; what is left out is the carrier's."""

    apn_name: Literal["internet", "broken"]
    reset_at_reboot: bool
    mms_apn: str | None
    mmsc_url: str | None
    mms_proxy: str | None
    mms_port: int | None


_APN_CHANGE = TypeAdapter(ApnChange)


@tool(kind=READ)
def check_status_bar(db: TelecomDb) -> str:
    """Look at the status bar: signal, technology, mobile data, data saver, Wi-Fi, VPN, battery."""
    return screen.status_bar(db)


@tool(kind=READ)
def check_network_status(db: TelecomDb) -> str:
    """Look at the network settings: airplane mode, SIM card, mobile network, mobile data, roaming and Wi-Fi."""
    return screen.network_status(db)


@tool(kind=READ)
def check_network_mode_preference(db: TelecomDb) -> str:
    """Look at which network technologies the phone may use."""
    return db.dialect.network_mode.format(mode=phone_of(db)["network_mode_preference"])


@tool(kind=WRITE)
def set_network_mode_preference(
    db: TelecomDb, mode: Literal["4g_5g_preferred", "4g_only", "3g_only", "2g_only"]
) -> str:
    """Set which network technologies the phone may use; it then looks for a network.

    Args:
        mode: The network mode.
    """
    if mode not in device.MODES:
        return screen.refused(db, db.dialect.network_mode_unknown.format(mode=mode, known=", ".join(device.MODES)))
    phone = change_phone(db)
    phone["network_mode_preference"] = mode
    device.search(phone, around_of(db))
    return screen.changed(db, phone, db.dialect.network_mode_set.format(mode=mode))


@tool(kind=READ)
def run_speed_test(db: TelecomDb) -> str:
    """Measure the speed of mobile data in Mbps."""
    return screen.speed(db)


@tool(kind=WRITE)
def toggle_airplane_mode(db: TelecomDb) -> str:
    """Turn airplane mode on or off, whichever it is not. It turns every radio off."""
    phone = change_phone(db)
    device.set_airplane_mode(phone, around_of(db), not phone["airplane_mode"])
    return screen.changed(db, phone, db.dialect.airplane_mode.format(on=screen.on(db, phone["airplane_mode"])))


@tool(kind=READ)
def check_sim_status(db: TelecomDb) -> str:
    """Look at whether the SIM card works, is missing or is locked."""
    return db.dialect.sim_status[device.sim_status(phone_of(db))]


@tool(kind=WRITE)
def reseat_sim_card(db: TelecomDb) -> str:
    """Take the SIM card out and put it back properly; the phone then looks for a network."""
    phone = change_phone(db)
    phone["sim_card_missing"] = False
    device.search(phone, around_of(db))
    return screen.changed(db, phone, db.dialect.sim_reseated)


@tool(kind=WRITE)
def toggle_data(db: TelecomDb) -> str:
    """Turn mobile data on or off, whichever it is not."""
    phone = change_phone(db)
    phone["data_enabled"] = not phone["data_enabled"]
    device.search(phone, around_of(db))
    return screen.changed(db, phone, db.dialect.data.format(on=screen.on(db, phone["data_enabled"])))


@tool(kind=WRITE)
def toggle_roaming(db: TelecomDb) -> str:
    """Turn data roaming on or off, whichever it is not."""
    phone = change_phone(db)
    phone["roaming_enabled"] = not phone["roaming_enabled"]
    device.search(phone, around_of(db))
    return screen.changed(db, phone, db.dialect.roaming.format(on=screen.on(db, phone["roaming_enabled"])))


@tool(kind=READ)
def check_data_restriction_status(db: TelecomDb) -> str:
    """Look at whether data saver is on."""
    return db.dialect.data_saver_on if phone_of(db)["data_saver_mode"] else db.dialect.data_saver_off


@tool(kind=WRITE)
def toggle_data_saver_mode(db: TelecomDb) -> str:
    """Turn data saver on or off, whichever it is not."""
    phone = change_phone(db)
    phone["data_saver_mode"] = not phone["data_saver_mode"]
    return screen.changed(db, phone, db.dialect.data_saver.format(on=screen.on(db, phone["data_saver_mode"])))


@tool(kind=READ)
def check_apn_settings(db: TelecomDb) -> str:
    """Look at the access point settings."""
    apn = phone_of(db)["active_apn_settings"]
    return db.dialect.apn.format(apn_name=apn["apn_name"], mmsc_url=apn["mmsc_url"] or db.dialect.apn_unset)


@tool(kind=WRITE)
def set_apn_settings(db: TelecomDb, apn_settings: ApnChange) -> str:
    """Set the access point settings; what is left out becomes the carrier's. The phone then looks for a network.

    Args:
        apn_settings: The settings.
    """
    phone = change_phone(db)
    phone["active_apn_settings"] = {**INTERNET, **_APN_CHANGE.validate_python(apn_settings)}
    device.search(phone, around_of(db))
    return screen.changed(db, phone, db.dialect.apn_set.format(apn_name=phone["active_apn_settings"]["apn_name"]))


@tool(kind=WRITE)
def reset_apn_settings(db: TelecomDb) -> str:
    """Have the access point settings replaced by the carrier's at the next restart."""
    phone = change_phone(db)
    phone["active_apn_settings"]["reset_at_reboot"] = True
    device.search(phone, around_of(db))
    return screen.changed(db, phone, db.dialect.apn_reset)


@tool(kind=READ)
def check_wifi_status(db: TelecomDb) -> str:
    """Look at whether Wi-Fi is on and connected."""
    return screen.wifi(db)


@tool(kind=WRITE)
def toggle_wifi(db: TelecomDb) -> str:
    """Turn Wi-Fi on or off, whichever it is not; not possible in airplane mode."""
    phone = change_phone(db)
    if phone["airplane_mode"]:
        return screen.refused(db, db.dialect.wifi_in_airplane_mode)
    phone["wifi_enabled"] = not phone["wifi_enabled"]
    if not phone["wifi_enabled"]:
        device.leave_wifi(phone)
    return screen.changed(db, phone, db.dialect.wifi.format(on=screen.on(db, phone["wifi_enabled"])))


@tool(kind=READ)
def check_wifi_calling_status(db: TelecomDb) -> str:
    """Look at whether calls go over Wi-Fi."""
    return db.dialect.wifi_calling_status.format(on=screen.on(db, phone_of(db)["wifi_calling_enabled"]))


@tool(kind=WRITE)
def toggle_wifi_calling(db: TelecomDb) -> str:
    """Turn Wi-Fi calling on or off, whichever it is not."""
    phone = change_phone(db)
    phone["wifi_calling_enabled"] = not phone["wifi_calling_enabled"]
    return screen.changed(db, phone, db.dialect.wifi_calling.format(on=screen.on(db, phone["wifi_calling_enabled"])))


@tool(kind=READ)
def check_vpn_status(db: TelecomDb) -> str:
    """Look at whether the VPN is connected, and how it performs."""
    return screen.vpn(db)


@tool(kind=WRITE)
def connect_vpn(db: TelecomDb) -> str:
    """Connect the VPN."""
    phone = change_phone(db)
    if phone["vpn_connected"]:
        return db.dialect.vpn_connected_already
    phone["vpn_connected"] = True
    phone["vpn_details"] = {**DEFAULT_VPN}
    return screen.changed(db, phone, db.dialect.vpn_connected)


@tool(kind=WRITE)
def disconnect_vpn(db: TelecomDb) -> str:
    """Disconnect the VPN."""
    phone = change_phone(db)
    if not phone["vpn_connected"]:
        return screen.changed(db, phone, db.dialect.vpn_disconnected_already)
    device.leave_vpn(phone)
    return screen.changed(db, phone, db.dialect.vpn_disconnected)


@tool(kind=READ)
def check_installed_apps(db: TelecomDb) -> str:
    """Look at which apps are installed."""
    return db.dialect.apps.format(apps=", ".join(phone_of(db)["app_statuses"]))


@tool(kind=READ)
def check_app_status(db: TelecomDb, app_name: str) -> str:
    """Look at an app.

    Args:
        app_name: The app's name, such as 'messaging'.
    """
    rules = db.dialect
    return screen.app(db, app_name, rules.app, rules.app_without, rules.app_separator)


@tool(kind=READ)
def check_app_permissions(db: TelecomDb, app_name: str) -> str:
    """Look at what an app may use.

    Args:
        app_name: The app's name, such as 'messaging'.
    """
    rules = db.dialect
    return screen.app(db, app_name, rules.app_permissions, rules.app_permissions_without, ", ")


@tool(kind=WRITE)
def grant_app_permission(
    db: TelecomDb, app_name: str, permission: Literal["sms", "storage", "phone", "network"]
) -> str:
    """Let an app use something.

    Args:
        app_name: The app's name, such as 'messaging'.
        permission: What it may use.
    """
    rules = db.dialect
    asked = permission.lower()
    phone = change_phone(db)
    app = phone["app_statuses"].get(app_name)
    if app is None:
        return screen.refused(db, rules.no_such_app_to_grant.format(app_name=app_name))
    if asked not in app["permissions"]:
        known = rules.permission_separator.join(app["permissions"])
        return screen.refused(db, rules.no_such_permission.format(app_name=app_name, permission=asked, known=known))
    device.permit(app, asked, True)
    return screen.changed(db, phone, rules.permission_granted.format(app_name=app_name, permission=asked))


@tool(kind=READ)
def can_send_mms(db: TelecomDb) -> str:
    """Try whether the messaging app can send a picture message."""
    return db.dialect.mms_works if device.sends_mms(phone_of(db), around_of(db)) else db.dialect.mms_fails


@tool(kind=WRITE)
def reboot_device(db: TelecomDb) -> str:
    """Restart the phone; it then looks for a network."""
    phone = change_phone(db)
    reset = phone["active_apn_settings"]["reset_at_reboot"]
    if reset:
        phone["active_apn_settings"] = {**INTERNET}
    device.search(phone, around_of(db))
    return screen.changed(db, phone, db.dialect.rebooted_with_apn if reset else db.dialect.rebooted)


@tool(kind=READ)
def check_payment_request(db: TelecomDb) -> str:
    """Look at whether there is a bill that the user was asked to pay."""
    request = around_of(db)["payment_request"]
    return db.dialect.no_request if request is None else db.dialect.request.format(**request)


@tool(kind=WRITE)
def make_payment(db: TelecomDb) -> str:
    """Pay the bill that the user was asked to pay."""
    around = change_around(db)
    request = around["payment_request"]
    if request is None:
        return screen.declined(db, db.dialect.nothing_to_pay)
    request["paid"] = True
    db[USER].put(around)
    return db.dialect.paid.format(**request)
