"""Clients that play episodes in this process (`local`) or on a server (`remote`), with one protocol (`base`)."""
