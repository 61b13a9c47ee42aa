"""Prices: daily bars and what happens within a day."""
