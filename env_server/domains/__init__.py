"""Domains: one folder each, discovered; `kit` is what a domain author uses, `packs` where the data comes from."""
