"""Every change on the phone can be asked for in many ways."""

from typing import Any

import pytest

from env_server.domains.telecom.instructions import orders

NAMES = {
    "toggle_airplane_mode": "airplane mode",
    "toggle_data": "mobile data",
    "toggle_roaming": "data roaming",
    "toggle_data_saver_mode": "data saver",
    "toggle_wifi": "Wi-Fi",
    "toggle_wifi_calling": "Wi-Fi calling",
}
TO_TURN = (
    "Go to Settings > Network > {Name} and make sure it's switched {to}.",
    "Please make sure {name} isn't {other}.",
    "Tap the {name} icon to {able} {name}.",
    "Swipe down from the top of the screen and turn {name} {to}.",
    "Could you please {able} {name} for me?",
    "Is {name} {other}? If so, please turn it {to}.",
    "Is {name} {to}? If not, turn it {to}.",
    "Is {name} {other} on your phone? In that case please switch it {to}.",
    "If {name} is {other}, set it to {to}.",
    "Turn {name} {to} if it is {other}.",
    "You need to have {name} turned {to}.",
    "Slide the switch next to {name} to {to}.",
    "I'd like you to switch {to} {name} now.",
    "Open the settings, find {name}, and {able} it.",
    "Please check {name}. If it's {other}, turn it {to}.",
)
WORDS = {
    True: {"to": "on", "other": "off", "able": "enable"},
    False: {"to": "off", "other": "on", "able": "disable"},
}


def changes(message: str) -> list[tuple[str, bool | None, dict[str, Any]]]:
    """The changes that a message makes on the phone."""
    return [(o.tool, o.wanted, dict(o.arguments)) for o in orders(message) if not o.looks]


@pytest.mark.parametrize("on", [True, False], ids=["on", "off"])
@pytest.mark.parametrize("tool", list(NAMES))
@pytest.mark.parametrize("wording", TO_TURN)
def test_switches_are_turned(wording: str, tool: str, on: bool) -> None:
    """In each wording the switch is turned to this position, and no other switch is."""
    message = wording.format(name=NAMES[tool], Name=NAMES[tool].title(), **WORDS[on])
    assert changes(message) == [(tool, on, {})], message


@pytest.mark.parametrize(
    "message",
    [
        "Please swipe down and tap the airplane icon to disable airplane mode.",
        "Is your phone in airplane mode? If so, please turn it off.",
        "Please take your phone out of airplane mode.",
        "Make sure your phone is not in flight mode.",
        "If your phone is in airplane mode, turn it off.",
        "If you see the airplane icon in the status bar, switch airplane mode off.",
        "Tap the airplane icon so that it's off, and turn airplane mode off in any case.",
        "Please exit airplane mode.",
    ],
)
def test_airplane_mode_has_words_of_its_own(message: str) -> None:
    """`in airplane mode`, `take it out of` and the icon of airplane mode are understood."""
    assert changes(message) == [("toggle_airplane_mode", False, {})]


