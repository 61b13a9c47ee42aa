"""Telecom's rules and texts: the defaults are the builtin pack's, TAU2 is the public benchmark's.

A text may name values in braces; the tools fill in `customer_id`, `line_id`, `bill_id` and the like where they use it.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict

from env_server.domains.kit import TAU2_RULES
from env_server.domains.telecom.phone_dialect import TAU2_PHONE, PhoneDialect

DRAFT, ISSUED, AWAITING, PAID, OVERDUE = "Draft", "Issued", "Awaiting Payment", "Paid", "Overdue"
ACTIVE, SUSPENDED = "Active", "Suspended"


@dataclass(frozen=True)
class TelecomDialect(PhoneDialect):
    """Rules and texts of telecom's tools."""

    numbers_as_text: bool = False
    """Whether the numbers of an answer that is no row are written as text."""

    rounds: bool = True
    """Whether charges and added data are rounded to two decimals. Otherwise they keep binary rounding errors."""

    charges_suspension: bool = True
    """Whether the first holding fee of a suspended line is put on the next bill."""

    keeps_suspension_reason: bool = True
    """Whether a suspended line's row stores the reason."""

    requestable: tuple[str, ...] | None = (ISSUED, OVERDUE)
    """The statuses of a bill that the customer may be asked to pay; None for any."""

    most_refuel_gb: float | None = 50.0
    """The most GB that can be added at once; None for no limit."""

    no_such_customer: str = "there is no customer with id {customer_id!r}"
    no_such_phone_number: str = "no customer has the phone number {phone_number!r}; it is written like '555-123-4567'"
    no_line_with_number: str = "no line has the phone number {phone_number!r}"
    not_their_line: str = "customer {customer_id} has no line {line_id!r}; they have: {known}"
    not_their_bill: str = "customer {customer_id} has no bill {bill_id!r}"
    not_their_method: str = "customer {customer_id} has no payment method {payment_method_id!r}; they have: {known}"
    no_such_line: str = "there is no line with id {id!r}"
    no_such_device: str = "there is no device with id {id!r}"
    no_such_bill: str = "there is no bill with id {id!r}"
    no_such_plan: str = "there is no plan with id {id!r}"
    unknown_id: str = "{id!r} is no id of a customer (C...), line (L...), bill (B...), plan (P...) or device (D...)"

    suspended: str = "The line is suspended; a holding fee of $5.00 a month is charged."
    resumed: str = "The line is active again. A phone notices when it next looks for a network, as after a restart."
    not_active_to_suspend: str = "line {line_id} is {status!r}; only an active line can be suspended"
    not_suspended: str = "line {line_id} is {status!r}; only a suspended line can be resumed"

    not_active_to_change: str = "line {line_id} is {status!r}; only an active line can change its plan"
    same_plan: str = "line {line_id} is on plan {plan_id} already"

    request_sent: str = "The customer has been asked to pay bill {bill_id}."
    already_awaiting: str = "customer {customer_id} has been asked to pay a bill already; one request at a time"
    not_requestable: str = "bill {bill_id} is {status!r}; only an issued or overdue bill can be paid"
    method_expired: str = "payment method {payment_method_id} expired {expiration_date}"

    roaming_enabled: str = "Roaming is now enabled for line {line_id}."
    roaming_enabled_already: str = "Roaming was enabled already for line {line_id}."
    roaming_disabled: str = "Roaming is now disabled for line {line_id}."
    roaming_disabled_already: str = "Roaming was disabled already for line {line_id}."

    refueled: str = "{gb_amount:.2f} GB were added to line {line_id} for ${charge:.2f}."
    refuel_item: str = "Data refueling, line {line_id}: {gb_amount:.2f} GB at ${price:.2f} per GB"
    refuel_not_positive: str = "gb_amount must be at least 0.01"
    refuel_too_much: str = "at most {most:g} GB can be added at once"


class NetworkModePreference(StrEnum):
    """The network modes, as the public benchmark's schema names them."""

    FOUR_FIVE = "4g_5g_preferred"
    FOUR = "4g_only"
    THREE = "3g_only"
    TWO = "2g_only"


class APNNames(StrEnum):
    """The access points of the public benchmark."""

    INTERNET = "internet"
    BROKEN = "broken"


class APNSettings(BaseModel):
    """Access point settings, as the public benchmark's schema has them."""

    model_config = ConfigDict(extra="forbid")

    apn_name: APNNames = APNNames.INTERNET
    reset_at_reboot: bool = False
    mms_apn: str | None = "mms"
    mmsc_url: str | None = "http://mms.carrier.com/mms/wapenc"
    mms_proxy: str | None = None
    mms_port: int | None = None


BUILTIN = TelecomDialect()

TAU2 = TelecomDialect(
    **TAU2_PHONE,
    tools=(
        "get_customer_by_phone",
        "get_customer_by_id",
        "get_customer_by_name",
        "get_details_by_id",
        "suspend_line",
        "resume_line",
        "get_bills_for_customer",
        "send_payment_request",
        "get_data_usage",
        "enable_roaming",
        "disable_roaming",
        "transfer_to_human_agents",
        "refuel_data",
    ),
    argument_types={
        "suspend_line": {"reason": str},
        "get_bills_for_customer": {"limit": int},
        "set_network_mode_preference": {"mode": NetworkModePreference | str},
        "set_apn_settings": {"apn_settings": APNSettings | dict[str, Any]},
        "grant_app_permission": {"permission": str},
    },
    **TAU2_RULES,
    numbers_as_text=True,
    rounds=False,
    charges_suspension=False,
    keeps_suspension_reason=False,
    requestable=None,
    most_refuel_gb=None,
    no_such_customer="Customer with ID {customer_id} not found",
    no_such_phone_number="Customer with phone number {phone_number} not found",
    no_line_with_number="Line with phone number {phone_number} not found",
    not_their_line="Line {line_id} not found for customer {customer_id}",
    not_their_bill="Bill {bill_id} not found for customer {customer_id}",
    no_such_line="Line with ID {id} not found",
    no_such_device="Device with ID {id} not found",
    no_such_bill="Bill with ID {id} not found",
    no_such_plan="Plan with ID {id} not found",
    unknown_id="Unknown ID format or type: {id}",
    suspended="Line suspended successfully. $5/month holding fee will apply.",
    resumed="Line resumed successfully",
    not_active_to_suspend="Line must be active to suspend",
    not_suspended="Line must be suspended to resume",
    request_sent="Payment request sent to the customer for bill {bill_id}",
    already_awaiting="A bill is already awaiting payment for this customer",
    roaming_enabled="Roaming enabled successfully",
    roaming_enabled_already="Roaming was already enabled",
    roaming_disabled="Roaming disabled successfully",
    roaming_disabled_already="Roaming was already disabled",
    refueled="Successfully added {gb_amount} GB of data for line {line_id} for ${charge:.2f}",
    refuel_item="Data refueling: {gb_amount} GB at ${price}/GB",
    refuel_not_positive="Refuel amount must be positive",
)

DIALECTS = {"builtin": BUILTIN, "tau2": TAU2}
