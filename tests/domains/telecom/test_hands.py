"""Users do on their phones exactly what they are told, in that order."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from env_server.domains.kit import Db, GoldCall
from env_server.domains.telecom.dialects import DIALECTS, TelecomDialect
from env_server.domains.telecom.hands import A_LOT, MOST, UNSURE, carry_out, instruct
from env_server.domains.telecom.instructions import orders
from env_server.state import State
from env_server.tools import Toolset
from tests.domains.telecom.stage import USER_TOOLS, Stage, base, own_calls, phones
from tests.pace import units

FOUR_FIVE = {"mode": "4g_5g_preferred"}


def told(message: str) -> list[tuple[str, bool | None]]:
    """The tools that a message orders, with the wanted position of a switch."""
    return [(order.tool, order.wanted) for order in orders(message)]


def tools(message: str) -> list[str]:
    """The names of the tools that a message orders."""
    return [order.tool for order in orders(message)]


@settings(suppress_health_check=list(HealthCheck), deadline=None)
@given(phones(), own_calls())
def test_an_instruction_makes_exactly_the_change_of_its_call(steps: list[GoldCall], call: GoldCall) -> None:
    """In any state of the phone, a call put into words and carried out has the effect of the call itself."""
    spoken, called = Stage(steps), Stage(steps)
    said = carry_out(instruct(call), spoken.use)
    called.use(call.name, call.arguments)
    assert spoken.state.hash == called.state.hash
    assert len(said) == 1
    assert call.name in spoken.used


@settings(deadline=None)
@given(st.text(max_size=400) | st.lists(st.sampled_from(
    ["please", "turn", "off", "on", "it", "if", "and", "or", "not", "then", "airplane mode", "vpn", "restart", "phone",
     "set", "5g", "sim", "?", ".", ",", "check", "again", "grant", "sms", "app", "{", "}", "reset", "apn", "toggle"]
), max_size=40).map(" ".join))  # fmt: skip
def test_any_words_are_survived(message: str) -> None:
    """No message raises an error, and none leads to more than a dozen actions."""
    stage = Stage([])
    said = carry_out(message, stage.use)
    assert len(said) <= MOST
    assert all(sentence.strip() and "\n" not in sentence for sentence in said)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("Please turn airplane mode off.", [("toggle_airplane_mode", False)]),
        ("Turn Airplane Mode **OFF**, please.", [("toggle_airplane_mode", False)]),
        (
            "Could you turn airplane mode on and off again?",
            [("toggle_airplane_mode", True), ("toggle_airplane_mode", False)],
        ),
        (
            "You can toggle airplane mode on for 10 seconds and then turn it off.",
            [("toggle_airplane_mode", True), ("toggle_airplane_mode", False)],
        ),
        ("Please run `toggle_airplane_mode()`.", [("toggle_airplane_mode", None)]),
        ("Use toggle_data() to turn mobile data on.", [("toggle_data", True)]),
        ("Make sure that airplane mode is off and that mobile data is on.",
         [("toggle_airplane_mode", False), ("toggle_data", True)]),
        ("Please switch on mobile data and roaming.", [("toggle_data", True), ("toggle_roaming", True)]),
        ("Turn off data saver and the VPN.", [("toggle_data_saver_mode", False), ("disconnect_vpn", None)]),
        ("Your VPN slows you down. Please turn it off.", [("disconnect_vpn", None)]),
        ("Go to Settings > Network > Mobile data and turn it on.", [("toggle_data", True)]),
        ("First, toggle data roaming on. Next, disable Wi-Fi calling.",
         [("toggle_roaming", True), ("toggle_wifi_calling", False)]),
        ("Turn Wi-Fi off, but do not touch airplane mode.", [("toggle_wifi", False)]),
        ("You can turn off airplane mode, or else nothing works.", [("toggle_airplane_mode", False)]),
        ("You can turn data saver off in Settings or by the quick panel.", [("toggle_data_saver_mode", False)]),
        ("Turn on data roaming in your phone for L1001.", [("toggle_roaming", True)]),
        ("Turn roaming on now that I enabled it for L1001.", [("toggle_roaming", True)]),
        ("In the options menu: turn mobile data on.", [("toggle_data", True)]),
        ("Open Settings, find the network options: turn mobile data on.", [("toggle_data", True)]),
        ("Next, turn off airplane mode, okay?", [("toggle_airplane_mode", False)]),
    ],
)  # fmt: skip
def test_switches(message: str, expected: list[tuple[str, bool | None]]) -> None:
    """Switches are turned to the wanted position, or flipped, in the order of the message."""
    assert told(message) == expected


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("Please restart your phone.", ["reboot_device"]),
        ("Turn your phone off and on again.", ["reboot_device"]),
        ("Power off your phone, wait 10 seconds, and turn it back on.", ["reboot_device"]),
        ("Don't worry, restart your phone.", ["reboot_device"]),
        ("Please reseat the SIM card and then check the status bar.", ["reseat_sim_card", "check_status_bar"]),
        ("Please remove your SIM card and reinsert it.", ["reseat_sim_card"]),
        ("Disconnect the VPN, then run a speed test and tell me the result.", ["disconnect_vpn", "run_speed_test"]),
        ("1. Reset your APN settings to default.\n2. Restart your device.", ["reset_apn_settings", "reboot_device"]),
        ("I've sent you a payment request. Please check your payment requests and pay the bill.",
         ["check_payment_request", "make_payment"]),
        ("Please accept the payment request on your phone.", ["make_payment"]),
        ("I have resumed your line. Please restart your phone so that it finds the network.", ["reboot_device"]),
        ("After you restart, please run the speed test.", ["run_speed_test"]),
        ("Restart your phone or toggle airplane mode.", ["reboot_device"]),
        ("Could you pay the bill on your phone, and then restart it?", ["make_payment", "reboot_device"]),
        ("There are two options to try:\n1. Restart your phone\n2. Reseat the SIM card",
         ["reboot_device", "reseat_sim_card"]),
        ("There are two ways to fix this:\n1. Restart the phone.\n2. Reseat the SIM card.",
         ["reboot_device", "reseat_sim_card"]),
        ("Steps:\n- Open the options\n- Reseat the SIM card\n- Restart it", ["reseat_sim_card", "reboot_device"]),
        ("Here are the steps, no other options:\n1. Reseat the SIM card.\n2. Restart the phone.",
         ["reseat_sim_card", "reboot_device"]),
        ("In the list of options:\n- Restart the phone", ["reboot_device"]),
        ("Here are your options: restart the phone.", ["reboot_device"]),
        ("We have few choices left: restart your phone and tell me.", ["reboot_device"]),
        ("Would you mind restarting the phone?", ["reboot_device"]),
        ("You can restart your phone now (hold the power button for 5 or 10 seconds).", ["reboot_device"]),
        ("You can reseat your SIM card, one way or another.", ["reseat_sim_card"]),
        ("You can go ahead and restart the phone or ask me.", ["reboot_device"]),
        ("I'll walk you through these steps:\n1. Restart the phone", ["reboot_device"]),
        ("I need you to do the following:\n1. Restart the phone", ["reboot_device"]),
        ("Here's what I'll do: pay bill B1. Then restart your phone.", ["reboot_device"]),
        ("Restart the phone for me?", ["reboot_device"]),
        ("Restart the phone, would you?", ["reboot_device"]),
        ("Restart the phone, okay?", ["reboot_device"]),
    ],
)  # fmt: skip
def test_deeds(message: str, expected: list[str]) -> None:
    """Other actions are done in the order of the message; of two alternatives only the first."""
    assert tools(message) == expected


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("Set the network mode to 4G/5G preferred.", FOUR_FIVE),
        ("Please change the network mode from 2G only to 5G.", FOUR_FIVE),
        ("Please call `set_network_mode_preference` with mode `4g_5g_preferred`.", FOUR_FIVE),
        ("Please set the network mode to 3G only.", {"mode": "3g_only"}),
        ("Please set your APN settings to {\"apn_name\": \"internet\", \"mmsc_url\": null}.",
         {"apn_settings": {"apn_name": "internet", "mmsc_url": None}}),
        ("Grant the messages app the SMS permission.", {"app_name": "messaging", "permission": "sms"}),
    ],
)  # fmt: skip
def test_arguments(message: str, expected: Mapping[str, Any]) -> None:
    """Modes, settings and permissions are found in the words."""
    assert [order.arguments for order in orders(message)] == [expected]


@pytest.mark.parametrize(
    "message",
    ["Grant the messaging app the storage and sms permissions.", "Allow the messaging app to access storage and SMS."],
)
def test_two_permissions_in_one_sentence(message: str) -> None:
    """Each permission that is named is granted."""
    assert [o.arguments["permission"] for o in orders(message)] == ["storage", "sms"]


@pytest.mark.parametrize(
    ("message", "tool"),
    [
        ("Is airplane mode on?", "check_network_status"),
        ("What does the status bar show?", "check_status_bar"),
        ("Do you have service now?", "check_network_status"),
        ("Can you send an MMS now?", "can_send_mms"),
        ("Please try sending a picture message.", "can_send_mms"),
        ("Could you check your SIM card status and tell me what it says?", "check_sim_status"),
        ("Please check if Wi-Fi calling is on.", "check_wifi_calling_status"),
        ("Please check the permissions of the messaging app.", "check_app_permissions"),
        ("Can you run a speed test?", "run_speed_test"),
    ],
)
def test_questions_are_answered_by_a_look(message: str, tool: str) -> None:
    """Asked about the phone, the user looks at it."""
    assert tools(message) == [tool]


@pytest.mark.parametrize(
    "message",
    [
        "",
        "Do not reboot.",
        "You don't need to restart your phone.",
        "Please do not restart the phone or reseat the SIM.",
        "Airplane mode turns off the radio.",
        "If that does not help, restart your phone.",
        "Otherwise, turn mobile data off.",
        "Would you like me to enable roaming on your line?",
        "I will enable roaming on your line.",
        "I disabled roaming; your phone's data roaming is off.",
        "Shall I charge the bill to your credit card?",
        "Are you currently abroad?",
        "How much data would you like to add?",
        "Which line is it, and what is your phone number?",
        "Let me check your line.",
        "To restart your phone, hold the power button.",
        "Please hold on while I check the status of your line.",
        "Once you have paid, I will resume the line.",
        "Your SIM card is locked, and I have to transfer you to a colleague. Is that okay?",
        "You can pay it in two ways:\n- I send a request, which you review and pay yourself, or\n- I charge.",
        "1. **Request** - I send it to your phone, and you look at it and pay it there, or\n2. **Card** - I charge it.",
        "What is it about? For instance, pay it, or hear when it is due.",
        "Shall I send a payment request now, so you can review and pay it there?",
        "Please let me know which line you'd like roaming enabled on.",
        "You could pay the bill through a payment request, or with your card.",
        "You can pay the bill with the payment request, or have the card charged.",
        "There are two options: pay the bill through a payment request, or use a card.",
        "### Your options\n1. **Pay the bill through a request**: I send it.\n2. **Use a card**: name it.",
        "You would get a payment request and pay it on your phone.",
        "Pay it first? A request to your phone, or a stored card?",
        "Pay the bill by request or by card?",
        "Turn roaming off for L610538, free.",
        "Roaming off for L610538, data saver off.",
        "Here's what I'll do once you confirm:\n- Pay bill **B1** with your card\n\n**Shall I charge it? (yes/no)**",
        "I will do the following:\n1. Turn off roaming\n2. Pay the bill",
        "Here is my plan:\n- Turn on data roaming\n- Restart the phone",
        "Here's what I'd do: pay bill B1 with your card.",
        "Pay bill B1 with your card, okay?",
        "I'd turn data roaming on, okay?",
        "You can pay the bill with the request (or by card), or later.",
        "Your options:\n1. Pay the bill on your phone\n2. Pay by card",
        "Your options: pay the bill on your phone\n- or by card",
    ],
)
def test_what_is_no_instruction(message: str) -> None:
    """Descriptions, prohibitions, uncheckable conditions, and the agent's own actions are no instructions."""
    assert carry_out(message, Stage([]).use) == []


