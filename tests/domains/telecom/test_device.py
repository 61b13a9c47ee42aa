"""Service, data, speed and picture messages of the phone follow from its settings and surroundings."""

from copy import deepcopy
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from env_server.domains.telecom import device
from env_server.domains.telecom.tables import Phone, Surroundings
from tests.domains.telecom.carrier import AROUND, PHONE

BROKEN_APN = {"active_apn_settings": PHONE["active_apn_settings"] | {"apn_name": "broken"}}
NO_MMSC = {"active_apn_settings": PHONE["active_apn_settings"] | {"mmsc_url": None}}
POOR_VPN = {"server_address": "1.1.1.1", "protocol": "OpenVPN", "server_performance": "poor"}
ABROAD = {"is_abroad": True, "roaming_allowed": True}


def phones() -> st.SearchStrategy[Phone]:
    """Any phone that has not looked for a network since its settings changed."""
    switches = {
        name: st.booleans()
        for name in ("sim_card_missing", "airplane_mode", "data_enabled", "roaming_enabled", "data_saver_mode")
    }
    fields: Any = {
        **switches,
        "sim_card_status": st.sampled_from(["active", "active", "locked_pin", "locked_puk"]),
        "network_mode_preference": st.sampled_from(list(device.MODES)),
        "active_apn_settings": st.sampled_from(
            [PHONE["active_apn_settings"], BROKEN_APN["active_apn_settings"], NO_MMSC["active_apn_settings"]]
        ),
        "wifi_calling_enabled": st.booleans(),
        "wifi_calling_mms_over_wifi": st.booleans(),
        "vpn_connected": st.booleans(),
        "vpn_details": st.sampled_from([None, POOR_VPN, POOR_VPN | {"server_performance": "excellent"}]),
    }
    return st.fixed_dictionaries(fields).map(lambda drawn: cast(Phone, deepcopy(PHONE) | drawn))


def surroundings() -> st.SearchStrategy[Surroundings]:
    """Any surroundings."""
    strengths = st.fixed_dictionaries(
        {name: st.sampled_from(["none", *device.SIGNAL_SHARE]) for name in ("2G", "3G", "4G", "5G")}
    )
    fields: Any = {
        "signal_strength": strengths,
        **{k: st.booleans() for k in ("is_abroad", "roaming_allowed", "mobile_data_usage_exceeded", "line_active")},
    }
    return st.fixed_dictionaries(fields).map(lambda drawn: cast(Surroundings, AROUND | drawn))


def searched(phone: Any, around: Any = AROUND) -> Phone:
    """A copy of the phone after it has looked for a network."""
    copy = cast(Phone, deepcopy(PHONE) | deepcopy(phone))
    device.search(copy, cast(Surroundings, AROUND | around))
    return copy


def test_a_good_phone_does_everything() -> None:
    """If all is as it should be, there are service, fast data and picture messages."""
    phone = searched({})
    assert phone == PHONE
    assert device.data_works(phone, AROUND)
    assert device.speed(phone, AROUND) == 275.0
    assert device.sends_mms(phone, AROUND)


@pytest.mark.parametrize(
    ("phone", "around"),
    [
        ({"airplane_mode": True}, {}),
        ({"sim_card_missing": True}, {}),
        ({"sim_card_status": "locked_pin"}, {}),
        ({"sim_card_status": "locked_puk"}, {}),
        (BROKEN_APN, {}),
        ({}, {"line_active": False}),
        ({"network_mode_preference": "3g_only"}, {"signal_strength": {"4G": "good"}}),
    ],
)
def test_each_cause_takes_the_service_away(phone: Any, around: Any) -> None:
    """Each of these causes alone leaves the phone without a network, data and picture messages."""
    found = searched(phone, around)
    assert found["network_connection_status"] == "no_service"
    assert device.speed(found, AROUND) is None
    assert not device.sends_mms(found, AROUND)


@pytest.mark.parametrize(
    ("phone", "around"),
    [
        ({"data_enabled": False}, {}),
        ({}, {"mobile_data_usage_exceeded": True}),
        ({"roaming_enabled": False}, ABROAD),
        ({"roaming_enabled": True}, ABROAD | {"roaming_allowed": False}),
    ],
)
def test_each_cause_stops_data_but_not_service(phone: Any, around: Any) -> None:
    """Each of these causes alone stops mobile data, but not the service."""
    found = searched(phone, around)
    assert found["network_connection_status"] == "connected"
    assert not device.data_works(found, cast(Surroundings, AROUND | around))


