"""Reads: look-ups by key, and listings, on connections of their own."""
