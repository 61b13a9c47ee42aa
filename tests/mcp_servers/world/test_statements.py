"""Statements add up, follow from each other, and agree with results, dividends, splits and events."""

from collections.abc import Iterator
from datetime import timedelta
from itertools import pairwise

import pytest

from mcp_servers.world import NOW, calendar, read
from mcp_servers.world.accounts.flows import quarter_end
from mcp_servers.world.rows import COMPANIES, DIVIDENDS, EARNINGS, EVENTS, SPLITS, STATEMENTS, Statement
from mcp_servers.world.store import MemoryStore

PARTS: dict[str, tuple[str, ...]] = {
    "operating_cash_flow": (
        "net_income", "depreciation", "stock_compensation", "change_in_receivables", "change_in_inventory",
        "change_in_payables", "change_in_deferred_revenue", "change_in_accrued_liabilities",
    ),
    "investing_cash_flow": ("capital_expenditure", "acquisitions", "divestitures", "purchases_of_investments"),
    "financing_cash_flow": ("debt_issued", "debt_repaid", "dividends_paid", "buybacks"),
    "net_change_in_cash": ("operating_cash_flow", "investing_cash_flow", "financing_cash_flow"),
}  # fmt: skip
"""The lines of which each total of the cash flow is the sum."""

Filed = dict[str, list[Statement]]


@pytest.fixture(scope="module")
def filed(world: MemoryStore) -> Filed:
    """The quarters of each company as they were filed, oldest first."""
    return {row["ticker"]: world.rows(STATEMENTS).find("ticker", row["ticker"]) for row in world.rows(COMPANIES)}


def each(filed: Filed) -> Iterator[Statement]:
    """All statements."""
    for rows in filed.values():
        yield from rows


def test_every_company_reports_every_quarter(filed: Filed) -> None:
    """Twenty-one quarters, each after the one before, four to a fiscal year, filed after they ended."""
    for rows in filed.values():
        assert len(rows) == 21
        for before, row in pairwise(rows):
            assert before["ends"] < row["ends"]
            assert before["accepted"] < row["accepted"]
            assert (row["year"], row["quarter"]) == (
                (before["year"] + 1, 1) if before["quarter"] == 4 else (before["year"], before["quarter"] + 1)
            )
        assert all(row["ends"] < row["filed"] == row["accepted"][:10] for row in rows)


def test_income_adds_up(filed: Filed) -> None:
    """Revenue less costs, expenses, interest and tax is net income."""
    for row in each(filed):
        income = row["income"]
        assert income["gross_profit"] == income["revenue"] - income["cost_of_revenue"]
        parts = ("research_and_development", "selling_and_administrative", "depreciation", "special_charges")
        assert income["operating_expenses"] == sum(income[part] for part in parts)
        assert income["operating_income"] == income["gross_profit"] - income["operating_expenses"]
        assert income["ebitda"] == income["operating_income"] + income["depreciation"]
        other = income["interest_income"] + income["other_income"] - income["interest_expense"]
        assert income["pretax_income"] == income["operating_income"] + other
        assert income["net_income"] == income["pretax_income"] - income["income_tax"]
        assert income["eps"] == pytest.approx(income["net_income"] / income["shares"], abs=0.0051)
        assert income["eps_diluted"] == pytest.approx(income["net_income"] / income["shares_diluted"], abs=0.0051)
        assert income["revenue"] > 0


def test_the_balance_balances(filed: Filed) -> None:
    """Assets are liabilities and equity, and each total is the sum of its parts."""
    for row in each(filed):
        sheet = row["balance"]
        current = ("cash", "short_term_investments", "receivables", "inventory")
        assert sheet["current_assets"] == sum(sheet[part] for part in current)
        assert sheet["noncurrent_assets"] == sheet["property"] + sheet["goodwill"]
        assert sheet["total_assets"] == sheet["current_assets"] + sheet["noncurrent_assets"]
        owed = ("payables", "deferred_revenue", "accrued_liabilities", "short_term_debt")
        assert sheet["current_liabilities"] == sum(sheet[part] for part in owed)
        assert sheet["total_liabilities"] == sheet["current_liabilities"] + sheet["long_term_debt"]
        assert sheet["total_debt"] == sheet["short_term_debt"] + sheet["long_term_debt"]
        assert sheet["net_debt"] == sheet["total_debt"] - sheet["cash"] - sheet["short_term_investments"]
        assert sheet["total_equity"] == sheet["paid_in_capital"] + sheet["retained_earnings"]
        assert sheet["total_assets"] == sheet["total_liabilities"] + sheet["total_equity"]
        assert min(sheet[part] for part in (*current, *owed, "property", "goodwill", "total_equity")) >= 0, row["id"]


