"""Prices: daily bars and intraday bars."""
