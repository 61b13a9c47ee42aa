"""Telecom's tables: plans, customers, lines, bills, devices, and the user's own phone and surroundings.

Money is in US dollars, data in GB, dates are `2025-02-25` and moments `2025-01-20 14:30:00`.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NotRequired, cast

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Discriminator, with_config
from typing_extensions import TypedDict

from env_server.domains.kit import Index, Table

Moment = Annotated[str, AfterValidator(lambda text: text.replace("T", " "))]
"""A date with a time of day; public data writes a `T` between them, what agents read has a space."""


class Plan(TypedDict):
    """What a line may be on. `data_refueling_price_per_gb` is the price of data beyond the limit."""

    plan_id: str
    name: str
    data_limit_gb: float
    price_per_month: float
    data_refueling_price_per_gb: float


class Address(TypedDict):
    """A postal address."""

    street: str
    city: str
    state: str
    zip_code: str


class PaymentMethod(TypedDict):
    """How a customer pays: `Credit Card`, `Debit Card`, `PayPal`; the expiration date is `12/2026`."""

    method_type: str
    account_number_last_4: str
    expiration_date: str


class ChargeableMethod(PaymentMethod):
    """A payment method that an agent can charge, by its id; the public data's have none."""

    payment_method_id: str


class Customer(TypedDict):
    """A customer with the ids of their lines and bills; bills are in the order they were made.

    `account_status` is `Active`, `Suspended`, `Pending Verification` or `Closed`.
    """

    customer_id: str
    full_name: str
    date_of_birth: str
    email: str
    phone_number: str
    address: Address
    account_status: str
    payment_methods: list[ChargeableMethod | PaymentMethod]
    line_ids: list[str]
    bill_ids: list[str]
    created_at: Moment
    last_extension_date: NotRequired[str | None]
    goodwill_credit_used_this_year: float


class Line(TypedDict):
    """A phone line. `status` is `Active`, `Suspended`, `Pending Activation` or `Closed`."""

    line_id: str
    phone_number: str
    status: str
    plan_id: str
    device_id: NotRequired[str | None]
    data_used_gb: float
    data_refueling_gb: float
    roaming_enabled: bool
    contract_end_date: NotRequired[str | None]
    last_plan_change_date: NotRequired[str | None]
    last_sim_replacement_date: NotRequired[str | None]
    suspension_start_date: NotRequired[str | None]


class LineItem(TypedDict):
    """One entry of a bill; `item_type` is `Plan Charge`, `Overage`, `Fee` or `Charge`."""

    description: str
    amount: float
    date: str
    item_type: str


class Bill(TypedDict):
    """A bill; its line items add up to `total_due`.

    `status` is `Draft`, `Issued`, `Awaiting Payment`, `Paid`, `Overdue` or `Disputed`.
    """

    bill_id: str
    customer_id: str
    period_start: str
    period_end: str
    issue_date: str
    total_due: float
    due_date: str
    line_items: list[LineItem]
    status: str


class Device(TypedDict):
    """A device as the company knows it; what it is set to is the user's own affair (`Phone`)."""

    device_id: str
    device_type: str
    model: str
    imei: NotRequired[str | None]
    is_esim_capable: bool
    activated: bool
    activation_date: NotRequired[Moment | None]
    last_esim_transfer_date: NotRequired[Moment | None]


class Apn(TypedDict):
    """Access point settings; `apn_name` is `internet` or `broken`."""

    apn_name: str
    reset_at_reboot: bool
    mms_apn: str | None
    mmsc_url: str | None
    mms_proxy: str | None
    mms_port: int | None


class Vpn(TypedDict):
    """A VPN connection; `server_performance` is `excellent` or `poor`."""

    server_address: str
    protocol: str
    server_performance: str


class Permissions(TypedDict):
    """What an app may use."""

    sms: bool
    storage: bool
    phone: bool
    network: bool


class App(TypedDict):
    """An installed app."""

    app_name: str
    permissions: Permissions


