"""What companies report: books, filings, cash flows, and corporate actions."""
