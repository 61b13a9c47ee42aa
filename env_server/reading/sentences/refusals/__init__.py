"""Sentences that say that something is impossible or not allowed, and what only resembles them."""