def test_abroad_both_sides_have_to_allow_roaming() -> None:
    """Abroad, data needs roaming on the phone and permission for the line."""
    around = cast(Surroundings, AROUND | ABROAD)
    assert device.data_works(searched({"roaming_enabled": True}, around), around)


@pytest.mark.parametrize(
    ("phone", "mbps", "word"),
    [
        ({"network_mode_preference": "4g_only"}, 44.0, "Good"),
        ({"network_mode_preference": "3g_only"}, 1.5, "Poor"),
        ({"network_mode_preference": "2g_only"}, 0.05, "Very Poor"),
        ({"data_saver_mode": True}, 55.0, "Good"),
        ({"vpn_connected": True, "vpn_details": POOR_VPN}, 27.5, "Good"),
        ({"data_saver_mode": True, "vpn_connected": True, "vpn_details": POOR_VPN}, 5.5, "Fair"),
    ],
)
def test_each_cause_slows_data_down(phone: Any, mbps: float, word: str) -> None:
    """An old technology, data saver and a poor VPN each lower the speed below the best grade."""
    found = device.speed(searched(phone), AROUND)
    assert found == mbps
    assert device.grade(found) == word


@pytest.mark.parametrize(
    "phone",
    [
        NO_MMSC,
        {"network_mode_preference": "2g_only"},
        {"wifi_calling_enabled": True, "wifi_calling_mms_over_wifi": True},
        {"app_statuses": {}},
        *[
            {"app_statuses": {"messaging": {"app_name": "messaging", "permissions": granted}}}
            for granted in (
                {"sms": True, "storage": False, "phone": True, "network": True},
                {"sms": False, "storage": True, "phone": True, "network": True},
            )
        ],
    ],
)
def test_each_cause_stops_picture_messages_but_not_data(phone: Any) -> None:
    """Each of these causes alone stops picture messages, but not data."""
    found = searched(phone)
    assert device.data_works(found, AROUND)
    assert not device.sends_mms(found, AROUND)


@given(phones(), surroundings())
def test_a_search_finds_what_is_there_or_nothing(phone: Phone, around: Surroundings) -> None:
    """A search sets three things that agree, changes nothing else, and has the same result a second time."""
    before, outside = deepcopy(phone), deepcopy(around)
    device.search(phone, around)
    found = phone["network_technology_connected"]
    connected = phone["network_connection_status"] == "connected"
    assert connected == (found != "none") == (phone["network_signal_strength"] != "none")
    assert not connected or phone["network_signal_strength"] == around["signal_strength"][found]
    assert not connected or found in device.MODES[phone["network_mode_preference"]]
    differing = {name for name, value in phone.items() if value != dict(before)[name]}
    assert differing <= {name for name in phone if name.startswith("network_") and name != "network_mode_preference"}
    once = deepcopy(phone)
    device.search(phone, around)
    assert (phone, around) == (once, outside)


@given(phones(), surroundings())
def test_speed_and_picture_messages_need_data_and_data_needs_service(phone: Phone, around: Surroundings) -> None:
    """Data needs service, speed and picture messages need data, and the data saver never raises the speed."""
    device.search(phone, around)
    works = device.data_works(phone, around)
    mbps = device.speed(phone, around)
    assert not works or phone["network_connection_status"] == "connected"
    assert works == (mbps is not None)
    assert works or not device.sends_mms(phone, around)
    if mbps is not None:
        slower = device.speed(phone | {"data_saver_mode": True}, around)
        assert slower is not None
        assert 0 <= slower <= mbps  # the slowest network, signal and VPN together give 0.00 Mbps


@given(phones(), surroundings())
def test_airplane_mode_is_without_trace_but_for_what_it_disconnects(phone: Phone, around: Surroundings) -> None:
    """After airplane mode was on and off, the phone is as after a search, but without Wi-Fi and VPN."""
    phone["airplane_mode"] = False
    expected = deepcopy(phone)
    device.search(expected, around)
    device.leave_wifi(expected)
    device.leave_vpn(expected)
    device.set_airplane_mode(phone, around, True)
    assert phone["network_connection_status"] == "no_service"
    device.set_airplane_mode(phone, around, False)
    assert phone == expected
