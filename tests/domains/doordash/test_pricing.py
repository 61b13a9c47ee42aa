"""Doordash's amounts are exact in cents, and as documented."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from env_server.domains.doordash import pricing
from env_server.domains.doordash.tables import Membership
from tests.domains.doordash.town import SOUP, check, order, promo, restaurant

AMOUNTS = st.integers(0, 10**6)
PROMOS = st.none() | st.sampled_from(
    [
        promo("P", "percentage", 12.5),
        promo("C", "percentage", 60.0, max_discount=7.77),
        promo("A", "amount_off", 500.0),
        promo("F", "free_delivery", 0.0),
    ]
)


@given(AMOUNTS)
def test_cents_and_dollars_are_each_others_inverse(amount: int) -> None:
    """An amount in whole cents is the same after it was stored in dollars."""
    assert pricing.cents(pricing.dollars(amount)) == amount


@pytest.mark.parametrize(("dollars", "cents"), [(0.125, 12), (0.135, 14), (2.675, 268), (1.005, 100), (-0.125, -12)])
def test_halves_go_to_the_even_cent(dollars: float, cents: int) -> None:
    """An amount is rounded as its decimals are written, halves to even."""
    assert pricing.cents(dollars) == cents


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(1, 10**6))
def test_a_ratio_is_rounded_half_to_even(amount: int, part: int, whole: int) -> None:
    """A share is the rounded exact fraction."""
    assert pricing.ratio(amount, part, whole) == round(Fraction(amount * part, whole))


@given(AMOUNTS, st.integers(0, 100_000))
def test_a_percentage_counts_three_decimals(amount: int, thousandths: int) -> None:
    """A percentage with three decimals, such as 8.875, is exact."""
    assert pricing.percent(amount, thousandths / 1000) == round(Fraction(amount * thousandths, 100_000))


@pytest.mark.parametrize(
    ("miles", "membership", "subtotal", "fee"),
    [
        (0.3, "none", 50.0, 1.99),
        (2.0, "none", 50.0, 1.99),
        (2.1, "none", 50.0, 2.74),
        (3.0, "none", 50.0, 2.74),
        (4.5, "none", 50.0, 4.24),
        (4.5, "plus", 14.99, 4.24),
        (4.5, "plus", 15.0, 0.0),
    ],
)
def test_delivery_costs_by_the_mile(miles: float, membership: Membership, subtotal: float, fee: float) -> None:
    """Each begun mile costs more; members with a large enough cart pay nothing."""
    assert pricing.delivery_fee(miles, membership, subtotal) == fee


@given(st.integers(1, 20), st.integers(1, 9999), st.integers(1, 90), st.sampled_from(["none", "plus"]), PROMOS)
def test_a_bill_adds_up(count: int, price: int, tenths: int, membership: Membership, code: object) -> None:
    """The parts of any bill are whole cents, none is negative, and their sum is the total."""
    unit = pricing.dollars(price)
    line = {"price": pricing.line_price(unit, count)}
    town = restaurant("r", "R")
    bill = pricing.bill([line], town, tenths / 10, membership, promo=code, tip=1.23)  # type: ignore[list-item, arg-type]
    check({**bill, "refunds": []})
    assert min(bill[name] for name in pricing.Bill.__annotations__) >= 0  # type: ignore[literal-required]
    assert bill["discount"] <= bill["subtotal"] == pricing.dollars(price * count)
    assert (bill["small_order_fee"] > 0) == (bill["subtotal"] < pricing.SMALL_ORDER)


@pytest.mark.parametrize(
    ("membership", "subtotal", "fee"),
    [("none", 10.0, 2.0), ("none", 25.5, 3.82), ("plus", 8.0, 0.5), ("plus", 25.5, 1.28)],
)
def test_the_service_fee_has_a_minimum(membership: Membership, subtotal: float, fee: float) -> None:
    """Members pay a smaller share, and a smaller minimum."""
    line = {"price": subtotal}
    assert pricing.bill([line], restaurant("r", "R"), 1.0, membership)["service_fee"] == fee  # type: ignore[list-item, arg-type]


def test_cancelling_costs_by_status_and_never_more_than_was_paid() -> None:
    """A cancellation costs nothing, half or all of the food, and never more than was paid."""
    fees = [pricing.cancellation_fee(status, 25.55, 40.0) for status in pricing.CANCELLATION_SHARE]
    assert fees == [0.0, 12.78, 25.55]
    assert pricing.cancellation_fee("ready", 25.55, 20.0) == 20.0


def test_all_items_together_give_back_food_and_tax() -> None:
    """A refund of all items gives back food and tax, but no fee and no tip."""
    row = order("D1", "delivered")
    lines = row["lines"]
    shares = [pricing.items_refund(line["price"], row["subtotal"], 5.0, row["tax"]) for line in lines.values()]
    assert pricing.items_refund(25.5, row["subtotal"], 5.0, row["tax"]) == 22.76
    assert (list(lines), shares) == (["curry", SOUP], [16.07, 6.69])
