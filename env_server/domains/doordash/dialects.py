"""Doordash's dialects: it has the builtin pack alone, so its texts stand where they are used."""

from env_server.domains.kit import Dialect

DIALECTS = {"builtin": Dialect()}