def test_cash_flows_make_the_change_of_cash(filed: Filed) -> None:
    """Three parts make the change, the change makes the new cash, and both are those of the balance sheets."""
    for rows in filed.values():
        for number, row in enumerate(rows):
            flow = row["cash"]
            for total, parts in PARTS.items():
                assert flow[total] == sum(flow[part] for part in parts)
            assert flow["cash_at_end"] == flow["cash_at_beginning"] + flow["net_change_in_cash"]
            assert flow["free_cash_flow"] == flow["operating_cash_flow"] + flow["capital_expenditure"]
            assert flow["cash_at_end"] == row["balance"]["cash"]
            assert flow["net_income"] == row["income"]["net_income"]
            if number:
                assert flow["cash_at_beginning"] == rows[number - 1]["balance"]["cash"]


def test_balance_sheets_follow_from_each_other(filed: Filed) -> None:
    """What a balance sheet shows is the one before and the cash flow between them."""
    for rows in filed.values():
        for before, row in pairwise(rows):
            old, new, flow = before["balance"], row["balance"], row["cash"]
            assert new["receivables"] == old["receivables"] - flow["change_in_receivables"]
            assert new["inventory"] == old["inventory"] - flow["change_in_inventory"]
            assert new["payables"] == old["payables"] + flow["change_in_payables"]
            assert new["property"] == old["property"] - flow["capital_expenditure"] - flow["depreciation"]
            assert new["goodwill"] == old["goodwill"] - flow["acquisitions"] - flow["divestitures"]
            assert new["total_debt"] == old["total_debt"] + flow["debt_issued"] + flow["debt_repaid"]
            kept = flow["net_income"] + flow["dividends_paid"] + flow["buybacks"]
            assert new["retained_earnings"] == old["retained_earnings"] + kept


def test_results_are_those_of_the_statements(world: MemoryStore, filed: Filed) -> None:
    """What a company announced is what it filed, then or a few days later."""
    rows = {row["id"]: row for row in world.rows(EARNINGS)}
    assert len(rows) == 60 * 21
    for row in each(filed):
        result = rows[row["id"]]
        assert (result["eps"], result["revenue"]) == (row["income"]["eps"], row["income"]["revenue"])
        assert (result["year"], result["quarter"], result["ticker"]) == (row["year"], row["quarter"], row["ticker"])
        assert row["ends"] < result["date"] == result["at"][:10] <= row["filed"]
        assert result["at"] < row["accepted"]
        if result["date"] >= calendar.START:
            opens, closes = calendar.opens(result["date"]), calendar.closes(result["date"])
            at = calendar.parse(result["at"])
            assert at < opens if result["session"] == "before" else at > closes


def test_dividends_are_paid_by_the_statements(world: MemoryStore, filed: Filed) -> None:
    """The dividends of a quarter are its cash dividends on the shares at its beginning."""
    paid: dict[tuple[str, str], float] = {}
    shares = {(row["ticker"], row["ends"]): row["balance"]["shares_outstanding"] for row in each(filed)}
    ends = sorted({row["ends"] for row in each(filed)})
    splits = {row["ticker"]: row for row in world.rows(SPLITS)}
    for row in world.rows(DIVIDENDS):
        quarter = quarter_end(row["pay"])
        number = ends.index(quarter) if quarter in ends else 0
        if number == 0:
            continue
        before, count = ends[number - 1], shares[row["ticker"], ends[number - 1]]
        split = splits.get(row["ticker"])
        if split is not None and before < split["date"] <= row["ex"]:
            count = count * split["after"] / split["before"]
        elif split is not None and row["ex"] < split["date"] <= before:
            count = count * split["before"] / split["after"]
        paid[row["ticker"], quarter] = paid.get((row["ticker"], quarter), 0.0) + row["cash"] * count
    assert len(paid) > 500
    for filing in each(filed):
        if filing["ends"] > ends[0]:
            due = paid.get((filing["ticker"], filing["ends"]), 0.0)
            assert -filing["cash"]["dividends_paid"] == pytest.approx(due, rel=1e-4, abs=2000)


