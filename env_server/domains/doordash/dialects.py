"""Doordash's dialects. Only the builtin pack exists, so the texts stand in the tools."""

from env_server.domains.kit import Dialect

DIALECTS = {"builtin": Dialect()}
