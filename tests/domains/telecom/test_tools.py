"""Telecom's agent tools under the builtin rules: their effects and refusals."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from env_server.state import Change
from env_server.tools.dispatch import Fault
from tests.domains.telecom.carrier import AROUND, DEVICE, ROWS, Carrier

L1, L2 = {"customer_id": "C1", "line_id": "L1"}, {"customer_id": "C1", "line_id": "L2"}


@pytest.fixture
def carrier() -> Carrier:
    """A fresh carrier."""
    return Carrier()


def done(carrier: Carrier, name: str, **arguments: Any) -> Any:
    """The result of a call that must succeed."""
    outcome = carrier.agent(name, **arguments)
    assert outcome.fault is None, outcome.text
    return json.loads(outcome.text)


def said(carrier: Carrier, name: str, **arguments: Any) -> str:
    """The text of a call that must succeed."""
    outcome = carrier.agent(name, **arguments)
    assert outcome.fault is None, outcome.text
    return outcome.text


@pytest.mark.parametrize(
    ("number", "customer_id"), [("555-200-0001", "C1"), ("555-200-0002", "C1"), ("555-200-9999", "C2")]
)
def test_a_customer_is_found_by_any_of_their_numbers(carrier: Carrier, number: str, customer_id: str) -> None:
    """The contact number and the number of each line find the customer."""
    assert done(carrier, "get_customer_by_phone", phone_number=number)["customer_id"] == customer_id


def test_a_customer_is_found_by_name_and_birthday(carrier: Carrier) -> None:
    """Case does not matter, the birthday does; if nobody is found, the list is empty."""
    assert done(carrier, "get_customer_by_name", full_name="JO doe", dob="1990-05-06") == [ROWS["customers"][0]]
    assert done(carrier, "get_customer_by_name", full_name="Jo Doe", dob="1990-05-07") == []


@pytest.mark.parametrize(
    ("id", "row"),
    [
        ("C2", ROWS["customers"][1]),
        ("L1", ROWS["lines"][0]),
        ("B2", ROWS["bills"][1]),
        ("P1", ROWS["plans"][0]),
        ("D1", DEVICE),
    ],
)
def test_details_are_the_row(carrier: Carrier, id: str, row: Any) -> None:
    """A look-up by id shows the whole row, of the table that the id's first letter names."""
    assert done(carrier, "get_details_by_id", id=id) == row


def test_what_a_customer_has_is_listed(carrier: Carrier) -> None:
    """Bills are listed newest first, as many as asked for; lines in their order; all plans."""
    bills = [row["bill_id"] for row in done(carrier, "get_bills_for_customer", customer_id="C1")]
    assert bills == ["B4", "B2", "B3", "B1"]
    assert len(done(carrier, "get_bills_for_customer", customer_id="C1", limit=2)) == 2
    assert done(carrier, "get_customer_lines", customer_id="C1") == ROWS["lines"][:2]
    assert done(carrier, "list_plans") == ROWS["plans"]


def test_usage_is_in_numbers(carrier: Carrier) -> None:
    """Used data, the plan's limit and added data are numbers."""
    assert done(carrier, "get_data_usage", **L1) == {
        "line_id": "L1",
        "data_used_gb": 4.0,
        "data_limit_gb": 5.0,
        "data_refueling_gb": 0.0,
        "cycle_end_date": "2025-02-28",
    }


def test_a_suspended_line_says_why_and_costs(carrier: Carrier) -> None:
    """A suspension stores day and reason, puts the fee on the next bill, and reaches the surroundings."""
    line = done(carrier, "suspend_line", **L1, reason="lost phone")["line"]
    assert (line["status"], line["suspension_start_date"]) == ("Suspended", "2025-02-25")
    assert line["suspension_reason"] == "lost phone"
    assert carrier.row("bills", "B4")["total_due"] == 5.0
    assert carrier.around == AROUND | {"line_active": False}
    assert "excellent" in carrier.user("check_status_bar").text
    assert "no signal" in carrier.user("reboot_device").text


def test_a_resumed_line_is_as_if_never_suspended(carrier: Carrier) -> None:
    """Resuming removes day and reason; the phone has service after its next search."""
    done(carrier, "suspend_line", **L1, reason="vacation")
    carrier.user("reboot_device")
    assert done(carrier, "resume_line", **L1)["line"] == ROWS["lines"][0]
    assert "no signal" in carrier.user("check_status_bar").text
    assert "excellent" in carrier.user("reboot_device").text