@pytest.mark.parametrize("on", [True, False])
def test_a_switch_that_is_right_already_is_left(on: bool) -> None:
    """If a switch is already as wanted, the user looks and leaves it; otherwise they turn it."""
    stage = Stage([GoldCall(name="toggle_data", requestor="user")] if not on else [])
    before = stage.state.hash
    said = carry_out(f"Please turn mobile data {'on' if on else 'off'}.", stage.use)
    assert stage.state.hash == before
    assert "already" in said[0]
    carry_out(f"Please turn mobile data {'off' if on else 'on'}.", stage.use)
    assert stage.state.hash != before


@pytest.mark.parametrize("dialect", DIALECTS.values(), ids=list(DIALECTS))
@pytest.mark.parametrize(
    "name", ["airplane mode", "mobile data", "data roaming", "data saver", "Wi-Fi", "Wi-Fi calling"]
)
def test_positions_are_read_in_every_dialect(dialect: TelecomDialect, name: str) -> None:
    """In every dialect, `turn on` twice leaves a switch on, and `turn off` turns it off."""
    state = State.at(base())
    side, db = Toolset(USER_TOOLS, dialect), Db(state, dialect)
    seen = [state.hash]
    for wanted in ("off", "on", "on", "off", "off"):
        carry_out(f"Please turn {name} {wanted}.", lambda tool, arguments: side.call(db, tool, arguments).text)
        seen.append(state.hash)
    assert seen[2] == seen[3]
    assert seen[1] == seen[4] == seen[5] != seen[2]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("toggle_airplane_mode", "If airplane mode is on, please turn it off."),
        ("toggle_airplane_mode", "Check whether airplane mode is on, and if so turn it off."),
        ("toggle_wifi_calling", "Could you check if Wi-Fi calling is turned on? If it is, please turn it off."),
        ("toggle_data_saver_mode", "If data saver is enabled, disable it."),
        ("connect_vpn", "If the VPN is connected, disconnect it."),
    ],
)
def test_a_condition_on_the_phone_itself_is_looked_at(wrong: str, message: str) -> None:
    """An instruction under a condition about a setting is carried out only if the setting is wrong."""
    right, stage = Stage([]), Stage([GoldCall(name=wrong, requestor="user")])
    good = right.state.hash
    for one in (right, stage):
        carry_out(message, one.use)
        assert one.state.hash == good


