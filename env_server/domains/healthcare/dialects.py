"""Healthcare's dialect. There is no public data, so the texts stand in the tools."""

from env_server.domains.kit import Dialect

BUILTIN = Dialect()

DIALECTS = {"builtin": BUILTIN}
