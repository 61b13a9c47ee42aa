"""The phone's screens, in the dialect's words."""

from env_server.domains.kit import ToolError
from env_server.domains.telecom import device
from env_server.domains.telecom.checks import TelecomDb
from env_server.domains.telecom.parts import around_of, phone_of
from env_server.domains.telecom.tables import USER, Phone


def on(db: TelecomDb, switched_on: bool) -> str:
    """Return the word for a switch's position."""
    return db.dialect.on if switched_on else db.dialect.off


def changed(db: TelecomDb, phone: Phone, text: str) -> str:
    """Store the phone and return a description of the change with the new status bar."""
    if phone != phone_of(db):
        db[USER].put(phone)
    return db.dialect.changed.format(text=text, bar=status_bar(db))


def refused(db: TelecomDb, text: str) -> str:
    """Return the text that the phone refuses the action. Nothing has changed.

    Raises:
        ToolError: where the dialect counts it as a failed call.
    """
    return declined(db, db.dialect.changed.format(text=text, bar=status_bar(db)), text)


def declined(db: TelecomDb, text: str, error: str | None = None) -> str:
    """Do the same as `refused`, without the status bar. `error` replaces `text` in a failed call."""
    if db.dialect.phone_refusals_fail:
        raise ToolError(error or text)
    return text


def status_bar(db: TelecomDb) -> str:
    """Return the status bar: the active switches and connections."""
    rules, phone = db.dialect, phone_of(db)
    technology = phone["network_technology_connected"]
    parts: list[str] = []
    if phone["airplane_mode"]:
        parts.append(rules.bar_airplane)
    else:
        parts.append(rules.bar_signal[phone["network_signal_strength"]])
        if technology != device.NONE:
            parts.append(technology)
        shown = phone["data_enabled"] and technology != device.NONE
        parts.append(rules.bar_data_on if shown else rules.bar_data_off)
        if shown and phone["data_saver_mode"]:
            parts.append(rules.bar_data_saver)
    if phone["wifi_connected"]:
        parts.append(rules.bar_wifi_connected.format(ssid=phone["wifi_ssid"]))
    if phone["vpn_connected"]:
        parts.append(rules.bar_vpn)
    parts.append(rules.bar_battery.format(percent=phone["battery_level"]))
    return rules.bar.format(parts=rules.bar_separator.join(parts))


def network_status(db: TelecomDb) -> str:
    """Return airplane mode, SIM card, mobile network, mobile data, roaming and Wi-Fi as text."""
    rules, phone = db.dialect, phone_of(db)

    def yes(switched_on: bool) -> str:
        return rules.yes if switched_on else rules.no

    def word(state: str) -> str:
        return rules.words.get(state, state)

    text = rules.network_status.format(
        airplane_mode=on(db, phone["airplane_mode"]),
        sim=word(device.sim_status(phone)),
        connection=word(phone["network_connection_status"]),
        signal=phone["network_signal_strength"],
        technology=phone["network_technology_connected"],
        data=on(db, phone["data_enabled"]),
        data_yes=yes(phone["data_enabled"]),
        roaming=on(db, phone["roaming_enabled"]),
        roaming_yes=yes(phone["roaming_enabled"]),
        wifi=on(db, phone["wifi_enabled"]),
        wifi_connected_yes=yes(phone["wifi_connected"]),
    )
    return text + (rules.network_status_ssid.format(ssid=phone["wifi_ssid"]) if phone["wifi_connected"] else "")


def speed(db: TelecomDb) -> str:
    """Return the result of a speed test as text."""
    rules = db.dialect
    mbps = device.speed(phone_of(db), around_of(db))
    if mbps is None:
        return rules.no_speed
    grade = device.grade(mbps)
    return rules.speed.format(speed=mbps, grade=rules.speed_grades.get(grade, grade)) + rules.speed_says.get(grade, "")


def wifi(db: TelecomDb) -> str:
    """Return the text whether Wi-Fi is on and connected."""
    rules, phone = db.dialect, phone_of(db)
    if not phone["wifi_enabled"]:
        return rules.wifi_off
    if not phone["wifi_connected"]:
        return rules.wifi_alone
    return rules.wifi_connected.format(ssid=phone["wifi_ssid"], signal=phone["wifi_signal_strength"])


def vpn(db: TelecomDb) -> str:
    """Return the text whether the VPN is connected, and to which server."""
    rules, phone = db.dialect, phone_of(db)
    details = phone["vpn_details"]
    if phone["vpn_connected"] and details is not None:
        return rules.vpn_on.format(**details, PERFORMANCE=details["server_performance"].upper())
    return rules.vpn_alone if phone["vpn_enabled_setting"] else rules.vpn_off


def app(db: TelecomDb, app_name: str, text: str, without: str, separator: str) -> str:
    """Return the text of an app's permissions: `text`, or `without` if it has none.

    Raises:
        ToolError: where there is no such app and the dialect counts it as a failed call.
    """
    found = phone_of(db)["app_statuses"].get(app_name)
    if found is None:
        return declined(db, db.dialect.no_such_app.format(app_name=app_name))
    granted = [name for name, given in found["permissions"].items() if given]
    return (text if granted else without).format(app_name=app_name, permissions=separator.join(granted))