def test_every_own_tool_can_be_asked_for_in_words() -> None:
    """For every own tool that looks or changes something, there are words that make the user use it."""
    app = {"app_name": "messaging", "permission": "sms"}
    for name, tool in USER_TOOLS.items():
        wanted = {"mode": "4g_only", "apn_settings": {"apn_name": "internet"}, **app}
        arguments = {k: v for k, v in wanted.items() if k in tool.arguments.model_fields}
        call = GoldCall(name=name, arguments=arguments, requestor="user")
        found = orders(instruct(call))
        assert [(order.tool, dict(order.arguments)) for order in found] == [(name, arguments)], instruct(call)


def test_told_the_wrong_thing_the_user_does_the_wrong_thing() -> None:
    """An instruction that makes matters worse is carried out too: the user judges nothing."""
    stage = Stage([])
    carry_out("Please turn on airplane mode.", stage.use)
    assert "airplane mode" in stage.use("check_status_bar", {})


RECIPE = (
    "If airplane mode is on, turn it off. If the SIM card is missing, reseat it. If data saver is on, turn it off. "
    "If the VPN is connected, disconnect it. If mobile data is off, turn it on. Restart your phone."
)


def test_of_many_changes_told_at_once_three_are_made() -> None:
    """The user makes the first three changes of a message, in any state, and asks to go on step by step."""
    for last in ("toggle_data", "connect_vpn"):
        stage = Stage([GoldCall(name=last, requestor="user")])
        before = stage.state.hash
        said = carry_out(RECIPE, stage.use)
        assert (len(said), said[-1]) == (4, A_LOT)
        assert stage.state.hash == before
    assert carry_out("Turn airplane mode off. " * 3, Stage([]).use)[-1] != A_LOT


