"""Domains: one folder each, discovered; `kit` is what a domain author uses, `packs` where the data comes from."""

GROUP = "env_server.domains"
"""The entry points by which other packages offer domains."""
