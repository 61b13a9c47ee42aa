"""The user's execution of an agent's instructions on the phone."""

import json
import re
from collections.abc import Mapping

from env_server.domains.kit import GoldCall, Use
from env_server.domains.telecom.instructions import Order, orders
from env_server.domains.telecom.phone_words import SWITCHES
from env_server.domains.telecom.unclear import unclear

MOST = 12
"""The maximum number of actions for one message."""

MOST_CHANGES = 3
"""The maximum number of changes among these actions, done or found needless. The looks they depend on do not count."""

A_LOT = "That is a lot at once. I did the first three things; what next?"
UNSURE = "I am not sure what to do on the phone; can you say it in other words?"

_DONE: Mapping[str, str] = {
    "toggle_airplane_mode": "I changed airplane mode",
    "toggle_wifi_calling": "I changed Wi-Fi calling",
    "toggle_wifi": "I changed Wi-Fi",
    "toggle_data_saver_mode": "I changed data saver",
    "toggle_roaming": "I changed data roaming",
    "toggle_data": "I changed mobile data",
    "reboot_device": "I restarted the phone",
    "reseat_sim_card": "I took the SIM card out and put it back",
    "set_network_mode_preference": "I set the network mode",
    "reset_apn_settings": "I reset the access point settings",
    "set_apn_settings": "I set the access point settings",
    "grant_app_permission": "I gave the permission",
    "connect_vpn": "I connected the VPN",
    "disconnect_vpn": "I disconnected the VPN",
    "make_payment": "I made the payment",
    "run_speed_test": "I ran a speed test",
    "can_send_mms": "I tried to send a picture",
}
"""Tool -> the user's report of the change. Any other tool is a look."""

_WORDS: Mapping[str, str] = {
    "toggle_airplane_mode": "toggle airplane mode",
    "toggle_wifi_calling": "toggle Wi-Fi calling",
    "toggle_wifi": "toggle Wi-Fi",
    "toggle_data_saver_mode": "toggle data saver",
    "toggle_roaming": "toggle data roaming",
    "toggle_data": "toggle mobile data",
    "reboot_device": "restart your phone",
    "reseat_sim_card": "reseat the SIM card",
    "set_network_mode_preference": "set the network mode to {mode}",
    "reset_apn_settings": "reset the APN settings",
    "grant_app_permission": "grant the {app_name} app the {permission} permission",
    "connect_vpn": "connect the VPN",
    "disconnect_vpn": "disconnect the VPN",
    "make_payment": "pay the bill that you have a payment request for",
    "check_status_bar": "check the status bar",
    "check_network_status": "check the network status",
    "check_network_mode_preference": "check the network mode",
    "check_sim_status": "check the SIM card",
    "check_data_restriction_status": "check whether data saver is on",
    "check_apn_settings": "check the APN settings",
    "check_wifi_status": "check whether Wi-Fi is on",
    "check_wifi_calling_status": "check whether Wi-Fi calling is on",
    "check_vpn_status": "check the VPN",
    "check_installed_apps": "check which apps are installed",
    "check_app_status": "check the status of the {app_name} app",
    "check_app_permissions": "check the permissions of the {app_name} app",
    "check_payment_request": "check whether there is a payment request",
    "run_speed_test": "run a speed test",
    "can_send_mms": "try to send a picture message",
}
"""Tool -> the agent's words for it."""


def carry_out(message: str, use: Use) -> list[str]:
    """Carry out the instructions of `message` in order. Return one sentence for each action, with the phone's output.

    The user first looks at a switch and leaves it unchanged if its position is right. After more than three changes the
    user stops and says so. If the message is about the phone but no instruction is understood, the user says that.
    """
    told = orders(message)[:MOST]
    if not told:
        return [UNSURE] if unclear(message) else []
    now = _at_once(told)
    said = [_follow(order, use) for order in now]
    return said if len(now) == len(told) else [*said[: MOST - 1], A_LOT]


def _at_once(told: list[Order]) -> list[Order]:
    """Return the orders before the first one that exceeds the maximum of changes."""
    changes = [i for i, order in enumerate(told) if not order.looks]
    return told[: changes[MOST_CHANGES]] if len(changes) > MOST_CHANGES else told


def instruct(call: GoldCall) -> str:
    """Return the instruction in words that makes a user do `call` on their phone."""
    if call.name == "set_apn_settings":
        return f"Please set the APN settings to {json.dumps(call.arguments['apn_settings'])}"
    return f"Please {_WORDS[call.name].format(**call.arguments)}."


def _follow(order: Order, use: Use) -> str:
    """Carry out one order. Return no text if its condition does not hold."""
    if order.only_if is not None:
        tool, shows = order.only_if
        seen = _line(use(tool, {}))
        if not re.search(shows, seen.lower()):
            return f"I looked, and that is not so: {seen}"
    if order.wanted is not None and order.tool in SWITCHES and _position(order.tool, use) == order.wanted:
        name = _DONE[order.tool].removeprefix("I changed ")
        return f"{name[0].upper()}{name[1:]} is {'on' if order.wanted else 'off'} already."
    shown = _line(use(order.tool, order.arguments))
    return f"{_DONE.get(order.tool, 'I had a look')}. It says: {shown}"


def _position(tool: str, use: Use) -> bool | None:
    """Return whether a switch is on. Return None if the phone does not show it."""
    _, look, pattern = SWITCHES[tool]
    match = re.search(pattern, use(look, {}).lower())
    return match[1] in {"on", "yes"} if match else None


def _line(text: str) -> str:
    """Return the phone's output on one line."""
    flat = " ".join(text.split())
    return flat if flat.endswith((".", "!", "?")) else f"{flat}."
