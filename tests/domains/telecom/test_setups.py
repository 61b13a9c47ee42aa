"""Set-up functions and assertions: an assertion shows what is broken, and steps of a side repair it."""

from typing import Any, Literal

import pytest

from env_server.domains.kit import ToolError
from env_server.domains.telecom.assertions import ASSERTIONS
from env_server.domains.telecom.setups import SETUPS
from env_server.domains.telecom.sync import sync
from env_server.state import Change
from tests.domains.telecom.carrier import AROUND, PHONE, Carrier

Step = tuple[str, dict[str, Any]]
Side = Literal["agent", "user"]
L1 = {"customer_id": "C1", "line_id": "L1"}
L3 = {"customer_id": "C2", "line_id": "L3"}


def set_up(carrier: Carrier, side: Side, step: Step) -> Any:
    """Run a set-up function, and synchronise the other side."""
    result = SETUPS[side][step[0]](carrier.db, **step[1])
    sync(carrier.db)
    return result


def holds(carrier: Carrier, side: Side, step: Step) -> Any:
    """Whether an assertion holds; it must not change anything."""
    before = carrier.db.state.hash
    result = ASSERTIONS[side][step[0]](carrier.db, **step[1])
    assert carrier.db.state.hash == before
    return result


CONNECTED: Step = ("assert_service_status", {"expected_status": "connected"})
DATA: Step = ("assert_mobile_data_status", {"expected_status": True})
FAST: Step = ("assert_internet_speed", {"expected_speed": 200, "expected_desc": "excellent"})
PICTURES: Step = ("assert_can_send_mms", {"expected_status": True})


@pytest.mark.parametrize("expected", [CONNECTED, DATA, FAST, PICTURES])
def test_a_good_phone_passes(expected: Step) -> None:
    """If nothing is broken, every assertion that something works holds."""
    assert holds(Carrier(), "user", expected) is True


@pytest.mark.parametrize(
    ("broken", "expected", "fix"),
    [
        (("turn_airplane_mode_on", {}), CONNECTED, ["toggle_airplane_mode"]),
        (("unseat_sim_card", {}), CONNECTED, ["reseat_sim_card"]),
        (("break_apn_settings", {}), CONNECTED, ["reset_apn_settings", "reboot_device"]),
        (("turn_data_off", {}), DATA, ["toggle_data"]),
        (("turn_data_saver_mode_on", {}), FAST, ["toggle_data_saver_mode"]),
        (("break_vpn", {}), FAST, ["disconnect_vpn"]),
        (("break_apn_mms_setting", {}), PICTURES, ["reset_apn_settings", "reboot_device"]),
        (("set_wifi_calling", {"enabled": True, "mms_over_wifi": True}), PICTURES, ["toggle_wifi_calling"]),
    ],
)
def test_what_is_broken_is_mended_by_the_user(broken: Step, expected: Step, fix: list[str]) -> None:
    """The assertion fails after the set-up and holds again after the user's steps."""
    carrier = Carrier()
    set_up(carrier, "user", broken)
    assert holds(carrier, "user", expected) is False
    for name in fix:
        carrier.user(name)
    assert holds(carrier, "user", expected) is True


@pytest.mark.parametrize("permission", ["sms", "Storage"])
def test_a_permission_taken_is_granted_again(permission: str) -> None:
    """Without the permission the app sends no picture; a permission that the phone does not have is ignored."""
    carrier = Carrier()
    taken: Step = ("remove_app_permission", {"app_name": "messaging", "permission": permission})
    assert set_up(carrier, "user", taken)[0] is True
    assert holds(carrier, "user", PICTURES) is False
    carrier.user("grant_app_permission", app_name="messaging", permission=permission.lower())
    assert carrier.phone == PHONE
    for unknown in ({"app_name": "maps"}, {"permission": "location"}):
        assert set_up(carrier, "user", ("remove_app_permission", taken[1] | unknown))[0] is False
    assert carrier.phone == PHONE


@pytest.mark.parametrize("mode", ["pin", "puk"])
def test_a_lock_is_there_to_stay(mode: str) -> None:
    """A phone with a locked SIM card has no service, and the user cannot change that."""
    carrier = Carrier()
    set_up(carrier, "user", ("lock_sim_card", {"mode": mode}))
    for name in ("reseat_sim_card", "reboot_device", "toggle_airplane_mode", "toggle_airplane_mode"):
        carrier.user(name)
    assert holds(carrier, "user", ("assert_service_status", {"expected_status": "no_service"})) is True


@pytest.mark.parametrize("switch", ["airplane_mode", "roaming", "data_saver_mode", "data"])
@pytest.mark.parametrize("on", [True, False])
def test_a_switch_ends_as_wanted_wherever_it_began(switch: str, on: bool) -> None:
    """Turning a switch to its present position leaves it there, and nothing else changes."""
    carrier = Carrier()
    told = [set_up(carrier, "user", (f"turn_{switch}_{'on' if on else 'off'}", {})) for _ in range(2)]
    first, second = told
    assert first == second
    fields = {"airplane_mode": "airplane_mode", "data_saver_mode": "data_saver_mode"}
    assert carrier.phone[fields.get(switch, f"{switch}_enabled")] is on