def test_looks_are_not_counted_as_changes() -> None:
    """Three changes are made on one message, with the look-ups around them, which do not count."""
    said = carry_out(
        "Check the status bar. If airplane mode is on, turn it off. Turn mobile data off and on. Run a speed test.",
        Stage([]).use,
    )
    assert len(said) == 5
    assert A_LOT not in said


@pytest.mark.parametrize(
    "message",
    [
        "Please fix your airplane mode.",
        "Please set the network mode.",
        "Could you tap the Wi-Fi entry?",
        "Next, clear the settings of your phone.",
        "Grant the messaging app every permission that it needs.",
        "Please play with the VPN a little.",
        "Hello! Please unlock your SIM card.",
    ],
)
def test_what_is_not_understood_is_said_to_be(message: str) -> None:
    """Asked in words that fit no action on the phone, the user says so and does nothing."""
    stage = Stage([])
    before = stage.state.hash
    assert carry_out(message, stage.use) == [UNSURE]
    assert stage.state.hash == before


@pytest.mark.parametrize(
    "message",
    [
        "Could you give me your phone number?",
        "Please provide the phone number of the line, or your full name and date of birth.",
        "To confirm: I will change the plan of line L1002 of your phone to P102 for $40.00 a month. Proceed (yes/no)?",
        "I'm sorry, I can't turn on roaming for a suspended line.",
        "Would you like me to enable data roaming on your phone line?",
        "I can send a payment request, and you can approve it on your phone. Shall I?",
        "I will do this: enable roaming on line L1002, free of charge. Do you agree?",
        "Please choose which line it is: the phone, the tablet or the watch.",
        "Please tell me whether you are at home or abroad with your phone.",
        "Your airplane mode was on, and that is why there was no service.",
        "Are you abroad? If so, I can enable roaming on your line.",
        "Only the SIM card of your phone is locked. I am transferring you to a colleague.",
        "I have enabled roaming. Is there anything else I can help you with?",
    ],
)
def test_talk_about_the_account_is_no_request_about_the_phone(message: str) -> None:
    """Questions about the account, offers, refusals and reports do not make the user act on the phone."""
    assert carry_out(message, Stage([]).use) == []


@pytest.mark.parametrize(
    "piece", ["turn ", "if ", "if so, ", "make sure is ", "tap to ", "a, ", "turn x on and on ", "please ", "(", "? "]
)
def test_a_long_message_is_read_at_once(piece: str) -> None:
    """The part of a message that is read has a limit, and reading takes no repeated passes over it."""
    assert units(lambda: carry_out(piece * 8000, Stage([]).use)) < 30
