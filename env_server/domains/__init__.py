"""Domains: one folder each, found by discovery. `kit` is the library for domain authors, `packs` holds the data
sources.
"""

GROUP = "env_server.domains"
"""The group of entry points by which other packages offer domains."""