def test_abroad_the_line_has_to_roam_too() -> None:
    """Abroad, data works if the phone roams and the company allows it for the line."""
    carrier = Carrier()
    set_up(carrier, "user", ("set_user_location", {"abroad": True}))
    assert holds(carrier, "user", DATA) is False
    carrier.user("toggle_roaming")
    assert holds(carrier, "user", DATA) is False
    carrier.agent("enable_roaming", **L1)
    assert holds(carrier, "user", DATA) is True
    assert holds(carrier, "user", ("assert_mobile_roaming_status", {"expected_status": True})) is True


def test_an_allowance_used_up_is_refuelled() -> None:
    """Above the limit there is no data until enough is added."""
    carrier = Carrier()
    set_up(carrier, "agent", ("set_data_usage", L1 | {"data_used_gb": 5.1}))
    exceeded: Step = ("assert_mobile_data_usage_exceeded", {"expected_status": True})
    assert holds(carrier, "user", exceeded) is True
    assert holds(carrier, "user", ("assert_internet_not_excellent", {})) is True
    carrier.agent("refuel_data", **L1, gb_amount=2)
    assert holds(carrier, "user", exceeded) is False
    assert holds(carrier, "agent", ("assert_data_refueling_amount", L1 | {"expected_amount": 2.0})) is True


@pytest.mark.parametrize("ended", [True, False])
def test_a_line_suspended_for_a_bill_is_paid_for_and_resumed(ended: bool) -> None:
    """The set-up makes an overdue bill of the plan's price; paying it and resuming the line restores the service."""
    carrier = Carrier()
    set_up(carrier, "user", ("set_user_info", {"name": "Al Roe", "phone_number": "555-200-0003"}))
    unpaid = L3 | {"new_bill_id": "B77", "contract_ended": ended}
    set_up(carrier, "agent", ("suspend_line_for_overdue_bill", unpaid))
    set_up(carrier, "user", ("simulate_network_search", {}))
    assert holds(carrier, "user", CONNECTED) is False
    overdue: Step = ("assert_overdue_bill_exists", {"customer_id": "C2", "overdue_bill_id": "B77"})
    settled: Step = ("assert_no_overdue_bill", {"overdue_bill_id": "B77"})
    assert (holds(carrier, "agent", overdue), holds(carrier, "agent", settled)) == (True, False)
    assert (carrier.row("lines", "L3")["contract_end_date"] < "2025-02-25") is ended
    carrier.agent("send_payment_request", customer_id="C2", bill_id="B77")
    carrier.user("make_payment")
    carrier.agent("resume_line", **L3)
    carrier.user("reboot_device")
    assert holds(carrier, "agent", settled) is True
    assert holds(carrier, "agent", ("assert_line_status", L3 | {"expected_status": "Active"})) is True
    assert holds(carrier, "user", CONNECTED) is True
    with pytest.raises(ToolError, match="is not overdue"):
        holds(carrier, "agent", overdue)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"line_id": "L9"}, "'L9'"),
        ({"line_id": "L2"}, "active"),
        ({"customer_id": "C9"}, "'C9'"),
        ({"customer_id": "C1"}, "overdue"),
    ],
)
def test_a_set_up_that_cannot_be_is_an_error(arguments: dict[str, str], told: str) -> None:
    """Suspending for a bill needs an active line and a customer without an overdue bill."""
    step = ("suspend_line_for_overdue_bill", L3 | {"new_bill_id": "B77", "contract_ended": False} | arguments)
    with pytest.raises(ToolError, match=told):
        set_up(Carrier(), "agent", step)


def test_an_assertion_about_nothing_is_an_error() -> None:
    """An assertion about an unknown status, or another customer's bill, is an error and not a failed assertion."""
    broken: list[tuple[Side, Step]] = [
        ("user", ("assert_service_status", {"expected_status": "bad"})),
        ("agent", ("assert_overdue_bill_exists", {"customer_id": "C1", "overdue_bill_id": "B5"})),
        ("agent", ("assert_line_status", L1 | {"line_id": "L3", "expected_status": "Active"})),
    ]
    for side, step in broken:
        with pytest.raises(ToolError):
            holds(Carrier(), side, step)


def test_switches_are_asserted_either_way() -> None:
    """An assertion about a switch holds for its position and not for the other."""
    for name in ("assert_airplane_mode_status", "assert_mobile_data_saver_mode_status"):
        assert holds(Carrier(), "user", (name, {"expected_status": False})) is True
        assert holds(Carrier(), "user", (name, {"expected_status": True})) is False


def test_nobody_calling_nothing_passes() -> None:
    """Without a caller nothing is synchronised; a number of no line is an error."""
    carrier = Carrier(around=AROUND | {"phone_number": None, "line_active": False})
    before = carrier.db.state.hash
    sync(carrier.db)
    assert carrier.db.state.hash == before
    with pytest.raises(ToolError, match="555-0"):
        set_up(carrier, "user", ("set_user_info", {"name": "X", "phone_number": "555-0"}))


def test_the_first_bill_that_awaits_payment_becomes_the_request() -> None:
    """After a payment, the customer's next bill that awaits payment becomes the request."""
    carrier = Carrier()
    for bill_id in ("B3", "B2"):
        bill = carrier.row("bills", bill_id) | {"status": "Awaiting Payment"}
        carrier.db.state.apply([Change("bills", bill_id, bill)])
    sync(carrier.db)
    assert carrier.around["payment_request"]["bill_id"] == "B2"
    carrier.user("make_payment")
    assert carrier.around["payment_request"]["bill_id"] == "B3"
    carrier.user("make_payment")
    assert carrier.around == AROUND
