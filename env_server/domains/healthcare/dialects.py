"""Healthcare has no public data of its own: one dialect, whose tools' texts stand in the tools."""

from env_server.domains.kit import Dialect

BUILTIN = Dialect()

DIALECTS = {"builtin": BUILTIN}