def test_one_request_at_a_time(carrier: Carrier) -> None:
    """A requested bill awaits payment; a second request is refused until then."""
    said(carrier, "send_payment_request", customer_id="C1", bill_id="B2")
    assert carrier.around["payment_request"] == {"bill_id": "B2", "amount_due": 67.5, "paid": False}
    refused = carrier.agent("send_payment_request", customer_id="C1", bill_id="B3")
    assert refused.fault is Fault.TOOL_ERROR
    carrier.user("make_payment")
    said(carrier, "send_payment_request", customer_id="C1", bill_id="B3")


@pytest.mark.parametrize("requested", [False, True])
def test_a_charged_bill_is_paid_and_no_longer_asked_for(carrier: Carrier, requested: bool) -> None:
    """A charge stores the method on the bill, and removes a request for it from the phone."""
    if requested:
        said(carrier, "send_payment_request", customer_id="C1", bill_id="B2")
    bill = done(carrier, "process_payment", customer_id="C1", bill_id="B2", payment_method_id="good-C1")
    assert (bill["status"], bill["paid_with"]) == ("Paid", "good-C1")
    assert carrier.around == AROUND


def test_roaming_is_switched_for_the_line(carrier: Carrier) -> None:
    """Roaming changes on the line and in the surroundings; a second call changes nothing."""
    assert "now enabled" in said(carrier, "enable_roaming", **L1)
    assert carrier.row("lines", "L1")["roaming_enabled"] is carrier.around["roaming_allowed"] is True
    assert "already" in said(carrier, "enable_roaming", **L1)
    assert "now disabled" in said(carrier, "disable_roaming", **L1)
    assert "already" in said(carrier, "disable_roaming", **L1)
    assert carrier.around == AROUND


def test_added_data_is_charged_to_the_cent(carrier: Carrier) -> None:
    """Added data counts at once and is on the draft bill; amounts have two decimals."""
    first = done(carrier, "refuel_data", **L1, gb_amount=0.7)
    assert (first["new_data_refueling_gb"], first["charge"]) == (0.7, 1.65)
    second = done(carrier, "refuel_data", **L1, gb_amount=0.1)
    assert second["new_data_refueling_gb"] == 0.8
    draft = carrier.row("bills", "B4")
    assert [item["amount"] for item in draft["line_items"]] == [1.65, 0.24]
    assert draft["total_due"] == 1.89


def test_added_data_lifts_the_limit(carrier: Carrier) -> None:
    """A line at its limit has no data until some is added."""
    row = ROWS["lines"][0] | {"data_used_gb": 5.0}
    carrier.db.state.apply([Change("lines", "L1", row)])
    said(carrier, "enable_roaming", **L1)
    assert carrier.around["mobile_data_usage_exceeded"] is True
    assert "no connection" in carrier.user("run_speed_test").text
    done(carrier, "refuel_data", **L1, gb_amount=1)
    assert "excellent" in carrier.user("run_speed_test").text


def test_who_has_no_draft_gets_a_new_bill(carrier: Carrier) -> None:
    """The first charge makes a draft bill, further ones join it; its id follows from the state."""
    done(carrier, "refuel_data", customer_id="C2", line_id="L3", gb_amount=2)
    done(carrier, "suspend_line", customer_id="C2", line_id="L3", reason="vacation")
    assert carrier.row("customers", "C2")["bill_ids"] == ["B5", "B00000001"]
    assert carrier.row("bills", "B00000001")["total_due"] == 7.2