PLAIN = {
    "reboot_device": (
        "Please restart your phone.",
        "Could you reboot your device?",
        "Power-cycle your phone, please.",
        "Turn your phone off, then turn it back on.",
        "Please switch your phone off and on again.",
        "Hold the power button to restart your phone.",
        "Hold down the power button and choose Restart.",
        "Please give your phone a quick restart.",
        "Shut down your phone and start it again.",
        "Next, do a quick reboot of the phone.",
        "Once that's done, restart the phone so the change takes effect.",
        "Let's restart your phone now.",
    ),
    "reseat_sim_card": (
        "Please reseat your SIM card.",
        "Could you take the SIM card out and put it back in?",
        "Remove the SIM card, then reinsert it.",
        "Please pop out the SIM tray and push it back firmly.",
        "Is your SIM card inserted properly? If not, please reseat it.",
        "If the SIM card is missing, reseat it.",
        "Reseat the SIM card if it isn't detected.",
        "Eject your SIM and insert it again.",
        "Open the SIM tray to reseat the SIM card.",
        "Please check the SIM card. If it's missing, reseat it.",
        "Try removing and re-inserting the SIM card.",
        "Is the SIM card missing? If so please put it back in.",
    ),
    "reset_apn_settings": (
        "Please reset your APN settings.",
        "Reset the APN to default.",
        "Please restore the default access point settings.",
        "Go to Settings > Network > APN and reset it.",
        "Open the APN settings and tap 'Reset to default'.",
        "Could you set the APN back to the carrier defaults?",
        "Change the APN settings back to default, please.",
        "If the MMSC URL in the APN settings is not set, reset the APN settings.",
        "If the APN is wrong, reset it.",
        "Check the APN settings. If the access point is not internet, reset them.",
        "Navigate to the access point names to reset the APN settings.",
        "I need you to revert the APN settings to factory values.",
    ),
    "connect_vpn": (
        "Please connect the VPN.",
        "Turn on your VPN.",
        "Could you switch the VPN on?",
        "Enable the VPN, please.",
        "Please start your VPN.",
        "Open the VPN app to connect to the VPN.",
        "Go to Settings > VPN and turn it on.",
        "Make sure the VPN is connected.",
        "Please activate the VPN.",
        "Launch the VPN.",
        "I'd like you to reconnect the VPN.",
        "Have the VPN turned on, please.",
    ),
    "disconnect_vpn": (
        "Please disconnect the VPN.",
        "Turn off your VPN.",
        "Could you switch your VPN off?",
        "Are you using a VPN? If so, please disconnect it.",
        "If the VPN is connected, disconnect from it.",
        "Is a VPN active? In that case, turn it off.",
        "Make sure that the VPN is disconnected.",
        "Disable the VPN if its performance is poor.",
        "Stop the VPN, please.",
        "Go to Settings > VPN and disconnect.",
        "Please check your VPN. If it's slow, turn it off.",
        "Close the VPN for me.",
    ),
    "make_payment": (
        "You should have received a payment request; please approve it.",
        "You should have received a payment request, please accept it.",
        "I've sent you a payment request. Please go ahead and pay it.",
        "Please approve the payment request on your phone.",
        "Check your payment request, and if it's right, pay the bill.",
        "Please make the payment now.",
        "Open the payment request and pay.",
        "Could you complete the payment on your phone?",
        "There's a payment request on your phone; kindly authorize it.",
        "Have you received the payment request? If so, please pay it.",
        "If you see a payment request, accept it.",
        "Please proceed with the payment on your phone.",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("tool", "message"), [(tool, message) for tool, said in PLAIN.items() for message in said])
def test_deeds_are_done(tool: str, message: str) -> None:
    """In each wording this is done once, and nothing else."""
    assert changes(message) == [(tool, None, {})]


@pytest.mark.parametrize(
    "message",
    [
        "Set your network mode to 4G/5G preferred.",
        "Please change the preferred network type to 5G/4G.",
        "Go to Settings > Mobile network > Network mode and select 4G/5G preferred.",
        "Open the network mode and choose 5G.",
        "Make sure your network mode is set to 4G/5G preferred.",
        "If the network mode is 2G only, set it to 4G/5G preferred.",
        "If the network mode isn't 4G/5G preferred, change it to 4G/5G preferred.",
        "Is your network mode 3G only? If so, switch it to 4G/5G preferred.",
        "Switch your phone from 2G to 4G/5G, please.",
        "Could you update the network mode preference to 4g_5g_preferred?",
        "Check the network mode. If it's 2G or 3G, set the network mode to 5G.",
        "Please pick 4G/5G preferred as the network mode.",
    ],
)
def test_the_network_mode_is_set(message: str) -> None:
    """In each wording the best network mode is set."""
    assert changes(message) == [("set_network_mode_preference", None, {"mode": "4g_5g_preferred"})]


@pytest.mark.parametrize(
    "message",
    [
        "If the storage permission of the messaging app is missing, grant it.",
        "Please give the messaging app permission to access storage.",
        "Allow the messaging app to use storage on your phone.",
        "Open the messaging app's permissions and allow storage.",
        "Make sure the messaging app has the storage permission.",
        "The messaging app lacks the storage permission, so please grant it.",
        "Does the messaging app have the storage permission? If not, grant it.",
        "Turn on the storage permission for the messages app.",
        "Go to Settings > Apps > Messaging > Permissions and enable storage.",
        "Let the messaging app access storage.",
        "The messaging app's storage permission is off. Please turn it on.",
        "Grant the storage permission to the messaging app if it's missing.",
    ],
)
def test_permissions_are_granted(message: str) -> None:
    """In each wording this permission is granted to this app."""
    given = {"app_name": "messaging", "permission": "storage"}
    assert changes(message) == [("grant_app_permission", None, given)]


@pytest.mark.parametrize(
    "message",
    [
        'Please set the APN settings to {"apn_name": "internet"}.',
        'Enter these APN settings: {"apn_name": "internet"}',
        'Please use the following APN settings: {"apn_name": "internet"}.',
        'Change your access point settings to {"apn_name": "internet"}.',
        'Go to Settings > APN and enter {"apn_name": "internet"}.',
        'Could you update the APN with {"apn_name": "internet"}?',
        'Configure the APN like this: {"apn_name": "internet"}.',
        'Open the APN settings and fill in {"apn_name": "internet"}.',
        "Set the APN to internet.",
        "Please change the APN name to 'internet'.",
        "Go to Settings > APN and set it to internet.",
        "If the APN is wrong, change the access point to internet.",
    ],
)
def test_access_point_settings_are_entered(message: str) -> None:
    """The settings may be an object, or only the access point's name."""
    assert changes(message) == [("set_apn_settings", None, {"apn_settings": {"apn_name": "internet"}})]


@pytest.mark.parametrize(
    "question",
    [
        "Which of the two lines should have roaming?",
        "Which of your lines needs mobile data?",
        "Which of these two plans should the line have, with data saver or without?",
        "Which one should get roaming?",
        "Which line has to have roaming?",
    ],
)
def test_a_question_about_lines_is_no_look(question: str) -> None:
    """A question which line or plan the user means is none about their phone."""
    assert orders(question) == []


@pytest.mark.parametrize(
    "question", ["Which network mode is it set to?", "Is roaming on?", "Is mobile data on or off?"]
)
def test_a_question_about_the_phone_is_a_look(question: str) -> None:
    """A question about a setting makes the user look."""
    assert orders(question)
