"""Telecom's rows: the two rows of `user`, and the fields that public data may leave out."""

import pytest
from pydantic import ValidationError

from env_server.domains.telecom.tables import CUSTOMERS, INTERNET, LINES, NOBODY, TABLES, USER
from tests.domains.telecom.carrier import PHONE, ROWS

UNSET = ("wifi_ssid", "vpn_details")


def test_every_row_is_one_of_its_table() -> None:
    """All rows of a world are valid and stay unchanged."""
    for table in TABLES:
        assert [table.validate(row) for row in ROWS[table.name]] == ROWS[table.name]


def test_a_phone_is_completed_with_what_is_unset() -> None:
    """Fields that public data leaves out are filled in: nulls, and the carrier's own."""
    given = {k: v for k, v in PHONE.items() if k not in UNSET} | {"active_apn_settings": {"apn_name": "broken"}}
    assert USER.validate(given) == PHONE | {"active_apn_settings": INTERNET | {"apn_name": "broken"}}


def test_surroundings_are_completed() -> None:
    """A task may give only the surroundings that it changes."""
    assert USER.validate({"part": "surroundings", "is_abroad": True}) == NOBODY | {"is_abroad": True}


@pytest.mark.parametrize("row", [{"part": "garden"}, {"is_abroad": True}, {"part": "device"}])
def test_what_is_neither_is_no_row(row: dict[str, object]) -> None:
    """A row must be the phone or the surroundings, and a phone must have settings."""
    with pytest.raises(ValidationError):
        USER.validate(row)


def test_a_moment_is_written_with_a_space() -> None:
    """Public data has a `T` between date and time, and rows have a space."""
    row = ROWS["customers"][0]
    assert CUSTOMERS.validate(row | {"created_at": "2020-01-02T10:30:00"}) == row


def test_a_payment_method_keeps_its_id_if_it_has_one() -> None:
    """Methods of the public data have no id and cannot be charged by one; ours have ids."""
    row = ROWS["customers"][0]
    bare = [{k: v for k, v in method.items() if k != "payment_method_id"} for method in row["payment_methods"]]
    for methods in (row["payment_methods"], bare):
        assert CUSTOMERS.validate(row | {"payment_methods": methods})["payment_methods"] == methods


def test_what_a_line_holds_beyond_its_fields_counts() -> None:
    """The reason for a suspension is part of the line's row, and so of the state."""
    suspended = ROWS["lines"][1]
    assert LINES.coerce(suspended) == suspended
    assert "suspension_reason" in LINES.coerce(suspended)