def test_a_plan_changes_from_today(carrier: Carrier) -> None:
    """A new plan is stored with today's date."""
    line = done(carrier, "change_plan", **L1, plan_id="P2")
    assert (line["plan_id"], line["last_plan_change_date"]) == ("P2", "2025-02-25")


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("get_customer_by_phone", {"phone_number": "5552000001"}, "555-123-4567"),
    ("get_customer_by_id", {"customer_id": "C9"}, "'C9'"),
    ("get_details_by_id", {"id": "C9"}, "'C9'"),
    ("get_details_by_id", {"id": "L9"}, "'L9'"),
    ("get_details_by_id", {"id": "B9"}, "'B9'"),
    ("get_details_by_id", {"id": "P9"}, "'P9'"),
    ("get_details_by_id", {"id": "D9"}, "'D9'"),
    ("get_details_by_id", {"id": "l1"}, "L..."),
    ("get_bills_for_customer", {"customer_id": "C9"}, "'C9'"),
    ("get_customer_lines", {"customer_id": "C9"}, "'C9'"),
    ("get_data_usage", L1 | {"line_id": "L3"}, "L1, L2"),
    ("suspend_line", L1 | {"customer_id": "C9", "reason": "vacation"}, "'C9'"),
    ("suspend_line", L1 | {"customer_id": "C2", "reason": "vacation"}, "'L1'"),
    ("suspend_line", L2 | {"reason": "vacation"}, "'Suspended'"),
    ("resume_line", L1, "'Active'"),
    ("send_payment_request", {"customer_id": "C1", "bill_id": "B5"}, "'B5'"),
    ("send_payment_request", {"customer_id": "C1", "bill_id": "B1"}, "'Paid'"),
    ("send_payment_request", {"customer_id": "C1", "bill_id": "B4"}, "'Draft'"),
    ("process_payment", {"customer_id": "C1", "bill_id": "B1", "payment_method_id": "good-C1"}, "'Paid'"),
    ("process_payment", {"customer_id": "C1", "bill_id": "B2", "payment_method_id": "good-C2"}, "good-C1, old-C1"),
    ("process_payment", {"customer_id": "C1", "bill_id": "B2", "payment_method_id": "old-C1"}, "01/2025"),
    ("enable_roaming", L1 | {"line_id": "L3"}, "'L3'"),
    ("disable_roaming", L1 | {"line_id": "L3"}, "'L3'"),
    ("refuel_data", L1 | {"gb_amount": 0}, "0.01"),
    ("refuel_data", L1 | {"gb_amount": 0.001}, "0.01"),
    ("refuel_data", L1 | {"gb_amount": 51}, "50 GB"),
    ("change_plan", L1 | {"plan_id": "P9"}, "'P9'"),
    ("change_plan", L1 | {"plan_id": "P1"}, "already"),
    ("change_plan", L2 | {"plan_id": "P2"}, "'Suspended'"),
]


@pytest.mark.parametrize(("name", "arguments", "told"), REFUSED)
def test_what_cannot_be_done_is_refused_and_says_why(
    carrier: Carrier, name: str, arguments: dict[str, Any], told: str
) -> None:
    """A call that fails a check is the tool's own error, names what is wrong and changes nothing."""
    outcome = carrier.agent(name, **arguments)
    assert outcome.fault is Fault.TOOL_ERROR, outcome.text
    assert outcome.text.startswith("Error: ")
    assert told in outcome.text


def test_another_reason_is_no_argument(carrier: Carrier) -> None:
    """An unknown reason to suspend is refused with the four known ones."""
    outcome = carrier.agent("suspend_line", **L1, reason="too loud")
    assert outcome.fault is Fault.BAD_ARGUMENTS
    assert "saving money" in outcome.text


def test_other_names_are_understood(carrier: Carrier) -> None:
    """Models' other names for tools and arguments work, and the outcome has the tool's own names."""
    outcome = carrier.agent("get_line_details", line_id="L1")
    assert (outcome.name, outcome.fault, outcome.arguments) == ("get_details_by_id", None, {"id": "L1"})


def test_no_alias_means_two_tools() -> None:
    """Every alias names one tool, and no alias is another tool's name."""
    tools = Carrier.tools.tools
    aliases = [alias for tool in tools.values() for alias in tool.aliases]
    assert len(set(aliases)) == len(aliases)
    assert not set(aliases) & set(tools)


IDS = st.sampled_from(["C1", "C2", "L1", "L2", "L3", "B2", "B3", "P1", "P2", "D1", "good-C1", "vacation", "sms", ""])
VALUES: st.SearchStrategy[Any] = IDS | st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)


@given(st.data())
def test_any_call_is_answered(data: st.DataObject) -> None:
    """With any arguments a call of either side succeeds or is refused; it never crashes."""
    carrier = Carrier()
    for _ in range(3):
        side, call = data.draw(st.sampled_from([(Carrier.tools, carrier.agent), (Carrier.own, carrier.user)]))
        tool = data.draw(st.sampled_from(list(side.tools.values())))
        call(tool.name, **{name: data.draw(VALUES) for name in tool.argument_names})


@given(st.lists(st.tuples(st.sampled_from(["L1", "L2"]), st.floats(0.01, 50)), max_size=4))
def test_bills_add_up_whatever_is_added(added: list[tuple[str, float]]) -> None:
    """A bill's items are whole cents, and their sum is its total."""
    carrier = Carrier()
    for line_id, amount in added:
        done(carrier, "refuel_data", customer_id="C1", line_id=line_id, gb_amount=amount)
    bill = carrier.row("bills", "B4")
    amounts = [item["amount"] for item in bill["line_items"]]
    assert amounts == [round(amount, 2) for amount in amounts]
    assert bill["total_due"] == round(sum(amounts, 0.0), 2)
