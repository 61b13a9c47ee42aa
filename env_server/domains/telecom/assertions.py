"""Assertions that a task can make about the final state. `ASSERTIONS` lists them by side. Each returns whether it
holds.

An assertion about a missing row is an error.
"""

from env_server.domains.kit import refuse
from env_server.domains.telecom import device
from env_server.domains.telecom.checks import TelecomDb, customer_of, found, line_of
from env_server.domains.telecom.dialects import OVERDUE, PAID
from env_server.domains.telecom.parts import around_of, phone_of
from env_server.domains.telecom.setups import Sided, by_name
from env_server.domains.telecom.tables import BILLS


def assert_data_refueling_amount(db: TelecomDb, customer_id: str, line_id: str, expected_amount: float) -> bool:
    """Return whether this many GB were added to the customer's line."""
    return line_of(db, customer_id, line_id)["data_refueling_gb"] == expected_amount


def assert_line_status(db: TelecomDb, customer_id: str, line_id: str, expected_status: str) -> bool:
    """Return whether the customer's line has this status."""
    return line_of(db, customer_id, line_id)["status"] == expected_status


def assert_overdue_bill_exists(db: TelecomDb, customer_id: str, overdue_bill_id: str) -> bool:
    """Return whether the customer has this bill and it is overdue. Any other state is an error."""
    bill = found(db, BILLS, overdue_bill_id)
    if overdue_bill_id not in customer_of(db, customer_id)["bill_ids"] or bill is None:
        refuse("Overdue bill {bill_id} not found", bill_id=overdue_bill_id)
    if bill["status"] != OVERDUE:
        refuse("Overdue bill {bill_id} is not overdue", bill_id=overdue_bill_id)
    return True


def assert_no_overdue_bill(db: TelecomDb, overdue_bill_id: str) -> bool:
    """Return whether the bill does not exist or is paid."""
    bill = found(db, BILLS, overdue_bill_id)
    return bill is None or bill["status"] == PAID


def assert_airplane_mode_status(db: TelecomDb, expected_status: bool) -> bool:
    """Return whether airplane mode is on, or off, as expected."""
    return phone_of(db)["airplane_mode"] == expected_status


def assert_mobile_data_saver_mode_status(db: TelecomDb, expected_status: bool) -> bool:
    """Return whether data saver is on, or off, as expected."""
    return phone_of(db)["data_saver_mode"] == expected_status


def assert_mobile_roaming_status(db: TelecomDb, expected_status: bool) -> bool:
    """Return whether data roaming is on, or off, as expected."""
    return phone_of(db)["roaming_enabled"] == expected_status


def assert_service_status(db: TelecomDb, expected_status: str) -> bool:
    """Return whether the phone is `connected`, `searching` or has `no_service`, as expected."""
    if expected_status not in device.NETWORK_STATES:
        refuse("{status!r} is not a valid NetworkStatus", status=expected_status)
    return phone_of(db)["network_connection_status"] == expected_status


def assert_mobile_data_status(db: TelecomDb, expected_status: bool) -> bool:
    """Return whether mobile data gets through, or does not, as expected."""
    return device.data_works(phone_of(db), around_of(db)) == expected_status


def assert_mobile_data_usage_exceeded(db: TelecomDb, expected_status: bool) -> bool:
    """Return whether the line's data allowance is used up, or is not, as expected."""
    return around_of(db)["mobile_data_usage_exceeded"] == expected_status


def assert_internet_speed(db: TelecomDb, expected_speed: float, expected_desc: str | None = None) -> bool:
    """Return whether mobile data is at least this fast, in Mbps, and so graded where a grade is expected."""
    mbps = device.speed(phone_of(db), around_of(db))
    if mbps is None:
        return False
    return mbps >= expected_speed and (expected_desc is None or device.grade(mbps).lower() == expected_desc.lower())


def assert_internet_not_excellent(db: TelecomDb) -> bool:
    """Return whether mobile data does not work or is not excellent."""
    mbps = device.speed(phone_of(db), around_of(db))
    return mbps is None or device.grade(mbps) != device.BEST_GRADE


def assert_can_send_mms(db: TelecomDb, expected_status: bool) -> bool:
    """Return whether a picture message can be sent, or cannot, as expected."""
    return device.sends_mms(phone_of(db), around_of(db)) == expected_status


ASSERTIONS: Sided = {
    "agent": by_name(
        (assert_data_refueling_amount, assert_line_status, assert_overdue_bill_exists, assert_no_overdue_bill)
    ),
    "user": by_name(
        (
            assert_airplane_mode_status,
            assert_mobile_data_saver_mode_status,
            assert_mobile_roaming_status,
            assert_service_status,
            assert_mobile_data_status,
            assert_mobile_data_usage_exceeded,
            assert_internet_speed,
            assert_internet_not_excellent,
            assert_can_send_mms,
        )
    ),
}
