"""The companies' accounts: books, filings, cash flows and corporate actions."""