def test_special_charges_and_deals_are_those_of_the_events(world: MemoryStore, filed: Filed) -> None:
    """Recalls, layoffs, lawsuits and units that changed hands stand in the statements of their quarter."""
    expected: dict[tuple[str, str, str], float] = {}

    def add(ticker: str, quarter: str, line: str, amount: float) -> None:
        expected[ticker, quarter, line] = expected.get((ticker, quarter, line), 0.0) + amount

    for event in world.rows(EVENTS):
        facts, quarter = event["facts"], quarter_end(event["at"][:10])
        if event["kind"] in ("recall", "layoffs"):
            add(event["ticker"], quarter, "special_charges", float(facts["cost"]))
        elif event["kind"] == "lawsuit" and "paid" in facts:
            add(event["ticker"], quarter, "special_charges", float(facts["paid"]))
            add(event["other"], quarter, "other_income", float(facts["paid"]))
        elif event["kind"] == "acquisition" and facts["stage"] == "completed":
            add(event["ticker"], quarter, "acquisitions", -float(facts["price"]))
            add(event["other"], quarter, "divestitures", float(facts["price"]))
    for row in each(filed):
        for part, line in (
            (row["income"], "special_charges"),
            (row["income"], "other_income"),
            (row["cash"], "acquisitions"),
            (row["cash"], "divestitures"),
        ):
            assert part[line] == pytest.approx(expected.get((row["ticker"], row["ends"], line), 0.0), abs=2000)


def test_shares_follow_splits(world: MemoryStore, filed: Filed) -> None:
    """Between two quarters shares change by a few per cent, and by a split."""
    splits = {row["ticker"]: row for row in world.rows(SPLITS)}
    for ticker, rows in filed.items():
        for before, row in pairwise(rows):
            split = splits.get(ticker)
            ratio = split["after"] / split["before"] if split and before["ends"] < split["date"] <= row["ends"] else 1.0
            changed = row["balance"]["shares_outstanding"] / before["balance"]["shares_outstanding"] / ratio
            assert 0.98 < changed < 1.01, (row["id"], changed)


def test_amounts_per_share_are_adjusted_for_splits(world: MemoryStore) -> None:
    """Before a split, a filed quarter shows the shares of its time; after it, those of today."""
    split = next(row for row in world.rows(SPLITS) if row["after"] > row["before"])
    ticker, ratio = split["ticker"], split["after"] / split["before"]
    eve = calendar.closes(calendar.session_before(split["date"]) or "")
    as_filed, now = read.statements(world, ticker, eve), read.statements(world, ticker, NOW)
    assert as_filed == read.statements(world, ticker, eve, adjusted=False)
    today = next(row for row in now if row["id"] == as_filed[0]["id"])
    assert today["income"]["eps"] == pytest.approx(as_filed[0]["income"]["eps"] / ratio, abs=1e-4)
    assert today["income"]["shares"] == round(as_filed[0]["income"]["shares"] * ratio)
    assert today["income"]["revenue"] == as_filed[0]["income"]["revenue"]
    results = {row["id"]: row for row in read.earnings(world, ticker, NOW)}
    assert results[today["id"]]["eps"] == pytest.approx(today["income"]["eps"], abs=1e-4)


def test_market_value_is_price_times_shares(world: MemoryStore) -> None:
    """On the day of a split both change, and their product does not jump."""
    for split in world.rows(SPLITS):
        eve = calendar.closes(calendar.session_before(split["date"]) or "")
        day = calendar.closes(split["date"])
        before, after = (read.market_cap(world, split["ticker"], now) or 0.0 for now in (eve, day))
        assert abs(after / before - 1.0) < 0.2
        bar = read.previous_close(world, split["ticker"], day)
        assert bar is not None
        assert after == pytest.approx(bar["close"] * read.shares(world, split["ticker"], day))


def test_nothing_is_filed_before_its_time(world: MemoryStore) -> None:
    """A statement exists from the second of its filing on, and a result from its announcement on."""
    row = world.rows(STATEMENTS).find("ticker", "ORCA")[-1]
    at = calendar.parse(row["accepted"])
    assert read.statements(world, "ORCA", at)[0] == row
    assert read.statements(world, "ORCA", at - timedelta(seconds=1))[0] != row
    result = world.rows(EARNINGS).find("ticker", "ORCA")[-1]
    at = calendar.parse(result["at"])
    assert read.earnings(world, "ORCA", at)[0] == result
    assert read.earnings(world, "ORCA", at - timedelta(seconds=1))[0] != result


def test_the_shares_of_a_company_are_those_of_the_first_day(world: MemoryStore) -> None:
    """The row of a company and its last statement before the world begins agree."""
    for row in world.rows(COMPANIES):
        assert read.shares(world, row["ticker"], calendar.opens(calendar.START)) == row["shares"]