@with_config(ConfigDict(extra="allow"))
class Phone(TypedDict):
    """The user's phone: what it is set to, and (`network_*`) what its last search for a network found.

    `sim_card_status` is `active`, `locked_pin` or `locked_puk`; a strength is `none`, `poor`, `fair`, `good` or
    `excellent`; a technology is `none`, `2G`, `3G`, `4G` or `5G`; a mode is `4g_5g_preferred`, `4g_only`, `3g_only`
    or `2g_only`; the connection is `connected`, `searching` or `no_service`.
    """

    part: Literal["device"]
    sim_card_status: str
    sim_card_missing: bool
    airplane_mode: bool
    network_signal_strength: str
    network_technology_connected: str
    network_connection_status: str
    battery_level: int
    data_enabled: bool
    roaming_enabled: bool
    network_mode_preference: str
    active_apn_settings: Apn
    wifi_enabled: bool
    wifi_connected: bool
    wifi_ssid: str | None
    wifi_signal_strength: str
    wifi_calling_enabled: bool
    wifi_calling_mms_over_wifi: bool
    data_saver_mode: bool
    vpn_enabled_setting: bool
    vpn_connected: bool
    vpn_details: Vpn | None
    app_statuses: dict[str, App]


class PaymentRequest(TypedDict):
    """A bill that the user has been asked to pay."""

    bill_id: str
    amount_due: float
    paid: bool


@with_config(ConfigDict(extra="allow"))
class Surroundings(TypedDict):
    """Who the user is, where they are, and what the company lets through: of their line, and asked of them."""

    part: Literal["surroundings"]
    name: str | None
    phone_number: str | None
    is_abroad: bool
    roaming_allowed: bool
    signal_strength: dict[str, str]
    mobile_data_usage_exceeded: bool
    line_active: bool
    payment_request: PaymentRequest | None


INTERNET: Apn = {
    "apn_name": "internet",
    "reset_at_reboot": False,
    "mms_apn": "mms",
    "mmsc_url": "http://mms.carrier.com/mms/wapenc",
    "mms_proxy": None,
    "mms_port": None,
}
"""The settings that the carrier provides."""

NOBODY: Surroundings = {
    "part": "surroundings",
    "name": None,
    "phone_number": None,
    "is_abroad": False,
    "roaming_allowed": False,
    "signal_strength": {"2G": "poor", "3G": "fair", "4G": "good", "5G": "excellent"},
    "mobile_data_usage_exceeded": False,
    "line_active": True,
    "payment_request": None,
}
"""The surroundings before a caller is set. Public data omits them."""

PLANS = Table("plans", Plan, key="plan_id")

CUSTOMERS = Table(
    "customers",
    Customer,
    key="customer_id",
    indexes=(
        Index("phone_number", lambda row: (row["phone_number"],)),
        Index("name_dob", lambda row: ((row["full_name"].lower(), row["date_of_birth"]),)),
        Index("line_id", lambda row: row["line_ids"]),
    ),
)

LINES = Table(
    "lines",
    Line,
    key="line_id",
    indexes=(
        Index("phone_number", lambda row: (row["phone_number"],)),
        Index("device_id", lambda row: (row["device_id"],) if row.get("device_id") else ()),
    ),
)

BILLS = Table("bills", Bill, key="bill_id")

DEVICES = Table("devices", Device, key="device_id")


def _complete(row: Any) -> Any:
    """Return a row of `user` with the fields that public data leaves unset. Return any other value unchanged."""
    part = row.get("part") if isinstance(row, Mapping) else None
    if part == "surroundings":
        return {**NOBODY, **row}
    if part == "device":
        apn = {**INTERNET, **(row.get("active_apn_settings") or {})}
        return {"wifi_ssid": None, "vpn_details": None, **row, "active_apn_settings": apn}
    return row


UserRow = Annotated[Annotated[Phone | Surroundings, Discriminator("part")], BeforeValidator(_complete)]
"""A row of `user`, told apart by `part`."""

USER = Table("user", cast("type[Phone | Surroundings]", UserRow), key="part")

TABLES = (PLANS, CUSTOMERS, LINES, BILLS, DEVICES, USER)

TODAY = "2025-02-25"
"""The current date of the world. It never changes."""

CYCLE_END = "2025-02-28"
"""The date on which data allowances restart."""
